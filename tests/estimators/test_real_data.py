"""What must hold on the paper's own datasets; skipped where they are absent."""

import numpy as np
import pytest
from protocol import draw
from sklearn.semi_supervised import LabelSpreading

from ronmf import RONMF
from ronmf.baselines import HarmonicLabelPropagation
from ronmf.penalties import PENALTIES
from support.marks import slow
from support.problems import assert_sweep, started_state


@pytest.mark.parametrize("name", ["yale", "umist", "coil20", "usps"])
@pytest.mark.parametrize("penalty", ["mcp", "etp"])
def test_blocks_on_real_problems(data_folder, name, penalty):
    data = draw(name, 0, data_folder, max_samples=300)
    state = started_state(data.X, data.y, PENALTIES[penalty]())
    for _ in range(5):
        assert_sweep(state)


@pytest.mark.parametrize(
    "name", ["yale", "umist", "orl10p", *slow("coil20", "coil100", "usps", "mnist", "cal101")]
)
def test_residuals_fall_below_tolerance(data_folder, name):
    """All eight sets; the full-size runs are in benchmarks/convergence.py."""
    n_classes = 20 if name in ("coil100", "cal101") else None
    data = draw(name, 0, data_folder, n_classes=n_classes, max_samples=1500)
    model = RONMF(random_state=0).fit(data.X, data.y)
    assert model.converged_, model.stop_reason_
    assert model.history_.primal[-1] < model.solver_.tol
    assert max(model.history_.orthogonality) < 1e-10


@pytest.mark.slow
@pytest.mark.parametrize("name", ["yale", "umist", "coil20", "orl10p"])
def test_not_below_propagation_and_above_label_spreading(data_folder, name):
    """The claim of benchmarks/accuracy.py on the smaller sets."""
    scores = []
    for seed in range(10):
        data = draw(name, seed, data_folder)
        spreading = LabelSpreading(kernel="knn", n_neighbors=7).fit(data.X, data.y)
        predictions = (
            RONMF(random_state=0).fit(data.X, data.y).transduction_,
            HarmonicLabelPropagation().fit(data.X, data.y).transduction_,
            spreading.transduction_,
        )
        scores.append([data.score(p)[0] for p in predictions])
    ours, propagated, spread = np.mean(scores, axis=0)
    assert ours >= propagated - 0.005
    assert ours > spread
