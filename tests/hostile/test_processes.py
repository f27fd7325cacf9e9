"""Kills, interrupts and threads at any moment: nothing lost, nothing left, no traceback."""

import os
import random
import secrets
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from kills import kill_all, workers_of
from threadpoolctl import threadpool_info, threadpool_limits

from ronmf import ADMM, RONMF
from support.fuzzing import FUZZ
from support.marks import slow

PLAN = """
[[experiment]]
name = "clean"
datasets = ["digits"]
methods = ["k-means"]
n_classes = [2, 3]
samples_per_class = 10
seeds = 2000
"""
# Once main is imported: before, an interrupt is Python's affair.
START = "from ronmf.cli import main; print('up', flush=True); main()"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows locks what a killed process held")
@pytest.mark.parametrize("count", slow(10))  # by default each is killed in its own tests
def test_kills_lose_and_leave_nothing(count):
    kills = kill_all(count, secrets.randbits(32) if FUZZ else 0)
    assert sum(kills.values()) >= count - 1  # a run may end before it is killed


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no such signals")
@pytest.mark.parametrize(
    ("number", "delays"),
    [
        (signal.SIGINT, [(0.05, 0.05), (2.0, 4.0)]),
        (signal.SIGTERM, [(0.1, 0.3), (0.5, 1.5)]),
        *slow(
            (signal.SIGINT, [(0.1, 0.3), (0.5, 1.5)]), (signal.SIGTERM, [(0.05, 0.05), (2.0, 4.0)])
        ),
    ],
)
def test_signals_at_any_moment_end_without_traceback_or_leftovers(tmp_path, number, delays):
    (tmp_path / "plan.toml").write_text(PLAN)
    rng = random.Random(None if FUZZ else 0)
    for delay in (rng.uniform(*each) for each in delays):
        process = subprocess.Popen(
            [sys.executable, "-c", START, "bench", "run", "plan.toml", "-o", "out", "-j", "1"],
            cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert process.stdout.readline() == "up\n"
        time.sleep(delay)
        process.send_signal(number)
        _, said = process.communicate(timeout=20)
        assert process.returncode == 128 + number, (delay, said)
        assert "Traceback" not in said
        assert "Exception" not in said
        left = {each.name for each in (tmp_path / "out").glob("*")}
        assert left <= {"rows.jsonl"}
    assert not workers_of(tmp_path)


def blas_threads():
    return {pool["filepath"]: pool["num_threads"] for pool in threadpool_info()}


def test_fits_in_six_threads_leave_blas_as_they_found_it():
    X = np.random.default_rng(0).random((80, 12))
    y = np.where(np.arange(80) % 4 == 0, np.arange(80) % 3, -1)
    alone = RONMF(graph="plain", solver=ADMM(max_iter=5), random_state=0).fit(X, y).membership_
    with threadpool_limits(2):
        before, found = blas_threads(), [None] * 6

        def fit(i):
            for _ in range(5):
                found[i] = (
                    RONMF(graph="plain", solver=ADMM(max_iter=5), random_state=0)
                    .fit(X, y)
                    .membership_
                )

        threads = [threading.Thread(target=fit, args=(i,)) for i in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert blas_threads() == before
    for each in found:
        np.testing.assert_allclose(each, alone, atol=1e-6)


@pytest.mark.parametrize("folder", ["nowhere/at/all", "~nosuchuser/x"])
def test_a_cache_that_cannot_be_is_a_sentence_or_a_warning(folder, tmp_path):
    (tmp_path / "nowhere").write_text("a file, no folder")
    ended = subprocess.run(
        [sys.executable, "-m", "ronmf", "data", "list"], cwd=tmp_path, capture_output=True,
        text=True, check=False, env={**os.environ, "RONMF_CACHE": folder},
    )  # fmt: skip
    assert ended.returncode in (0, 2)
    assert "Traceback" not in ended.stderr
