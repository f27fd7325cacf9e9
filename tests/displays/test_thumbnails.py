"""Small pictures for pages."""

import io

import numpy as np
import pytest
from PIL import Image

from ronmf.datasets._pictures import UnreadablePicture
from ronmf.displays import array_thumbnail, file_thumbnail


def decoded(thumbnail):
    return Image.open(io.BytesIO(thumbnail))


def test_small_pictures_keep_every_pixel(tmp_path):
    pixels = np.random.default_rng(0).integers(256, size=(8, 8), dtype=np.uint8)
    Image.fromarray(pixels).save(tmp_path / "a.png")
    thumbnail = file_thumbnail(tmp_path / "a.png")
    assert thumbnail.media_type == "image/png"
    np.testing.assert_array_equal(np.asarray(decoded(thumbnail)), pixels)


def test_photographs_shrink_upright_and_lose_what_they_say_of_themselves(tmp_path):
    exif = Image.Exif()
    exif[0x0112] = 6
    exif[0x010E] = "taken at home"
    Image.new("RGB", (400, 200), "green").save(tmp_path / "a.jpg", exif=exif)
    thumbnail = file_thumbnail(tmp_path / "a.jpg", 100)
    assert thumbnail.media_type == "image/jpeg"
    assert decoded(thumbnail).size == (50, 100)
    assert b"taken at home" not in thumbnail


def test_broken_files_raise(tmp_path):
    (tmp_path / "a.jpg").write_bytes(b"\xff\xd8\xff")
    with pytest.raises(UnreadablePicture):
        file_thumbnail(tmp_path / "a.jpg")


@pytest.mark.parametrize("shape", [(3, 4), (3, 4, 3), (3, 4, 1)])
def test_arrays_are_scaled_to_white(shape):
    values = np.linspace(0, 7, np.prod(shape)).reshape(shape)
    pixels = np.asarray(decoded(array_thumbnail(values)))
    assert pixels.shape == (shape if shape[-1] == 3 else (3, 4))
    assert (pixels.min(), pixels.max()) == (0, 255)
    assert array_thumbnail(values.ravel(), shape) == array_thumbnail(values)


def test_nothing_is_black():
    assert not np.asarray(decoded(array_thumbnail(np.zeros((2, 2))))).any()
