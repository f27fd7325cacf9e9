"""Files of results that were damaged or made up: one sentence with the file's name, or a table."""

import gzip
import json
import os

import numpy as np
import pytest

from ronmf.bench import read_plan, run_plan
from ronmf.bench.running.origins import Origins
from ronmf.bench.running.row_checks import check_row
from ronmf.bench.running.runner import _row
from support.command_line import assert_one_sentence, command
from support.fuzzing import fuzz_seeds, with_changed_bytes
from support.rows import row

PLAN = """
[[experiment]]
name = "clean"
datasets = ["digits"]
methods = ["k-means", "HarmonicLabelPropagation"]
n_classes = 2
samples_per_class = 12
seeds = 2
"""


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """The folder of a plan that has been run, and the bytes of its rows."""
    folder = tmp_path_factory.mktemp("results")
    (folder / "plan.toml").write_text(PLAN)
    run_plan(read_plan(folder / "plan.toml"), folder)
    return folder, (folder / "rows.jsonl").read_bytes()


def put(folder, content, packed=False):
    """Write a file of results, the only one of its folder."""
    for name in ("rows.jsonl", "rows.jsonl.gz"):
        (folder / name).unlink(missing_ok=True)
    path = folder / ("rows.jsonl.gz" if packed else "rows.jsonl")
    path.write_bytes(content)
    return path


def commands(folder):
    yield ("bench", "table", folder, "clean")
    yield ("bench", "status", folder / "plan.toml", "--out", folder)


def with_row(**changes):
    return json.dumps(row(**changes)).encode() + b"\n"


REFUSED = {
    "text": b"hello\n",
    "list": b"[1, 2]\n",
    "number": b"7\n",
    "nothing": b"null\n",
    "empty object": b"{}\n",
    "deep list": b"[" * 100_000 + b"]" * 100_000 + b"\n",
    "deep object": b'{"a":' * 50_000 + b"1" + b"}" * 50_000 + b"\n",
    "long line": b'{"key": "' + b"x" * 2**21 + b'"}\n',
    "many digits": b'{"key": "k", "status": "ok", "seed": 1' + b"0" * 5000 + b"}\n",
    "no text": b"\xff\xfe\x00\x01\n",
    "behaviour is a text": with_row(behaviour="1"),
    "behaviour is a part": with_row(behaviour=1.5),
    "run is a list": with_row(run=["r"]),
    "behaviour is nothing": with_row(behaviour=None),
    "behaviour is huge": with_row(behaviour=10**300),
    "earlier digest is a number": with_row(code=3),
    "odd status": with_row(status="maybe"),
    "method is a number": with_row(method=3),
    "method is an object": with_row(method={"a": 1}),
    "dataset is nothing": with_row(dataset=None),
    "dataset commands the terminal": with_row(dataset="\x1b[2J\x1b[H"),
    "experiment has two lines": with_row(experiment="a\nb"),
    "half a character": with_row(method="\ud800"),
    "seed is text": with_row(seed="zero"),
    "seed is a list": with_row(seed=[0]),
    "huge seed": with_row(seed=10**300),
    "infinite score": with_row(acc_unlabelled=float("inf")),
    "score is text": with_row(acc_unlabelled="good"),
    "params are no JSON": with_row(params="{graph_weight: 1}"),
    "params are a list": with_row(params="[1]"),
    "params are deep": with_row(params="[" * 5000 + "]" * 5000),
    "long text": with_row(method="m" * 20_000),
    "another value is a list": with_row(numpy=[1, 2]),
    "no seed": with_row(seed=None),
    "no level": with_row(noise="gaussian", noise_level=None),
    "little more than a state": b'{"run": "a", "status": "ok"}\n',
    "odd name": with_row(**{"a\x07b": 1}),
}


@pytest.mark.parametrize("content", REFUSED.values(), ids=REFUSED)
def test_what_is_no_row_is_refused_with_its_line(results, content):
    folder, whole = results
    path = put(folder, whole + content)
    for arguments in commands(folder):
        assert_one_sentence(command(*arguments), path, "line 5 of")


