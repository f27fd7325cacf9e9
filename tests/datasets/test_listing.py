"""Which files of a folder are pictures."""

import os
import sys

import pytest

from ronmf.datasets import list_pictures
from support.dataset_files import save_png

posix = pytest.mark.skipif(os.name != "posix", reason="needs links and bytes as names")


def reasons(folder):
    return {skipped.file: skipped.reason for skipped in folder.skipped}


def test_pictures_at_any_depth_in_the_order_of_their_names(tmp_path):
    for name in ("b.JPG", "a/2.png", "a/b/c/1.webp", "z.tif", "y.bmp"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"something")
    found = list_pictures(tmp_path)
    assert found.files == ("a/2.png", "a/b/c/1.webp", "b.JPG", "y.bmp", "z.tif")
    assert [path.relative_to(tmp_path).as_posix() for path in found.paths] == list(found.files)
    assert found.folder_labels() == ["a", "a/b/c", "", "", ""]
    assert found.skipped == ()


def test_other_files_are_named_with_a_reason(tmp_path):
    for name in ("photo.heic", "notes.txt", "empty.png", ".hidden.png", "Thumbs.db"):
        (tmp_path / name).write_bytes(b"" if name == "empty.png" else b"x")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "x.png").write_bytes(b"x")
    found = list_pictures(tmp_path)
    assert found.files == ()
    assert reasons(found) == {
        "photo.heic": "HEIC is not read; convert it to JPEG",
        "notes.txt": "no picture, by its name",
        "empty.png": "empty",
    }


@posix
def test_links_lead_nowhere_else(tmp_path):
    root, outside = tmp_path / "root", tmp_path / "outside"
    save_png(root / "a.png", 1)
    save_png(outside / "secret.png", 2)
    (root / "inside.png").symlink_to(root / "a.png")
    (root / "out.png").symlink_to(outside / "secret.png")
    (root / "folder").symlink_to(outside)
    (root / "loop").symlink_to(root)
    (root / "circle.png").symlink_to(root / "circle.png")
    (root / "dangling.png").symlink_to(root / "absent.png")
    found = list_pictures(root)
    assert found.files == ("a.png", "inside.png")
    assert set(reasons(found)) == {"out.png", "folder", "loop", "circle.png", "dangling.png"}
    assert reasons(found)["out.png"] == "a link that leads out of the folder"


@posix
@pytest.mark.skipif(sys.platform == "darwin", reason="names there are UTF-8")
def test_names_of_any_bytes_can_be_shown_and_opened(tmp_path):
    names = [b"new\nline.png", b'quo"te.png', b"<script>.png", b"caf\xe9.png", "日.png".encode()]
    for name in names:
        with open(os.path.join(os.fsencode(tmp_path), name), "wb") as file:
            file.write(b"x")
    found = list_pictures(tmp_path)
    assert set(found.files) == {
        "new\nline.png",
        'quo"te.png',
        "<script>.png",
        "caf\\xe9.png",
        "日.png",
    }
    for name, path in zip(found.files, found.paths, strict=True):
        name.encode("utf-8")  # can be written anywhere
        assert path.read_bytes() == b"x"


@posix
def test_two_files_never_share_a_name(tmp_path):
    for name in (b"caf\xe9.png", b"caf\\xe9.png"):
        with open(os.path.join(os.fsencode(tmp_path), name), "wb") as file:
            file.write(b"x")
    found = list_pictures(tmp_path)
    assert found.files == ("caf\\xe9.png",)
    assert len(found.skipped) == 1


def test_broken_files_join_the_skipped(tmp_path):
    for name in ("a.png", "b.png"):
        save_png(tmp_path / name, 1)
    left = list_pictures(tmp_path).without({"a.png": "cut short"})
    assert left.files == ("b.png",)
    assert left.paths == (tmp_path / "b.png",)
    assert reasons(left) == {"a.png": "cut short"}


def test_a_folder_that_is_none(tmp_path):
    with pytest.raises(FileNotFoundError, match="not a folder"):
        list_pictures(tmp_path / "absent")
