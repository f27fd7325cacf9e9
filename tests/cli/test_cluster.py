"""``ronmf cluster`` and ``ronmf predict`` as a user types them."""

import csv
import io
import json
import os
import re
import shlex
import signal
import subprocess
import sys

import numpy as np
import pytest

from support.command_line import assert_one_sentence, command
from support.picture_folders import digit_folder, label_table

pytestmark = pytest.mark.usefixtures("cache")  # an empty one, and no network


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    place = tmp_path_factory.mktemp("command")
    names, truth = digit_folder(place / "digits", 150, 3)
    told = label_table(place / "labels.csv", names, truth)
    return place, names, truth, told


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_clusters_then_predicts(place, home):
    folder, names, truth, _ = place
    (folder / "digits" / "x.heic").write_bytes(b"x")
    ended = command("cluster", folder / "digits", "--labels", folder / "labels.csv", "--link")
    assert ended.code == 0, ended
    assert "150 pictures in 3 clusters, from 9 labels, by 8 x 8 gray pixels" in ended.out
    assert "digits-clusters/report.html" in ended.out
    assert "x.heic: HEIC is not read" in ended.err
    for stage in ("listing", "features", "graph", "sweeps", "report", "sorting"):
        assert f"{stage}: done" in ended.err
    link = home / "digits-clusters" / "clusters" / truth[0] / names[0]
    assert link.is_symlink()
    assert link.read_bytes() == (folder / "digits" / names[0]).read_bytes()

    ended = command("predict", "digits-clusters", folder / "digits", "--quiet")
    rows = list(csv.DictReader(io.StringIO(ended.out)))
    assert [row["path"] for row in rows] == names
    assert np.mean([row["class"] for row in rows] == truth) > 0.95
    ended = command("predict", "digits-clusters", folder / "digits", "-o", "new.csv", "-q")
    assert ended.out == "Wrote new.csv.\n"
    assert_one_sentence(
        command("predict", "digits-clusters", folder / "digits", "-o", "new.csv"), "which exists"
    )
    ended = command("predict", "digits-clusters", folder / "digits", "--copy", "-o", "new", "-q")
    assert len(list((home / "new").rglob("*.png"))) == 150


def test_json_is_one_object_and_progress_stays_on_standard_error(place, home):
    ended = command("cluster", place[0] / "digits", "--clusters", "3", "--json", "-o", "out")
    found = json.loads(ended.out)
    assert found["pictures"] == 150
    assert sum(each["pictures"] for each in found["clusters"]) == 150
    assert set(found["seconds"]) >= {"features", "graph", "sweeps"}
    assert "features: done" in ended.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["absent"], "not a folder"),
        (["{digits}", "--clusters", "many"], "--clusters is 'many'"),
        (["{digits}", "--clusters", "0"], "--clusters is '0'"),
        (["{digits}", "--clusters", "9999"], "9999 clusters are asked for of 150 pictures"),
        (["{digits}", "--clusters", "9" * 5000], "--clusters is"),
        (["{digits}", "--labels", "{labels}", "--clusters", "2"], "3 classes have labels"),
        (["{digits}", "--max-memory", "9" * 400], "no size"),
        (["{digits}", "--features", "{labels}"], "is not known"),
        (["{digits}", "--features", "magic"], "features 'magic' is not known"),
        (["{digits}", "--features", "absent.npy"], "features is absent.npy"),
        (["{digits}", "--features", "ABSENT.ONNX"], "ABSENT.ONNX"),
        (["{digits}", "--labels", "absent.csv"], "not a file"),
        (["{digits}", "--copy", "--link"], "exclude each other"),
        (["{digits}", "--max-memory", "much"], "no size"),
        (["{digits}", "-o", "no/such/place"], "does not exist"),
        (["."], "no picture"),
    ],
)
def test_bad_input_is_one_sentence(place, home, arguments, words):
    known = {"{digits}": place[0] / "digits", "{labels}": place[0] / "labels.csv"}
    filled = [str(known.get(each, each)) for each in arguments]
    assert_one_sentence(command("cluster", *filled, "--quiet"), words)
    assert not list(home.glob("*-clusters"))


def test_inside_the_folder_results_go_beside_it(place, tmp_path, monkeypatch):
    folder = tmp_path / "here"
    folder.mkdir()
    for name in place[1][:20]:
        (folder / name).write_bytes((place[0] / "digits" / name).read_bytes())
    monkeypatch.chdir(folder)
    assert command("cluster", ".", "--clusters", "2", "-q").code == 0
    assert (tmp_path / "here-clusters" / "report.html").is_file()
    assert_one_sentence(command("cluster", ".", "-o", "..", "-q"), "in which the pictures lie")


def test_the_same_picture_many_times_is_one_cluster(place, home):
    (home / "same").mkdir()
    for i in range(20):
        content = (place[0] / "digits" / place[1][0]).read_bytes()
        (home / "same" / f"{i}.png").write_bytes(content)
    ended = command("cluster", "same", "-q", "--json")
    assert [each["pictures"] for each in json.loads(ended.out)["clusters"]] == [20]


def test_closed_streams_and_names_that_command_terminals(place, home):
    folder = home / "esc\x1b]0;PWN\x07"
    folder.mkdir()
    for name in place[1][:20]:
        (folder / name).write_bytes((place[0] / "digits" / name).read_bytes())
    arguments = [sys.executable, "-m", "ronmf", "cluster", str(folder), "--clusters", "2"]
    shell = " ".join(map(shlex.quote, arguments))
    ended = subprocess.run(f"{shell} 2>&-", shell=True, capture_output=True, cwd=home, check=False)
    assert ended.returncode == 0
    assert b"\x1b" not in ended.stdout
    again = command("cluster", folder, "--clusters", "2", "-q")
    assert_one_sentence(again, "results already")
    assert "\x1b" not in again.err