def test_what_is_no_row_is_refused_in_packed_files_too(results):
    folder, whole = results
    path = put(folder, gzip.compress(whole + REFUSED["list"]), packed=True)
    for arguments in commands(folder):
        assert_one_sentence(command(*arguments), path, "line 5 of")


def test_what_failed_runs_say_is_read_again(results, tmp_path):
    folder, whole = results
    reason = "\x1b[31mbad\n" + "x" * 20_000 + "\ud800"
    told = json.loads(whole.splitlines()[0])
    put(
        folder,
        whole
        + with_row(behaviour=told["behaviour"], data=told["data"], status="failed", reason=reason),
    )
    for arguments in commands(folder):
        ended = command(*arguments)
        assert ended.code == 0, ended.err
    outcome = {"failed": reason}
    plan = read_plan(folder / "plan.toml")
    line = json.dumps(_row(plan.runs[0], Origins.of(plan), outcome, None))
    assert len(line) < 3000
    assert check_row(json.loads(line))["reason"].startswith("[31mbad x")


def test_reports_and_runs_refuse_them_too(results, tmp_path):
    folder, whole = results
    path = put(folder, whole + b"hello\n")
    out = tmp_path / "report.html"
    for arguments in (
        ("bench", "report", folder, "--out", out),
        ("bench", "figure", folder, "classes", "--out", tmp_path / "f.png"),
        ("bench", "run", folder / "plan.toml", "--out", folder, "-j", 1),
    ):
        assert_one_sentence(command(*arguments), path, "line 5 of")
    assert list(tmp_path.iterdir()) == []
    assert path.read_bytes() == whole + b"hello\n"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs a pipe with a name")
def test_rows_that_are_a_pipe_are_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "rows.jsonl")
    assert_one_sentence(command("bench", "table", tmp_path), "no plain file")


def test_what_is_no_plain_file_is_not_replaced(results, tmp_path):
    folder, whole = results
    put(folder, whole)
    (tmp_path / "target.md").write_text("old")
    (tmp_path / "link.md").symlink_to(tmp_path / "target.md")
    assert command("bench", "table", folder, "--out", tmp_path / "link.md").code == 0
    assert (tmp_path / "link.md").is_symlink()
    assert "k-means" in (tmp_path / "target.md").read_text()
    for name in (tmp_path, "."):
        assert_one_sentence(command("bench", "table", folder, "--out", name), "no plain file")
        assert_one_sentence(command("bench", "report", folder, "--out", name), "no plain file")
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe")
        ended = command("bench", "table", folder, "--out", tmp_path / "pipe")
        assert_one_sentence(ended, "no plain file")


def test_packed_rows_that_are_damaged_are_refused(results):
    folder, whole = results
    packed = gzip.compress(whole)
    bomb = gzip.compress(b" " * 2**26)
    for content in (b"", b"PK\x03\x04", packed[:-9], packed[:40], b"\x1f\x8b" * 30, bomb):
        path = put(folder, content, packed=True)
        for arguments in commands(folder):
            ended = command(*arguments)
            if content or "table" in arguments:
                assert_one_sentence(ended)
                assert str(path) in ended.err or "there are no rows" in ended.err
            else:  # an empty file holds no row, and all runs are left
                assert ended.code == 0


def test_rows_cut_off_or_changed_anywhere_give_tables_or_sentences(results):
    folder, whole = results
    found = {0: 0, 2: 0}
    for seed in fuzz_seeds():
        rng = np.random.RandomState(seed)
        for _ in range(60):
            content = with_changed_bytes(whole, rng, 5, b'{}[]",:0-e.')
            if rng.rand() < 0.3:
                content = content[: rng.randint(1, len(content) + 1)]
            packed = bool(rng.rand() < 0.3)
            put(folder, gzip.compress(content) if packed else content, packed)
            for arguments in commands(folder):
                ended = command(*arguments)
                found[ended.code] += 1  # any other code is an error
                if ended.code:
                    assert_one_sentence(ended)
    assert min(found.values()) > 10
