"""Features of the pictures of a folder."""

import struct
import subprocess
import sys
import time
import zlib

import numpy as np
import pytest
from PIL import Image

from ronmf.datasets import list_pictures
from ronmf.datasets._pictures import read_color, read_gray
from ronmf.sorting import FeatureRecipe, _features, _recipes, choose_recipe, features_of

pytestmark = pytest.mark.usefixtures("cache")  # an empty one, and no network

GRAY = FeatureRecipe("pixels", (6, 8))


def save(path, pixels, **options):
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(pixels).save(path, **options)


def noise(seed, shape):
    return np.random.default_rng(seed).integers(256, size=shape, dtype=np.uint8)


@pytest.fixture
def folder(tmp_path):
    for i in range(70):  # more than two batches
        save(tmp_path / "pictures" / f"{i:02d}.png", noise(i, (6, 8)))
    return tmp_path / "pictures"


def test_rows_are_the_pixels_in_the_order_of_the_names(folder):
    told = []
    found = features_of(list_pictures(folder), GRAY, callback=lambda *each: told.append(each))
    expected = [read_gray(path, (6, 8)).ravel() / 255 for path in found.folder.paths]
    np.testing.assert_allclose(found.X, expected, rtol=1e-6)
    assert found.X.dtype == np.float32
    assert told == sorted(told)
    assert told[-1] == (70, 70)


def test_broken_files_are_left_out_with_their_reasons(folder):
    (folder / "03.png").write_bytes((folder / "03.png").read_bytes()[:60])
    (folder / "04.png").write_bytes(b"GIF, they say")
    listed = list_pictures(folder)
    whole = features_of(listed, GRAY)
    assert len(whole.X) == 68 == len(whole.folder.files)
    assert [each.file for each in whole.folder.skipped] == ["03.png", "04.png"]
    np.testing.assert_allclose(whole.X[3], read_gray(folder / "05.png").ravel() / 255, rtol=1e-6)


def test_equal_pictures_have_equal_rows_and_are_decoded_once(folder):
    (folder / "copy.png").write_bytes((folder / "00.png").read_bytes())
    found = features_of(list_pictures(folder), GRAY)
    np.testing.assert_array_equal(found.X[found.folder.files.index("copy.png")], found.X[0])


def test_what_is_kept_is_not_made_again_and_a_changed_file_is(folder, monkeypatch):
    first = features_of(list_pictures(folder), GRAY)
    save(folder / "07.png", noise(700, (6, 8)))
    read = []

    def noted(source, size):
        read.append(source)
        return read_gray(source, size)

    monkeypatch.setattr(_features, "read_gray", noted)
    second = features_of(list_pictures(folder), GRAY)
    assert len(read) == 1
    changed = np.flatnonzero((first.X != second.X).any(axis=1))
    assert changed.tolist() == [7]


def test_a_picture_that_changes_meanwhile_is_not_kept_under_another_name(folder, monkeypatch):
    original = (folder / "00.png").read_bytes()
    key_of = _features._Embedding.key

    def key_then_change(embedding, path):
        key = key_of(embedding, path)
        if path.name == "00.png":
            path.write_bytes((folder / "01.png").read_bytes())
        return key

    monkeypatch.setattr(_features._Embedding, "key", key_then_change)
    first = features_of(list_pictures(folder), GRAY)
    assert [each.reason for each in first.folder.skipped] == ["it was changed while it was read"]
    monkeypatch.undo()
    (folder / "00.png").write_bytes(original)
    second = features_of(list_pictures(folder), GRAY)
    np.testing.assert_allclose(second.X[0] * 255, read_gray(folder / "00.png").ravel(), atol=0.01)


def test_large_features_go_to_a_file(folder, tmp_path, monkeypatch):
    monkeypatch.setattr(_features, "_IN_MEMORY", 1000)
    stored = features_of(list_pictures(folder), GRAY, scratch=tmp_path)
    assert isinstance(stored.X, np.memmap)
    monkeypatch.undo()
    np.testing.assert_array_equal(stored.X, features_of(list_pictures(folder), GRAY).X)


def test_a_killed_process_loses_at_most_a_batch(folder, cache):
    """Kill -9 in the middle, and see how many pictures the next run must read."""
    program = f"""
import os, signal
from ronmf.datasets import list_pictures
from ronmf.sorting import FeatureRecipe, features_of
def told(done, total):
    if done >= 64:
        os.kill(os.getpid(), signal.SIGKILL)
features_of(list_pictures({str(folder)!r}), FeatureRecipe("pixels", (6, 8)), callback=told)
"""
    ended = subprocess.run([sys.executable, "-c", program], check=False)
    assert ended.returncode not in (0, 1)
    told = []
    features_of(list_pictures(folder), GRAY, callback=lambda *each: told.append(each))
    assert told[0][0] >= 64  # found on disk


def test_turned_transparent_and_deep_pictures(tmp_path):
    picture = np.zeros((20, 40, 3), dtype=np.uint8)
    picture[:, :20] = (250, 10, 10)  # left half red
    exif = Image.Exif()
    exif[0x0112] = 6  # to be turned right
    save(tmp_path / "turned.jpg", picture, exif=exif, quality=95)
    upright = read_color(tmp_path / "turned.jpg", (40, 20))
    assert upright.shape == (40, 20, 3)
    assert upright[5, 10, 0] > 200 > 60 > upright[35, 10, 0]  # red is on top
    clear = np.zeros((4, 4, 4), dtype=np.uint8)
    save(tmp_path / "clear.png", clear)
    assert (read_color(tmp_path / "clear.png") == 255).all()
    deep = np.full((4, 4), 65535, dtype=np.uint16)
    save(tmp_path / "deep.png", deep)
    assert (read_color(tmp_path / "deep.png") == 255).all()


