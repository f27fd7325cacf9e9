"""Projects that strangers, crashes or full disks left in an odd state."""

import os
import sqlite3
import time

import numpy as np
import pytest
from app_server import Client, serving_app, write_digits

from ronmf.app import fits as fits_module
from ronmf.app.exporting import copy_into_folders
from ronmf.app.fits import Fits
from ronmf.app.label_log import LabelLog
from ronmf.app.project import open_project
from ronmf.app.results import Result
from ronmf.datasets import list_pictures

posix = pytest.mark.skipif(os.name != "posix", reason="needs pipes and bytes as names")


def test_a_trigger_of_a_stranger_is_refused(tmp_path):
    path = tmp_path / "labels.sqlite"
    LabelLog(path).close()
    with sqlite3.connect(path) as connection:
        connection.execute(
            "CREATE TRIGGER sqliteXevil AFTER INSERT ON changes"
            " BEGIN UPDATE changes SET label = 'evil'; END"
        )
    with pytest.raises(ValueError, match="something else"):
        LabelLog(path)


@posix
@pytest.mark.parametrize("name", ["open", "labels.sqlite", "result-000001.npz"])
def test_pipes_and_folders_in_the_project_are_refused_at_once(tmp_path, name):
    write_digits(tmp_path / "pictures", 2)
    (tmp_path / "pictures" / ".ronmf").mkdir()
    os.mkfifo(tmp_path / "pictures" / ".ronmf" / name)
    with (
        pytest.raises(ValueError, match="no plain file"),
        open_project(list_pictures(tmp_path / "pictures"), None),
    ):
        pass


def test_a_project_among_the_pictures_is_refused(tmp_path):
    write_digits(tmp_path, 2)
    for place in (tmp_path, tmp_path / "inside"):
        with (
            pytest.raises(ValueError, match="inside the folder of pictures"),
            open_project(list_pictures(tmp_path), place),
        ):
            pass


@pytest.mark.parametrize(
    "wrong",
    [
        {"quality": np.array([np.nan], np.float32)},
        {"number": 999_999},
        {"number": 0},
        {"named": 5},
        {"seconds": float("nan")},
        {"seconds": "1"},
        {"features": 3},
    ],
)
def test_results_whose_numbers_make_no_sense_are_refused(wrong):
    one = np.zeros(1, np.int32)
    sound = {
        "number": 1, "complete": True, "files": ["a"], "classes": ["x"], "named": 1,
        "seconds": 1.0, "notes": [], "features": "pixels", "cluster": one,
        "certainty": np.ones(1, np.float32), "novelty": np.zeros(1, np.float32),
        "outlier": np.ones(1, np.float32), "next": one,
        "wrong": one, "suggested": one, "quality": np.ones(1, np.float32),
        "xy": np.zeros((1, 2), np.float32), "parts": np.zeros((1, 0), np.int32),
    }  # fmt: skip
    Result(**sound)
    with pytest.raises(ValueError, match="do not fit together"):
        Result(**{**sound, **wrong})


@posix
def test_one_odd_picture_does_not_spoil_an_export(tmp_path):
    folder = tmp_path / "pictures"
    write_digits(folder, 4)
    with open_project(list_pictures(folder), tmp_path / "project") as project:
        odd = project.folder.paths[0]
        odd.unlink()
        odd.mkdir()
        circle = project.folder.paths[1]
        circle.unlink()
        circle.symlink_to(circle)
        target, count = copy_into_folders(project)
    assert count == 2
    assert len(list(target.rglob("*.png"))) == 2


def busy_worker(connection, *ignored):
    """Say more than a pipe holds before the first order is read."""
    for i in range(20_000):
        connection.send(("stage", "pictures", i, 20_000))
    connection.recv()
    connection.send(("done",))
    connection.recv()


def test_a_large_order_to_a_busy_worker_blocks_nobody(tmp_path, monkeypatch):
    folder = tmp_path / "pictures"
    write_digits(folder, 2)
    monkeypatch.setattr(fits_module, "work", busy_worker)
    with open_project(list_pictures(folder), tmp_path / "project") as project:
        names = [f"{'x' * 100}{i}" for i in range(8000)]
        project.log.do(dict.fromkeys(names, "owl"), "")
        project.numbers.update({name: i for i, name in enumerate(names)})
        fits = Fits(project, "pixels", 0)
        began = time.monotonic()
        fits.start("auto")
        assert time.monotonic() - began < 5
        for _ in range(600):
            if not fits.status()["working"]:
                break
            time.sleep(0.05)
        assert not fits.status()["working"]
        fits.close()


@posix
def test_a_folder_whose_name_is_no_text_has_a_page(tmp_path, feature_cache):
    folder = tmp_path / os.fsdecode(b"caf\xe9<b>")
    write_digits(folder, 12)
    with serving_app(folder, feature_cache, "--clusters", "2") as served:
        status, content = Client(served).get("/")
    assert status == 200
    assert b"caf\\xe9&lt;b&gt;" in content


def test_what_a_killed_process_wrote_in_part_is_removed_and_all_else_kept(tmp_path):
    write_digits(tmp_path, 2)
    place = tmp_path / ".ronmf"
    place.mkdir()
    (place / ".part-01234567-result-000012.npz").write_bytes(b"half")
    (place / ".part-of-mine").write_bytes(b"mine")
    with open_project(list_pictures(tmp_path), None):
        names = {path.name for path in place.glob(".*")}
    assert names == {".part-of-mine"}