def test_a_folder_of_one_picture_and_of_two(place, home):
    for count in (1, 2, 3):
        folder = home / f"few-{count}"
        folder.mkdir()
        for name in place[1][:count]:
            (folder / name).write_bytes((place[0] / "digits" / name).read_bytes())
    assert_one_sentence(command("cluster", "few-1", "-q"), "clusters need two or more")
    for count in (2, 3):
        ended = command("cluster", f"few-{count}", "--clusters", "2", "-q")
        assert ended.code == 0, ended
        assert "Warning" not in ended.err


def test_what_a_fit_warns_of_is_told_in_files(place, home):
    """A wrong label is told once, by the name of its file, and not as a warning of Python."""
    folder, names, truth, _ = place
    wrong = {names[i]: truth[i] for i in range(60)}
    for i in (0, 1, 2):
        wrong[names[i]] = str((int(truth[i]) + 1) % 3)
    rows = "".join(f"{name},{label}\n" for name, label in wrong.items())
    (home / "labels.csv").write_text(f"file,label\n{rows}")
    ended = command("cluster", folder / "digits", "--labels", "labels.csv", "-q")
    assert "UserWarning" not in ended.err
    assert "set aside" in ended.out
    assert names[0] in ended.out


def test_models_of_strangers_are_one_sentence(place, home):
    (home / "model.ronmf").write_bytes(b"\x80\x04cos\nsystem\n(S'touch hacked'\ntR.")
    assert_one_sentence(command("predict", home, place[0] / "digits", "-q"), "model.ronmf")
    assert_one_sentence(command("predict", home / "absent", place[0] / "digits"), "absent")
    assert not (home / "hacked").exists()


def test_force_refuses_what_was_done_by_hand(place, home):
    run = ("cluster", place[0] / "digits", "--clusters", "2", "--copy", "-o", "dl", "-q")
    assert command(*run).code == 0
    (home / "dl" / "clusters" / "cluster 1" / "precious.jpg").write_text("x")
    (home / "dl" / "clusters" / "mine").mkdir()
    (home / "dl" / "clusters" / "mine" / "diary.txt").write_text("x")
    ended = command(*run, "--force")
    assert_one_sentence(ended, "2 files were added", "'clusters/cluster 1/precious.jpg'", "move")
    assert len(list((home / "dl").rglob("precious.jpg"))) == 1
    (home / "dl" / "clusters" / "mine" / "diary.txt").rename(home / "diary.txt")
    (home / "dl" / "clusters" / "mine").rmdir()
    (home / "dl" / "clusters" / "cluster 1" / "precious.jpg").rename(home / "precious.jpg")
    assert command(*run, "--force").code == 0


def test_one_of_a_kind_has_no_plural(place, home):
    folder = home / "two"
    folder.mkdir()
    for name in place[1][:2]:
        (folder / name).write_bytes((place[0] / "digits" / name).read_bytes())
    (folder / "notes.txt").write_text("x")
    (home / "labels.csv").write_text(f"file,label\n{place[1][0]},owl\nabsent.png,owl\n")
    ended = command("cluster", "two", "--labels", "labels.csv", "--clusters", "1", "-q")
    assert "2 pictures in 1 cluster, from 1 label, by" in ended.out
    assert "1 row of the labels names no picture" in ended.out
    assert "1 file was skipped" in ended.err
    page = (home / "two-clusters" / "report.html").read_text(encoding="utf-8")
    words = re.sub(r"<style>.*?</style>|<[^>]*>", " ", page, flags=re.DOTALL)
    assert not re.search(r"\b1 +(labels|rows|clusters|pictures|files|groups)\b", words)


def test_the_last_line_is_a_command_that_works(place, home):
    (place[0] / "digits" / "x.heic").write_bytes(b"x")
    np.save(home / "rows.npy", np.random.default_rng(0).random((150, 4)))
    given = ("--features", "rows.npy", "--clusters", "2", "-q")
    ended = command("cluster", place[0] / "digits", *given, "-o", "out")
    last = ended.out.strip().splitlines()[-1]
    assert last.endswith("ronmf predict out FOLDER --features THEIR-ROWS.npy")
    typed = last.partition("ronmf ")[2].replace("THEIR-ROWS.npy", "rows.npy").split()
    typed[typed.index("FOLDER")] = place[0] / "digits"
    ended = command(*typed, "--json", "-q")
    found = json.loads(ended.out)
    assert len(found["pictures"]) == 150
    others = set(os.listdir(place[0] / "digits")) - set(place[1])
    assert {each["file"] for each in found["skipped"]} == others


@pytest.mark.skipif(os.name != "posix", reason="needs SIGINT")
def test_an_interrupt_says_how_to_go_on(place, home):
    arguments = [sys.executable, "-m", "ronmf", "cluster", str(place[0] / "digits"), "-o", "out"]
    process = subprocess.Popen(
        arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=home
    )
    for line in process.stderr:
        if line.startswith("features: done"):
            process.send_signal(signal.SIGINT)
            break
    rest = process.communicate(timeout=60)[1]
    assert process.returncode == 130
    assert "The same command goes on from there." in rest
    assert "Traceback" not in rest
    assert not (home / "out").exists()
