"""Files that are no pictures, lie about themselves or were damaged: skipped, with a reason."""

import io
import struct
import subprocess
import warnings
import zipfile
import zlib

import numpy as np
import pytest

from ronmf.datasets import _limits, from_folder
from ronmf.datasets._photographs import members
from ronmf.datasets._pictures import UnreadablePicture, picture_size, read_gray, read_member
from support.complaints import complaint
from support.fuzzing import fuzz_seeds, with_changed_bytes

Image = pytest.importorskip("PIL.Image", reason="needs Pillow")

FORMATS = ("BMP", "GIF", "JPEG", "PNG", "PPM", "TIFF", "WEBP")
EPS = b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n%%EndComments\nshowpage\n"


def encoded(kind, size=(12, 9), **options):
    """Return a picture of noise as a file's content."""
    noise = np.random.RandomState(0).randint(256, size=(size[1], size[0], 3), dtype=np.uint8)
    buffer = io.BytesIO()
    Image.fromarray(noise).save(buffer, kind, **options)
    return buffer.getvalue()


def png(width, height):
    """Return a PNG file that claims a size, with hardly any data."""

    def chunk(name, content):
        check = struct.pack(">I", zlib.crc32(name + content))
        return struct.pack(">I", len(content)) + name + content + check

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
    return (
        b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(b"\0" * 9)) + chunk(b"IEND", b"")
    )


def damaged(seed):
    """Yield contents of pictures with bytes changed, cut off or inserted."""
    rng = np.random.RandomState(seed)
    for kind in FORMATS:
        whole = encoded(kind)
        for _ in range(12):
            yield kind, with_changed_bytes(whole, rng, 20)
            yield kind, whole[: rng.randint(len(whole))]
            place = rng.randint(len(whole))
            yield kind, whole[:place] + rng.bytes(40) + whole[place:]


def outcome(content):
    """Return the shape that was read, or the reason why not; anything else is an error."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Pillow's own, of what it repairs
        try:
            return read_gray(io.BytesIO(content), (4, 4)).shape
        except UnreadablePicture as error:
            return str(error)


def test_whole_pictures_are_read():
    for kind in FORMATS:
        assert outcome(encoded(kind)) == (4, 4)


def test_damaged_pictures_are_read_or_give_a_reason():
    for seed in fuzz_seeds():
        found = [outcome(content) for _, content in damaged(seed)]
        assert len(found) == 3 * 12 * len(FORMATS)
        assert all(each == (4, 4) or each for each in found)
        assert sum(isinstance(each, str) for each in found) > len(found) / 4


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"not a picture at all",
        EPS,
        b"DDS " + b"\0" * 200,  # textures
        b"\0\0\0\x1cftypavif" + b"\0" * 60,
        np.array([1.0, 9, 9, 1, 1], dtype=">f4").tobytes() * 40,  # SPIDER
        b"P6 9 9 255\n",
        b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        b"%PDF-1.7",
        b"PK\x03\x04" + b"\0" * 40,
    ],
    ids=["empty", "text", "eps", "dds", "avif", "spider", "no data", "svg", "pdf", "zip"],
)
def test_other_formats_are_not_tried(content, monkeypatch):
    def forbidden(*args, **options):
        raise AssertionError("a program was started")

    monkeypatch.setattr(subprocess, "Popen", forbidden)
    assert isinstance(outcome(content), str)
    assert picture_size(io.BytesIO(content)) in (None, (9, 9))  # a head alone may be in order


@pytest.mark.parametrize("size", [(1, 170_000_000), (50_000, 50_000), (70_000, 2), (9_000, 9_000)])
def test_pictures_of_too_many_pixels_are_refused_before_decoding(size):
    content = png(*size)
    reason = outcome(content)
    assert "pixels" in reason
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert picture_size(io.BytesIO(content)) is None


def test_broken_orientation_does_not_stop_a_load(tmp_path):
    good = encoded("JPEG")
    exif = b"Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0"  # cut off in the middle
    segment = b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "odd.jpg").write_bytes(good[:2] + segment + good[2:])
    (tmp_path / "a" / "good.jpg").write_bytes(good)
    (tmp_path / "a" / "eps.png").write_bytes(EPS)
    with pytest.warns(UserWarning, match=r"Skipped \d of 3 pictures .*'a/eps\.png' \(none of BMP"):
        dataset = from_folder(tmp_path)
    assert 1 <= len(dataset.X) <= 2


def archive_with(tmp_path, name="c/1.png", content=b"x" * 500, compression=zipfile.ZIP_DEFLATED):
    path = tmp_path / "p.zip"
    with zipfile.ZipFile(path, "w", compression) as archive:
        archive.writestr(name, content)
    return path


def test_members_of_archives_with_troubles_give_reasons(tmp_path, monkeypatch):
    noise = np.random.RandomState(0).bytes(4000)
    path = archive_with(tmp_path, content=noise)
    whole = path.read_bytes()
    reasons = []
    for change in ("crc", "deflate", "password"):
        content = bytearray(whole)
        if change == "crc":
            content[60] ^= 255
        elif change == "deflate":
            content[40:200] = b"\xff" * 160
        else:  # the flag says encrypted, in both heads
            content[6] |= 1
            content[whole.rfind(b"PK\x01\x02") + 8] |= 1
        path.write_bytes(bytes(content))
        with zipfile.ZipFile(path) as archive, pytest.raises(UnreadablePicture) as caught:
            read_member(archive, "c/1.png")
        reasons.append(str(caught.value))
    assert all(reasons)
    assert "password" in reasons[2]
    monkeypatch.setattr(_limits, "ARCHIVED_PICTURE_BYTES", 2**20)
    path = archive_with(tmp_path, content=b"\0" * 2**22)  # four MB in a few KB
    with (
        zipfile.ZipFile(path) as archive,
        pytest.raises(UnreadablePicture, match="more than 1 MiB"),
    ):
        read_member(archive, "c/1.png")


def test_archives_that_are_none_give_a_sentence(tmp_path):
    whole = archive_with(tmp_path).read_bytes()
    path = tmp_path / "q.zip"
    for seed in fuzz_seeds():
        rng = np.random.RandomState(seed)
        for _ in range(60):
            content = with_changed_bytes(whole, rng, 8)
            path.write_bytes(content[: rng.randint(1, len(content) + 1)])
            assert complaint(members, path) in ("", str(path))
