"""Running plans: resuming after the worst, recording what fails, one writer at a time."""

import gzip
import json
import resource
import signal
import subprocess
import sys
import time
from dataclasses import replace

import pytest

from ronmf.bench.running.origins import plan_state
from ronmf.bench.running.plan import read_plan
from ronmf.bench.running.protocol import draw_case
from ronmf.bench.running.rows import RowFile, read_rows
from ronmf.bench.running.runner import run_plan
from ronmf.bench.running.worker import Task, fit_view
from ronmf.datasets import load
from support.command_line import command as bench
from support.command_line import sentences
from support.marks import slow
from support.rows import row

BENCH = (sys.executable, "-m", "ronmf", "bench")


MEASURED = ("seconds",)


TEXT = """
timeout = 60
[[experiment]]
name = "clean"
datasets = ["digits"]
methods = ["k-means", "GNMF", "HarmonicLabelPropagation", "RONMF-M"]
n_classes = [3]
seeds = 4
samples_per_class = 40
"""


@pytest.fixture
def plan_file(tmp_path):
    file = tmp_path / "small.toml"
    file.write_text(TEXT)
    return file


def settled(folder):
    """Return the rows without what is measured anew each time, in the order of their runs."""
    rows = sorted(RowFile(folder).read(), key=lambda row: row["run"])
    return [{k: v for k, v in row.items() if k not in MEASURED} for row in rows]


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory):
    folder = tmp_path_factory.mktemp("whole")
    file = folder / "small.toml"
    file.write_text(TEXT)
    end = run_plan(read_plan(file), folder / "out", jobs=2)
    assert (end.done, end.total, end.failed) == (16, 16, 0)
    return folder / "out"


def command(plan_file, out, *more):
    return {
        "args": [*BENCH, "run", str(plan_file), "-o", str(out), *more],
        "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True,
    }  # fmt: skip


@pytest.mark.parametrize("kill", [signal.SIGKILL, *slow(signal.SIGINT)])
def test_killed_and_resumed_equals_uninterrupted(plan_file, tmp_path, uninterrupted, kill):
    out = tmp_path / "out"
    process = subprocess.Popen(**command(plan_file, out, "-j", "1"))
    deadline = time.monotonic() + 60
    while len(RowFile(out).read()) < 4 and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(kill)
    _, stderr = process.communicate(timeout=30)
    assert process.returncode == (-9 if kill == signal.SIGKILL else 130)
    assert "Traceback" not in stderr
    some = len(RowFile(out).read())
    assert 4 <= some < 16, "killed too late to prove anything"
    done = bench("bench", "run", plan_file, "-o", out, "-j", "2")
    assert done.code == 0, done.err
    assert settled(out) == settled(uninterrupted)
    again = bench("bench", "run", plan_file, "-o", out)
    assert "16 of 16 runs have a row" in again.out
    assert len(RowFile(out).read()) == 16


@pytest.mark.slow
def test_a_torn_line_is_dropped_and_run_again(plan_file, tmp_path, uninterrupted):
    out = tmp_path / "out"
    out.mkdir()
    lines = (uninterrupted / "rows.jsonl").read_bytes().splitlines(keepends=True)
    (out / "rows.jsonl").write_bytes(b"".join(lines[:-1]) + lines[-1][:50])
    assert len(plan_state(read_plan(plan_file), out).runs("missing")) == 1
    run_plan(read_plan(plan_file), out)
    assert settled(out) == settled(uninterrupted)


@pytest.mark.slow
def test_packed_rows_are_read_and_added_to(plan_file, tmp_path, uninterrupted):
    out = tmp_path / "out"
    out.mkdir()
    lines = (uninterrupted / "rows.jsonl").read_bytes().splitlines(keepends=True)
    (out / "rows.jsonl.gz").write_bytes(gzip.compress(b"".join(lines[:-2])))
    run_plan(read_plan(plan_file), out)
    assert len((out / "rows.jsonl").read_bytes().splitlines()) == 2
    assert settled(out) == settled(uninterrupted)


def test_a_row_says_all_that_is_promised(uninterrupted):
    rows = read_rows(uninterrupted)
    assert len(rows) == 16
    assert set(rows.status) == {"ok"}
    assert rows.acc_unlabelled.between(0, 1).all()
    assert (rows.n_samples == 120).all()
    assert (rows.n_labelled == 36).all()
    assert (rows.seconds > 0).all()
    ronmf = rows[rows.method == "RONMF-M"].iloc[0]
    assert ronmf.n_iter > 1
    assert ronmf.converged
    assert rows[rows.method == "RONMF-M"].acc_unlabelled.mean() > 0.9


def odd_plan(tmp_path, timeout=60):
    file = tmp_path / "odd.toml"
    variants = ", ".join(
        f'{{ label = "{how}", how = "{how}" }}'
        for how in ("raise", "die", "hang", "short", "huge", "well")
    )
    file.write_text(
        f'timeout = {timeout}\n[[experiment]]\nname = "odd"\ndatasets = ["digits"]\n'
        f'methods = ["support.odd_methods:Odd"]\nn_classes = [3, 30]\nseeds = 1\n'
        f"variants = [{variants}]\n"
    )
    return read_plan(file)


