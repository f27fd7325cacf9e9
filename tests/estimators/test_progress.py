"""Stages count: a progress bar moves while the graph is chosen, and ends full."""

import pytest

from ronmf import RONMF, HarmonicLabelPropagation
from ronmf.baselines import GNMF
from ronmf.estimators.gathering import evidence_stages


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
    stages = ["reading", "graph", "start", "sweeps"]
    most = 3 + evidence_stages(check_labels=True)
    assert 0.6 / most < last - first <= 1 / most
    assert [name for name in bar.names if name in stages] == stages


@pytest.mark.parametrize("model", [RONMF(random_state=0), HarmonicLabelPropagation(graph="auto")])
def test_verbose_prints_stages_on_standard_error(digits, capfd, model):
    X, y, _ = digits
    model.set_params(verbose=True).fit(X[:150], y[:150])
    out, err = capfd.readouterr()
    assert out == ""
    name = type(model).__name__
    assert f"[{name}] graph: done" in err
    assert ("sweeps: done" in err) == (name == "RONMF")


def test_silence_by_default(digits, capfd):
    X, y, _ = digits
    GNMF(10, max_iter=12, random_state=0).fit(X[:100], y[:100])
    RONMF(graph="plain", random_state=0).fit(X[:100], y[:100])
    assert capfd.readouterr() == ("", "")
