"""The archive of Caltech pictures, invented and real."""

import io
import warnings
import zipfile

import numpy as np
import pytest
from PIL import Image

from ronmf.datasets import load
from support.dataset_files import leftovers

pytestmark = pytest.mark.usefixtures("cache")  # an empty one, and no network


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


def test_real_caltech_in_part(data_folder):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        dataset = load("cal101", data_folder, classes=["ant", "Faces"], per_class=6)
    assert dataset.X.shape == (12, 4096)
    assert dataset.classes.tolist() == ["Faces", "ant"]
    assert dataset.X.std(axis=1).min() > 0.05  # pictures, not blanks
