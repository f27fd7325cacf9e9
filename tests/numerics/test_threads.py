"""Own threads instead of those of BLAS."""

import os
import subprocess
import sys
import threading
import time

import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from ronmf.numerics.threads import in_threads, n_threads, own_threads


def blas_threads():
    pools = [pool for pool in threadpool_info() if pool["user_api"] == "blas"]
    if not pools:
        pytest.skip("this BLAS does not tell its threads")
    return max(pool["num_threads"] for pool in pools)


def test_results_come_in_order_and_errors_come_through():
    with threadpool_limits(2, user_api="blas"):
        assert in_threads(lambda i: i * i, range(20)) == [i * i for i in range(20)]
        with pytest.raises(ZeroDivisionError):
            in_threads(lambda i: 1 / i, [1, 0])


def test_a_report_after_every_piece_can_end_the_work():
    done, reported = [], []

    def report():
        reported.append(threading.current_thread())
        if len(reported) == 3:
            raise KeyboardInterrupt

    for limit in (1, 2):
        done.clear(), reported.clear()
        with threadpool_limits(limit, user_api="blas"), pytest.raises(KeyboardInterrupt):
            in_threads(lambda i: (time.sleep(0.01), done.append(i)), range(200), report)
        assert set(reported) == {threading.current_thread()}
        assert 3 <= len(done) < 20  # what was waiting is not begun


def test_blas_has_one_thread_while_ours_work_and_gets_its_own_back():
    with threadpool_limits(2, user_api="blas"):
        before = blas_threads()
        with own_threads():
            assert blas_threads() == 1
            assert n_threads() == before
            with own_threads():  # nothing more to give
                assert n_threads() == before
        assert blas_threads() == before


def test_overlapping_fits_leave_blas_as_it_was():
    """A second user enters before the first leaves, and leaves after it."""
    with threadpool_limits(2, user_api="blas"):
        before = blas_threads()
        first, second = own_threads(), own_threads()
        entered, left = threading.Event(), threading.Event()

        def other():
            with second:
                entered.set()
                left.wait(timeout=20)

        thread = threading.Thread(target=other)
        with first:
            thread.start()
            entered.wait(timeout=20)
        left.set()
        thread.join()
        assert blas_threads() == before


def test_no_more_threads_than_blas_may_have():
    def name(_):
        barrier.wait(timeout=20)
        return threading.get_ident()

    with threadpool_limits(2, user_api="blas"):
        if blas_threads() == 2:
            barrier = threading.Barrier(2)
            assert len(set(in_threads(name, range(4)))) == 2
    with threadpool_limits(1, user_api="blas"):
        barrier = threading.Barrier(1)
        assert set(in_threads(name, range(4))) == {threading.get_ident()}


def test_the_environment_sets_the_limit():
    code = "from ronmf.numerics.threads import n_threads; print(n_threads())"
    for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        rest = {k: v for k, v in os.environ.items() if not k.endswith("_NUM_THREADS")}
        answer = subprocess.run(
            [sys.executable, "-c", code],
            env=rest | {variable: "1"},
            capture_output=True,
            text=True,
            check=True,
        )
        assert answer.stdout.strip() == "1"
