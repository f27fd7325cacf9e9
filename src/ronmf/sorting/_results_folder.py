"""The folder that results go to: made whole at the end, and never over something else."""

import os
import secrets
import shutil
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from ..system.files import user_path
from ..system.plain_text import shown_name
from ..system.platform import exclusive
from ._mark import MARK, RESULTS, file_state, not_as_written, read_mark

__all__ = ["results_folder"]


@contextmanager
def results_folder(
    out: str | os.PathLike,
    pictures: Path,
    *,
    force: bool = False,
    labels: str | os.PathLike | None = None,
) -> Iterator[tuple[Path, Path]]:
    """Give a folder to work in, which at the end becomes `out`, and one for files in between.

    The first is called ``.NAME.unfinished`` and lies beside `out`. What a killed process left there
    is there again the next time. The second need not exist, and is removed. It is not inside the
    first: what is still mapped into memory would keep some systems from renaming that.

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
    labels : path, default=None
        A table of results whose labels go into the new ones, so that it may have changed.
    """
    path, shown = Path(os.path.abspath(user_path(out))), shown_name(user_path(out))
    if not path.parent.is_dir():
        raise FileNotFoundError(f"out is {shown}, whose folder does not exist; make it first.")
    where, root = path.resolve(), pictures.resolve()
    if where == root or root in where.parents:
        raise ValueError(f"out is {shown}, inside the folder of pictures; name one beside it.")
    if where in root.parents:
        raise ValueError(f"out is {shown}, in which the pictures lie; name another folder.")
    with _locked(path.with_name(f".{path.name}.lock"), shown):
        target = _Target(path, shown, force, _state_inside(path, labels))
        target.check()
        work = _work_folder(path, shown)
        scratch = work.with_suffix(".scratch")
        if scratch.is_symlink():
            scratch.unlink()
        shutil.rmtree(scratch, ignore_errors=True)
        try:
            yield work, scratch
        except BaseException:
            with suppress(OSError):  # unless there is something to go on from
                work.rmdir()
            raise
        finally:
            shutil.rmtree(scratch, ignore_errors=True)
        try:
            replaced = target.check()  # again: it may have changed
        except FileExistsError as error:
            raise FileExistsError(f"{error} The new results are in {shown_name(work)}.") from None
        if replaced:
            old = path.with_name(f".{path.name}.replaced-{secrets.token_hex(4)}")
            path.rename(old)
            work.rename(path)
            shutil.rmtree(old, ignore_errors=True)
        else:
            with suppress(FileNotFoundError):
                path.rmdir()  # an empty one
            work.rename(path)


@contextmanager
def _locked(lock: Path, shown: str) -> Iterator[None]:
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


def _state_inside(folder: Path, table: str | os.PathLike | None) -> dict[str, str]:
    """Return the state of a file, by its path in a folder; nothing if it does not lie there."""
    if table is None:
        return {}
    file, folder = user_path(table).resolve(), folder.resolve()
    if folder not in file.parents or not file.is_file():
        return {}
    return {file.relative_to(folder).as_posix(): file_state(file)}


def _work_folder(path: Path, shown: str) -> Path:
    """Return the folder to work in, made unless it is there; what is not of our making is refused.

    In a folder that many can write to, another could have put a link there.
    """
    work = path.with_name(f".{path.name}.unfinished")
    ours = not work.exists() or (
        work.is_dir()
        and all(
            not each.is_symlink()
            and (each.name in RESULTS or each.name.startswith((".part-", "fit-")))
            for each in work.iterdir()
        )
    )
    if work.is_symlink() or not ours:
        raise FileExistsError(
            f"out is {shown}, beside which {shown_name(work.name)!r} is in the way; move that away,"
            " or name another folder."
        )
    work.mkdir(mode=0o700, exist_ok=True)
    for left in work.glob(".part-*"):  # by a process that was killed while it wrote
        left.unlink(missing_ok=True)
    return work


@dataclass(frozen=True)
class _Target:
    """Where results shall be, and whether what is there may be replaced.

    Attributes
    ----------
    path : Path
        The folder.
    shown : str
        What the user calls it.
    force : bool
        Whether results may be replaced.
    tables : mapping
        States of files in it that may have changed since they were written.
    """

    path: Path
    shown: str
    force: bool
    tables: Mapping[str, str]

    def check(self) -> bool:
        """Return whether there are results to be replaced; what may not be is refused."""
        path = self.path
        if path.is_symlink() or (path.exists() and not path.is_dir()):
            raise FileExistsError(f"out is {self.shown}, which is no folder; name another.")
        if not path.exists() or not any(path.iterdir()):
            return False
        mark = read_mark(path)
        if mark is None:
            raise FileExistsError(
                f"out is {self.shown}, a folder that holds other things; name another, which is"
                " then made."
            )
        self._refuse_hand_work(mark.get("written"))
        if not self.force:
            raise FileExistsError(
                f"out is {self.shown}, which has results already; name another folder, or replace"
                " them with force=True (--force on the command line)."
            )
        return True

    def _refuse_hand_work(self, listed: object) -> None:
        """Raise one sentence if something in the folder is not as it was written.

        Results of earlier versions have no list. Their names at the top tell them; what lies in
        folders cannot be told from what users put there.
        """
        written: dict[str, str] = dict(listed) if isinstance(listed, dict) else {}
        for name in (MARK,) if isinstance(listed, dict) else RESULTS:
            if (self.path / name).is_file():
                written[name] = file_state(self.path / name)
        written |= {name: state for name, state in self.tables.items() if name in written}
        changed = not_as_written(self.path, written)
        if not changed:
            return
        one, first = len(changed) == 1, shown_name(changed[0])
        what = f"{first!r} was" if one else f"{len(changed)} files were"
        which = "" if one else f", the first {first!r}"
        when = "added, moved or changed since it was made"
        if not isinstance(listed, dict):
            when = "perhaps added by you, since an earlier version kept no list of what it wrote"
        raise FileExistsError(
            f"out is {self.shown}, in which {what} {when}{which}; move {'that' if one else 'those'}"
            " to another place, or name another folder."
        )
