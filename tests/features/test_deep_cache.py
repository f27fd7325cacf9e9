"""Embeddings on disk: computed once, never mixed, and a damaged file does no harm."""

import sqlite3
import subprocess
import sys

import numpy as np
import pytest

from ronmf.features import DeepFeatures
from ronmf.features._store import FeatureStore
from support.networks import SHAPE


def only_file(folder):
    (path,) = (folder / "features").glob("*.sqlite")
    return path


def test_each_picture_is_computed_once(pictures, stand_in, tmp_path):
    X = pictures[[0, 1, 0, 2, 1]]
    out = DeepFeatures(image_shape=SHAPE).fit_transform(X)
    assert stand_in.seen == 3
    np.testing.assert_array_equal(out[[0, 1]], out[[2, 4]])
    again = DeepFeatures(image_shape=SHAPE).fit_transform(pictures[:4].astype(np.float32))
    assert stand_in.seen == 4  # one was new; float32 and float64 are one picture
    np.testing.assert_allclose(again[:3], out[[0, 1, 3]], rtol=1e-6)
    assert only_file(tmp_path).name == "efficientnet_lite0.sqlite"


def test_models_and_shapes_do_not_share_vectors(pictures, stand_in, tmp_path):
    for settings in (
        {"model": "a/b", "image_shape": SHAPE},
        {"model": "a:b", "image_shape": SHAPE},  # the same file name
        {"model": "a/b", "image_shape": (7, 9)},
    ):
        stand_in.seen = 0
        DeepFeatures(**settings).fit_transform(pictures)
        assert stand_in.seen == 6
    assert only_file(tmp_path).name == "a_b.sqlite"


def test_an_interrupted_run_keeps_what_is_done(pictures, stand_in):
    model = DeepFeatures(image_shape=SHAPE, batch_size=2).fit(pictures)
    stand_in.stop_at = 4
    with pytest.raises(KeyboardInterrupt):
        model.transform(pictures)
    stand_in.stop_at, stand_in.seen = None, 0
    out = model.transform(pictures)
    assert stand_in.seen == 2
    np.testing.assert_array_equal(out, model.set_params(cache=False).transform(pictures))


@pytest.mark.parametrize("damage", ["garbage", "cut", "foreign"])
def test_a_damaged_cache_is_a_warning(pictures, stand_in, tmp_path, damage):
    model = DeepFeatures(image_shape=SHAPE).fit(pictures)
    expected = model.transform(pictures)
    path = only_file(tmp_path)
    content = path.read_bytes()
    if damage == "garbage":
        path.write_bytes(b"no database" * 1000)
    elif damage == "cut":
        path.write_bytes(content[: len(content) // 2])
    else:
        path.unlink()
        with sqlite3.connect(path) as other:
            other.execute("CREATE TABLE vectors (something TEXT)")
        other.close()
    with pytest.warns(UserWarning, match=r"feature cache .* cannot be used .*; working without"):
        out = model.transform(pictures)
    np.testing.assert_array_equal(out, expected)


def test_a_damaged_value_is_computed_again(pictures, stand_in, tmp_path):
    model = DeepFeatures(image_shape=SHAPE).fit(pictures)
    expected = model.transform(pictures)
    with sqlite3.connect(only_file(tmp_path)) as database:
        database.execute("UPDATE vectors SET value = zeroblob(36) WHERE rowid = 1")
    database.close()
    stand_in.seen = 0
    for _ in range(2):
        np.testing.assert_array_equal(model.transform(pictures), expected)
    assert stand_in.seen == 1


def test_a_folder_that_cannot_be_made_is_a_warning(pictures, stand_in, tmp_path):
    (tmp_path / "file").write_text("")
    model = DeepFeatures(image_shape=SHAPE, cache=tmp_path / "file" / "folder").fit(pictures)
    with pytest.warns(UserWarning, match="cannot be used"):
        assert model.transform(pictures).shape == (6, 9)


def test_a_cache_that_takes_nothing_new_is_still_read(pictures, stand_in, monkeypatch):
    model = DeepFeatures(image_shape=SHAPE, batch_size=1).fit(pictures)
    model.transform(pictures[:3])

    connect = sqlite3.connect

    def connect_to_read(*args, **kwargs):
        connection = connect(*args, **kwargs)
        connection.execute("PRAGMA query_only = ON")
        return connection

    monkeypatch.setattr(sqlite3, "connect", connect_to_read)
    with pytest.warns(UserWarning, match="readonly") as caught:
        model.transform(pictures)
    assert len(caught) == 1
    assert stand_in.seen == 6


@pytest.mark.slow
def test_two_processes_write_one_file(tmp_path):
    code = (
        "import sys; import numpy as np; from pathlib import Path\n"
        "from ronmf.features._store import FeatureStore\n"
        "with FeatureStore(Path(sys.argv[1])) as store:\n"
        "    for i in range(40):\n"
        "        store.put({f'{sys.argv[2]}{i}'.encode(): np.full(8, i, dtype=np.float32)})\n"
    )
    path = tmp_path / "shared.sqlite"
    both = [
        subprocess.Popen([sys.executable, "-W", "error", "-c", code, path, name]) for name in "ab"
    ]
    assert [process.wait(timeout=60) for process in both] == [0, 0]
    with FeatureStore(path) as store:
        assert len(store.get([f"{name}{i}".encode() for name in "ab" for i in range(600)])) == 80