@pytest.mark.slow
def test_what_fails_is_recorded_and_the_rest_goes_on(tmp_path):
    plan = odd_plan(tmp_path, timeout=8)
    end = run_plan(plan, tmp_path / "out", jobs=2)
    assert (end.done, end.failed) == (12, 11)
    rows = read_rows(tmp_path / "out")
    three = rows[rows.n_classes == 3].set_index("variant")
    assert three.reason["raise"] == "RuntimeError: no luck"
    assert "died with exit code -9" in three.reason["die"]
    assert three.reason["hang"] == "took longer than 8 seconds"
    assert "must return one cluster number" in three.reason["short"]
    assert "what it measured is no row" in three.reason["huge"]
    assert three.status["well"] == "ok"
    assert three.acc_unlabelled.notna().sum() == 1
    assert rows[rows.n_classes == 30].reason.str.contains("digits has 10 classes").all()
    assert not plan_state(plan, tmp_path / "out").runs("missing", "stale")
    assert len(plan_state(plan, tmp_path / "out").runs("failed")) == 11


def test_two_runs_cannot_write_to_one_folder(plan_file, tmp_path):
    with RowFile(tmp_path / "out").writing(), pytest.raises(ValueError, match="another run"):
        run_plan(read_plan(plan_file), tmp_path / "out")


@pytest.mark.slow
def test_a_full_disk_is_one_sentence_and_can_be_resumed(plan_file, tmp_path, uninterrupted):
    out = tmp_path / "out"

    def little_room():
        resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))

    arguments = command(plan_file, out, "-j", "1")
    result = subprocess.run(**arguments, preexec_fn=little_room, timeout=120, check=False)
    assert result.returncode == 2
    assert "File too large" in result.stderr.splitlines()[-1]
    assert "Traceback" not in result.stderr
    assert 0 < len(RowFile(out).read()) < 16
    run_plan(read_plan(plan_file), out, jobs=2)
    assert settled(out) == settled(uninterrupted)


def test_a_row_that_is_no_row_is_named(tmp_path):
    (tmp_path / "rows.jsonl").write_text(f"{json.dumps(row())}\nnonsense\n")
    with pytest.raises(ValueError, match=r"line 2 of .* is not a row"):
        RowFile(tmp_path).read()
    for line in ("{}", "1", '{"status": 1}'):
        (tmp_path / "rows.jsonl").write_text(line + "\n")
        with pytest.raises(ValueError, match=r"line 1 of .* is not a row"):
            RowFile(tmp_path).read()
    with pytest.raises(ValueError, match="there are no rows in"):
        read_rows(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("text", "arguments", "message"),
    [
        ("nonsense", [], "is not a TOML file"),
        *slow(
            (TEXT.replace("digits", "nowhere"), [], "nowhere"),
            (TEXT, ["-m", "PCA"], "method 'PCA' is not in the plan"),
            (TEXT, ["-o", "/proc/nothing"], "/proc/nothing"),
        ),
    ],
)
def test_bad_commands_are_one_sentence_and_leave_nothing(tmp_path, text, arguments, message):
    file, out = tmp_path / "plan.toml", tmp_path / "out"
    file.write_text(text)
    result = bench("bench", "run", file, "-o", out, *arguments)
    assert result.code == 2, result.err
    assert message in result.err
    assert "Traceback" not in result.err
    assert len(sentences(result.err)) == 1
    assert not out.exists()


@pytest.mark.slow
def test_status(plan_file, uninterrupted):
    arguments = command(plan_file, uninterrupted)
    arguments["args"][4] = "status"
    result = subprocess.run(**arguments, timeout=60, check=False)
    assert result.returncode == 0, result.stderr
    assert "16 of    16 done" in result.stdout
    assert "complete: 16 runs, behaviour version" in result.stdout


def test_methods_that_ask_for_the_shape_of_pictures_are_told():
    view = draw_case(load("digits"), n_classes=2, samples_per_class=3).view

    def told(view, params):
        return fit_view(Task(view, "support.odd_methods:Shaped", params, 0))["labels"][0]

    assert told(view, "{}") == 8
    assert told(view, '{"image_shape": [4, 16]}') == 4  # a plan knows better
    assert told(replace(view, image_shape=None), "{}") == 0


def test_parameters_of_parameters_reach_methods():
    view = draw_case(load("digits"), n_classes=2, samples_per_class=3).view
    own = Task(view, "support.odd_methods:Nested", '{"inner__n_init": 7}', 0)
    assert fit_view(own)["labels"][0] == 7
    known = Task(view, "RONMF-M", '{"graph": "plain", "penalty__tau": 9.0}', 0)
    assert json.loads(fit_view(known)["parameters"])["penalty__tau"] == 9.0


@pytest.mark.slow
def test_numbers_of_labels_and_the_share_that_came_of_them(tmp_path):
    file = tmp_path / "few.toml"
    file.write_text(TEXT.replace("seeds = 4", "seeds = 1\nlabels_per_class = [1, 2]"))
    run_plan(read_plan(file), tmp_path / "out")
    rows = read_rows(tmp_path / "out")
    assert rows.label_rate.isna().all()
    assert set(zip(rows.labels_per_class, rows.n_labelled, strict=True)) == {(1, 3), (2, 6)}
    assert set(rows.features) == {""}


def test_rows_are_plain_json(uninterrupted):
    for line in (uninterrupted / "rows.jsonl").read_text().splitlines():
        row = json.loads(line)
        assert all(not isinstance(v, dict | list) for v in row.values())
