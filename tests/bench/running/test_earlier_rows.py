"""Rows of earlier versions are read as today's: their behaviour, their run, their parameters."""

import json
from pathlib import Path

import pytest

from ronmf import ADMM, GraphChoice
from ronmf.bench import METHODS, make_method, plan_state, read_plan, run_plan
from ronmf.bench.running import origins, runner
from ronmf.bench.running.renamed_parameters import RENAMED, with_new_names
from ronmf.bench.running.row_checks import check_row
from ronmf.bench.running.rows import RowFile
from support.pool_here import PoolHere
from support.rows import row

ROOT = next(p for p in Path(__file__).parents if (p / "plans").is_dir())
NAMES = {"basis": "solver__basis", "init": "solver__init"}
PLAN = """
[[experiment]]
name = "ablation"
datasets = ["digits"]
methods = ["RONMF-M", "k-means"]
n_classes = 2
samples_per_class = 12
seeds = 1
variants = [{ label = "default" }, { label = "random", init = "random" }]
"""


def plan_of(folder, text, name="plan"):
    (folder / f"{name}.toml").write_text(text)
    return read_plan(folder / f"{name}.toml")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The plan, and its rows."""
    folder = tmp_path_factory.mktemp("made")
    plan = plan_of(folder, PLAN)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runner, "Pool", PoolHere)
        run_plan(plan, folder / "out")
    lines = (folder / "out" / "rows.jsonl").read_text().splitlines()
    return plan, [json.loads(line) for line in lines]


@pytest.fixture
def renamed(monkeypatch):
    monkeypatch.setitem(RENAMED, "RONMF", NAMES)


def test_rows_of_the_first_release_are_of_version_1_and_others_unknown():
    known = check_row(row(key="k", run="r", code="11d5bba0451a", data="d"))
    assert (known["behaviour"], known["data"]) == (1, "d")
    assert not {"key", "code"} & set(known)
    assert check_row(row(code="3f0c9d2a41be"))["behaviour"] == 0
    assert check_row(row())["behaviour"] == 0
    assert check_row(row(behaviour=7, code="11d5bba0451a"))["behaviour"] == 7


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("11d5bba0451a", "complete: 4 runs, behaviour version 1"),
        ("91ab03d2cc17", "stale: 4 from another behaviour (unknown; today's is version 1)"),
    ],
)
def test_rows_of_the_first_release_are_of_version_1(made, tmp_path, monkeypatch, code, words):
    """As 0.1.0 wrote them: a key, a digest of the source text, and no version."""
    plan, written = made
    monkeypatch.setattr(origins, "BEHAVIOUR", 1)
    earlier = [{"key": "k", "code": code, **each} for each in written]
    lines = [{k: v for k, v in each.items() if k != "behaviour"} for each in earlier]
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(x) + "\n" for x in lines))
    assert words in plan_state(plan, tmp_path).describe()


def test_which_run_a_row_is_follows_from_its_settings():
    assert check_row(row(run="made up"))["run"] == check_row(row())["run"]
    assert check_row(row(run="made up", seed=2))["run"] != check_row(row())["run"]


def test_settings_that_came_later_are_those_that_rows_without_them_had():
    later = {"labels_per_class": None, "features": "", "samples_per_class": None}
    assert check_row(row(**later, scaling="unit"))["run"] == check_row(row())["run"]


@pytest.mark.usefixtures("renamed")
def test_stored_rows_are_those_of_a_plan_with_renamed_parameters():
    """The real rows say the old names, and the real plan too."""
    runs = {run.digest: run for run in read_plan(ROOT / "plans" / "paper.toml").runs}
    rows = RowFile(ROOT / "results" / "paper").read()
    assert {each["run"] for each in rows} == set(runs)
    assert all(each["params"] == runs[each["run"]].params for each in rows)
    changed = {name for each in rows for name in json.loads(each["params"])}
    assert changed == {"graph_weight", "label_weight", "groups", *NAMES.values()}


@pytest.mark.usefixtures("renamed")
def test_plans_may_say_the_old_name_or_the_new_one(tmp_path):
    old = plan_of(tmp_path, PLAN)
    new = plan_of(
        tmp_path,
        PLAN.replace('["RONMF-M", "k-means"]', '["RONMF-M"]').replace("init", "solver__init"),
    )
    told = {run.method: json.loads(run.params) for run in old.runs if run.variant}
    assert told["RONMF-M"] == {"solver__init": "random"}
    assert told["k-means"] == {"init": "random"}  # which has a parameter of the same name
    assert {run.digest for run in new.runs} < {run.digest for run in old.runs}
    text = PLAN.replace('init = "random"', 'init = "random", solver__init = "random"')
    with pytest.raises(
        ValueError,
        match=r"plan.toml: experiment 'ablation': init of RONMF-M is called solver__init",
    ):
        plan_of(tmp_path, text)


def test_a_rename_is_for_a_family_of_the_registry(monkeypatch):
    monkeypatch.setitem(RENAMED, "RONMF", {"tol": "solver__tol", "beta": "solver__beta"})
    text = '{"beta": 1.0, "label_weight": 2.0, "tol": 0.1}'
    for method in ("RONMF", "RONMF-E", "RONMF-M, as released"):
        assert json.loads(with_new_names(method, text)) == {
            "label_weight": 2.0, "solver__beta": 1.0, "solver__tol": 0.1,
        }  # fmt: skip
    for method in ("GNMF", "k-means", "RONMF of mine", "Mine"):
        assert with_new_names(method, text) == text


@pytest.mark.parametrize("start", RENAMED)
def test_every_new_name_can_be_set_and_no_old_one(start):
    parts = {"solver": ADMM().get_params(), "graph": GraphChoice().get_params()}
    for method in [name for name in METHODS if name.startswith(start)]:
        for old, new in RENAMED[start].items():
            part, _, name = new.partition("__")
            value = parts[part][name]
            assert make_method(method, **{new: value}).get_params()[new] == value
            assert old not in make_method(method).get_params()
