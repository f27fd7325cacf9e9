"""Datasets: scaling, readers, folders, search order, the real sets."""

import io
import subprocess
import sys
import warnings
import zipfile

import numpy as np
import pytest
from PIL import Image
from scipy.io import savemat

from dataset_files import as_mat, leftovers, yale_pictures
from ronmf import datasets
from ronmf.datasets import CATALOG, from_folder, from_mat, from_npz, load

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


def save_png(path, value, size=(10, 8)):
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new("L", size, value).save(path)


# Scaling and labels


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


# Files


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


# Folders


def test_folder_with_a_folder_a_class(tmp_path):
    root = tmp_path / "animals"
    for name, value in (("owl/1.png", 0), ("owl/2.png", 51), ("bat/1.jpg", 255), ("loose.png", 9)):
        save_png(root / name, value)
    (root / "owl" / "notes.txt").write_text("not a picture")
    dataset = from_folder(root)
    assert dataset.name == "animals"
    assert dataset.image_shape == (8, 10)
    assert dataset.classes.tolist() == ["bat", "owl"]
    assert dataset.y.tolist() == [0, -1, 1, 1]  # bat/1, loose, owl/1, owl/2
    np.testing.assert_allclose(dataset.X[:, 0], [1, 9 / 255, 0, 0.2])


def test_flat_folder_with_a_table_of_labels(tmp_path):
    root = tmp_path / "flat"
    for i in range(4):
        save_png(root / f"{i}.png", 10 * i)
    table = tmp_path / "labels.csv"
    table.write_text("\ufefflabel,file\nowl,0.png\n,1.png\nbat,3.png\n", encoding="utf-8")
    dataset = from_folder(root, labels=table)
    assert dataset.y.tolist() == [1, -1, -1, 0]
    table.write_text("name,label\n0.png,owl\n")
    with pytest.raises(ValueError, match="file,label"):
        from_folder(root, labels=table)
    table.write_text("file,label\n0.png,owl\n9.png,owl\n")
    with pytest.raises(ValueError, match=r"names 1 files .* 9\.png"):
        from_folder(root, labels=table)


def test_folder_takes_the_median_size_up_to_64(tmp_path):
    for i, size in enumerate([(30, 20), (30, 20), (500, 400)]):
        save_png(tmp_path / "small" / "a" / f"{i}.png", 7, size)
    assert from_folder(tmp_path / "small").image_shape == (20, 30)
    save_png(tmp_path / "large" / "a" / "0.png", 7, (300, 200))
    assert from_folder(tmp_path / "large").image_shape == (43, 64)
    assert from_folder(tmp_path / "large", image_shape=(5, 6)).X.shape == (1, 30)
    with pytest.raises(ValueError, match="image_shape"):
        from_folder(tmp_path / "large", image_shape=(0, 3))


def test_unreadable_pictures_are_skipped_with_one_warning(tmp_path):
    save_png(tmp_path / "a" / "good.png", 100)
    (tmp_path / "a" / "bad.png").write_bytes(b"no picture")
    cut = (tmp_path / "a" / "good.png").read_bytes()[:50]
    (tmp_path / "a" / "cut.png").write_bytes(cut)
    with pytest.warns(UserWarning, match=r"Skipped 2 of 3 .* a/bad\.png") as caught:
        dataset = from_folder(tmp_path)
    assert len(caught) == 1
    assert dataset.X.shape == (1, 80)


def test_folders_without_pictures_say_so(tmp_path):
    with pytest.raises(ValueError, match="holds no picture"):
        from_folder(tmp_path)
    (tmp_path / "a.png").write_bytes(b"no picture")
    with pytest.raises(ValueError, match="None of the 1 pictures"):
        from_folder(tmp_path)
    with pytest.raises(FileNotFoundError, match="not a folder"):
        from_folder(tmp_path / "absent")


def test_pictures_of_16_bits_keep_their_range(tmp_path):
    values = np.array([[0, 257 * 51], [257 * 128, 65535]], dtype=np.uint16)
    Image.fromarray(values).save(tmp_path / "deep.png")
    dataset = from_folder(tmp_path)
    np.testing.assert_allclose(dataset.X[0] * 255, [0, 51, 128, 255])


# Names and places


def test_digits_need_no_file():
    dataset = load("Digits")
    assert dataset.X.max() == 1
    assert dataset.X.shape == (1797, 64)
    with pytest.raises(ValueError, match="choose one of umist"):
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
    assert datasets.cache_folder() == tmp_path / "ronmf"


