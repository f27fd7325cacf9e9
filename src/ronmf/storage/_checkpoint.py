"""What a long fit has found so far, in a folder: a fit that was killed goes on from there.

Results that took long are kept by the content of what they were made of. A fit that is started
again with the same data and settings takes the same way, and finds them there. Arrays are files of
NumPy, all else is JSON: nothing that is read can run code.
"""

import json
import re
import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from contextvars import ContextVar
from hashlib import blake2b
from pathlib import Path
from typing import Any

import joblib
import numpy as np

from ..system.files import private_folder, remove_leftovers, user_path, whole_file
from ..system.platform import exclusive
from ._scratch import Scratch, room_for

__all__ = ["Checkpoint", "content_key", "content_name", "current_checkpoint", "remembered"]

_NAME, _LOCK = "fit.json", "fit.lock"
_OURS = re.compile(
    r"(\.part-[0-9a-f]{8}-)*(fit\.json|sweeps\.npz|(coordinates|neighbors)-[0-9a-f]{24}\.npz)"
    r"|array-\d{6,}\.bin"
)


class Checkpoint:
    """A folder with the state of one fit.

    Parameters
    ----------
    folder : str or Path
        Made if it is absent. It must hold nothing else.
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = user_path(folder)
        if self.folder.exists() and not self.folder.is_dir():
            raise ValueError(f"checkpoint={str(folder)!r} is a file; name a folder.")
        with room_for(self.folder):
            private_folder(self.folder)
        for path in self.folder.iterdir():
            if path.is_symlink():  # of a stranger, perhaps: it could lead us anywhere
                raise ValueError(
                    f"checkpoint={str(folder)!r} is a folder with a link ({path.name}); remove it,"
                    " or name an empty folder."
                )
        ours = {path.name for path in self._files()} | {_LOCK, f"{_LOCK}.lock"}
        others = sorted({path.name for path in self.folder.iterdir()} - ours)
        if others:
            raise ValueError(
                f"checkpoint={str(folder)!r} is a folder with other files ({others[0]}); name an"
                " empty one."
            )

    @contextmanager
    def held(self, key: str) -> Iterator[int]:
        """Hold the folder for the fit of this key; yields a seed, the same after a new start.

        When the fit is done, its files are removed.
        """
        with ExitStack() as stack:
            try:
                stack.enter_context(exclusive(self.folder / _LOCK))
            except BlockingIOError:
                raise BlockingIOError(
                    f"checkpoint={str(self.folder)!r} is in use by another fit; name another"
                    " folder."
                ) from None
            seed, done = self._seed(key), False
            token = _current.set(self)
            try:
                yield seed
                done = True
            finally:
                _current.reset(token)
                # A fit that failed before it had found anything leaves nothing either.
                if done or not any(path.suffix in (".npz", ".bin") for path in self._files()):
                    for path in (*self._files(), self.folder / _LOCK):
                        with suppress(OSError):  # some systems keep a lock that is held
                            path.unlink()

    def _files(self) -> list[Path]:
        """Return the files that such a fit writes, locks left out."""
        return [path for path in self.folder.iterdir() if _OURS.fullmatch(path.name)]

    def _seed(self, key: str) -> int:
        path = self.folder / _NAME
        if path.exists():
            try:
                found = json.loads(path.read_text(encoding="utf-8"))
                same, seed = found["key"] == key, int(found["seed"])
            except (ValueError, KeyError, TypeError, RecursionError):
                same = False
            if not same:
                raise ValueError(
                    f"checkpoint={str(self.folder)!r} holds the state of another fit (of other"
                    " data, labels, parameters or versions); name an empty folder."
                )
            return seed
        seed = secrets.randbelow(2**31)
        with room_for(self.folder), whole_file(path) as part:
            part.write_text(json.dumps({"key": key, "seed": seed}), encoding="utf-8")
        return seed

    def scratch(self) -> Scratch:
        """Return where large arrays go that a saved state may name."""
        return Scratch(self.folder, lasting=True)

    def arrays(
        self, name: str, key: str, make: Callable[[], Sequence[np.ndarray]]
    ) -> list[np.ndarray]:
        """Return arrays that are kept under a name and a key; made and kept if they are not."""
        path = self.folder / f"{name}-{key}.npz"
        if path.exists():
            found = self.read(path) or {}
            names = [f"arr_{i}" for i in range(len(found))]
            if found and all(name in found for name in names):
                return [found[name] for name in names]
        made = [np.asarray(array) for array in make()]
        self.write(path, {f"arr_{i}": array for i, array in enumerate(made)})
        return made

    def write(self, path: Path, arrays: dict[str, np.ndarray]) -> None:
        """Write arrays to a file that is there whole or not at all."""
        with room_for(self.folder):
            remove_leftovers(path)
            with whole_file(path) as part:
                np.savez(part, **arrays)  # type: ignore[arg-type]

    def read(self, path: Path) -> dict[str, np.ndarray] | None:
        """Return the arrays of a file; None if it is damaged."""
        try:
            with np.load(path, allow_pickle=False) as found:
                return dict(found)
        except Exception:  # of a damaged file: it is made again
            return None


_current: ContextVar[Checkpoint | None] = ContextVar("_current", default=None)


def remembered(
    name: str, of: Callable[[], Sequence[Any]], make: Callable[[], Sequence[np.ndarray]]
) -> Sequence[np.ndarray]:
    """Return what `make` makes, or made in an earlier run of a fit with a checkpoint.

    Parameters
    ----------
    name : str
        What it is.
    of : callable
        Returns all that it depends on: arrays, and whatever has a telling ``repr``.
    make : callable
        Returns arrays.
    """
    checkpoint = _current.get()
    return make() if checkpoint is None else checkpoint.arrays(name, content_key(*of()), make)


def current_checkpoint() -> Checkpoint | None:
    """Return the checkpoint of the fit that is running."""
    return _current.get()


def content_key(*things: Any) -> str:
    """Return a short text that differs for different arrays and other things.

    Examples
    --------
    >>> content_key(np.zeros(3), 1) == content_key(np.zeros(3), 2)
    False
    """
    state = blake2b(digest_size=12)
    for thing in things:
        if isinstance(thing, np.ndarray):
            state.update(repr((thing.shape, thing.dtype.str)).encode())
            state.update(np.ascontiguousarray(thing).view(np.uint8).reshape(-1).data)
        else:
            state.update(repr(thing).encode())
    return state.hexdigest()


def content_name(thing: Any) -> str:
    """Return a text that is the same for equal things, also in another process.

    What cannot be hashed by its content goes by its name: another process may not know it again.
    """
    try:
        return str(joblib.hash(thing))
    except Exception:  # a function that was defined on the way, or whatever refuses to be pickled
        return f"{type(thing).__qualname__} {getattr(thing, '__qualname__', repr(thing))}"
