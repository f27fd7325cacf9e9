import json
from pathlib import Path

import pytest

from ronmf.experiments.plan import read_plan

PLANS = Path(__file__).parent.parent / "plans"
HEAD = '[[experiment]]\nname = "clean"\ndatasets = ["digits"]\nmethods = ["GNMF", "k-means"]\n'


def plan_of(tmp_path, text):
    file = tmp_path / "mine.toml"
    file.write_text(text)
    return read_plan(file)


def test_runs_are_the_product_of_what_is_listed(tmp_path):
    plan = plan_of(
        tmp_path,
        HEAD + "n_classes = [2, 3]\nseeds = 4\nlabel_rate = [0.1, 0.2]\n"
        'noise = [{ kind = "none" }, { kind = "gaussian", level = [0.1, 0.3] }]\n',
    )
    assert plan.name == "mine"
    assert len(plan.runs) == 2 * 2 * 4 * 2 * 3
    assert len({run.key for run in plan.runs}) == len(plan.runs)
    assert {(r.noise, r.noise_level) for r in plan.runs} == {
        ("none", 0.0), ("gaussian", 0.1), ("gaussian", 0.3),
    }  # fmt: skip


def test_keys_depend_on_settings_only(tmp_path):
    first = plan_of(tmp_path, HEAD + "seeds = 3")
    more = plan_of(tmp_path, HEAD + "seeds = [2, 1, 0, 7]")
    assert {run.key for run in first.runs} < {run.key for run in more.runs}


def test_variants_and_grids_change_parameters(tmp_path):
    plan = plan_of(
        tmp_path,
        '[[experiment]]\nname = "a"\ndatasets = ["digits"]\nmethods = ["RONMF-M"]\nseeds = 1\n'
        'variants = [{ label = "x" }, { label = "y", groups = "samples" }]\n'
        "grid = { graph_weight = [1.0, 2.0] }\n",
    )
    assert [(r.variant, json.loads(r.params)) for r in plan.runs] == [
        ("x", {"graph_weight": 1.0}), ("x", {"graph_weight": 2.0}),
        ("y", {"groups": "samples", "graph_weight": 1.0}),
        ("y", {"groups": "samples", "graph_weight": 2.0}),
    ]  # fmt: skip


def test_defaults_and_limits(tmp_path):
    plan = plan_of(
        tmp_path,
        "[defaults]\nseeds = 1\nsamples_per_class = { digits = 9 }\n"
        + HEAD
        + HEAD.replace('"GNMF", "k-means"', '"NMF"').replace("clean", "all")
        + 'n_classes = "all"',
    )
    assert [run.n_classes for run in plan.runs] == [6, 6, None]
    assert {run.samples_per_class for run in plan.runs} == {9}


def test_selection(tmp_path):
    plan = plan_of(tmp_path, HEAD + "seeds = 2")
    assert {run.method for run in plan.select(methods=["GNMF"]).runs} == {"GNMF"}
    ours = plan_of(tmp_path, HEAD.replace('"GNMF"', '"RONMF-M", "RONMF-S", "NMF"'))
    assert {run.method for run in ours.select(methods=["RONMF"]).runs} == {"RONMF-M", "RONMF-S"}
    assert {run.method for run in ours.select(methods=["NMF"]).runs} == {"NMF"}
    with pytest.raises(ValueError, match="dataset 'yale' is not in the plan 'mine'; it has digits"):
        plan.select(datasets=["yale"])


@pytest.mark.parametrize("name", ["quick", "paper", "leak"])
def test_plans_of_the_repository(name):
    plan = read_plan(PLANS / f"{name}.toml")
    assert plan.name == name
    assert len(plan.runs) > 100


BAD = {
    "no experiment": ("seeds = 3", "unknown key 'seeds'"),
    "nothing": ("", r"no \[\[experiment\]\]"),
    "not toml": ("= = =", "is not a TOML file"),
    "no name": ("[[experiment]]\ndatasets = ['digits']", "has no name"),
    "unknown key": (HEAD + "k = 3", "unknown key 'k'"),
    "unknown method": (HEAD.replace("GNMF", "PCA"), "method 'PCA' is not known"),
    "no such module": (HEAD.replace("GNMF", "nowhere:Thing"), "cannot import"),
    "no datasets": ('[[experiment]]\nname = "a"\nmethods = ["NMF"]', "datasets must be a list"),
    "bad rate": (HEAD + "label_rate = 1.5", "label_rate has 1.5"),
    "bad seeds": (HEAD + 'seeds = ["a"]', "seeds"),
    "fractional seeds": (HEAD + "seeds = 1.5", "seeds = 1.5"),
    "noise kind is a list": (HEAD + 'noise = [{ kind = ["x"], level = 1 }]', "is not known"),
    "a date in a grid": (HEAD + "grid = { a = [2020-01-01] }", "no number, text or list"),
    "relative module": (HEAD.replace("GNMF", ".x:Y"), "cannot import"),
    "no classes": (HEAD + "n_classes = []", "n_classes is an empty list"),
    "dots": ('name = ".."\n' + HEAD, "cannot name a folder"),
    "bad classes": (HEAD + "n_classes = [0]", "n_classes has 0"),
    "bad noise": (HEAD + 'noise = [{ kind = "rain", level = 1 }]', "'rain' is not known"),
    "no level": (HEAD + 'noise = [{ kind = "gaussian" }]', "level of gaussian has None"),
    "noise text": (HEAD + 'noise = "gaussian"', "noise must be tables"),
    "bad scaling": (HEAD + 'scaling = "max"', "scaling is 'max'"),
    "bad leak": (HEAD + 'leak = "yes"', "leak is 'yes'"),
    "bad timeout": ("timeout = -1\n" + HEAD, "timeout"),
    "bad plan name": ('name = "a/b"\n' + HEAD, "cannot name a folder"),
    "bad variant": (HEAD + "variants = [{ graph_weight = 1 }]", "table with a label"),
    "bad limit": (HEAD + 'samples_per_class = "few"', "samples_per_class"),
    "experiment is no list": ("experiment = 3", "no \\[\\[experiment"),
    "defaults are no table": ("defaults = 3\n" + HEAD, "defaults"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_plans_are_one_sentence(tmp_path, case):
    text, message = BAD[case]
    with pytest.raises(ValueError, match=message) as caught:
        plan_of(tmp_path, text)
    assert "mine.toml" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_plan_that_is_not_there(tmp_path):
    with pytest.raises(ValueError, match="there is no plan at"):
        read_plan(tmp_path / "none.toml")
