import json
from pathlib import Path

import pytest

from ronmf.bench.running.origins import plan_state
from ronmf.bench.running.plan import read_plan

ROOT = Path(__file__).parents[3]
PLANS = ROOT / "plans"
HEAD = '[[experiment]]\nname = "clean"\ndatasets = ["digits"]\nmethods = ["GNMF", "k-means"]\n'


def plan_of(tmp_path, text):
    file = tmp_path / "mine.toml"
    file.write_text(text)
    return read_plan(file)


def test_runs_are_the_product_of_what_is_listed(tmp_path):
    plan = plan_of(
        tmp_path,
        HEAD + "n_classes = [2, 3]\nseeds = 4\nlabel_rate = [0.1, 0.2]\n"
        'noise = [{ kind = "none", level = 0 }, { kind = "gaussian", level = [0.1, 0.3] }]\n',
    )
    assert plan.name == "mine"
    assert len(plan.runs) == 2 * 2 * 4 * 2 * 3
    assert len({run.digest for run in plan.runs}) == len(plan.runs)
    assert {(r.noise, r.noise_level) for r in plan.runs} == {
        ("none", 0.0), ("gaussian", 0.1), ("gaussian", 0.3),
    }  # fmt: skip


def test_keys_depend_on_settings_only(tmp_path):
    first = plan_of(tmp_path, HEAD + "seeds = 3")
    more = plan_of(tmp_path, HEAD + "seeds = [2, 1, 0, 7]")
    assert {run.digest for run in first.runs} < {run.digest for run in more.runs}


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


def test_numbers_of_labels_stand_for_shares(tmp_path):
    plan = plan_of(tmp_path, HEAD + "seeds = 1\nlabels_per_class = [1, 5]")
    assert [(r.label_rate, r.labels_per_class) for r in plan.runs] == [(None, 1)] * 2 + [
        (None, 5)
    ] * 2
    # What an experiment says stands before the defaults of the other.
    for default, own in [("label_rate = 0.2", "labels_per_class = 3"),
                         ("labels_per_class = 3", "label_rate = 0.2")]:  # fmt: skip
        (run, *_) = plan_of(tmp_path, f"[defaults]\n{default}\n{HEAD}{own}").runs
        assert (run.label_rate, run.labels_per_class) == (
            (None, 3) if own.startswith("labels") else (0.2, None)
        )
    (run, *_) = plan_of(tmp_path, f"[defaults]\nlabels_per_class = 3\n{HEAD}").runs
    assert (run.label_rate, run.labels_per_class) == (None, 3)


def test_features_are_for_all_datasets_or_for_some(tmp_path):
    head = HEAD.replace('["digits"]', '["digits", "yale"]')
    some = plan_of(tmp_path, head + 'features = { yale = "net" }')
    assert {(run.dataset, run.features) for run in some.runs} == {("digits", ""), ("yale", "net")}
    every = plan_of(
        tmp_path, head + 'features = "net"\nnoise = [{ kind = "label_flips", level = 1 }]'
    )
    assert {run.features for run in every.runs} == {"net"}
    noise = 'noise = [{ kind = "none" }, { kind = "gaussian", level = 0.1 }]\n'
    assert plan_of(tmp_path, HEAD + noise + 'features = { yale = "net" }').runs


def test_rows_of_earlier_versions_are_still_found():
    """Settings that came later must not change the digest of a run that does not use them."""
    plan = read_plan(PLANS / "leak.toml")
    assert not plan_state(plan, ROOT / "results" / "leak").runs("missing")


@pytest.mark.parametrize("name", ["quick", "paper", "leak", "accuracy"])
def test_plans_of_the_repository(name):
    plan = read_plan(PLANS / f"{name}.toml")
    assert plan.name == name
    assert len(plan.runs) > 100


BAD = {
    "no experiment": ("seeds = 3", "unknown key 'seeds'"),
    "nothing": ("", r"use at least one \[\[experiment\]\]"),
    "not toml": ("= = =", "is not a TOML file"),
    "no name": (
        "[[experiment]]\ndatasets = ['digits']",
        r"the name of an \[\[experiment\]\] is missing",
    ),
    "unknown key": (HEAD + "k = 3", "unknown key 'k'"),
    "unknown method": (HEAD.replace("GNMF", "PCA"), "method 'PCA' is not known"),
    "no datasets": (
        '[[experiment]]\nname = "a"\nmethods = ["NMF"]',
        "datasets is missing; use names or paths",
    ),
    "bad rate": (
        HEAD + "label_rate = 1.5",
        "label_rate cannot be 1.5; use numbers above 0 and at most 1",
    ),
    "bad number of labels": (
        HEAD + "labels_per_class = 0.5",
        "labels_per_class cannot be 0.5; use whole numbers",
    ),
    "both kinds of labels": (HEAD + "label_rate = 0.1\nlabels_per_class = 2", "leave one out"),
    "no numbers of labels": (HEAD + "labels_per_class = []", "labels_per_class is an empty list"),
    "bad features": (
        HEAD + "features = { digits = 3 }",
        "features cannot be .*3.*; use the name of a network",
    ),
    "features of noise": (
        HEAD + 'features = "net"\nnoise = [{ kind = "gaussian", level = 1 }]',
        "gaussian noise is for pixels, but digits has features = 'net'",
    ),
    "bad seeds": (HEAD + 'seeds = ["a"]', "seeds"),
    "fractional seeds": (HEAD + "seeds = 1.5", "seeds cannot be 1.5"),
    "noise kind is a list": (
        HEAD + 'noise = [{ kind = ["x"], level = 1 }]',
        "noise cannot be .*; use tables such",
    ),
    "a date in a grid": (HEAD + "grid = { a = [2020-01-01] }", "no number, text or list"),
    "relative module": (HEAD.replace("GNMF", ".x:Y"), "method '.x:Y' is not known"),
    "no classes": (HEAD + "n_classes = []", "n_classes is an empty list"),
    "dots": ('name = ".."\n' + HEAD, "a short word that can name a folder"),
    "bad classes": (HEAD + "n_classes = [0]", "n_classes cannot be 0"),
    "mistyped key": (HEAD + "n_clases = 3", "did you mean 'n_classes'"),
    "mistyped noise": (HEAD + 'noise = { kind = "gaussiann", level = 1 }', "mean 'gaussian'"),
    "noise out of range": (HEAD + 'noise = { kind = "occlusion", level = 2 }', "and at most 1"),
    "bad noise": (HEAD + 'noise = [{ kind = "rain", level = 1 }]', "'rain' is not known"),
    "no level": (
        HEAD + 'noise = [{ kind = "gaussian" }]',
        "level None of 'gaussian' is out of range",
    ),
    "noise text": (HEAD + 'noise = "gaussian"', "noise cannot be 'gaussian'; use tables"),
    "bad scaling": (HEAD + 'scaling = "max"', "scaling cannot be 'max'; use \"unit\""),
    "bad leak": (HEAD + 'leak = "yes"', 'leak cannot be \'yes\'; use "none" or "authors"'),
    "bad timeout": ("timeout = -1\n" + HEAD, "timeout"),
    "bad plan name": ('name = "a/b"\n' + HEAD, "a short word that can name a folder"),
    "bad variant": (
        HEAD + "variants = [{ graph_weight = 1 }]",
        "the label of a variant is missing",
    ),
    "bad limit": (HEAD + 'samples_per_class = "few"', "samples_per_class"),
    "experiment is no list": ("experiment = 3", "experiment cannot be 3; use at least one"),
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
