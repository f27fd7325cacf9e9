"""Worker processes of Dask: a fit survives the death of one."""

import os
import signal

import numpy as np
import pytest
from sklearn.datasets import load_digits

da = pytest.importorskip("dask.array")
distributed = pytest.importorskip("dask.distributed")
zarr = pytest.importorskip("zarr")

from ronmf import ADMM, RONMF  # noqa: E402
from ronmf.storage._dask_rows import DaskRows  # noqa: E402


class Fatal(DaskRows):
    """Kills a worker process at the third product with the data."""

    victim, products = 0, 0

    def times(self, B):
        self.products += 1
        if self.products == 3:
            os.kill(self.victim, signal.SIGKILL)
        return super().times(B)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:RONMF")
def test_a_worker_that_is_killed_costs_time_and_not_the_result(tmp_path):
    X, truth = load_digits(return_X_y=True)
    X, truth = X[:900], truth[:900]
    y = np.where(np.arange(900) % 10 == 0, truth, -1)
    zarr.create_array(str(tmp_path / "X.zarr"), data=X, chunks=(150, 64))
    settings = {"image_shape": (8, 8), "random_state": 0, "solver": ADMM(max_iter=8)}
    wanted = RONMF(**settings).fit(X, y)
    cluster = distributed.LocalCluster(2, threads_per_worker=1, dashboard_address=None)
    with cluster, distributed.Client(cluster) as client:
        before = set(client.run(os.getpid).values())
        rows = Fatal(da.from_zarr(str(tmp_path / "X.zarr")))
        rows.victim = min(before)
        found = RONMF(**settings).fit(rows, y)
        client.wait_for_workers(2, timeout=60)
        assert set(client.run(os.getpid).values()) != before
    assert rows.products > 3
    np.testing.assert_array_equal(found.labels_, wanted.labels_)
    np.testing.assert_allclose(found.history_.objective, wanted.history_.objective, rtol=1e-6)
