"""Data files run no code, whatever they hold: what SECURITY.md promises."""

import io
import pickle
import zipfile
from pathlib import Path

import numpy as np
import pytest
from scipy.io import savemat

from ronmf.datasets import from_mat, from_npz, load


class Bomb:
    """Writes a file when it is unpickled."""

    def __init__(self, target):
        self.target = target

    def __reduce__(self):
        return Path.write_text, (self.target, "run")


@pytest.fixture
def mark(tmp_path):
    """The file that exists if code of a data file has run."""
    return tmp_path / "mark"


def test_the_bomb_would_go_off(mark):
    pickle.loads(pickle.dumps(Bomb(mark)))
    assert mark.exists()


@pytest.mark.parametrize("key", ["X", "y", "names"])
def test_npz_files_are_read_without_pickle(tmp_path, mark, key):
    arrays = {"X": np.eye(2), "y": np.arange(2), "names": np.array(["a", "b"])}
    arrays[key] = np.array([Bomb(mark), None], dtype=object)
    np.savez(tmp_path / "a.npz", **arrays)
    for read in (from_npz, load):
        with pytest.raises(ValueError, match=r"no readable \.npz file of plain arrays"):
            read(tmp_path / "a.npz")
    assert not mark.exists()


def test_a_pickle_by_the_name_of_a_data_file_is_refused(tmp_path, mark):
    for name, read in (("a.npz", from_npz), ("a.mat", from_mat)):
        (tmp_path / name).write_bytes(pickle.dumps(Bomb(mark)))
        with pytest.raises(ValueError, match="no readable"):
            read(tmp_path / name)
    assert not mark.exists()


def test_cells_of_a_mat_file_are_left_out(tmp_path):
    cells = np.array([["import os"], [np.eye(2)]], dtype=object)
    savemat(tmp_path / "a.mat", {"X": np.eye(4), "Y": np.arange(4), "cells": cells})
    assert from_mat(tmp_path / "a.mat").X.shape == (4, 4)


def test_names_inside_a_zip_file_lead_nowhere(tmp_path, cache):
    from PIL import Image

    folder = tmp_path / "data"
    folder.mkdir()
    file = io.BytesIO()
    Image.new("L", (4, 4), 9).save(file, "PNG")
    with zipfile.ZipFile(folder / "cal101.zip", "w") as archive:
        archive.writestr("../../evil/1.png", file.getvalue())
        archive.writestr("/evil/2.png", file.getvalue())
    assert load("cal101", folder, image_shape=(2, 2)).classes.tolist() == ["evil"]
    assert [path.name for path in tmp_path.rglob("*.png")] == []
    assert not (tmp_path / "evil").exists()
