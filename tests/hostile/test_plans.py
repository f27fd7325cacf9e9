"""Plans that ask for too much, or are none: one sentence, at once; and what a plan may not do."""

import json
import os
import subprocess
import sys
import time

import numpy as np
import pytest

from support.command_line import assert_one_sentence, command
from support.fuzzing import fuzz_seeds, with_changed_bytes
from support.rows import row

HEAD = '[[experiment]]\nname = "clean"\ndatasets = ["digits"]\nmethods = ["GNMF"]\n'
MANY = ", ".join(map(str, range(300)))
MANY12 = ", ".join([MANY] * 12)

REFUSED = {
    "timeout of many digits": f"timeout = 1{'0' * 400}\n" + HEAD,
    "timeout of too many digits": f"timeout = 1{'0' * 5000}\n" + HEAD,
    "many seeds": HEAD + "seeds = 1000000000000",
    "seeds of many digits": HEAD + f"seeds = [1{'0' * 400}]",
    "large seed": HEAD + "seeds = [4294967296]",
    "large grid": HEAD + f"grid = {{ beta = [{MANY}], tol = [{MANY}], max_iter = [{MANY}] }}",
    "large product": HEAD + f"seeds = 300\nn_classes = [{MANY.replace('0, ', '', 1)}]\n"
    + f"labels_per_class = [{MANY.replace('0, ', '', 1)}]",
    "deep lists": HEAD + "grid = { beta = " + "[" * 2000 + "1" + "]" * 2000 + " }",
    "deep tables": HEAD + "variants = " + "{ a = " * 2000 + "1" + " }" * 2000,
    "dotted keys": HEAD + ".".join("a" * 3000) + " = 1",
    "no text": b"\xff\xfe\x00",
    "huge": "# " + "x" * 2**21,
    "experiment is a list of numbers": "experiment = [1, 2]",
    "name commands the terminal": HEAD.replace("clean", "\\u001b[2J"),
    "name has two lines": HEAD.replace("clean", "a\\nb"),
    "plan's name leads away": 'name = "../../etc"\n' + HEAD,
    "plan's name leads away on Windows": "name = 'a\\..\\b'\n" + HEAD,
    "plan's name commands the terminal": 'name = "a\\u0007"\n' + HEAD,
    "plan's name is dots": 'name = ". ."\n' + HEAD,
    "dataset commands the terminal": HEAD.replace("digits", "\\u001b[31m"),
    "dataset is a number": HEAD.replace('"digits"', "3"),
    "method is a path": HEAD.replace("GNMF", "../m:M"),
    "method is code": HEAD.replace("GNMF", "os:system('x')"),
    "variant's label commands the terminal": HEAD + 'variants = [{ label = "\\u009b" }]',
    "network commands the terminal": HEAD + 'features = "\\u001b[2J"',
    "network of one commands it": HEAD + 'features = { digits = "\\u001b[2J" }',
    "date": HEAD + "grid = { beta = [2020-01-01] }",
    "no number": HEAD + "label_rate = nan",
    "negative": HEAD + "n_classes = -3",
    "many variants": HEAD + f"grid = {{ beta = [{MANY}], tol = [{MANY}] }}\n"
    + "variants = [" + ", ".join(f'{{ label = "{i}" }}' for i in range(200)) + "]",
    "long variant": HEAD + f"variants = [{{ label = 'a', graph = [{MANY12}] }}]",
    "counts beyond counting": HEAD + "samples_per_class = 10000000000000000",
}  # fmt: skip


@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED)
def test_odd_plans_are_refused_at_once(tmp_path, monkeypatch, text):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "odd.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    for name in ("status", "run"):
        start = time.monotonic()
        assert_one_sentence(command("bench", name, path), path)
        assert time.monotonic() - start < 5
    assert [each.name for each in tmp_path.iterdir()] == ["odd.toml"]


@pytest.mark.parametrize("name", ["~nosuchuser/x", "~nosuchuser", "nowhere", "a\\u0000b", "."])
def test_datasets_that_are_no_place_stop_a_run(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.toml").write_text(HEAD.replace("digits", name))
    assert_one_sentence(command("bench", "run", "p.toml", "-j", 1))
    assert [each.name for each in tmp_path.iterdir()] == ["p.toml"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows takes any name for a folder's")
def test_data_folders_of_unknown_users_get_a_sentence():
    for arguments in (("data", "list"), ("data", "verify", "yale"), ("data", "info", "yale")):
        assert_one_sentence(command(*arguments, "--data", "~nosuchuser"), "~nosuchuser")


def test_plans_changed_anywhere_are_read_or_get_a_sentence(tmp_path):
    whole = (HEAD + "seeds = 2\nn_classes = [2, 3]\ngrid = { beta = [1.0, 3.0] }\n").encode()
    path = tmp_path / "p.toml"
    for seed in fuzz_seeds():
        rng = np.random.RandomState(seed)
        for _ in range(60):
            path.write_bytes(with_changed_bytes(whole, rng, 4, b'{}[]".=\n09'))
            ended = command("bench", "status", path, "--out", tmp_path / "none")
            assert ended.code in (0, 2)
            if ended.code:
                assert_one_sentence(ended, path)


TRAP = 'open("trapped", "w").close()\nraise SystemExit(9)\n'


@pytest.mark.slow
@pytest.mark.parametrize("start", [["-m", "ronmf"], ["-c", "from ronmf.cli import main; main()"]])
def test_the_working_folder_does_not_hide_installed_packages(tmp_path, start):
    for name in ("pandas", "typer", "scipy", "multiprocessing", "json", "joblib"):
        (tmp_path / f"{name}.py").write_text(TRAP)
    (tmp_path / "p.toml").write_text(HEAD + "samples_per_class = 10\nn_classes = 2\nseeds = 1")
    run = [sys.executable, *start, "bench", "run", "p.toml", "-j", "1"]  # both put it first
    ended = subprocess.run(
        run, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False,
        env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    assert not (tmp_path / "trapped").exists()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs a pipe with a name")
def test_reports_open_no_path_and_no_connection_that_a_row_names(tmp_path, cache, server):
    folder = tmp_path / "results"
    folder.mkdir()
    own = tmp_path / "own"
    os.mkfifo(own)  # whoever opens it waits for ever
    for name in (str(own), "yale", f"{server.url}/x", "/etc/passwd"):
        line = json.dumps(row(dataset=name, acc_unlabelled=0.5, seconds=1.0))
        (folder / "rows.jsonl").write_text(f"{line}\n")
        for asked in (("report", folder), ("table", folder, "clean")):
            assert command("bench", *asked).code == 0
    assert not cache.exists()
