"""A user's own method through the real command line; only ``run`` may import it."""

import os
import subprocess
import sys

import pytest

from support.command_line import command, sentences
from support.marks import slow

MODULE = """
import multiprocessing
import os
import numpy as np
from sklearn.base import BaseEstimator

with open("imports.txt", "a") as file:
    file.write("worker\\n" if multiprocessing.parent_process() else "runner\\n")

class MyLP(BaseEstimator):
    def __init__(self, n_clusters=None, random_state=None):
        self.n_clusters, self.random_state = n_clusters, random_state

    def fit_predict(self, X, y):
        rng = np.random.default_rng(self.random_state)
        return np.where(y >= 0, y, rng.integers(self.n_clusters, size=len(y)))
"""
PLAN = """
[[experiment]]
name = "clean"
datasets = ["digits"]
methods = ["mymethod:MyLP", "k-means", "NMF", "GNMF", "HarmonicLabelPropagation"]
n_classes = [2, 3]
samples_per_class = 20
seeds = 2
"""


def ronmf(folder, *arguments):
    command = [sys.executable, "-m", "ronmf", "bench", *arguments]
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=240, check=False,
        env={**os.environ, "MPLBACKEND": "Agg"},
    )  # fmt: skip


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """A folder with a method and a plan that has been run."""
    folder = tmp_path_factory.mktemp("own")
    (folder / "mymethod.py").write_text(MODULE)
    (folder / "plan.toml").write_text(PLAN)
    result = ronmf(folder, "run", "plan.toml", "-j", "1")
    assert result.returncode == 0, result.stderr
    assert "20 of 20 runs have a row in results/plan (0 failed now)" in result.stdout
    return folder


def test_its_code_runs_only_in_workers(home):
    assert set((home / "imports.txt").read_text().split()) == {"worker"}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["status", "plan.toml"], "complete: 20 runs, behaviour version"),
        (["table", "plan.toml", "classes"], "| GNMF | HarmonicLabelPropagation | MyLP |"),
        *slow(
            (["status", "plan.toml", "-m", "mymethod:MyLP"], "complete: 4 runs"),
            (["table", "results/plan", "time"], "| HarmonicLabelPropagation | MyLP |"),
            (["figure", "plan.toml", "classes"], "Wrote classes.png"),
            (["report", "plan.toml"], "Wrote results/plan/report.html"),
        ),
    ],
)
def test_other_commands_never_import_it(home, monkeypatch, arguments, words):
    monkeypatch.chdir(home)
    before = (home / "imports.txt").read_text()
    result = command("bench", *arguments)
    assert result.code == 0, result.err
    assert words in result.out
    assert (home / "imports.txt").read_text() == before


@pytest.mark.slow
def test_other_commands_work_where_the_module_is_gone(home):
    (home / "mymethod.py").rename(home / "elsewhere.py")
    try:
        for arguments in (["status", "plan.toml"], ["table", "plan.toml", "classes"]):
            result = ronmf(home, *arguments)
            assert result.returncode == 0, result.stderr
    finally:
        (home / "elsewhere.py").rename(home / "mymethod.py")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("mymethod:", "method 'mymethod:' is not known; use \"module:Class\""),
        *slow(
            ("nowhere:Thing", "cannot import the method 'nowhere:Thing' (ModuleNotFoundError"),
            ("mymethod:Thing", "cannot import the method 'mymethod:Thing' (AttributeError"),
            (".mymethod:MyLP", "method '.mymethod:MyLP' is not known; use \"module:Class\""),
        ),
    ],
)
def test_a_method_that_is_not_there_stops_a_run_before_it_begins(home, monkeypatch, name, words):
    monkeypatch.chdir(home)
    (home / "bad.toml").write_text(PLAN.replace("mymethod:MyLP", name))
    result = command("bench", "run", "bad.toml")
    assert result.code == 2
    assert words in result.err
    assert len(sentences(result.err)) == 1
    assert not (home / "results" / "bad").exists()
