"""What depends on the operating system: locks, memory, cores, the end of a parent process.

Each has a way that works everywhere, taken where the better one is not there.
"""

import multiprocessing
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Any

from .writing import open_to_write

__all__ = ["PeakMemory", "cores", "end_with_parent", "exclusive", "memory", "resident_memory"]


def _module(name: str) -> Any:
    """Return a module of the standard library, or None on systems that lack it."""
    try:
        return import_module(name)
    except ImportError:
        return None


fcntl, msvcrt, resource = _module("fcntl"), _module("msvcrt"), _module("resource")
_PROCESS = Path("/proc/self")


@contextmanager
def exclusive(path: Path) -> Iterator[None]:
    """Hold a file alone, among all processes that ask for it in this way.

    Parameters
    ----------
    path : Path
        A file in a folder that exists. Some systems lock the file itself, others need a file beside
        it, ``NAME.lock``, that is gone afterwards.

    Raises
    ------
    BlockingIOError
        If another process holds it. A lock file may outlive a process that was killed; the text
        then says what to remove.
    """
    if fcntl is not None:
        with open_to_write(path, "ab") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise BlockingIOError(f"{path} is in use") from None
            except OSError:  # a file system without locks
                pass
            else:
                yield
                return
    lock = path.with_name(f"{path.name}.lock")
    with _locked_byte(lock) if msvcrt is not None else _lock_file(lock):
        yield


@contextmanager
def _locked_byte(lock: Path) -> Iterator[None]:
    """Lock the first byte of a file: the system lets it go when the process ends, however."""
    with open_to_write(lock, "ab") as file:
        try:
            file.seek(0)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            raise BlockingIOError(f"{lock} is in use") from None
        try:
            yield
        finally:
            file.seek(0)
            msvcrt.locking(file.fileno(), msvcrt.LK_UNLCK, 1)
    with suppress(OSError):  # another process may have opened it meanwhile
        lock.unlink()


@contextmanager
def _lock_file(lock: Path) -> Iterator[None]:
    """Make a file that must not exist yet, and remove it."""
    try:
        os.close(os.open(lock, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        raise BlockingIOError(f"if none is, remove {lock}") from None
    try:
        yield
    finally:
        lock.unlink(missing_ok=True)


class PeakMemory:
    """Measures the largest memory that work needs, beyond what the process had before.

    Make it before the first work: where a system tells only the peak of the whole process, that is
    taken for the memory of the idle process, and work whose peak stays below an earlier one is not
    measured.

    Examples
    --------
    >>> meter = PeakMemory()
    >>> meter.start()
    >>> block = bytes(50_000_000)
    >>> found = meter.megabytes()  # about 48, or None where the system does not tell
    """

    def __init__(self) -> None:
        self._idle = _peak()
        self.start()

    def start(self) -> None:
        """Begin to measure."""
        try:
            (_PROCESS / "clear_refs").write_text("5")  # lets Linux count the peak anew
            self._before = 0.0
        except OSError:
            self._before = _peak() or 0.0
        in_use = _status("VmRSS")
        self._in_use = self._idle if in_use is None else in_use

    def megabytes(self) -> float | None:
        """Return the peak since the start; None where it cannot be told."""
        peak = _peak()
        if peak is None or self._in_use is None or peak <= self._before:
            return None
        return max(0.0, peak - self._in_use)


def _peak() -> float | None:
    """Return the peak of memory in megabytes."""
    peak = _status("VmHWM")
    if peak is None and resource is not None:
        largest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return largest / (2**20 if sys.platform == "darwin" else 2**10)
    return peak


def _status(field: str) -> float | None:
    """Return a field of the process status in megabytes; None where there is none."""
    try:
        lines = (_PROCESS / "status").read_text().splitlines()
    except OSError:
        return None
    found = [line.split() for line in lines if line.startswith(f"{field}:")]
    return int(found[0][1]) / 1024 if found else None


def memory() -> float:
    """Return the bytes of memory that the machine has; infinity where it does not say."""
    try:
        return float(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    except (AttributeError, ValueError, OSError):
        return float("inf")


def resident_memory() -> int:
    """Return the bytes of memory that this process has now; 0 where the system does not tell."""
    return int((_status("VmRSS") or 0.0) * 2**20)


def cores() -> int:
    """Return how many cores this process may use.

    Examples
    --------
    >>> cores() >= 1
    True
    """
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def end_with_parent() -> None:
    """From now on, end this process when the one that started it is gone, whatever it is doing."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def watch() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
