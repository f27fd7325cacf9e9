"""Downloads of datasets from a real local server: sources, checksums, conversion."""

import gzip
import hashlib
import io
import json
import tarfile
import zipfile
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from ronmf import datasets
from ronmf.datasets import CATALOG, Source, fetch, from_npz, load
from ronmf.datasets._fetching import download_entry
from ronmf.datasets._openml import first_of_each, read_arff
from ronmf.system.cache import cache_folder
from support.dataset_files import as_mat, leftovers, yale_pictures

pytestmark = pytest.mark.usefixtures("cache")  # an empty one, and no other network


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
    assert datasets.verify("yale").text.startswith("as fetched, not verified: its content")
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


@pytest.mark.parametrize(
    "kind", ["copy", "mat", "openml", "numbered_pictures", "packed_photographs"]
)
def test_a_wrong_answer_leaves_nothing(server, cache, kind):
    for content in (b"", b"<html>Please log in</html>" * 9, b"PK\x03\x04 not a zip"):
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
    folder = cache_folder()
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
    path = download_entry(entry, cache_folder(), sources=openml(server, table))
    with np.load(path) as file:
        small = file["X"].reshape(20, 28, 23)
    np.testing.assert_allclose(small[3], X[3].reshape(28, 4, 23, 4).mean((1, 3)), rtol=1e-6)
    assert from_npz(path).y.tolist() == list(range(20))


def test_mnist_of_openml_is_the_first_of_each_digit():
    X = np.arange(8)[:, None]
    chosen, labels = first_of_each(X, np.array([1, 0, 1, 1, 0, 0, 1, 0]), rows=6, n=2)
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
    source = Source(f"{server.url}/coil.zip", "numbered_pictures")
    path = download_entry(entry, cache_folder(), sources=[source])
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
    source = Source(f"{server.url}/caltech-101.zip", "packed_photographs")
    download_entry(entry, cache_folder(), sources=[source])
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
