"""Opening stored arrays, and writing results of theirs."""

import numpy as np
import pytest

from ronmf.storage import open_rows, write_rows
from ronmf.storage._scratch import FileArray, Scratch

X = np.arange(24.0).reshape(6, 4)


def test_arrays_are_opened_by_the_kind_of_file(tmp_path):
    zarr, h5py = pytest.importorskip("zarr"), pytest.importorskip("h5py")
    np.save(tmp_path / "X.npy", X)
    zarr.create_array(str(tmp_path / "X.zarr"), data=X)
    group = zarr.create_group(str(tmp_path / "G.zarr"))
    group.create_array("a", data=X)
    with h5py.File(tmp_path / "X.h5", "w") as file:
        file["a"], file["b"] = X, 2 * X
    for found in (
        open_rows(tmp_path / "X.npy"),
        open_rows(tmp_path / "X.zarr"),
        open_rows(tmp_path / "G.zarr"),
        open_rows(str(tmp_path / "X.h5"), name="a"),
    ):
        np.testing.assert_array_equal(found[:], X)
    with pytest.raises(ValueError, match=r"holds the arrays .*say which with name="):
        open_rows(tmp_path / "X.h5")


def test_results_are_written_block_by_block(tmp_path):
    found = write_rows(tmp_path / "sums.npy", X, lambda block: block.sum(axis=1))
    np.testing.assert_array_equal(found, X.sum(axis=1))
    assert isinstance(found, np.memmap)


def test_nothing_is_half_written(tmp_path):
    path = tmp_path / "out.npy"
    path.write_text("before")
    for function, wrong in (
        (lambda block: 1 / 0, ZeroDivisionError),
        (lambda block: np.array([None] * len(block)), ValueError),
        (lambda block: block[:2], ValueError),
        (lambda block: 3.0, ValueError),
    ):
        with pytest.raises(wrong):
            write_rows(path, X, function)
    assert path.read_text() == "before"
    assert [p.name for p in tmp_path.iterdir()] == ["out.npy"]
    with pytest.raises(ValueError, match=r"does not end in \.npy"):
        write_rows(tmp_path / "out.txt", X, np.sum)


def test_scratch_arrays_come_back_from_files_and_go(tmp_path):
    for scratch in (Scratch(), Scratch(tmp_path)):
        kept, other = scratch.keep(X), scratch.empty(X.shape, np.float32)
        other.write(slice(2, 4), X[2:4])
        np.testing.assert_array_equal(kept[1:5], X[1:5])
        np.testing.assert_array_equal(other[2:4], X[2:4])
        scratch.drop(kept)
        scratch.drop(other)
    assert list(tmp_path.iterdir()) == []
    lasting = Scratch(tmp_path, lasting=True)
    lasting.drop(lasting.keep(X))
    assert len(list(tmp_path.iterdir())) == 1
    lasting.sweep()
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_one_sentence():
    from pathlib import Path

    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("this system has no device that is always full")
    with pytest.raises(OSError, match="no room is left in /dev; make some, or name another"):
        FileArray(full, (3, 2), np.float32).write(slice(0, 3), np.ones((3, 2)))
