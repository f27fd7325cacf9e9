"""The log of labels: durable, shared, and undone as a list would be."""

import os
import signal
import sqlite3
import subprocess
import sys
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ronmf.app.label_log import LabelLog

STEPS = st.lists(
    st.one_of(
        st.sampled_from(["undo", "redo"]),
        st.tuples(
            st.lists(st.sampled_from("abcd"), min_size=1, max_size=3, unique=True),
            st.sampled_from(["", "x", "y"]),
        ),
    ),
    max_size=30,
)
# Acts, says so, and is killed by nobody's mercy before it can close anything.
CLICKS = """
import os, signal, sys
from pathlib import Path
from ronmf.app.label_log import LabelLog
log = LabelLog(Path(sys.argv[1]))
for i in range(50):
    log.do({f"{i}.png": "owl"}, f"click {i}")
    print(i, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


@settings(max_examples=40, deadline=None)
@given(STEPS)
def test_undo_and_redo_are_those_of_a_list(tmp_path_factory, steps):
    log = LabelLog(tmp_path_factory.mktemp("log") / "labels.sqlite")
    done, undone = [], []
    for number, step in enumerate(steps):
        if step == "undo":
            said = done.pop() if done else ("", {})
            undone += [said] * bool(said[1])
            assert log.undo() == said[0]
        elif step == "redo":
            said = undone.pop() if undone else ("", {})
            done += [said] * bool(said[1])
            assert log.redo() == said[0]
        else:
            action = str(number), dict.fromkeys(step[0], step[1])
            log.do(action[1], action[0])
            done, undone = [*done, action], []
    state = {}
    for _, change in done:
        state |= change
    found = log.labels()
    assert found.of == {name: label for name, label in state.items() if label}
    named = dict.fromkeys(label for _, change in done for label in change.values() if label)
    assert found.classes == tuple(named)
    assert found.undo == (done[-1][0] if done else "")
    assert found.redo == (undone[-1][0] if undone else "")
    log.close()


def test_two_connections_lose_nothing_of_each_other(tmp_path):
    path = tmp_path / "labels.sqlite"
    logs = [LabelLog(path), LabelLog(path)]

    def act(log, name):
        for i in range(100):
            log.do({f"{name}{i}": name}, f"{name}{i}")

    threads = [threading.Thread(target=act, args=item) for item in zip(logs, "ab", strict=True)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    for log in logs:
        assert log.labels().of == {f"{name}{i}": name for name in "ab" for i in range(100)}
        assert log.revision() == 200
    last = logs[0].labels().undo
    assert logs[1].undo() == last  # the project's last action, whoever did it
    assert last not in logs[0].labels().of
    [log.close() for log in logs]


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="Windows sends no such signal")
def test_a_kill_loses_no_click_that_was_answered(tmp_path):
    path = tmp_path / "labels.sqlite"
    done = subprocess.run(
        [sys.executable, "-c", CLICKS, path], capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )  # fmt: skip
    assert done.returncode == -signal.SIGKILL
    answered = done.stdout.split()
    assert len(answered) == 50
    log = LabelLog(path)
    assert set(log.labels().of) == {f"{i}.png" for i in answered}
    log.close()


def test_every_commit_is_synced(tmp_path):
    log = LabelLog(tmp_path / "labels.sqlite")
    assert log._connection.execute("PRAGMA synchronous").fetchone() == (2,)
    assert log._connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    log.close()


def test_a_foreign_or_damaged_file_is_refused(tmp_path):
    foreign, damaged = tmp_path / "foreign.sqlite", tmp_path / "damaged.sqlite"
    with sqlite3.connect(foreign) as connection:
        connection.execute("CREATE VIEW actions AS SELECT 1")
    connection.close()
    damaged.write_bytes(b"no database" * 1000)
    for path in (foreign, damaged):
        with pytest.raises(ValueError, match="cannot be read"):
            LabelLog(path)


def test_classes_keep_their_place_whatever_loses_its_label(tmp_path):
    log = LabelLog(tmp_path / "labels.sqlite")
    for picture, label in [("a", "owl"), ("b", "cat"), ("c", "owl"), ("a", "cat"), ("c", "ape")]:
        log.do({picture: label}, "")
    assert log.labels().classes == ("owl", "cat", "ape")  # though no picture is an owl any more
    log.undo()
    assert log.labels().classes == ("owl", "cat")
    log.close()


def test_a_class_that_no_picture_has_is_kept_and_undone_like_a_label(tmp_path):
    path = tmp_path / "labels.sqlite"
    log = LabelLog(path)
    log.add_class("owl", "class owl")
    log.do({"a": "cat"}, "1 picture: cat")
    log.add_class("cat", "class cat")  # it is there
    assert log.revision() == 2
    log.close()
    log = LabelLog(path)
    assert log.labels().classes == ("owl", "cat")
    assert log.labels().of == {"a": "cat"}
    log.undo()
    assert log.undo() == "class owl"
    assert log.labels().classes == ()
    log.close()
