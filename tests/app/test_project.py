"""Projects on disk: results without pickle, changes, exports, odd folders, and how it ends."""

import csv
import io
import os
import signal
import sys
import time

import numpy as np
import pytest
from app_server import Client, serving_app, write_digits
from hypothesis import given, settings
from hypothesis import strategies as st

from ronmf.app.exporting import copy_into_folders, table
from ronmf.app.map_places import map_places
from ronmf.app.project import class_name, open_project
from ronmf.app.results import changes, newest_results
from ronmf.datasets import list_pictures
from support.app_results import made_result
from support.command_line import assert_one_sentence, command


def test_results_come_back_and_only_two_are_kept(tmp_path):
    for number in (1, 2, 3):
        made = made_result(number, ["a", "ß\n"], [0, 1], ["x", "y"], 1, pictures={"part-0": b"png"})
        made.save(tmp_path)
    newest = newest_results(tmp_path)
    assert [found.number for found in newest] == [3, 2]
    assert newest[0].files == ["a", "ß\n"]
    assert newest[0].pictures == {"part-0": b"png"}
    assert len(list(tmp_path.iterdir())) == 2


def test_a_result_of_an_earlier_version_tells_no_strangers(tmp_path):
    path = made_result(1, ["a", "b"], [0, 1], ["x", "y"], 1).save(tmp_path)
    with np.load(path) as found:
        arrays = {name: found[name] for name in found.files if name != "novelty"}
    np.savez(path, **arrays)
    assert newest_results(tmp_path)[0].novelty.tolist() == [0, 0]


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_a_damaged_result_does_not_count(tmp_path_factory, data):
    folder = tmp_path_factory.mktemp("results")
    made_result(1, ["a", "b"], [0, 1], ["x", "y"], 1).save(folder)
    path = made_result(2, ["a", "b"], [0, 1], ["x", "y"], 1).save(folder)
    content = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 20))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    path.write_bytes(content[: data.draw(st.integers(0, len(content)))])
    found = newest_results(folder)
    assert found[-1].number == 1
    assert all(each.cluster.max() < len(each.classes) for each in found)


def test_a_result_with_objects_is_not_unpickled(tmp_path):
    path = made_result(1, ["a"], [0], ["x"], 1).save(tmp_path)
    with np.load(path) as found:
        arrays = {name: found[name] for name in found.files}
    arrays["cluster"] = np.array([_Bomb()], dtype=object)
    np.savez(path, **arrays)
    assert newest_results(tmp_path) == []


class _Bomb:
    def __reduce__(self):
        return (pytest.fail, ("code of a file was run",))


def test_changes_follow_clusters_that_have_no_name():
    files = list("abcdef")
    before = made_result(1, files, [0, 0, 1, 1, 1, 2], ["owl", "cluster 1", "cluster 2"], 1)
    # The second cluster was named, but for one picture; the third only has another number.
    after = made_result(2, files, [0, 1, 1, 1, 0, 2], ["owl", "cat", "cluster 1"], 2)
    assert changes(before, after) == [("b", "owl", "cat"), ("e", "cluster 1 (now cat)", "owl")]
    assert changes(before, before) == []


