"""What the system offers, and what is done where it does not offer it."""

import os
import signal
import subprocess
import sys
import time
from types import SimpleNamespace

import pytest

from ronmf.bench.running.rows import RowFile
from ronmf.system import platform
from support.rows import row

HOLD = """
import sys
from pathlib import Path
from ronmf.system import platform
{hide}
with platform.exclusive(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""
# On Windows locks are of bytes; this stands for them with the locks that are here.
LIKE_WINDOWS = """
import fcntl
class Bytes:
    LK_NBLCK, LK_UNLCK = 1, 0
    @staticmethod
    def locking(number, how, count):
        fcntl.lockf(number, fcntl.LOCK_EX | fcntl.LOCK_NB if how else fcntl.LOCK_UN, count)
"""
WAYS = {
    "fcntl": "",
    "msvcrt": f"{LIKE_WINDOWS}\nplatform.fcntl, platform.msvcrt = None, Bytes",
    "file": "platform.fcntl = platform.msvcrt = None",
}


@pytest.fixture(params=WAYS)
def way(request, monkeypatch):
    """Code that leaves one way to lock; it is done here too, and undone."""
    for name in ("fcntl", "msvcrt"):
        monkeypatch.setattr(platform, name, getattr(platform, name))
    exec(WAYS[request.param], {"platform": platform})
    return WAYS[request.param]


def test_one_process_holds_a_file_and_lets_it_go(way, tmp_path):
    path = tmp_path / "rows.jsonl"
    command = [sys.executable, "-c", HOLD.format(hide=way), str(path)]
    other = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert other.stdout.readline() == "held\n"
    with pytest.raises(ValueError, match="another run is writing to"), RowFile(tmp_path).writing():
        pass
    other.communicate("", timeout=30)
    with RowFile(tmp_path).writing() as rows:
        rows.append(row())
    assert len(RowFile(tmp_path).read()) == 1
    assert [file.name for file in tmp_path.iterdir()] == ["rows.jsonl"]


def test_a_lock_file_that_was_left_behind_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(platform, "fcntl", None)
    monkeypatch.setattr(platform, "msvcrt", None)
    (tmp_path / "rows.jsonl.lock").touch()
    with pytest.raises(ValueError, match=r"if none is, remove .*rows\.jsonl\.lock"):
        RowFile(tmp_path).writing().__enter__()


def test_file_systems_without_locks_get_a_lock_file(tmp_path, monkeypatch):
    def refuse(file, how):
        raise OSError(95, "Operation not supported")

    fake = SimpleNamespace(flock=refuse, LOCK_EX=2, LOCK_NB=4)
    monkeypatch.setattr(platform, "fcntl", fake)
    with platform.exclusive(tmp_path / "rows.jsonl"):
        assert (tmp_path / "rows.jsonl.lock").exists()
    assert not (tmp_path / "rows.jsonl.lock").exists()


WORK = """
from ronmf.system import platform
meter = platform.PeakMemory()
for megabytes in (200, 20):
    meter.start()
    block = bytearray(b"x") * (megabytes << 20)  # written to: untouched pages cost nothing
    print(meter.megabytes())
    del block
"""


def test_the_peak_is_that_of_the_work():
    """In a process of its own, whose heap has nothing left to give again."""
    done = subprocess.run([sys.executable, "-c", WORK], capture_output=True, text=True, check=True)
    first, second = map(float, done.stdout.split())
    assert first == pytest.approx(200, abs=20)
    assert second == pytest.approx(20, abs=10)


PORTABLE = """
from pathlib import Path
from ronmf.system import platform
platform._PROCESS = Path("/nowhere")
meter = platform.PeakMemory()
for megabytes in (100, 300, 50):
    meter.start()
    block = bytearray(megabytes << 20)
    print(meter.megabytes())
    del block
platform.resource = None
meter = platform.PeakMemory()
meter.start()
print(meter.megabytes())
"""


def test_without_proc_the_peak_of_the_process_is_told_where_it_is_new_and_else_nothing():
    # Through a small shell: a process inherits the peak of the one that started it.
    command = ["sh", "-c", '"$0" -c "$1"; exit', sys.executable, PORTABLE]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    first, second, third, last = result.stdout.split()
    assert float(first) == pytest.approx(100, abs=20)
    assert float(second) == pytest.approx(300, abs=20)
    assert third == "None"  # hidden below the peak of the one before
    assert last == "None"


def test_cores_are_counted_without_affinity(monkeypatch):
    assert 1 <= platform.cores() <= os.cpu_count()
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    assert platform.cores() == os.cpu_count()


CHILD = """
import os, time
from ronmf.system import platform

def child(pipe):
    platform.end_with_parent()
    pipe.send(os.getpid())
    time.sleep(60)
"""
PARENT = """
import multiprocessing, time
import child_of_test

if __name__ == "__main__":
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    context.Process(target=child_of_test.child, args=(there,)).start()
    print(here.recv(), flush=True)
    time.sleep(60)
"""


def test_a_process_ends_with_the_one_that_started_it(tmp_path):
    (tmp_path / "child_of_test.py").write_text(CHILD)
    (tmp_path / "parent_of_test.py").write_text(PARENT)
    parent = subprocess.Popen(
        [sys.executable, "parent_of_test.py"], cwd=tmp_path, stdout=subprocess.PIPE, text=True
    )
    child = int(parent.stdout.readline())
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        try:
            os.kill(child, 0)
        except ProcessLookupError:
            break
        time.sleep(0.1)
    else:
        os.kill(child, signal.SIGKILL)
        pytest.fail("the child lived on")
    parent.stdout.close()
