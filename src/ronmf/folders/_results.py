"""The folder that results go to: made whole at the end, and never over something else."""

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

from ..datasets._listing import shown_name
from ..system.files import user_path
from ..system.platform import exclusive

__all__ = ["MARK", "results_folder", "scratch_beside"]

MARK = "ronmf.json"  # says that a folder is a result of ours, and of what
_RESULTS = frozenset((MARK, "clusters", "clusters.csv", "model.ronmf", "report.html"))


@contextmanager
def results_folder(
    out: str | os.PathLike, pictures: Path, *, force: bool = False
) -> Iterator[Path]:
    """Give a folder to work in; at the end it becomes `out`.

    It is called ``.NAME.unfinished`` and lies beside `out`. What a killed process left there is
    there again the next time.

    Parameters
    ----------
    out : path
        Where results shall be. It must not exist, unless it is empty, or holds results of ours and
        `force` is true.
    pictures : Path
        The folder of pictures, in which results would be taken for pictures.
    force : bool, default=False
        Whether results of ours may be replaced. Nothing else ever is: a folder that holds anything
        beside them is refused.
    """
    target = Path(os.path.abspath(user_path(out)))
    shown = shown_name(user_path(out))
    if not target.parent.is_dir():
        raise FileNotFoundError(f"out is {shown}, whose folder does not exist; make it first.")
    where, root = target.resolve(), pictures.resolve()
    if where == root or root in where.parents:
        raise ValueError(f"out is {shown}, inside the folder of pictures; name one beside it.")
    if where in root.parents:
        raise ValueError(f"out is {shown}, in which the pictures lie; name another folder.")
    old = target.with_name(f".{target.name}.replaced")
    with _alone(target.with_name(f".{target.name}.lock"), shown):
        if old.is_dir() and not target.exists():
            old.rename(target)  # a process was killed between the two steps below
        replaced = _replaceable(target, shown, force)
        work = target.with_name(f".{target.name}.unfinished")
        work.mkdir(exist_ok=True)
        try:
            yield work
        except BaseException:
            with suppress(OSError):  # unless there is something to go on from
                work.rmdir()
            raise
        shutil.rmtree(old, ignore_errors=True)
        if replaced:
            target.rename(old)
        else:
            with suppress(FileNotFoundError):
                target.rmdir()  # an empty one
        work.rename(target)
        shutil.rmtree(old, ignore_errors=True)


@contextmanager
def scratch_beside(work: Path) -> Iterator[Path]:
    """Give a folder, which need not exist, for files that only the work needs.

    Not inside `work`: what is still mapped into memory would keep some systems from renaming that.
    """
    scratch = work.with_suffix(".scratch")
    shutil.rmtree(scratch, ignore_errors=True)
    try:
        yield scratch
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


@contextmanager
def _alone(lock: Path, shown: str) -> Iterator[None]:
    """Hold a lock, so that no other process works on the same results."""
    with ExitStack() as stack:
        try:
            stack.enter_context(exclusive(lock))
        except BlockingIOError:
            raise ValueError(f"out is {shown}, which another process is working on.") from None
        try:
            yield
        finally:
            with suppress(OSError):  # some systems keep a lock that is held
                lock.unlink()


def _replaceable(target: Path, shown: str, force: bool) -> bool:
    """Whether there are results to be replaced; refuses what may not be."""
    if target.is_symlink() or (target.exists() and not target.is_dir()):
        raise FileExistsError(f"out is {shown}, which is no folder; name another.")
    if not target.exists() or not any(target.iterdir()):
        return False
    if not _is_ours(target):
        raise FileExistsError(
            f"out is {shown}, a folder that holds other things; name another, which is then made."
        )
    if others := sorted({path.name for path in target.iterdir()} - _RESULTS):
        raise FileExistsError(
            f"out is {shown}, which holds {shown_name(others[0])!r} beside results; move that away,"
            " or name another folder."
        )
    if not force:
        raise FileExistsError(
            f"out is {shown}, which has results already; name another folder, or replace them with"
            " --force."
        )
    return True


def _is_ours(folder: Path) -> bool:
    try:
        found: Any = json.loads((folder / MARK).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(found, dict) and "ronmf" in found
