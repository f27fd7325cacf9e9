"""No command is silent for long: standard error tells what it is doing within two seconds."""

import os
import subprocess
import sys
import threading
import time

import pytest

from ronmf.cli.progress import signs_of_life
from ronmf.cli.stages import show_stages
from support.picture_folders import digit_folder
from support.servers import serving

# A disk on which listing a folder takes a while
SLOW = (
    "import os, sys, time; from pathlib import Path\n"
    "import ronmf.cli.progress as progress\n"
    "progress._FIRST = float(os.environ.get('FIRST_SIGN', progress._FIRST))\n"
    "import ronmf.datasets._listing as listing, ronmf.datasets._locations as locations\n"
    "from ronmf.cli import main\n"
    "walk, listed = listing.os.walk, Path.iterdir\n"
    "def slow(first): return lambda *a, **k: time.sleep(4) or first(*a, **k)\n"
    "listing.os.walk = slow(walk); locations.Path.iterdir = slow(listed)\n"
    "main()"
)


def first_line(*arguments, cwd, **variables):
    """Return the first line on standard error, and how long it took to come."""
    alone = {name: value for name, value in os.environ.items() if not name.startswith("RONMF_")}
    began = time.monotonic()
    with subprocess.Popen(
        [sys.executable, "-c", SLOW, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=cwd,
        env={**alone, "RONMF_CACHE": str(cwd / "cache"), **variables},
    ) as process:
        end = threading.Timer(10, process.kill)
        end.start()
        line = process.stderr.readline()
        waited = time.monotonic() - began
        end.cancel()
        process.kill()
    return line, waited


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["cluster", "pictures"], "starting ("),
        pytest.param(["app", "pictures", "--no-browser"], "looking for", marks=pytest.mark.slow),
        pytest.param(["data", "list", "--data", "."], "looking for", marks=pytest.mark.slow),
        pytest.param(["data", "verify", "--data", "."], "0 of 9", marks=pytest.mark.slow),
    ],
)
def test_a_slow_start_is_told(tmp_path, arguments, words):
    digit_folder(tmp_path / "pictures", 20, 2)
    line, waited = first_line(*arguments, cwd=tmp_path)
    assert words in line or "listing" in line
    assert line.endswith(" so far)\n")
    assert waited < 6  # two seconds, and those that Python takes to start on a busy machine


def test_a_slow_download_is_told(tmp_path):
    def answer(handler):
        handler.send_response(200)
        handler.send_header("Content-Length", "3000000")
        handler.end_headers()
        handler.wfile.write(bytes(2_000_000))
        time.sleep(4)

    with serving() as server:
        server.answer = answer
        line, waited = first_line(
            *("data", "fetch", "yale"), cwd=tmp_path, RONMF_MIRROR=server.url, FIRST_SIGN="0.5"
        )
    assert line.startswith("yale: ")
    assert "MB received" in line
    assert waited < 4


def test_work_that_is_quick_is_not_told(capsys):
    with signs_of_life(lambda: "working"):
        pass
    with show_stages(quiet=True) as report:
        report("graph", 1, 1)
    assert capsys.readouterr().err == ""


def test_stages_end_with_a_line_each_and_tell_how_much_is_left(capsys, monkeypatch):
    monkeypatch.setattr("ronmf.cli.progress._FIRST", 0.2)
    with show_stages() as report:
        report("features", 0, 4)
        report("features", 1, 4)
        time.sleep(0.4)
        report("features", 4, 4)
        report("features", 4, 4)
    sign, done = capsys.readouterr().err.splitlines()
    assert sign.startswith("features: 1 of 4, about ")
    assert "left (0.2 s so far)" in sign
    assert done.startswith("features: done, 0.")


def test_what_was_done_before_has_no_say_in_the_time_that_is_left(capsys, monkeypatch):
    monkeypatch.setattr("ronmf.cli.progress._FIRST", 0.4)
    with show_stages() as report:
        report("runs", 90, 100)
        time.sleep(0.2)
        report("runs", 91, 100)
        time.sleep(0.4)
    line = capsys.readouterr().err.splitlines()[0]
    left = float(line.partition("about ")[2].split()[0])
    assert left > 1.5  # nine runs at the pace of one in 0.4 s, not of 91