def test_exports_overwrite_nothing_and_stay_inside(tmp_path):
    folder = tmp_path / "pictures"
    write_digits(folder / "in", 3)
    write_digits(folder, 3)
    with open_project(list_pictures(folder), None) as project:
        names = project.folder.files
        project.log.do(
            {names[0]: "../../owl", names[1]: "..", names[2]: "a/b", names[3]: "A_b"}, ""
        )
        first, count = copy_into_folders(project)
        second, _ = copy_into_folders(project)
        rows = list(csv.DictReader(io.StringIO(table(project))))
    assert count == 6
    assert first.name == "export-1"
    assert second.name == "export-2"
    assert first.parent == folder / ".ronmf"
    copied = [path.relative_to(first) for path in first.rglob("*.png")]
    assert {path.parts[0] for path in copied} == {
        "_.._owl", "_", "A_b", "a_b (2)", "not clustered",
    }  # fmt: skip
    assert {"/".join(path.parts[1:]) for path in copied} == set(names)
    assert [row["path"] for row in rows] == list(names)
    assert rows[2] == {
        "path": names[2], "class": "a/b", "certainty": "", "novelty": "", "outlier_score": "",
        "label": "a/b",
    }  # fmt: skip
    assert list_pictures(folder).files == names  # what is kept is not taken for pictures


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_links_in_a_strangers_folder_are_not_written_through(tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    for kind in ("whole", "labels.sqlite", "labels.sqlite-wal", "thumbnails.sqlite", "open"):
        folder = tmp_path / kind
        write_digits(folder, 1)
        if kind == "whole":
            (folder / ".ronmf").symlink_to(elsewhere)
        else:
            (folder / ".ronmf").mkdir()
            (folder / ".ronmf" / kind).symlink_to(elsewhere / kind)
        with (
            pytest.raises(ValueError, match="is a link"),
            open_project(list_pictures(folder), None),
        ):
            pass
    assert not list(elsewhere.iterdir())


def test_labels_from_elsewhere_do_not_undo_what_was_done_here(tmp_path):
    write_digits(tmp_path, 3)
    with open_project(list_pictures(tmp_path), None) as project:
        project.log.do({"0000.png": "owl", "0001.png": "owl"}, "")
        project.log.do({"0001.png": ""}, "")
        taken = project.import_labels(dict.fromkeys(project.folder.files, "cat"), "a table")
        assert taken == 1
        assert project.log.labels().of == {"0000.png": "owl", "0002.png": "cat"}


def test_names_of_classes_are_kept_as_they_are_meant():
    assert class_name(" barn \t owl ") == "barn owl"
    for name in ("", "  ", "-1", "a\0", "x" * 101, "\ud800"):
        with pytest.raises(ValueError, match="class"):
            class_name(name)


def test_the_map_parts_clusters_and_puts_doubtful_pictures_between():
    rng = np.random.default_rng(0)
    shares = np.eye(3)[np.repeat(np.arange(3), 50)]
    shares[0] = [0.5, 0.5, 0.0]
    places = map_places(rng.random((150, 8)), np.repeat(np.arange(3), 50), shares, 0)
    assert places.min() >= 0
    assert places.max() <= 1
    centres = np.array([places[i : i + 50].mean(axis=0) for i in (0, 50, 100)])
    spread = max(places[i + 1 : i + 50].std(axis=0).max() for i in (0, 50, 100))
    gaps = [np.linalg.norm(centres[i] - centres[i - 1]) for i in range(3)]
    assert min(gaps) > 3 * spread
    for k in (1, 20):  # one cluster; more than stand in a ring
        codes = np.arange(60) % k
        assert np.isfinite(map_places(np.ones((60, 2)), codes, np.eye(k)[codes], 0)).all()


def test_what_cannot_be_served_is_said_in_a_sentence(tmp_path, cache):
    assert_one_sentence(command("app", tmp_path / "none", "--no-browser"), "not a folder")
    assert_one_sentence(command("app", tmp_path, "--no-browser"), "no pictures")
    write_digits(tmp_path, 1)
    assert_one_sentence(command("app", tmp_path, "--features", "words"), "--features")
    assert_one_sentence(command("app", tmp_path, "--clusters", "-3"), "--clusters")
    with open_project(list_pictures(tmp_path), None):
        assert_one_sentence(command("app", tmp_path, "--no-browser"), "open already")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no such signals")
def test_an_interrupt_ends_it_with_all_its_processes(tmp_path, feature_cache):
    folder = tmp_path / "pictures"
    write_digits(folder, 60)
    with serving_app(folder, feature_cache, "--project", tmp_path / "project") as served:
        Client(served)
        family = _children(served.process.pid)
        served.process.send_signal(signal.SIGINT)
        assert served.process.wait(20) == 130
        said = served.process.stderr.read()
        # A busy machine takes more than two seconds to start, and the command tells so.
        lines = [line for line in said.splitlines() if not line.endswith(" so far)")]
        assert lines == ["", "Stopped. The labels are kept; the same command goes on."]
    assert not (folder / ".ronmf").exists()
    time.sleep(0.1)
    assert not [pid for pid in family if os.path.exists(f"/proc/{pid}/exe")]


def _children(pid):
    try:
        with open(f"/proc/{pid}/task/{pid}/children") as file:
            return file.read().split()
    except OSError:
        return []
