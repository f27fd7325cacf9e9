"""Stages count: a progress bar moves while the graph is chosen, and ends full."""

import pytest

from ronmf import RONMF, HarmonicLabelPropagation
from ronmf.baselines import GNMF


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
            done = (stage.task_id + (context.task_id + 1) / stage.max_subtasks) / 2
            self.shares.append(done)

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
    half = bar.shares[len(candidates) - 1]
    assert 0.3 < half <= 0.5
    assert [name for name in bar.names if name in ("graph", "sweeps")] == ["graph", "sweeps"]


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
