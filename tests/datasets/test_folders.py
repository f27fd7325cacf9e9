"""Folders of pictures as datasets."""

import numpy as np
import pytest
from PIL import Image

from ronmf.datasets import from_folder
from support.dataset_files import save_png

pytestmark = pytest.mark.usefixtures("cache")  # an empty one, and no network


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
    with pytest.warns(UserWarning, match=r"Skipped 2 of 3 .*'a/bad\.png' \(none of BMP") as caught:
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
