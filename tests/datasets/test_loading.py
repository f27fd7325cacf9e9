"""Where a dataset is looked for, and the real sets."""

import subprocess
import sys

import numpy as np
import pytest

from ronmf import datasets
from ronmf.datasets import CATALOG, load
from ronmf.system.cache import cache_folder
from support.dataset_files import as_mat, save_png, yale_pictures

pytestmark = pytest.mark.usefixtures("cache")  # an empty one, and no network


SIZES = {  # samples, features, classes, smallest and largest class, height, width
    "umist": (575, 644, 20, 19, 48, 28, 23),
    "yale": (165, 1024, 15, 11, 11, 32, 32),
    "coil20": (1440, 1024, 20, 72, 72, 32, 32),
    "coil100": (7200, 1024, 100, 72, 72, 32, 32),
    "usps": (9298, 256, 10, 708, 1553, 16, 16),
    "mnist": (20000, 784, 10, 2000, 2000, 28, 28),
    "orl10p": (100, 10304, 10, 10, 10, 112, 92),
    "digits": (1797, 64, 10, 174, 183, 8, 8),
}


def test_digits_need_no_file():
    dataset = load("Digits")
    assert dataset.X.max() == 1
    assert dataset.X.shape == (1797, 64)
    with pytest.raises(FileNotFoundError, match="choose one of umist"):
        load("faces")
    with pytest.raises(ValueError, match="per_class is for cal101 only"):
        load("digits", per_class=3)


def test_search_order_is_folder_then_variable_then_cache(tmp_path, cache, monkeypatch):
    X, y = yale_pictures()
    folders = [tmp_path / "given", tmp_path / "variable", cache]
    for level, folder in enumerate(folders):
        folder.mkdir()
        np.savez(folder / "yale.npz", X=X // (level + 1), y=y, shape=(32, 32))
    monkeypatch.setenv("RONMF_DATA", str(folders[1]))
    assert load("yale", folders[0]).X[0, 0] == 1
    assert load("yale").X[0, 0] == 127 / 255
    (folders[0] / "yale.npz").unlink()
    assert load("yale", folders[0]).X[0, 0] == 85 / 255
    monkeypatch.setenv("RONMF_DATA", str(tmp_path / "absent"))
    with pytest.raises(FileNotFoundError, match=r"RONMF_DATA is no folder: .*absent"):
        load("yale")


def test_cache_follows_xdg(tmp_path, monkeypatch):
    monkeypatch.delenv("RONMF_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "ronmf"


def test_mat_files_of_the_field_are_found_by_name(tmp_path):
    X, y = yale_pictures()
    (tmp_path / "Yale_32x32.mat").write_bytes(as_mat(X, y, ("fea", "gnd")))
    dataset = load("yale", tmp_path)
    assert dataset.name == "yale"
    np.testing.assert_array_equal(dataset.X.reshape(X.shape), X / 255)
    verdict = datasets.verify("yale", tmp_path)
    assert verdict.ok
    assert "not verified" in verdict.text


def test_a_file_under_a_wrong_name_is_refused(tmp_path):
    np.savez(tmp_path / "yale.npz", X=np.eye(4), y=[0, 1, 2, 3], shape=(2, 2))
    with pytest.raises(ValueError, match="is not yale"):
        load("yale", tmp_path)


def test_names_and_paths_are_loaded(tmp_path):
    np.savez(tmp_path / "owls.npz", X=np.eye(3))
    save_png(tmp_path / "pictures" / "a" / "1.png", 3)
    assert load("digits").name == "digits"
    assert load("owls", tmp_path).X.shape == (3, 3)
    assert load(tmp_path / "pictures").classes.tolist() == ["a"]
    with pytest.raises(FileNotFoundError, match="no file, no folder and no dataset"):
        load("bats", tmp_path)
    with pytest.raises(ValueError, match="per_class is for cal101 only: leave it out for owls"):
        load("owls", tmp_path, per_class=3)


def test_finding_downloads_nothing(tmp_path):
    assert datasets.find("Yale", tmp_path) is None
    (tmp_path / "YALE.npz").touch()
    assert datasets.find("Yale", tmp_path) == tmp_path / "YALE.npz"
    with pytest.raises(ValueError, match="name is 'yalee', which is no dataset"):
        datasets.find("yalee", tmp_path)


@pytest.mark.parametrize("name", SIZES)
def test_real_sets_have_their_sizes(data_folder, name):
    dataset = load(name, data_folder)
    n, d, c, smallest, largest, height, width = SIZES[name]
    counts = np.bincount(dataset.y)
    assert dataset.X.shape == (n, d)
    assert dataset.X.dtype == np.float64
    assert dataset.X.min() >= 0
    assert 0.9 < dataset.X.max() <= 1
    assert (len(counts), counts.min(), counts.max()) == (c, smallest, largest)
    assert len(dataset.classes) == c
    assert dataset.image_shape == (height, width)
    entry = CATALOG[name]
    assert (entry.n_samples, entry.n_features, entry.n_classes) == (n, d, c)
    assert entry.class_sizes == (smallest, largest)


@pytest.mark.parametrize("name", [name for name in CATALOG if name != "digits"])
def test_real_sets_are_the_reference_copies(data_folder, name):
    assert datasets.verify(name, data_folder).text == "the reference copy"


@pytest.mark.slow
def test_importing_the_datasets_imports_no_picture_library():
    code = "import sys, ronmf.datasets; print({'PIL', 'typer', 'matplotlib'} & set(sys.modules))"
    command = [sys.executable, "-c", code]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "set()"
