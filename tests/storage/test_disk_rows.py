"""Arrays in files, read by blocks."""

import numpy as np
import pytest

from ronmf.numerics.arrays import frobenius_norm
from ronmf.storage._disk_rows import DiskRows
from ronmf.storage._products import norm, take, template, times, transposed_times
from ronmf.storage._rows import work_dtype

KINDS = ("memmap", "zarr", "hdf5", "array")


def stored(kind, X, folder):
    """The array as it would be given to `fit`."""
    if kind == "array":
        return X
    if kind == "memmap":
        np.save(folder / "X.npy", X)
        return np.load(folder / "X.npy", mmap_mode="r")
    if kind == "zarr":
        zarr = pytest.importorskip("zarr")
        chunks = (7, *X.shape[1:])
        out = zarr.create_array(str(folder / "X.zarr"), shape=X.shape, chunks=chunks, dtype=X.dtype)
        out[:] = X
        return out
    h5py = pytest.importorskip("h5py")
    return h5py.File(folder / "X.h5", "w").create_dataset("X", data=X)


@pytest.fixture
def X():
    return np.random.default_rng(0).integers(0, 256, (50, 12), dtype=np.uint8)


@pytest.mark.parametrize("block_bytes", [None, 8 * 12 * 9, 1])
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_computed_by_blocks_is_what_is_computed_at_once(kind, block_bytes, X, tmp_path):
    rows, whole = DiskRows(stored(kind, X, tmp_path), block_bytes), X.astype(np.float64)
    rng = np.random.default_rng(1)
    B, P = rng.random((12, 3)), rng.random((50, 3))
    assert rows.shape == (50, 12)
    assert rows.dtype == np.float32
    np.testing.assert_allclose(times(rows, B), whole @ B, rtol=1e-5)
    np.testing.assert_allclose(rows.transposed_times(P), whole.T @ P, rtol=1e-12)
    np.testing.assert_allclose(transposed_times(rows, P), whole.T @ P, rtol=1e-6)
    assert norm(rows) == pytest.approx(frobenius_norm(whole))
    some = np.array([49, 3, 3, 20])
    np.testing.assert_array_equal(take(rows, some), X[some])
    assert template(rows).dtype == take(rows, some).dtype == np.float32


@pytest.mark.parametrize("kind", KINDS)
def test_pictures_are_rows(kind, X, tmp_path):
    rows = DiskRows(stored(kind, X.reshape(50, 4, 3), tmp_path))
    assert (rows.shape, rows.picture) == ((50, 12), (4, 3))
    np.testing.assert_array_equal(take(rows, np.arange(50)), X)


def test_a_digest_tells_data_apart_whatever_the_blocks(X, tmp_path):
    kept = {kind: stored(kind, X, tmp_path) for kind in KINDS}
    digests = {DiskRows(kept[kind], size).digest() for kind in KINDS for size in (1, None)}
    other = X.copy()
    other[-1, -1] ^= 1
    assert len(digests) == 1
    assert DiskRows(other).digest() not in digests


def test_blocks_are_made_of_whole_pieces_of_the_file(tmp_path):
    X = np.zeros((100, 10), dtype=np.float32)
    rows = DiskRows(stored("zarr", X, tmp_path), block_bytes=8 * 10 * 17)
    assert {block.stop - block.start for block in rows.blocks} == {14, 2}


def test_pages_of_a_memory_map_are_given_back(tmp_path):
    path = tmp_path / "large.npy"
    out = np.lib.format.open_memmap(path, "w+", np.uint8, (40_000, 2_000))
    out[::100] = 1
    out.flush()
    del out
    mapped = "/proc/self/smaps"
    try:
        open(mapped).close()
    except OSError:
        pytest.skip("this system does not tell which pages are in memory")
    X = np.load(path, mmap_mode="r")
    DiskRows(X).square_sums(0)
    with open(mapped) as file:
        text = file.read()
    own = text[text.index(str(path)) :]
    resident = int(own[own.index("Rss:") :].split()[1])
    assert resident < 1000  # kilobytes, of 80,000


@pytest.mark.parametrize(
    ("given", "wanted"),
    [("u1", "f4"), ("i2", "f4"), ("f2", "f4"), ("f4", "f4"), ("f8", "f8"), ("i4", "f8")],
)
def test_work_is_in_numbers_that_hold_the_data(given, wanted):
    assert work_dtype(given) == np.dtype(wanted)


@pytest.mark.parametrize("dtype", ["U3", "O", "c16", "M8[s]"])
def test_other_values_are_refused(dtype):
    with pytest.raises(ValueError, match="needs real numbers"):
        DiskRows(np.zeros((3, 2), dtype=dtype))
