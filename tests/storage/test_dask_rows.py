"""Arrays of Dask: one pass a product, and bytes that can be foretold."""

import numpy as np
import pytest

da = pytest.importorskip("dask.array")

from ronmf.storage._dask_rows import DaskRows, lazily  # noqa: E402
from ronmf.storage._disk_rows import DiskRows  # noqa: E402

X = np.random.default_rng(0).integers(0, 256, (53, 12), dtype=np.uint8)


@pytest.mark.parametrize("chunks", [(53, 12), (10, 5), ((0, 20, 33), (12,))])
def test_what_is_computed_by_blocks_is_what_is_computed_at_once(chunks):
    rows, wanted = DaskRows(da.from_array(X, chunks=chunks)), DiskRows(X)
    rng = np.random.default_rng(1)
    B, P, some = rng.random((12, 3)), rng.random((53, 3)), np.array([50, 2, 2, 30])
    np.testing.assert_allclose(rows.times(B), wanted.times(B), rtol=1e-6)
    np.testing.assert_allclose(rows.transposed_times(P), wanted.transposed_times(P), rtol=1e-12)
    np.testing.assert_allclose(rows.square_sums(1), wanted.square_sums(1))
    np.testing.assert_array_equal(rows.take(some), X[some])
    assert rows.digest() == DaskRows(da.from_array(X, chunks=chunks)).digest()


def test_what_travels_is_what_the_docs_say():
    rows, (n, d), r = DaskRows(da.from_array(X, chunks=(5, 12))), X.shape, 3
    rows.times(np.zeros((d, r), dtype=np.float32))
    assert (rows.sent, rows.received) == (4 * d * r, 4 * n * r)
    rows.sent = rows.received = 0
    rows.transposed_times(np.zeros((n, r), dtype=np.float32))
    assert (rows.sent, rows.received) == (4 * n * r, 8 * d * r)


def test_pictures_are_rows():
    rows = DaskRows(da.from_array(X.reshape(53, 4, 3), chunks=(20, 2, 3)))
    assert (rows.shape, rows.picture) == ((53, 12), (4, 3))
    np.testing.assert_array_equal(rows.take(np.arange(53)), X)


def test_chunks_of_unknown_sizes_are_refused():
    array = da.from_array(X, chunks=(10, 12))
    with pytest.raises(ValueError, match=r"call X\.compute_chunk_sizes\(\)"):
        DaskRows(array[array[:, 0] > 100])
    with pytest.raises(ValueError, match=r"call X\.compute_chunk_sizes\(\)"):
        lazily(array[array[:, 0] > 100], np.sum, (), X)
    with pytest.raises(ValueError, match="X is a Dask array of MaskedArray"):
        DaskRows(da.ma.masked_equal(array, 3))


def test_a_task_that_fails_is_one_sentence():
    def fail(block):
        raise ZeroDivisionError("the disk of a worker")

    broken = da.from_array(X, chunks=(10, 12)).map_blocks(fail, dtype=np.uint8)
    with pytest.raises(RuntimeError, match=r"tasks failed \(ZeroDivisionError: the disk of a w"):
        DaskRows(broken).times(np.zeros((12, 1)))
