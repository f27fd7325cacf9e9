"""Stored data of any kind of wrong: one sentence, and nothing left behind."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from ronmf import ADMM, RONMF
from ronmf.storage import open_rows

SETTINGS = {"image_shape": (4, 4), "solver": ADMM(max_iter=3), "random_state": 0}


def numbers(n=300, dtype=np.float32):
    return (9 * np.random.default_rng(0).random((n, 16))).astype(dtype)


def saved(folder, values):
    np.save(folder / "X.npy", values)
    return np.load(folder / "X.npy", mmap_mode="r")


def known(n=300):
    return np.where(np.arange(n) < 40, np.arange(n) % 2, -1)


def test_a_file_that_was_cut_off(tmp_path):
    X = saved(tmp_path, numbers())
    path = tmp_path / "X.npy"
    os.truncate(path, 5000)
    with pytest.raises(OSError, match=r"has become shorter \(5000 bytes\) than when it was opened"):
        RONMF(**SETTINGS).fit(X, known())
    with pytest.raises(ValueError, match=r"could not be opened as an array .*is it whole"):
        open_rows(path)


@pytest.mark.parametrize("name", ["X.npy", "X.h5", "X.zarr"])
def test_files_that_hold_no_array(name, tmp_path):
    for content in (b"", b"\x93NUMPY", b"no array at all", b"\x93NUMPY\x01\x00" + 99 * b"("):
        for module in ("h5py", "zarr"):
            pytest.importorskip(module)
        (tmp_path / name).write_bytes(content)
        with pytest.raises(ValueError, match="could not be opened as an array"):
            open_rows(tmp_path / name)
        with pytest.raises(FileNotFoundError, match="does not exist; name a file"):
            open_rows(tmp_path / "absent.npy")


def test_a_piece_of_zarr_that_is_damaged(tmp_path):
    zarr = pytest.importorskip("zarr")
    X = zarr.create_array(str(tmp_path / "X.zarr"), data=numbers(), chunks=(100, 16))
    pieces = [p for p in (tmp_path / "X.zarr").rglob("*") if p.is_file() and p.name != "zarr.json"]
    pieces[-1].write_bytes(b"damaged")
    with pytest.raises(OSError, match=r"X could not be read from row \d+ to \d+ .*write it again"):
        RONMF(**SETTINGS).fit(X, known())


@pytest.mark.parametrize("dtype", ["U4", "c8", "O"])
def test_values_that_are_no_real_numbers(dtype, tmp_path):
    if dtype == "O":
        da = pytest.importorskip("dask.array")
        X = da.from_array(numbers().astype(object), chunks=100)
    else:
        X = saved(tmp_path, numbers().astype(dtype))
    with pytest.raises(ValueError, match="real numbers"):
        RONMF(**SETTINGS).fit(X, known())


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_a_value_that_is_not_finite_in_a_late_block(value, tmp_path):
    values = numbers()
    values[288, 3] = value
    model = RONMF(**SETTINGS, checkpoint=tmp_path / "state", max_memory="2GiB")
    with pytest.raises(ValueError, match="X contains NaN or infinity in row 288; RONMF needs"):
        model.fit(saved(tmp_path, values), known())
    assert not hasattr(model, "n_features_in_")
    assert not (tmp_path / "state").exists()


@pytest.mark.parametrize("value", [-1.0, 1e30])
def test_values_out_of_range(value, tmp_path):
    values = numbers()
    values[299, 15] = value
    with pytest.raises(ValueError, match=r"Negative values in data|largest value 1.0e"):
        RONMF(**SETTINGS).fit(saved(tmp_path, values), known())


@pytest.mark.parametrize("shape", [(300,), (1, 16), (300, 0)])
def test_shapes_without_samples_or_features(shape, tmp_path):
    da = pytest.importorskip("dask.array")
    with pytest.raises(ValueError, match=r"needs (at least 2 samples|samples x features)"):
        RONMF().fit(da.zeros(shape), None)


def test_a_shape_that_does_not_fit_the_pictures(tmp_path):
    with pytest.raises(ValueError, match="does not fit 16 features"):
        RONMF(image_shape=(5, 5)).fit(saved(tmp_path, numbers()), known())


def test_a_graph_of_dask_that_raises():
    da = pytest.importorskip("dask.array")

    def fail(block):
        raise OSError("a disk far away")

    X = da.from_array(numbers(), chunks=(100, 16)).map_blocks(fail, dtype=np.float32)
    model = RONMF(**SETTINGS)
    with pytest.raises(RuntimeError, match=r"tasks failed \(OSError: a disk far away\)"):
        model.fit(X, known())
    assert not hasattr(model, "classes_")


def test_a_folder_without_room(tmp_path, monkeypatch):
    monkeypatch.setattr("shutil.disk_usage", lambda path: _Full())
    model = RONMF(**SETTINGS, max_memory="1GiB")
    monkeypatch.setattr("ronmf.estimators.long_fits.allowed_bytes", lambda *_: 0)  # to disk
    with pytest.raises(OSError, match=r"no room is left in .*: this fit needs about .* GiB there"):
        model.fit(saved(tmp_path, numbers()), known())


class _Full:
    free = 0


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere"
)
def test_a_folder_that_may_not_be_written(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(OSError, match="state"):
        RONMF(**SETTINGS, checkpoint=tmp_path / "state").fit(numbers(), known())


FIT = """
import sys
import numpy as np
from ronmf import ADMM, RONMF
X = np.load(sys.argv[1], mmap_mode="r")
y = np.where(np.arange(len(X)) % 7 == 0, np.arange(len(X)) % 3, -1)
solver = ADMM(tol=0, max_iter=60)
model = RONMF(image_shape=(4, 4), random_state=0, solver=solver, checkpoint=sys.argv[2])
model.fit(X, y)
print(model.history_.objective[-1], model.labels_.tolist())
"""


@pytest.mark.slow
def test_a_fit_that_is_killed_goes_on_with_the_same_result(tmp_path):
    n = 1500
    kinds = np.arange(n) % 3
    values = numbers(n) + 4 * np.eye(3, 16)[kinds]
    saved(tmp_path, values.astype(np.float32))
    state = tmp_path / "state"
    line = [sys.executable, "-W", "ignore", "-c", FIT, str(tmp_path / "X.npy"), str(state)]
    expected = subprocess.run(line, capture_output=True, check=True, timeout=120).stdout
    kills, process = 0, None
    while kills < 2:
        process = subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        wanted = time.monotonic() + 60
        seen = {path.stat().st_mtime_ns for path in state.glob("sweeps.npz")}
        while time.monotonic() < wanted and process.poll() is None:
            now = {path.stat().st_mtime_ns for path in state.glob("sweeps.npz")}
            if now - seen:  # a new state was saved: in the middle of the sweeps
                break
            time.sleep(0.002)
        if process.poll() is not None:  # it came to its end before it could be killed
            assert process.communicate()[0] == expected
            break
        process.send_signal(signal.SIGKILL)
        process.wait()
        kills += 1
    assert kills
    found = subprocess.run(line, capture_output=True, check=True, timeout=120).stdout
    assert found == expected
    assert list(state.iterdir()) == []
