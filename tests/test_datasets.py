"""Datasets: scaling, readers, folders, search order, downloads from a real local server."""

import gzip
import hashlib
import io
import json
import subprocess
import sys
import tarfile
import threading
import warnings
import zipfile
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest
from PIL import Image
from scipy.io import savemat

from ronmf import datasets
from ronmf.datasets import CATALOG, Source, fetch, from_folder, from_mat, from_npz, load
from ronmf.datasets.fetching import download_entry
from ronmf.datasets.openml import _first_of_each, read_arff

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


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    """An empty cache, no data folder, and a network that refuses every address but this machine."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("RONMF_CACHE", str(folder))
    for name in ("RONMF_DATA", "RONMF_MIRROR"):
        monkeypatch.delenv(name, raising=False)
    for name in ("http_proxy", "https_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    return folder


@pytest.fixture
def server():
    """Serve `server.files` (path to bytes); `server.cut` breaks off after so many bytes."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            content = server.files.get(self.path)
            if content is None:
                self.send_error(404)
                return
            self.send_response(200)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content[: server.cut])

        def log_message(self, *args):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.files, server.cut = {}, None
    server.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def yale_pictures():
    """Values and labels with the sizes of Yale, and pictures that are not symmetric."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 256, size=(165, 32, 32), dtype=np.uint8)
    X[0, 0, 0] = 255
    return X, np.repeat(np.arange(15), 11)


def as_mat(X, y, keys=("X", "Y")):
    file = io.BytesIO()
    columns = X.transpose(0, 2, 1).reshape(len(X), -1)
    savemat(file, {keys[0]: columns.astype(float), keys[1]: y[:, None] + 1})
    return file.getvalue()


def save_png(path, value, size=(10, 8)):
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new("L", size, value).save(path)


def leftovers(folder):
    return sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []


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


# Downloads


def test_fetch_converts_mat_and_notes_its_sha256(server, cache):
    X, y = yale_pictures()
    server.files["/Yale.mat"] = as_mat(X, y)
    calls = []
    path = fetch(
        "yale",
        sources=[Source(f"{server.url}/Yale.mat", "mat")],
        progress=lambda done, total: calls.append((done, total)),
    )
    assert path == cache / "yale.npz"
    assert leftovers(cache) == ["yale.npz", "yale.npz.sha256"]
    np.testing.assert_array_equal(load("yale").X.reshape(X.shape), X / 255)
    size = len(server.files["/Yale.mat"])
    assert calls[-1] == (size, size)
    assert datasets.verify("yale").text == "as fetched, not the reference copy"
    with path.open("ab") as file:
        file.write(b"x")
    assert not datasets.verify("yale").ok
    server.files.clear()
    assert fetch("yale") == path  # here already


def test_fetch_goes_on_to_the_next_source(server, cache):
    X, y = yale_pictures()
    server.files["/Yale.mat"] = as_mat(X, y)
    sources = [Source(f"{server.url}/{name}", "mat") for name in ("absent.mat", "Yale.mat")]
    assert fetch("yale", sources=sources).is_file()


@pytest.mark.parametrize("kind", ["copy", "mat", "openml", "coil100", "caltech"])
@pytest.mark.parametrize(
    "content", [b"", b"<html>Please log in</html>" * 9, b"PK\x03\x04 not a zip"]
)
def test_a_wrong_answer_leaves_nothing(server, cache, kind, content):
    server.files["/file"] = content
    with pytest.raises(FileNotFoundError, match=r"put yale\.npz or Yale\.mat into"):
        fetch("yale", sources=[Source(f"{server.url}/file", kind)])
    assert leftovers(cache) == []


def test_a_download_that_breaks_off_leaves_nothing(server, cache):
    X, y = yale_pictures()
    server.files["/Yale.mat"] = as_mat(X, y)
    server.cut = 1000
    with pytest.raises(FileNotFoundError, match=r"broke after 1000 of \d+ bytes"):
        fetch("yale", sources=[Source(f"{server.url}/Yale.mat", "mat")])
    assert leftovers(cache) == []


def test_an_interrupt_leaves_nothing(server, cache):
    X, y = yale_pictures()
    server.files["/Yale.mat"] = as_mat(X, y)

    def stop(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fetch("yale", sources=[Source(f"{server.url}/Yale.mat", "mat")], progress=stop)
    assert leftovers(cache) == []


def test_a_wrong_checksum_or_size_leaves_nothing(server, cache):
    X, y = yale_pictures()
    server.files["/Yale.mat"] = as_mat(X, y)
    server.files["/short.mat"] = as_mat(X[:11], y[:11])
    right = hashlib.sha256(server.files["/Yale.mat"]).hexdigest()
    with pytest.raises(FileNotFoundError, match=f"its sha256 is {right}, not the expected 00ff"):
        fetch("yale", sources=[Source(f"{server.url}/Yale.mat", "mat", "sha256:00ff")])
    with pytest.raises(FileNotFoundError, match="11 samples instead of 165 and 1 classes"):
        fetch("yale", sources=[Source(f"{server.url}/short.mat", "mat")])
    assert leftovers(cache) == []
    assert fetch("yale", sources=[Source(f"{server.url}/Yale.mat", "mat", f"sha256:{right}")])


def test_offline_is_one_sentence_that_says_what_to_do(tmp_path, cache):
    with pytest.raises(FileNotFoundError) as caught:
        load("orl10p", tmp_path)
    text = str(caught.value)
    assert "\n" not in text
    assert f"put orl10p.npz or orlraws10P.mat into {tmp_path}, or set RONMF_DATA" in text
    assert leftovers(cache) == []


def arff(X, labels, first=False):
    """A table as OpenML has them, labels last or first."""
    names = [f"@ATTRIBUTE pixel{i} REAL" for i in range(X.shape[1])]
    label = "@attribute 'class' {" + ",".join(sorted(set(labels))) + "}"
    lines = [
        "% a comment",
        "@RELATION test",
        *([label, *names] if first else [*names, label]),
        "@DATA",
    ]
    for row, name in zip(X, labels, strict=True):
        cells = [f"{value:g}" for value in row]
        lines.append(",".join([f"'{name}'", *cells] if first else [*cells, name]))
    return "\n".join(lines).encode()


def openml(server, table, **changes):
    about = {
        "url": f"{server.url}/table.arff",
        "default_target_attribute": "class",
        "md5_checksum": hashlib.md5(table).hexdigest(),
    }
    server.files["/about"] = json.dumps({"data_set_description": about | changes}).encode()
    server.files["/table.arff"] = table
    return [Source(f"{server.url}/about", "openml")]


@pytest.mark.parametrize("first", [False, True])
def test_arff_tables_are_read_with_labels_first_or_last(tmp_path, first):
    X = np.arange(6.0).reshape(3, 2)
    (tmp_path / "a.arff").write_bytes(arff(X, ["10", "9", "10"], first))
    values, labels = read_arff(tmp_path / "a.arff", "class")
    np.testing.assert_array_equal(values, X)
    assert labels.tolist() == [10, 9, 10]


def test_usps_of_openml_comes_into_the_unit_interval_with_digits_as_names(server):
    rng = np.random.default_rng(0)
    X = rng.integers(-1000, 1001, size=(40, 256)) / 1000
    X[0, :2] = -1, 1
    y = np.tile(np.arange(10), 4)
    table = arff(X, [str(digit + 1) for digit in y], first=True)
    entry = replace(CATALOG["usps"], n_samples=40)
    folder = datasets.cache_folder()
    path = download_entry(entry, folder, sources=openml(server, table))
    dataset = from_npz(path)
    np.testing.assert_allclose(dataset.X, (X + 1) / 2, atol=1e-6)
    np.testing.assert_array_equal(dataset.y, y)
    assert dataset.classes.tolist() == list("0123456789")
    path.unlink()
    with pytest.raises(FileNotFoundError, match="its md5 is"):
        download_entry(entry, folder, sources=openml(server, table, md5_checksum="0"))


@pytest.mark.parametrize("by_columns", [False, True])
def test_umist_of_openml_is_turned_upright_and_shrunk(server, by_columns):
    rows, columns = np.mgrid[:112, :92]
    face = 100 + rows + 50 * (columns > 40)
    X = np.stack([face + i for i in range(20)]).astype(float)
    stored = X.transpose(0, 2, 1) if by_columns else X
    table = arff(stored.reshape(20, -1), [str(i + 1) for i in range(20)])
    entry = replace(CATALOG["umist"], n_samples=20)
    path = download_entry(entry, datasets.cache_folder(), sources=openml(server, table))
    with np.load(path) as file:
        small = file["X"].reshape(20, 28, 23)
    np.testing.assert_allclose(small[3], X[3].reshape(28, 4, 23, 4).mean((1, 3)), rtol=1e-6)
    assert from_npz(path).y.tolist() == list(range(20))


def test_mnist_of_openml_is_the_first_of_each_digit():
    X = np.arange(8)[:, None]
    chosen, labels = _first_of_each(X, np.array([1, 0, 1, 1, 0, 0, 1, 0]), rows=6, n=2)
    assert chosen.ravel().tolist() == [0, 1, 2, 4]
    assert labels.tolist() == [1, 0, 1, 0]


def test_coil100_pictures_are_gray_and_sampled_without_smoothing(server):
    rng = np.random.default_rng(0)
    pictures = {
        (number, angle): rng.integers(0, 256, size=(128, 128, 3), dtype=np.uint8)
        for number in (1, 2, 10)
        for angle in (0, 5, 10)
    }
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for (number, angle), picture in pictures.items():
            png = io.BytesIO()
            Image.fromarray(picture).save(png, "PNG")
            archive.writestr(f"coil-100/obj{number}__{angle}.png", png.getvalue())
    server.files["/coil.zip"] = file.getvalue()
    entry = replace(CATALOG["coil100"], n_samples=9, n_classes=3)
    source = Source(f"{server.url}/coil.zip", "coil100")
    path = download_entry(entry, datasets.cache_folder(), sources=[source])
    dataset = from_npz(path)
    assert dataset.y.tolist() == [0, 0, 0, 1, 1, 1, 2, 2, 2]
    assert dataset.classes.tolist() == ["1", "2", "10"]
    # Halfway between four pixels, bilinear interpolation is their mean.
    blocks = pictures[10, 5].reshape(32, 4, 32, 4, 3)[:, 1:3, :, 1:3].mean(axis=(1, 3))
    gray = blocks @ (0.299, 0.587, 0.114)
    np.testing.assert_allclose(255 * dataset.X[7].reshape(32, 32), gray, atol=1.6)


def test_caltech_is_repacked_without_its_background(server):
    tar = io.BytesIO()
    with tarfile.open(fileobj=tar, mode="w") as archive:
        for name in ("ant/1.jpg", "ant/2.jpg", "owl/1.jpg", "BACKGROUND_Google/1.jpg", "ant/x.txt"):
            picture = io.BytesIO()
            Image.new("RGB", (20, 10), (200, 30, 90)).save(picture, "JPEG")
            member = tarfile.TarInfo(f"101_ObjectCategories/{name}")
            member.size = len(picture.getvalue())
            archive.addfile(member, io.BytesIO(picture.getvalue()))
    outer = io.BytesIO()
    with zipfile.ZipFile(outer, "w") as archive:
        packed = gzip.compress(tar.getvalue())
        archive.writestr("caltech-101/101_ObjectCategories.tar.gz", packed)
    server.files["/caltech-101.zip"] = outer.getvalue()
    entry = replace(CATALOG["cal101"], n_samples=3, n_classes=2)
    source = Source(f"{server.url}/caltech-101.zip", "caltech")
    download_entry(entry, datasets.cache_folder(), sources=[source])
    dataset = load("cal101", image_shape=(6, 6))
    assert dataset.classes.tolist() == ["ant", "owl"]
    assert dataset.y.tolist() == [0, 0, 1]


def test_a_mirror_is_asked_first_and_its_files_are_checked(server, cache, monkeypatch):
    monkeypatch.setenv("RONMF_MIRROR", f"{server.url}/sets/")
    X, y = yale_pictures()
    file = io.BytesIO()
    np.savez(file, X=X.reshape(165, -1), y=y, shape=(32, 32))
    server.files["/sets/yale.npz"] = file.getvalue()
    with pytest.raises(FileNotFoundError, match=r"/sets/yale\.npz: its sha256 is"):
        fetch("yale")
    assert leftovers(cache) == []


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
