"""The demo as a user runs it: what it prints, what it writes, and how it fails."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

DEMO = Path(__file__).parents[1] / "examples" / "demo.py"


def run_demo(output):
    command = [sys.executable, str(DEMO), "--output", str(output)]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=60)


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    folder = tmp_path_factory.mktemp("demo") / "new" / "folder"
    return run_demo(folder), folder


def printed_accuracies(stdout, method):
    line = re.search(rf"^{method} +([\d.]+)% +([\d.]+)%$", stdout, flags=re.MULTILINE)
    assert line, stdout
    return [float(share) / 100 for share in line.groups()]


def test_prints_scores_of_both_methods(demo):
    process, folder = demo
    assert process.returncode == 0, process.stderr
    unlabelled, everywhere = printed_accuracies(process.stdout, "RONMF")
    assert unlabelled > 0.93
    assert everywhere >= unlabelled  # given labels are kept
    assert unlabelled > printed_accuracies(process.stdout, "LabelSpreading")[0]
    assert str(folder / "index.html") in process.stdout


def test_ends_by_naming_the_command_that_opens_the_pictures(demo):
    process, folder = demo
    last = process.stdout.strip().splitlines()[-1]
    assert last.endswith(f"ronmf app {folder / 'pictures'}")
    assert len(list((folder / "pictures").glob("*.png"))) == 1797


def test_the_page_is_small_and_shows_accuracy_and_clusters(demo):
    text = (demo[1] / "index.html").read_text(encoding="utf-8")
    assert len(text) < 1_500_000
    assert text.count('<section class="cluster"') == 10
    unlabelled = printed_accuracies(demo[0].stdout, "RONMF")[0]
    assert f"<b>{100 * unlabelled:.1f} %</b>" in text


@pytest.mark.slow
def test_unwritable_output_is_one_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    process = run_demo(tmp_path / "file" / "below")
    assert process.returncode == 2
    assert re.fullmatch(r"(\[RONMF\].*\n)*demo: cannot write .*\n", process.stderr)
