"""The folder that results go to: made whole at the end, and never over something else."""

import json
import os
import secrets
import shutil
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

from ..datasets._listing import shown_name
from ..system.files import user_path
from ..system.platform import exclusive
from ._written import file_state, not_as_written

__all__ = ["MARK", "results_folder", "scratch_beside"]

MARK = "ronmf.json"  # says that a folder is a result of ours, and of what
_MOST_BYTES = 2**28  # of the mark, which lists every copy
_RESULTS = frozenset((MARK, "clusters", "clusters.csv", "model.ronmf", "report.html"))


@contextmanager
def results_folder(
    out: str | os.PathLike,
    pictures: Path,
    *,
    force: bool = False,
    read: str | os.PathLike | None = None,
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
        Whether results of ours may be replaced. Nothing else ever is: a folder in which anything
        was added, moved or changed since is refused.
    read : path, default=None
        A table of results whose labels go into the new ones, so that it may have changed.
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
    with _alone(target.with_name(f".{target.name}.lock"), shown):
        known = _state_inside(target, read)
        _replaceable(target, shown, force, known)
        work = _work_folder(target, shown)
        try:
            yield work
        except BaseException:
            with suppress(OSError):  # unless there is something to go on from
                work.rmdir()
            raise
        try:
            # Again: that may have changed.
            replaced = _replaceable(target, shown, force, known)
        except FileExistsError as error:
            raise FileExistsError(f"{error} The new results are in {shown_name(work)}.") from None
        if replaced:
            old = target.with_name(f".{target.name}.replaced-{secrets.token_hex(4)}")
            target.rename(old)
            work.rename(target)
            shutil.rmtree(old, ignore_errors=True)
        else:
            with suppress(FileNotFoundError):
                target.rmdir()  # an empty one
            work.rename(target)


def _work_folder(target: Path, shown: str) -> Path:
    """Return the folder to work in, made unless it is there; what is not of our making is refused.

    In a folder that many can write to, another could have put a link there.
    """
    work = target.with_name(f".{target.name}.unfinished")
    if work.is_symlink() or (work.exists() and not _is_work(work)):
        raise FileExistsError(
            f"out is {shown}, beside which {shown_name(work.name)!r} is in the way; move that away,"
            " or name another folder."
        )
    work.mkdir(mode=0o700, exist_ok=True)
    for left in work.glob(".part-*"):  # by a process that was killed while it wrote
        left.unlink(missing_ok=True)
    return work


def _is_work(folder: Path) -> bool:
    if not folder.is_dir():
        return False
    return all(
        path.name in _RESULTS or path.name.startswith((".part-", "fit-"))
        for path in folder.iterdir()
    )


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


def _state_inside(target: Path, read: str | os.PathLike | None) -> dict[str, str]:
    """Return the state of a file, by its path in a folder; nothing if it does not lie there."""
    if read is None:
        return {}
    file, folder = user_path(read).resolve(), target.resolve()
    if folder not in file.parents or not file.is_file():
        return {}
    return {file.relative_to(folder).as_posix(): file_state(file)}


def _replaceable(target: Path, shown: str, force: bool, known: Mapping[str, str]) -> bool:
    """Whether there are results to be replaced; refuses what may not be."""
    if target.is_symlink() or (target.exists() and not target.is_dir()):
        raise FileExistsError(f"out is {shown}, which is no folder; name another.")
    if not target.exists() or not any(target.iterdir()):
        return False
    mark = _read_mark(target)
    if mark is None:
        raise FileExistsError(
            f"out is {shown}, a folder that holds other things; name another, which is then made."
        )
    _refuse_hand_work(target, shown, mark, known)
    if not force:
        raise FileExistsError(
            f"out is {shown}, which has results already; name another folder, or replace them with"
            " force=True (--force on the command line)."
        )
    return True


def _refuse_hand_work(
    target: Path, shown: str, mark: Mapping[str, Any], known: Mapping[str, str]
) -> None:
    """Raise one sentence if something in a folder is not as it was written.

    Results of earlier versions have no list. Their names at the top tell them; what lies in folders
    cannot be told from what users put there.
    """
    kept = isinstance(mark.get("written"), dict)
    written: dict[str, str] = dict(mark["written"]) if kept else {}
    for name in (MARK,) if kept else _RESULTS:
        if (target / name).is_file():
            written[name] = file_state(target / name)
    written |= {name: state for name, state in known.items() if name in written}
    found = not_as_written(target, written)
    if not found:
        return
    one, first = len(found) == 1, shown_name(found[0])
    what = f"{first!r} was" if one else f"{len(found)} files were"
    which = "" if one else f", the first {first!r}"
    when = "added, moved or changed since it was made"
    if not kept:
        when = "perhaps added by you, since an earlier version kept no list of what it wrote"
    raise FileExistsError(
        f"out is {shown}, in which {what} {when}{which}; move {'that' if one else 'those'} to"
        " another place, or name another folder."
    )


def _read_mark(folder: Path) -> dict[str, Any] | None:
    """Return what the mark of results says; None if there is none, so that they are not ours."""
    mark = folder / MARK
    try:
        if not mark.is_file() or mark.stat().st_size > _MOST_BYTES:
            return None
        found: Any = json.loads(mark.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    ours = isinstance(found, dict) and {"ronmf", "pictures", "clusters"} <= set(found)
    return found if ours else None