def test_pictures_on_their_side_count_upright(tmp_path):
    exif = Image.Exif()
    exif[0x0112] = 6
    for i in range(3):
        save(tmp_path / f"{i}.jpg", noise(i, (60, 80)), exif=exif)
    recipe, _ = choose_recipe(list_pictures(tmp_path), "pixels")
    assert recipe.image_shape == (64, 48)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (np.float32([[0, 0.2, 1]]), [0, 51, 255]),
        (np.float32([[0, 51, 255]]), [0, 51, 255]),
        (np.float32([[0, 200, 1000]]), [0, 51, 255]),
        (np.int32([[0, 51, 255]]), [0, 51, 255]),
        (np.int32([[0, 51 * 256, 65535]]), [0, 51, 255]),
        (np.int32([[0, 200_000, 1_000_000]]), [0, 51, 255]),
        (np.uint16([[0, 51 * 256, 65535]]), [0, 51, 255]),
        (np.float32([[0, np.nan, 1]]), [0, 0, 255]),
    ],
)
def test_numbers_of_any_kind_become_eight_bits(tmp_path, values, expected):
    save(tmp_path / "a.tif", values)
    assert read_gray(tmp_path / "a.tif").ravel().tolist() == expected
    assert read_color(tmp_path / "a.tif")[..., 0].ravel().tolist() == expected


def test_photographs_are_told_from_scans_and_small_pictures(tmp_path):
    rng = np.random.default_rng(0)
    for i in range(4):
        smooth = np.cumsum(np.cumsum(rng.normal(size=(128, 128, 3)), axis=0), axis=1)
        smooth = (smooth - smooth.min()) / np.ptp(smooth) * 255
        save(tmp_path / "photos" / f"{i}.jpg", smooth.astype(np.uint8))
        save(tmp_path / "small" / f"{i}.png", smooth[:32, :32].astype(np.uint8))
        save(
            tmp_path / "scans" / f"{i}.png", np.where(smooth[..., 0] > 128, 255, 0).astype(np.uint8)
        )
    kinds = {name: choose_recipe(list_pictures(tmp_path / name)) for name in ("small", "scans")}
    assert {name: (recipe.kind, advice) for name, (recipe, advice) in kinds.items()} == {
        "small": ("pixels", ""),
        "scans": ("pixels", ""),
    }
    assert kinds["small"][0].image_shape == (32, 32, 3)
    assert kinds["scans"][0].image_shape == (64, 64)
    recipe, advice = choose_recipe(list_pictures(tmp_path / "photos"))
    assert recipe.kind == "deep" or "ronmf[deep]" in advice
    assert choose_recipe(list_pictures(tmp_path / "photos"), "pixels")[1] == ""


def test_photographs_without_the_extra_say_what_it_would_gain(tmp_path, monkeypatch):
    rng = np.random.default_rng(0)
    smooth = np.cumsum(np.cumsum(rng.normal(size=(128, 128)), axis=0), axis=1)
    save(tmp_path / "1.jpg", ((smooth - smooth.min()) / np.ptp(smooth) * 255).astype(np.uint8))
    monkeypatch.setattr(_recipes, "deep_available", lambda: False)
    recipe, advice = choose_recipe(list_pictures(tmp_path))
    assert recipe.kind == "pixels"
    assert "pip install 'ronmf[deep]'" in advice


@pytest.mark.parametrize(
    "wrong",
    [
        None,
        {"kind": "pixels"},
        {"kind": "pixels", "image_shape": [0, 3], "model": None},
        {"kind": "pixels", "image_shape": [10**9, 3], "model": None},
        {"kind": "deep", "image_shape": None, "model": 3},
        {"kind": "__import__", "image_shape": [2, 2], "model": None},
    ],
)
def test_recipes_of_strangers_are_checked(wrong):
    with pytest.raises(ValueError, match=r"recipe|image_shape|model|features"):
        FeatureRecipe.from_json(wrong)
    good = FeatureRecipe("pixels", (3, 4, 3))
    assert FeatureRecipe.from_json(good.to_json()) == good


def test_a_bomb_is_not_decoded(tmp_path):
    """A PNG that claims 50,000 x 50,000 pixels: its head is enough to refuse it, at once."""

    def chunk(kind, content):
        body = kind + content
        return struct.pack(">I", len(content)) + body + struct.pack(">I", zlib.crc32(body))

    head = struct.pack(">IIBBBBB", 50_000, 50_000, 8, 2, 0, 0, 0)
    save(tmp_path / "good.png", noise(1, (6, 8)))
    (tmp_path / "bomb.png").write_bytes(
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(bytes(10**6)))
        + chunk(b"IEND", b"")
    )
    began = time.monotonic()
    found = features_of(list_pictures(tmp_path), GRAY)
    assert time.monotonic() - began < 2
    assert [each.file for each in found.folder.skipped] == ["bomb.png"]
    assert "pixels" in found.folder.skipped[0].reason
