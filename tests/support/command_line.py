"""The command line in this process: as the real one, without the time it takes to start."""

import contextlib
import io
import signal
import sys
from dataclasses import dataclass
from unittest import mock

from ronmf.cli import main, progress

__all__ = ["Ended", "assert_one_sentence", "command", "sentences"]


@dataclass
class Ended:
    """How a command ended."""

    code: int
    out: str
    err: str


def command(*arguments):
    """Run ``ronmf`` with some arguments."""
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    path, out, err, code = list(sys.path), io.StringIO(), io.StringIO(), 0
    try:
        with (
            mock.patch.object(sys, "argv", ["ronmf", *map(str, arguments)]),
            mock.patch.object(progress, "_FIRST", 1e6),  # however slow this machine is
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
        ):
            main()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    finally:
        sys.path[:] = path
        for number, handler in handlers.items():
            signal.signal(number, handler)
    return Ended(code, out.getvalue(), err.getvalue())


def assert_one_sentence(ended, *words):
    """Check that a command refused its input in one line that holds some words."""
    assert ended.code == 2, ended
    assert len(ended.err.strip().splitlines()) == 1, ended.err
    assert ended.err.startswith("Error: ")
    assert len(ended.err) < 1000
    for word in words:
        assert str(word) in ended.err


def sentences(err):
    """Return the lines on standard error, without the signs of life of a slow machine."""
    return [line for line in err.strip().splitlines() if not line.endswith(" so far)")]
