"""Values come into the unit interval; files of NumPy and Matlab are read or refused."""

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.io import loadmat, savemat

from ronmf import datasets
from ronmf.datasets import from_mat, from_npz
from ronmf.datasets._matlab import read_matlab
from support.dataset_files import as_mat, yale_pictures

pytestmark = pytest.mark.usefixtures("cache")  # an empty one, and no network


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (np.array([[0, 51]], np.uint8), [[0, 0.2]]),
        (np.array([[0.0, 51, 255]]), [[0, 0.2, 1]]),
        (np.array([[0.0, 0.3]]), [[0, 0.3]]),
        (np.array([[-1.0, 0, 3]]), [[0, 0.25, 1]]),
        (np.array([[0.5, 200.5]]), [[0.5 / 200.5, 1]]),
        (np.array([[0, 1000]], np.uint16), [[0, 1]]),
        (np.array([[-3.0, -3.0]]), [[0, 0]]),
    ],
)
def test_values_come_into_the_unit_interval(values, expected):
    result = datasets.to_unit(values)
    assert result.dtype == np.float64
    np.testing.assert_allclose(result, expected, rtol=1e-15)


def test_scaling_leaves_its_input_alone_and_refuses_nan():
    values = np.array([[0.0, 4.0]])
    datasets.to_unit(values)
    assert values.tolist() == [[0.0, 4.0]]
    with pytest.raises(ValueError, match="NaN"):
        datasets.to_unit([[np.nan]])


def test_npz_with_names_and_unlabelled(tmp_path):
    path = tmp_path / "mine.npz"
    np.savez(path, X=np.eye(4), y=[2, -1, 0, 2], shape=(2, 2), names=["ant", "bee", "cat"])
    dataset = from_npz(path)
    assert (dataset.name, dataset.image_shape) == ("mine", (2, 2))
    assert dataset.y.tolist() == [1, -1, 0, 1]
    assert dataset.classes.tolist() == ["ant", "cat"]


def test_npz_of_pictures_without_labels(tmp_path):
    np.savez(tmp_path / "a.npz", X=np.ones((3, 4, 5)))
    dataset = from_npz(tmp_path / "a.npz")
    assert dataset.X.shape == (3, 20)
    assert dataset.image_shape == (4, 5)
    assert dataset.y.tolist() == [-1, -1, -1]
    assert dataset.classes.size == 0


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"Z": np.eye(2)}, "no array called X"),
        ({"X": np.eye(2), "y": [0]}, "1 labels for 2 samples"),
        ({"X": np.eye(2), "shape": (3, 3)}, "3 x 3 does not fit 2 features"),
        ({"X": np.eye(2), "y": [0, 5], "names": ["a", "b"]}, "does not point into names"),
        ({"X": np.array(["a"])}, "must hold numbers"),
        ({"X": np.ones(3)}, "samples x features"),
    ],
)
def test_npz_that_does_not_fit_says_why(tmp_path, arrays, message):
    np.savez(tmp_path / "bad.npz", **arrays)
    with pytest.raises(ValueError, match=message):
        from_npz(tmp_path / "bad.npz")


@pytest.mark.parametrize("reader", [from_npz, from_mat])
def test_files_that_are_something_else(tmp_path, reader):
    path = tmp_path / "text"
    path.write_text("no arrays here, but long enough to look at" * 10)
    with pytest.raises(ValueError, match="no readable"):
        reader(path)
    with pytest.raises(FileNotFoundError, match="not a file"):
        reader(tmp_path / "absent")


@pytest.mark.parametrize("keys", [("X", "Y"), ("fea", "gnd"), ("A", "truth")])
def test_mat_pictures_stand_upright(tmp_path, keys):
    X, y = yale_pictures()
    (tmp_path / "Yale.mat").write_bytes(as_mat(X, y, keys))
    dataset = from_mat(tmp_path / "Yale.mat")
    np.testing.assert_array_equal(dataset.X.reshape(X.shape), X / 255)
    np.testing.assert_array_equal(dataset.y, y)
    assert dataset.image_shape == (32, 32)
    assert dataset.classes[0] == "1"


def test_mat_with_samples_in_columns_and_a_given_shape(tmp_path):
    pictures = np.random.default_rng(0).random((5, 2, 3))
    columns = pictures.transpose(0, 2, 1).reshape(5, 6).T
    savemat(tmp_path / "a.mat", {"fea": columns, "gnd": np.array([[1, 1, 2, 2, 2]])})
    dataset = from_mat(tmp_path / "a.mat", image_shape=(2, 3))
    np.testing.assert_allclose(dataset.X.reshape(5, 2, 3), pictures)
    assert from_mat(tmp_path / "a.mat").image_shape is None
    with pytest.raises(ValueError, match="4 x 4 does not fit 6 features"):
        from_mat(tmp_path / "a.mat", image_shape=(4, 4))


def test_vectors_and_cubes_of_a_mat_file_are_not_taken_for_what_they_are_not(tmp_path):
    path, rng = tmp_path / "a.mat", np.random.default_rng(0)
    savemat(path, {"fea": rng.random((90, 4)), "w": np.arange(4.0)})
    dataset = from_mat(path)
    assert dataset.X.shape == (90, 4)
    assert (dataset.y == -1).all()
    savemat(path, {"X": rng.random((5, 16, 16))})
    with pytest.raises(ValueError, match=r"a\.mat holds samples of shape \(5, 16, 16\)"):
        from_mat(path)
    savemat(path, {"X": rng.random((9, 18)), "y": np.eye(9)[:, :2]})
    with pytest.raises(ValueError, match=r"a\.mat holds labels of shape \(9, 2\)"):
        from_mat(path)
    savemat(path, {"X": np.zeros((0, 0))})
    with pytest.raises(ValueError, match=r"a\.mat holds samples of shape \(0, 0\)"):
        from_mat(path)


def test_values_at_the_edge_of_floats_do_not_overflow():
    X = datasets.to_unit([[-1.5e308, 0.0], [1.5e308, 0.0]])
    np.testing.assert_allclose(X, [[0, 0.5], [1, 0.5]])


@pytest.mark.parametrize("options", [{}, {"do_compression": True}, {"format": "4"}], ids=str)
def test_matlab_files_are_read_as_scipy_reads_them(tmp_path, options):
    rng = np.random.default_rng(0)
    kinds = (
        ["f8", "f4"] if "format" in options else ["f8", "f4", "i1", "u1", "i2", "u4", "i8", "u8"]
    )
    arrays = {kind: (50 * rng.random((3, 4))).astype(kind) for kind in kinds}
    arrays |= {"row": np.arange(5.0), "one": 3.0}
    if "format" not in options:
        sparse = sp.random_array((6, 7), density=0.3, rng=rng)
        arrays |= {
            "cube": rng.random((2, 3, 4)),
            "sparse": sp.csc_array(sparse),
            "no": np.zeros((0, 3)),
        }
    others = {
        "text": "hello",
        "cells": np.array([1, "a"], dtype=object),
        "complex": np.ones(2) * 1j,
    }
    savemat(
        tmp_path / "a.mat",
        arrays | (others if "format" not in options else {"text": "hello"}),
        **options,
    )
    found = read_matlab((tmp_path / "a.mat").read_bytes(), 1e9)
    assert set(found) == set(arrays)
    for name, expected in loadmat(tmp_path / "a.mat").items():
        if name in arrays:
            dense = expected.toarray() if sp.issparse(expected) else expected
            np.testing.assert_array_equal(found[name], dense)
            assert found[name].dtype == dense.dtype
