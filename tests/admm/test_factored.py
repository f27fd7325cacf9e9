"""The residual kept as factors, beside the one that is kept as a buffer."""

import numpy as np
import pytest

from ronmf.admm.buffered import BufferedResidual
from ronmf.admm.factored import FactoredResidual
from ronmf.admm.loss import GroupLoss
from ronmf.admm.orthogonal import maximise_partition
from ronmf.penalties import ETP, MCP
from ronmf.storage._disk_rows import DiskRows
from ronmf.storage._scratch import Scratch


def a_run(seed, n=60, d=9, r=3, sweeps=12):
    """Yield data, and then models that come nearer to them, as a solver's would."""
    rng = np.random.default_rng(seed)
    U, P = maximise_partition(rng.random((d, r))), rng.random((n, r))
    X = P @ U.T + 0.4 * rng.random((n, d))
    X[:, 0] *= 3  # a feature that is an outlier
    yield X
    for sweep in range(sweeps):
        noise = 0.6**sweep
        yield maximise_partition(U + noise * rng.random((d, r))), P + noise * rng.random((n, r))


@pytest.mark.parametrize("on_disk", [False, True])
@pytest.mark.parametrize("penalty", [MCP(1.0, 3.0), ETP()])
@pytest.mark.parametrize("groups", ["features", "samples"])
def test_it_says_what_the_buffer_says(groups, penalty, on_disk, tmp_path):
    X, *models = a_run(0)
    loss = GroupLoss(penalty, groups, 0.7)
    buffer = BufferedResidual(X, loss, 2.0)
    scratch = Scratch(tmp_path if on_disk else None)
    factors = FactoredResidual(DiskRows(X, block_bytes=800), loss, 2.0, scratch)
    for sweep, (U, P) in enumerate(models):
        wanted, found = buffer.advance(U, P), factors.advance(U, P)
        assert vars(found) == pytest.approx(vars(wanted), rel=1e-7, abs=1e-9)
        np.testing.assert_allclose(
            factors.target_transposed_times(P), buffer.target_transposed_times(P), atol=1e-10
        )
        np.testing.assert_allclose(factors.target_times(U), buffer.target_times(U), atol=1e-10)
        np.testing.assert_allclose(factors.group_weights(), buffer.group_weights(), rtol=1e-9)
        if sweep in (4, 9):
            buffer.change_beta(3 * buffer.beta)
            factors.change_beta(3 * factors.beta)
    # 12 models of 3 columns are more than twice the 9 features: they were written as one.
    assert len(factors.terms) < len(models)
    assert len(list(tmp_path.iterdir())) == (len(factors.terms) if on_disk else 0)


def test_models_without_weight_are_forgotten(tmp_path):
    X, *models = a_run(1, d=40, sweeps=8)
    # All groups are outliers from the start: nothing of them is carried over to the next sweep.
    loss = GroupLoss(MCP(0.01, 1.01), "features", 0.001)
    factors = FactoredResidual(DiskRows(X), loss, 1e6, Scratch(tmp_path))
    for U, P in models:
        factors.advance(U, P)
    assert len(factors.terms) <= 2
    assert len(list(tmp_path.iterdir())) == len(factors.terms)


@pytest.mark.parametrize("groups", ["features", "samples"])
def test_a_sweep_reads_the_data_twice(groups):
    class Counted(DiskRows):
        passes = 0

        def map(self, *args, **options):
            self.passes += 1
            return super().map(*args, **options)

    X, *models = a_run(2)
    rows = Counted(X)
    factors = FactoredResidual(rows, GroupLoss(MCP(), groups), 2.0, Scratch())
    factors.advance(*models[0])
    before = rows.passes
    for U, P in models[1:]:
        factors.target_times(U)
        factors.advance(U, P)
        factors.target_transposed_times(P)
    assert rows.passes - before == 2 * (len(models) - 1)


@pytest.mark.parametrize("groups", ["features", "samples"])
def test_norms_of_small_residuals_are_exact_for_float32_too(groups):
    rng = np.random.default_rng(3)
    U, P = maximise_partition(rng.random((12, 3))).astype(np.float32), rng.random((80, 3))
    P = P.astype(np.float32)
    X = np.abs(P @ U.T + 1e-3 * rng.standard_normal((80, 12))).astype(np.float32)
    loss = GroupLoss(MCP(1.0, 3.0), groups, 0.01)
    buffer = BufferedResidual(X.astype(np.float64), loss, 2.0)
    factors = FactoredResidual(DiskRows(X), loss, 2.0, Scratch())
    for _ in range(10):
        wanted, found = buffer.advance(U.astype(float), P.astype(float)), factors.advance(U, P)
        factors.target_times(U)
    assert found.loss == pytest.approx(wanted.loss, rel=1e-3)
    np.testing.assert_allclose(factors._square, buffer._square, rtol=1e-3)
