"""Links where files of ours belong: no file appears, or changes, at their other end."""

import json
import os
import sqlite3
import subprocess
import sys

import numpy as np
import pytest

from ronmf import RONMF, load_model, save_model
from ronmf.bench.running.rows import RowFile
from ronmf.features._store import FeatureStore
from ronmf.storage._checkpoint import Checkpoint
from ronmf.storage._scratch import FileArray, Scratch
from ronmf.system import platform
from ronmf.system.files import remove_leftovers, whole_file, writable
from ronmf.system.writing import open_to_write
from support.command_line import sentences
from support.rows import row

pytestmark = [
    pytest.mark.skipif(os.name != "posix", reason="needs links"),
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
]


@pytest.fixture
def outside(tmp_path):
    """A folder in which nothing may appear."""
    folder = tmp_path / "outside"
    folder.mkdir()
    yield folder
    assert not list(folder.iterdir())


@pytest.fixture
def here(tmp_path):
    folder = tmp_path / "here"
    folder.mkdir()
    return folder


@pytest.mark.parametrize("mode", ["w", "wb", "ab", "xb", "r+b"])
@pytest.mark.parametrize("follows", [True, False], ids=["O_NOFOLLOW", "looked for"])
def test_a_link_is_never_written_through(mode, follows, here, tmp_path, monkeypatch):
    if not follows:
        monkeypatch.delattr("os.O_NOFOLLOW", raising=False)
    there = tmp_path / "there.txt"
    there.write_text("old")
    for goal in (there, tmp_path / "absent.txt"):
        link = here / goal.name
        link.symlink_to(goal)
        with pytest.raises(FileExistsError):
            open_to_write(link, mode)
    assert there.read_text() == "old"
    assert not (tmp_path / "absent.txt").exists()


def test_the_sentence_names_the_link(here, outside):
    (here / "a").symlink_to(outside / "a")
    with pytest.raises(FileExistsError, match="/a is a link, which may lead anywhere; remove it"):
        open_to_write(here / "a", "wb")


def test_a_whole_file_takes_the_place_of_a_link(here, outside):
    (here / "a").symlink_to(outside / "a")
    with whole_file(here / "a") as part:
        part.write_text("new")
    assert (here / "a").read_text() == "new"
    assert not (here / "a").is_symlink()


def test_a_link_that_the_user_names_is_followed(here, tmp_path):
    (tmp_path / "model").write_text("old")
    (here / "model").symlink_to(tmp_path / "model")
    X = np.random.default_rng(0).random((20, 4))
    save_model(RONMF(2, graph="plain", random_state=0).fit(X), here / "model")
    assert (here / "model").is_symlink()
    assert load_model(tmp_path / "model").n_clusters == 2
    assert writable(here / "model") == tmp_path / "model"


def test_what_killed_processes_left_may_be_links(here, outside):
    (here / ".part-01234567-a").symlink_to(outside / "a")
    remove_leftovers(here / "a")
    assert not list(here.iterdir())


@pytest.mark.parametrize("way", ["fcntl", "msvcrt", "file"])
def test_locks(way, here, outside, monkeypatch):
    if way != "fcntl":
        monkeypatch.setattr(platform, "fcntl", None)
    if way == "msvcrt":
        monkeypatch.setattr(platform, "msvcrt", object())
    for name in ("a", "a.lock"):
        (here / name).symlink_to(outside / name)
    with pytest.raises(OSError, match=r"a(\.lock)?"), platform.exclusive(here / "a"):
        pass


CHECKPOINT = ("fit.json", "fit.lock", "fit.lock.lock", ".part-01234567-fit.json", "sweeps.npz")
CHECKPOINT += ("array-000000.bin", f"coordinates-{'0' * 24}.npz", f"neighbors-{'0' * 24}.npz")


@pytest.mark.parametrize("name", CHECKPOINT)
@pytest.mark.parametrize("exists", [False, True], ids=["dangling", "whole"])
def test_checkpoints(name, exists, here, tmp_path):
    goal = tmp_path / "goal"
    if exists:
        goal.write_text("old")
    (here / name).symlink_to(goal)
    X = np.random.default_rng(0).random((40, 4)).astype(np.float32)
    np.save(tmp_path / "X.npy", X)
    stored = np.load(tmp_path / "X.npy", mmap_mode="r")
    with pytest.raises(ValueError, match=rf"is a folder with a link \({name}\); remove it"):
        RONMF(2, graph="plain", checkpoint=here, random_state=0).fit(stored)
    assert goal.exists() == exists
    assert not exists or goal.read_text() == "old"


def test_links_that_appear_while_a_fit_runs(here, outside):
    checkpoint = Checkpoint(here)
    for name in ("fit.json", "sweeps.npz"):
        (here / name).symlink_to(outside / name)
    with checkpoint.held("key"):
        checkpoint.write(here / "sweeps.npz", {"a": np.ones(3)})
        assert not (here / "sweeps.npz").is_symlink()


def test_large_arrays(here, outside):
    (here / "array-000000.bin").symlink_to(outside / "a")
    assert Scratch(here).keep(np.ones((2, 2))).path.name == "array-000001.bin"
    with pytest.raises(FileExistsError):
        FileArray(here / "array-000000.bin", (2, 2), np.float64).write(slice(0, 2), np.ones((2, 2)))


def test_rows(here, outside):
    (here / "rows.jsonl").symlink_to(outside / "rows.jsonl")
    with pytest.raises(FileExistsError, match="is a link"), RowFile(here).writing():
        pass


@pytest.mark.slow
def test_pages_and_figures_in_places_that_the_user_did_not_name(here, outside):
    line = json.dumps(row(dataset="yale", acc_unlabelled=0.5, seconds=1.0))
    (here / "rows.jsonl").write_text(f"{line}\n")
    (here / "report.html").symlink_to(outside / "victim.html")
    (here / "boxes.png").symlink_to(outside / "victim.png")
    for asked in (("report", "."), ("figure", ".", "boxes")):
        command = [sys.executable, "-m", "ronmf", "bench", *asked]
        ended = subprocess.run(command, cwd=here, capture_output=True, text=True, check=False)
        assert ended.returncode in (1, 2)
        assert "is a link, which may lead anywhere" in ended.stderr
        assert len(sentences(ended.stderr)) == 1


@pytest.mark.parametrize("end", ["", "-journal", "-wal", "-shm"])
def test_databases(end, here, outside):
    (here / f"vectors.sqlite{end}").symlink_to(outside / "vectors")
    with (
        pytest.warns(UserWarning, match="cannot be used .* is a link"),
        FeatureStore(here / "vectors.sqlite") as store,
    ):
        assert store.get([b"1"]) == {}


def test_a_database_in_use_keeps_its_locks(here):
    """To close any other handle of the file would let go of them."""
    from ronmf.system.writing import database_file

    path = here / "a.sqlite"
    one = sqlite3.connect(database_file(path), isolation_level=None)
    one.execute("CREATE TABLE t (n)")
    one.execute("BEGIN EXCLUSIVE")
    two = sqlite3.connect(database_file(path), timeout=0, isolation_level=None)
    with pytest.raises(sqlite3.OperationalError, match="locked"):
        two.execute("INSERT INTO t VALUES (1)")
    one.close()
    two.close()
