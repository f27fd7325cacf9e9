"""Signals that end a command: as exceptions, so that nothing half-done is left."""

import signal
import sys
import threading
import time
from types import FrameType
from typing import Any

__all__ = ["check", "ignore", "install"]

_PATIENCE = 3.0  # seconds for which a repeated signal would only disturb the clean-up
_SOON = 0.05  # seconds after which a finaliser has ended
_received: list[tuple[int, float]] = []


def install() -> None:
    """Let Ctrl-C and SIGTERM raise an exception; only the main thread may say so."""
    if threading.current_thread() is threading.main_thread():
        _received.clear()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, _end)
        sys.unraisablehook = _not_raised


def ignore() -> None:
    """Take no interrupt from now on: there is nothing left to interrupt."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def check() -> None:
    """Raise the exception once more: some library may have swallowed it."""
    if _received:
        _raise(_received[0][0])


def _end(number: int, frame: FrameType | None) -> None:
    now = time.monotonic()
    if _received and now - _received[-1][1] < _PATIENCE:
        return
    _received.append((number, now))
    _raise(number)


def _not_raised(lost: Any) -> None:
    """Send a signal again whose exception Python could not raise: it came in a finaliser."""
    if _received and isinstance(lost.exc_value, KeyboardInterrupt | SystemExit):
        number, _ = _received.pop()
        again = threading.Timer(_SOON, _send, [number])
        again.daemon = True  # a program that ends first is not kept
        again.start()
    else:
        sys.__unraisablehook__(lost)


def _send(number: int) -> None:
    """Send a signal to the main thread, which stops waiting."""
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(threading.main_thread().ident or 0, number)
    else:
        signal.raise_signal(number)


def _raise(number: int) -> None:
    if number == signal.SIGINT:
        raise KeyboardInterrupt
    sys.exit(128 + number)
