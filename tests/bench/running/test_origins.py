"""Rows of another behaviour or of other data are known as such, set aside, and never mixed."""

import gzip
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import ronmf
from ronmf.bench import plan_state, read_plan, read_rows, run_plan
from ronmf.bench.running import origins, runner
from ronmf.bench.running.behaviour import BEHAVIOUR
from ronmf.bench.running.rows import RowFile
from support.pool_here import PoolHere

PLAN = """
[[experiment]]
name = "clean"
datasets = ["owls.npz"]
methods = ["k-means", "NMF"]
n_classes = 2
seeds = 2
"""


def write_owls(folder, seed=0):
    rng = np.random.default_rng(seed)
    y = np.repeat([0, 1, 2], 8)
    np.savez(folder / "owls.npz", X=rng.random((24, 16)) + 3 * np.eye(3, 16)[y], y=y, shape=(4, 4))


@pytest.fixture(autouse=True, scope="module")
def quick():
    """Run plans in this process: no test here is about workers."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runner, "Pool", PoolHere)
        yield


@pytest.fixture(scope="module")
def made(quick, tmp_path_factory):
    """A folder of data and rows of version 4."""
    folder = tmp_path_factory.mktemp("made")
    write_owls(folder)
    (folder / "plan.toml").write_text(PLAN)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(origins, "BEHAVIOUR", 4)
        run_plan(read_plan(folder / "plan.toml"), folder / "out", data=folder)
    return folder


@pytest.fixture
def home(made, tmp_path, monkeypatch):
    """A copy of it to work in, and its plan."""
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    monkeypatch.setattr(origins, "BEHAVIOUR", 4)
    return read_plan(tmp_path / "plan.toml"), tmp_path


def state(home):
    plan, folder = home
    return plan_state(plan, folder / "out", folder)


def test_rows_tell_where_they_come_from(home):
    rows = RowFile(home[1] / "out").read()
    assert {row["dataset"] for row in rows} == {"owls"}  # one name, however it was given
    assert {row["behaviour"] for row in rows} == {4}
    assert rows[0]["data"]
    assert {row["data"] for row in rows} == {rows[0]["data"]}
    assert len({row["run"] for row in rows}) == len(rows) == 4
    parameters = json.loads(next(r for r in rows if r["method"] == "k-means")["parameters"])
    assert parameters["n_init"] == 20  # of the registry
    assert parameters["max_iter"] == 300  # scikit-learn's own default
    assert state(home).describe() == "complete: 4 runs, behaviour version 4, no failures."


def test_rows_of_another_behaviour_are_stale_and_made_again(home, monkeypatch):
    plan, folder = home
    before = RowFile(folder / "out").read()
    monkeypatch.setattr(origins, "BEHAVIOUR", 5)
    assert len(state(home).runs("stale")) == 4
    words = "stale: 4 from another behaviour (version 4; today's is version 5)"
    assert words in state(home).describe()
    end = run_plan(plan, folder / "out", data=folder)
    assert (end.before, end.done, end.total) == (0, 4, 4)
    after = RowFile(folder / "out").read()
    assert {row["behaviour"] for row in after} == {5}
    with gzip.open(folder / "out" / "older.jsonl.gz") as file:
        older = [json.loads(line) for line in file]
    assert older == before


def test_a_part_made_again_does_not_mix_with_the_rest(home, monkeypatch):
    plan, folder = home
    monkeypatch.setattr(origins, "BEHAVIOUR", 5)
    run_plan(plan.select(methods=["NMF"]), folder / "out", data=folder)
    assert len(RowFile(folder / "out").read()) == 4  # those of k-means stay where they are
    words = r"of 2 versions of the behaviour \((4|5): 2 rows, (4|5): 2\)"
    with pytest.raises(ValueError, match=words):
        read_rows(folder / "out")
    assert len(read_rows(folder / "out", allow_stale=True)) == 4
    run_plan(plan, folder / "out", data=folder)
    assert set(read_rows(folder / "out")["behaviour"]) == {5}


def test_packed_rows_are_set_aside_too(home, monkeypatch):
    plan, folder = home
    path = folder / "out" / "rows.jsonl"
    with gzip.open(f"{path}.gz", "wb") as packed:
        packed.write(path.read_bytes())
    path.unlink()
    monkeypatch.setattr(origins, "BEHAVIOUR", 5)
    run_plan(plan.select(methods=["NMF"]), folder / "out", data=folder)
    rows = RowFile(folder / "out").read()
    assert sorted((row["method"], row["behaviour"]) for row in rows) == [
        ("NMF", 5), ("NMF", 5), ("k-means", 4), ("k-means", 4),
    ]  # fmt: skip


def test_rows_of_other_data_are_stale(home):
    plan, folder = home
    write_owls(folder, seed=1)
    assert len(state(home).runs("stale")) == 4
    assert "stale: 4 from other data of owls" in state(home).describe()
    run_plan(plan, folder / "out", data=folder)
    assert len(state(home).runs("done")) == 4


def test_data_that_are_not_here_are_not_compared(home):
    _, folder = home
    (folder / "owls.npz").unlink()
    assert len(state(home).runs("done")) == 4


def test_rows_of_runs_that_the_plan_has_no_more_go_with_their_behaviour(home, monkeypatch):
    _, folder = home
    (folder / "plan.toml").write_text(PLAN.replace('"k-means", ', ""))
    plan = read_plan(folder / "plan.toml")
    run_plan(plan, folder / "out", data=folder)
    assert len(RowFile(folder / "out").read()) == 4  # of the same behaviour: they may be wanted
    monkeypatch.setattr(origins, "BEHAVIOUR", 5)
    run_plan(plan, folder / "out", data=folder)
    assert set(read_rows(folder / "out")["method"]) == {"NMF"}


@pytest.mark.slow
def test_the_text_of_the_package_does_not_make_rows_stale_but_its_behaviour_does(tmp_path):
    """A copy of the package is changed; its own command then says whether rows are stale."""
    copy = tmp_path / "copy" / "ronmf"
    shutil.copytree(Path(ronmf.__file__).parent, copy, ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "plan.toml").write_text(
        PLAN.replace("owls.npz", "digits").replace('"NMF"', '"GNMF"') + "samples_per_class = 10\n"
    )

    def bench(command, *arguments):
        return subprocess.run(
            [sys.executable, "-m", "ronmf", "bench", command, "plan.toml", *arguments],
            cwd=tmp_path, capture_output=True, text=True, check=True,
            env={**os.environ, "PYTHONPATH": str(tmp_path / "copy")},
        )  # fmt: skip

    def scores():
        rows = RowFile(tmp_path / "results" / "plan").read()
        return {row["run"]: row["acc_all"] for row in rows if row["method"] == "GNMF"}

    complete = f"complete: 4 runs, behaviour version {BEHAVIOUR}, no failures."
    bench("run", "-j", "1")
    assert complete in bench("status").stdout
    before = scores()

    rename_module(copy, "baselines/_multiplicative/loop.py", "rounds")
    split_function(copy / "metrics.py", "clustering_accuracy")
    assert complete in bench("status").stdout

    version = copy / "bench" / "running" / "behaviour.py"
    replace(version, f"BEHAVIOUR = {BEHAVIOUR}\n", f"BEHAVIOUR = {BEHAVIOUR + 1}\n")
    reason = f"version {BEHAVIOUR}; today's is version {BEHAVIOUR + 1}"
    assert f"stale: 4 from another behaviour ({reason})" in bench("status").stdout
    again = bench("run", "-j", "1")
    assert reason in again.stderr
    assert "4 of 4 runs have a row" in again.stdout
    assert "complete: 4 runs" in bench("status").stdout
    assert scores() == before  # the renamed and split package runs, and finds the same


def replace(file, old, new):
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


def rename_module(package, path, name):
    """Rename a module, and every import of it."""
    old = package / path
    old.rename(old.with_name(f"{name}.py"))
    room, module = old.parent.name, old.stem
    for file in package.rglob("*.py"):
        text = file.read_text()
        text = text.replace(f"{room}.{module} import", f"{room}.{name} import")
        if file.parent == old.parent:
            text = text.replace(f"from .{module} import", f"from .{name} import")
        file.write_text(text)


def split_function(file, name):
    """Let a function do its work in another one."""
    caller = f"def {name}(*given, **named):\n    return _{name}(*given, **named)\n\n\n"
    replace(file, f"def {name}(", f"{caller}def _{name}(")
