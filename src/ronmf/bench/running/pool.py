"""A few worker processes that may fail, hang or die one at a time without taking others along."""

import json
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker
from multiprocessing.connection import wait
from typing import Any

from .worker import Task, work

__all__ = ["Pool"]

_LONGEST_WAIT = 86_400.0  # seconds; systems refuse to wait for months
_TIME_TO_END = 10.0  # seconds for a process that hung up to end
_THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


class Pool:
    """Worker processes, each with one thread of linear algebra.

    They are fresh processes, not forks: a fork would hold a copy of the hidden labels.

    Parameters
    ----------
    jobs : int
        Number of processes.
    timeout : float or None
        Seconds after which a run is stopped and counted as failed.
    """

    def __init__(self, jobs: int, timeout: float | None) -> None:
        self._timeout = timeout
        self._workers = [_Worker() for _ in range(jobs)]
        self._tasks: dict[int, Any] = {}

    def __enter__(self) -> "Pool":
        return self

    def __exit__(self, *error: Any) -> None:
        for worker in self._workers:
            worker.stop()

    def __len__(self) -> int:
        return len(self._tasks)

    @property
    def idle(self) -> list[int]:
        """The numbers of workers that have nothing to do."""
        return [number for number in range(len(self._workers)) if number not in self._tasks]

    def submit(self, name: Any, task: Task | str, worker: int | None = None) -> None:
        """Start a task, or the import of a "module:Class", under a name in an idle worker."""
        number = self.idle[0] if worker is None else worker
        try:
            self._workers[number].start(task)
        except OSError:  # it died while it had nothing to do
            self._renew(number).start(task)
        self._tasks[number] = name

    def finished(self) -> Iterator[tuple[Any, dict[str, Any]]]:
        """Wait for at least one task; yield names and results, ``{"failed": why}`` if it failed."""
        busy = {number: self._workers[number] for number in self._tasks}
        ready = wait([worker.connection for worker in busy.values()], timeout=self._patience())
        finished = []  # all of them before any is handed on: who takes it may work for long
        for number, worker in busy.items():
            result = None
            if worker.connection in ready:
                result = worker.result()
            elif self._timeout is not None and worker.running() > self._timeout:
                result = {"failed": f"took longer than {self._timeout:g} seconds"}
                worker.stop()
            if result is not None:
                if not worker.alive:
                    self._renew(number)
                finished.append((self._tasks.pop(number), result))
        yield from finished

    def _renew(self, number: int) -> "_Worker":
        self._workers[number].stop()
        self._workers[number] = _Worker()
        return self._workers[number]

    def _patience(self) -> float | None:
        if self._timeout is None:
            return None
        longest = max(self._workers[number].running() for number in self._tasks)
        return min(max(0.0, self._timeout - longest) + 0.05, _LONGEST_WAIT)


class _Worker:
    def __init__(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self._process = context.Process(target=work, args=(theirs,), daemon=True)
        with _quiet_start():
            self._process.start()
        theirs.close()
        self._since, self._ready = 0.0, False
        self.alive = True

    def start(self, task: Task | str) -> None:
        if not self._ready:  # its start does not count as time of the run
            try:
                self._ready = bool(self.connection.recv_bytes())
            except EOFError:
                raise OSError("a worker process ended before it was ready") from None
        self._since = time.monotonic()
        self.connection.send(task)

    def running(self) -> float:
        return time.monotonic() - self._since

    def result(self) -> dict[str, Any]:
        try:
            return json.loads(self.connection.recv_bytes())
        except (EOFError, OSError):
            self._process.join(_TIME_TO_END)  # how it ended, not how it would by our hand
            code = self._process.exitcode
            self.stop()
            return {"failed": _how_it_ended(code)}

    def stop(self) -> None:
        self.alive = False
        self._process.kill()
        self._process.join()
        self.connection.close()


def _how_it_ended(code: int | None) -> str:
    """Return how a process ended, in words."""
    if code is None:
        return "its process hung up without a result and was stopped"
    text = f"its process died with exit code {code}"
    if code >= 0:
        return text
    try:
        name = signal.Signals(-code).name
    except ValueError:  # signals that have numbers only
        name = f"signal {-code}"
    return f"{text} ({name}{': out of memory?' if name == 'SIGKILL' else ''})"


@contextmanager
def _quiet_start() -> Iterator[None]:
    """Let a process that starts in here have one thread of linear algebra and ignore interrupts.

    Nor does it begin with imports from the working folder, which its path may have at the end.
    """
    names = (*_THREAD_VARIABLES, "PYTHONSAFEPATH")
    before = {name: os.environ.get(name) for name in names}
    os.environ.update(dict.fromkeys(names, "1"))
    # Inherited: an interrupt is the runner's business, also while the worker still starts.
    blocked = hasattr(signal, "pthread_sigmask")
    if blocked:
        resource_tracker.ensure_running()  # whose own start would let interrupts through again
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    # Here a signal is put off: it must neither be lost nor leave half a worker. (Threads of others
    # may take it in spite of the mask, and only the main thread may say what is done then.)
    delayed: list[tuple[int, Any]] = []
    main = threading.current_thread() is threading.main_thread()
    numbers = [signal.SIGINT, signal.SIGTERM] if main else []
    handlers = {n: signal.signal(n, lambda *call: delayed.append(call)) for n in numbers}
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        if blocked:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
        if delayed:
            signal.raise_signal(delayed[0][0])