def test_mat_files_of_the_field_are_found_by_name(tmp_path):
    X, y = yale_pictures()
    (tmp_path / "Yale_32x32.mat").write_bytes(as_mat(X, y, ("fea", "gnd")))
    dataset = load("yale", tmp_path)
    assert dataset.name == "yale"
    np.testing.assert_array_equal(dataset.X.reshape(X.shape), X / 255)
    verdict = datasets.verify("yale", tmp_path)
    assert verdict.ok
    assert "unknown" in verdict.text


def test_a_file_under_a_wrong_name_is_refused(tmp_path):
    np.savez(tmp_path / "yale.npz", X=np.eye(4), y=[0, 1, 2, 3], shape=(2, 2))
    with pytest.raises(ValueError, match="is not yale"):
        load("yale", tmp_path)


def test_load_any_takes_names_and_paths(tmp_path):
    np.savez(tmp_path / "owls.npz", X=np.eye(3))
    save_png(tmp_path / "pictures" / "a" / "1.png", 3)
    assert datasets.load_any("digits").name == "digits"
    assert datasets.load_any("owls", tmp_path).X.shape == (3, 3)
    assert datasets.load_any(tmp_path / "pictures").classes.tolist() == ["a"]
    with pytest.raises(FileNotFoundError, match="no file, no folder and no dataset"):
        datasets.load_any("bats", tmp_path)


# Caltech


@pytest.fixture
def caltech(tmp_path):
    """A zip file like cal101.zip: two classes, a background and pictures of many sizes."""
    folder = tmp_path / "caltech"
    folder.mkdir()
    with zipfile.ZipFile(folder / "cal101.zip", "w") as archive:
        for name, n in (("ant", 3), ("Faces", 2), ("BACKGROUND_Google", 1)):
            for i in range(n):
                file = io.BytesIO()
                Image.new("RGB", (40 + i, 30), (60 * i, 60 * i, 60 * i)).save(file, "JPEG")
                archive.writestr(f"{name}/image_{i:04d}.jpg", file.getvalue())
    return folder


def test_caltech_is_resized_chosen_and_kept(caltech, cache):
    whole = load("cal101", caltech)
    assert whole.X.shape == (5, 4096)
    assert whole.classes.tolist() == ["Faces", "ant"]
    np.testing.assert_allclose(whole.X[:, 0] * 255, [0, 60, 0, 60, 120], atol=1)
    assert len(leftovers(cache)) == 1
    again = load("cal101", caltech)
    np.testing.assert_array_equal(again.X, whole.X)
    np.testing.assert_array_equal(again.y, whole.y)
    assert again.classes.tolist() == whole.classes.tolist()
    few = load("cal101", caltech, image_shape=(4, 5), classes=["ant"], per_class=2)
    assert few.X.shape == (2, 20)
    assert few.image_shape == (4, 5)
    assert few.classes.tolist() == ["ant"]
    for options, message in (
        ({"classes": ["owl"]}, "'owl', which is none of the 2 classes"),
        ({"classes": []}, "classes is empty"),
        ({"per_class": 0}, "per_class is 0"),
        ({"image_shape": 64}, "image_shape is 64"),
    ):
        with pytest.raises(ValueError, match=message):
            load("cal101", caltech, **options)


def test_a_broken_cache_is_read_anew_and_an_unwritable_one_does_no_harm(
    caltech, cache, monkeypatch
):
    first = load("cal101", caltech)
    (kept,) = cache.iterdir()
    kept.write_bytes(b"broken")
    np.testing.assert_array_equal(load("cal101", caltech).X, first.X)
    monkeypatch.setenv("RONMF_CACHE", str(caltech / "cal101.zip"))  # a file, so no folder
    np.testing.assert_array_equal(load("cal101", caltech).X, first.X)


def test_a_broken_archive_is_one_sentence(tmp_path):
    (tmp_path / "cal101.zip").write_bytes(b"no zip file")
    with pytest.raises(ValueError, match="no readable zip file"):
        load("cal101", tmp_path)


# The real sets


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


@pytest.mark.parametrize("name", [name for name in CATALOG if name != "digits"])
def test_real_sets_are_the_reference_copies(data_folder, name):
    assert datasets.verify(name, data_folder).text == "the reference copy"


def test_real_caltech_in_part(data_folder):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        dataset = load("cal101", data_folder, classes=["ant", "Faces"], per_class=6)
    assert dataset.X.shape == (12, 4096)
    assert dataset.classes.tolist() == ["Faces", "ant"]
    assert dataset.X.std(axis=1).min() > 0.05  # pictures, not blanks


def test_importing_the_datasets_imports_no_picture_library():
    code = "import sys, ronmf.datasets; print({'PIL', 'typer', 'matplotlib'} & set(sys.modules))"
    command = [sys.executable, "-c", code]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "set()"
