"""The fit that is under way: started, watched, cancelled; its worker may die without harm."""

import multiprocessing
import signal
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import resource_tracker
from queue import SimpleQueue
from typing import Any

from .project import Project
from .worker import Order, work

__all__ = ["Fits", "started_quietly"]

_CANCEL_SECONDS = 3.0  # for a worker to notice that its work is not wanted


class Fits:
    """Runs one fit at a time in a process of its own.

    Parameters
    ----------
    project : Project
        Where labels come from and results go.
    kind : str
        The features, "auto", "pixels" or "deep".
    seed : int
        Seed of everything random.
    """

    def __init__(self, project: Project, kind: str, seed: int) -> None:
        self._project, self._kind, self._seed = project, kind, seed
        self._lock = threading.RLock()
        self._worker: _Worker | None = None
        self._closed = False
        self._working, self._cancelling, self._since = False, False, 0.0
        self._stage, self._message, self._failed, self._ended = ("", 0, 0), "", False, 0

    def prepare(self) -> None:
        """Let the worker read the features, so that the first fit need not wait for them."""
        with self._lock:
            self._running_worker().send(Order(None))

    def start(self, clusters: int | str) -> None:
        """Begin a fit with the labels of now.

        Parameters
        ----------
        clusters : int or str
            As in :class:`Order`.
        """
        with self._lock:
            if self._working:
                raise ValueError("the pictures are being clustered already; wait, or cancel.")
            result = self._project.result
            labels = self._labels()
            if clusters == "classes" and len(set(labels.values())) < 2:
                raise ValueError(
                    "“my classes” needs labels of two classes or more: label pictures of another"
                    " class, or choose auto or a number."
                )
            order = Order(
                labels=labels,
                clusters=clusters,
                number=1 if result is None else result.number + 1,
                earlier=None if result is None else (result.cluster_of, result.named),
            )
            self._working, self._cancelling, self._since = True, False, time.monotonic()
            self._stage, self._message, self._failed = ("starting", 0, 0), "", False
            self._running_worker().send(order)

    def cancel(self) -> None:
        """Give the fit up: at once if the worker listens, else by ending the worker."""
        with self._lock:
            if not self._working or self._worker is None:
                return
            self._cancelling = True
            self._worker.cancelled.set()
            timer = threading.Timer(_CANCEL_SECONDS, self._end_unless_it_ended, [self._worker])
            timer.daemon = True
            timer.start()

    def status(self) -> dict[str, Any]:
        """Return how far the fit has come, for the page."""
        with self._lock:
            stage, done, most = self._stage
            return {
                "working": self._working,
                "cancelling": self._cancelling,
                "stage": stage,
                "done": done,
                "most": most,
                "seconds": round(time.monotonic() - self._since, 1) if self._working else 0.0,
                "message": self._message,
                "failed": self._failed,
                "ended": self._ended,  # tells a fit that was over before the page looked again
            }

    def close(self) -> None:
        """End the worker."""
        with self._lock:
            self._closed = True
            if self._worker is not None:
                self._worker.end()
                self._worker = None

    def _labels(self) -> dict[str, str]:
        """Return the labels of pictures that are there and, as far as is known, can be read."""
        project = self._project
        return {
            name: label
            for name, label in project.log.labels().of.items()
            if name in project.numbers and name not in project.unreadable
        }

    def _running_worker(self) -> "_Worker":
        if self._worker is None or not self._worker.alive():
            self._worker = _Worker(self._project, self._kind, self._seed, self._receive)
        self._worker.cancelled.clear()
        return self._worker

    def _end_unless_it_ended(self, worker: "_Worker") -> None:
        with self._lock:
            if self._cancelling and self._worker is worker:
                worker.end()  # the labels are safe, and the features are kept

    def _receive(self, worker: "_Worker", message: tuple) -> None:
        """Take what a worker says; ``("gone",)`` if it hung up."""
        with self._lock:
            if worker is not self._worker or self._closed:
                return
            kind, *rest = message
            if kind == "stage":
                self._stage = (rest[0], rest[1], rest[2])
                return
            if kind == "shown":
                self._project.read_results()
                return
            if kind == "unreadable":
                self._project.unreadable, self._project.features_read = rest[0], True
                return
            if kind == "gone":
                self._worker = None
                kind = "cancelled" if self._cancelling else kind
            elif worker.ended_order() is None:  # the features are read: nobody asked for more
                return
            if kind == "done":
                self._project.read_results()
            if self._working:
                self._message = {
                    "done": "",
                    "cancelled": "Cancelled. The labels are kept.",
                    "failed": f"The clustering failed: {' '.join(rest)}",
                    "gone": "The clustering ended unexpectedly, for want of memory perhaps. The"
                    " labels are kept.",
                }[kind]
                self._failed = kind in ("failed", "gone")
                self._ended += 1
            self._working = self._cancelling = False


class _Worker:
    """A process that fits, and a thread that listens to it."""

    def __init__(
        self, project: Project, kind: str, seed: int, receive: Callable[["_Worker", tuple], None]
    ) -> None:
        context = multiprocessing.get_context("spawn")
        self._connection, theirs = context.Pipe()
        self.cancelled = context.Event()
        self._orders: list[Order] = []
        self._outbox: SimpleQueue[Order | None] = SimpleQueue()
        arguments = (theirs, self.cancelled, project.folder, project.place, kind, seed)
        self._process = started_quietly(work, arguments)
        theirs.close()
        threading.Thread(target=self._listen, args=(receive,), daemon=True).start()
        threading.Thread(target=self._send_orders, daemon=True).start()

    def send(self, order: Order) -> None:
        self._orders.append(order)
        self._outbox.put(order)

    def _send_orders(self) -> None:
        """Send orders. A large one waits until the worker reads it, which nobody else should."""
        while (order := self._outbox.get()) is not None:
            with suppress(OSError):  # it is gone: the listener tells
                self._connection.send(order)

    def ended_order(self) -> dict[str, str] | None:
        """Return the labels of the order that has ended."""
        return self._orders.pop(0).labels

    def alive(self) -> bool:
        return self._process.is_alive()

    def end(self) -> None:
        self._process.kill()
        self._process.join()

    def _listen(self, receive: Callable[["_Worker", tuple], None]) -> None:
        while True:
            try:
                message = self._connection.recv()
            except (EOFError, OSError):
                message = ("gone",)
            receive(self, message)
            if message == ("gone",):
                self._outbox.put(None)
                self._process.join()
                return


def started_quietly(target: Callable[..., None], arguments: tuple) -> Any:
    """Start a process that no interrupt of the terminal reaches, not even while it starts."""
    process = multiprocessing.get_context("spawn").Process(
        target=target, args=arguments, daemon=True
    )
    mask = None
    if hasattr(signal, "pthread_sigmask"):
        resource_tracker.ensure_running()  # whose own start would let interrupts through again
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        process.start()
    finally:
        if mask is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    return process
