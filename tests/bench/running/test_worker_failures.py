"""Methods that end their process or return what cannot be sent: each costs its own run alone."""

import threading

import pytest

from ronmf.bench import draw_case
from ronmf.bench.running.pool import Pool
from ronmf.bench.running.worker import Task, fit_view, prepare
from ronmf.datasets import load
from support.marks import slow

METHODS = """
import os, signal, sys
import numpy as np

class Odd:
    def __init__(self, n_clusters=None, how="well"):
        self.n_clusters, self.how = n_clusters, how

    def get_params(self):
        return {}

    def fit_predict(self, X, y):
        labels = np.zeros(len(y), dtype=int)
        if self.how == "exit":
            sys.exit(1)
        if self.how == "exit at once":
            os._exit(3)
        if self.how == "killed":
            os.kill(os.getpid(), signal.SIGKILL)
        if self.how == "crash":
            signal.signal(signal.SIGABRT, signal.SIG_DFL)
            os.abort()
        if self.how == "objects":
            return np.array([object()] * len(y))
        if self.how == "numbers in objects":
            return np.array([np.int64(0)] * len(y), dtype=object)
        if self.how == "nan labels":
            return np.full(len(y), np.nan)
        if self.how == "nan iterations":
            self.n_iter_ = float("nan")
        if self.how == "odd iterations":
            self.n_iter_ = [1, 2]
        if self.how == "numpy iterations":
            self.n_iter_, self.converged_ = np.int32(7), np.bool_(True)
        return labels

class Named:
    \"\"\"Returns names, as a classifier does, and keeps numbers.\"\"\"
    def __init__(self, n_clusters=None):
        pass

    def get_params(self):
        return {}

    def fit_predict(self, X, y):
        self.labels_ = np.arange(len(y)) % 2
        return np.array(["cat", "dog"])[self.labels_]

class Graph:
    def get_params(self):
        return self.params

    def set_params(self, **params):
        self.params = self.params | params

    def fit_predict(self, X, y, affinity):
        return np.full(len(y), int(self.params == self.wanted))

class Given(Graph):
    wanted = {"graph": "precomputed"}
    def __init__(self, n_clusters=None):
        self.params = {"graph": "plain"}
"""


@pytest.fixture
def view():
    return draw_case(load("digits"), n_classes=3, seed=0, samples_per_class=10).view


@pytest.fixture(scope="module")
def odd(tmp_path_factory):
    """The module of the methods above, where workers find it."""
    folder = tmp_path_factory.mktemp("odd")
    (folder / "odd_methods.py").write_text(METHODS)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        yield


@pytest.fixture(scope="module")
def pool(odd):
    """A worker that several tests use one after the other: it takes a second to start."""
    with Pool(1, None) as found:
        yield found


def result_of(pool, view, how):
    pool.submit(how, Task(view, "odd_methods:Odd", f'{{"how": "{how}"}}', 0))
    ((_, result),) = list(pool.finished())
    return result


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ("exit", "its process died with exit code 1"),
        *slow(
            ("killed", "its process died with exit code -9 (SIGKILL: out of memory?)"),
            ("exit at once", "its process died with exit code 3"),
            ("crash", "its process died with exit code -6 (SIGABRT)"),
        ),
    ],
)
def test_the_real_exit_code_is_told_and_the_pool_goes_on(pool, view, how, words):
    assert result_of(pool, view, how) == {"failed": words}
    assert len(result_of(pool, view, "well")["labels"]) == 30


def test_what_cannot_be_sent_fails_its_run_and_the_worker_lives_on(pool, view):
    result_of(pool, view, "well")
    process = pool._workers[0]._process.pid
    for how in ("objects", "numbers in objects", "nan labels"):
        reason = result_of(pool, view, how)["failed"]
        assert "it must return one cluster number for each of 30 samples" in reason, how
    for how in ("nan iterations", "odd iterations"):
        assert "n_iter_ is" in result_of(pool, view, how)["failed"], how
    fine = result_of(pool, view, "numpy iterations")
    assert (fine["n_iter"], fine["converged"]) == (7, True)
    assert pool._workers[0]._process.pid == process


def test_the_pool_works_in_any_thread(odd, view):
    found = []

    def run():
        with Pool(1, None) as pool:
            found.append(result_of(pool, view, "well"))

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert len(found[0]["labels"]) == 30
    assert "failed" not in found[0]


def test_numbers_are_taken_where_a_method_returns_names(odd, view):
    assert fit_view(Task(view, "odd_methods:Named", "{}", 0))["labels"][:3] == [0, 1, 0]


def test_a_leaked_graph_is_handed_over_as_a_given_one(odd):
    view = draw_case(load("digits"), n_classes=2, samples_per_class=10, leak="authors").view
    assert set(fit_view(Task(view, "odd_methods:Given", "{}", 0))["labels"]) == {1}
    edited, given = prepare(Task(view, "RONMF", '{"graph__label_edges": true}', 0))
    assert (edited.graph.candidates, edited.graph.label_edges) == ("precomputed", True)
    for method in ("RONMF", "GNMF"):
        assert prepare(Task(view, method, "{}", 0))[0].graph == "precomputed"
    assert given["affinity"] is view.affinity
