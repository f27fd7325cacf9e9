"""Stages count: a progress bar moves while the graph is chosen, and ends full."""

import re

import numpy as np
import pytest
from sklearn.base import clone

from ronmf import ADMM, RONMF, HarmonicLabelPropagation
from ronmf.baselines import GNMF
from ronmf.bench import flip_labels
from ronmf.estimators.graph_search import evidence_stages


class Bar:
    """A callback that adds up the share of the work done, as a progress bar does."""

    def __init__(self):
        self.shares, self.names = [], []

    def setup(self, estimator, context):
        pass

    def on_fit_task_begin(self, estimator, context):
        pass

    def on_fit_task_end(self, estimator, context):
        if context.parent is None:
            return
        self.names.append(context.task_name)
        if context.parent.parent is not None:  # a step of a stage
            stage = context.parent
            done = stage.task_id + (context.task_id + 1) / stage.max_subtasks
            self.shares.append(done / stage.parent.max_subtasks)

    def teardown(self, estimator, context):
        pass


def test_the_choice_of_the_graph_moves_the_bar(digits):
    pytest.importorskip("sklearn.callback", reason="needs scikit-learn >= 1.9")
    X, y, _ = digits
    bar = Bar()
    model = RONMF(random_state=0).set_callbacks(bar).fit(X[:200], y[:200])
    candidates = [name for name in bar.names if name.startswith("candidate")]
    assert len(candidates) >= len(model.graph_report_.candidates)
    assert bar.shares == sorted(bar.shares)
    assert max(bar.shares) <= 1
    # One step of reading comes before the candidates, which then move the bar by most of a stage.
    first, last = bar.shares[1], bar.shares[len(candidates)]
    stages = ["reading", "graph", "start", "sweeps", "results"]
    most = 5 + evidence_stages(check_labels=True)
    assert 0.6 / most < last - first <= 1 / most
    assert [name for name in bar.names if name in stages] == stages


@pytest.mark.parametrize("graph", ["plain", "auto"])
@pytest.mark.filterwarnings("ignore:RONMF")
def test_checks_of_labels_are_stages_too_and_never_too_many(digits, graph):
    pytest.importorskip("sklearn.callback", reason="needs scikit-learn >= 1.9")
    X, _, truth = digits
    y = np.where(np.arange(300) % 3 == 0, truth[:300], -1)
    y = flip_labels(y, 0.15, np.random.default_rng(2))
    bar = Bar()
    model = RONMF("auto", graph=graph, random_state=0, solver=ADMM(max_iter=5)).set_callbacks(bar)
    assert len(model.fit(X[:300], y).doubted_labels_) > 0
    again = "hidden labels" if graph == "plain" else "graph"
    assert bar.names.count(again) > 1
    assert max(bar.shares) <= 1


CHOSEN = ["reading", "graph", "start", "sweeps", "results"]
STAGES = {
    "chosen graph": (RONMF(), CHOSEN),
    "plain graph": (RONMF(graph="plain"), [*CHOSEN[:2], "hidden labels", *CHOSEN[2:]]),
    "number of clusters": (RONMF("auto"), [*CHOSEN[:2], "clusters", *CHOSEN[1:]]),
    "propagation": (HarmonicLabelPropagation(), [*CHOSEN[:2], "hidden labels", "propagation"]),
    "on a chosen graph": (HarmonicLabelPropagation(graph="auto"), [*CHOSEN[:2], "propagation"]),
}


@pytest.mark.parametrize("name", STAGES)
@pytest.mark.filterwarnings("ignore")
def test_verbose_prints_every_stage_and_its_time_on_standard_error(digits, capfd, name):
    (model, stages), (X, y, _) = STAGES[name], digits
    clone(model).set_params(verbose=True, random_state=0).fit(X[:150], y[:150])
    out, err = capfd.readouterr()
    assert out == ""
    said = re.findall(r"\[(\w+)\] ([\w ]+): done \(\d+ steps?, [\d.]+ s\)\n", err)
    assert said == [(type(model).__name__, stage) for stage in stages]
    assert re.fullmatch(r"\[\w+\] done \([\d.]+ s\)", err.splitlines()[-1])


def test_silence_by_default(digits, capfd):
    X, y, _ = digits
    GNMF(10, max_iter=12, random_state=0).fit(X[:100], y[:100])
    RONMF(graph="plain", random_state=0).fit(X[:100], y[:100])
    assert capfd.readouterr() == ("", "")
