"""Features of the pictures of a folder, one batch after the other, kept on disk as they come."""

import hashlib
import io
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..datasets._listing import PictureFolder
from ..datasets._pictures import UnreadablePicture, read_color, read_gray
from ..features._networks import LITE0, identity, load_network
from ..numerics.memory import allowed_bytes
from ..numerics.threads import in_threads, read_and_work
from ..system.cache import cache_folder
from ..system.files import user_path
from ._recipes import FeatureRecipe

__all__ = ["FolderFeatures", "features_of"]

_BATCH = 32  # pictures that go through a network at once, and are kept together
_CHUNK = 32 * _BATCH  # pictures that are looked up at once
_HELD = 2**30  # bytes of features above which they go to a file
_PIXELS = "pixels|1|"  # raise the number when pictures are read differently


@dataclass(frozen=True, eq=False)
class FolderFeatures:
    """Rows of features, one for each picture that could be read.

    Attributes
    ----------
    X : ndarray of float32 of shape (n_pictures, n_features)
        Non-negative. A memory map if it is too large for memory.
    folder : PictureFolder
        The pictures, in the order of the rows; those that could not be read are skipped.
    recipe : FeatureRecipe or None
        How they became rows; None if that is not known.
    digest : str
        Tells these features from those of other pictures, or made in another way.
    """

    X: np.ndarray
    folder: PictureFolder
    recipe: FeatureRecipe | None
    digest: str


def features_of(
    folder: PictureFolder,
    recipe: FeatureRecipe,
    *,
    scratch: Path | None = None,
    cache: bool | str | os.PathLike = True,
    callback: Callable[[int, int], Any] = lambda done, total: None,
) -> FolderFeatures:
    """Turn the pictures of a folder into features.

    Whatever happens, features of finished batches of 32 pictures are kept by the content of the
    file, and not made again.

    Parameters
    ----------
    folder : PictureFolder
        The pictures.
    recipe : FeatureRecipe
        How; see :func:`choose_recipe`.
    scratch : Path, default=None
        A folder, made if needed, for features that are too large for memory; None: they stay in
        memory.
    cache : bool or path, default=True
        As in :class:`ronmf.features.DeepFeatures`.
    callback : callable
        ``callback(done, total)`` is called after every batch, with numbers of pictures.

    Returns
    -------
    FolderFeatures
    """
    maker = _maker(recipe)
    broken: dict[str, str] = {}
    rows: _Rows | None = None
    content = hashlib.sha256(repr(folder.files).encode("utf-8", "backslashreplace"))
    done = 0
    with _store(maker, cache) as store:
        for start in range(0, len(folder.files), _CHUNK):
            names = folder.files[start : start + _CHUNK]
            paths = folder.paths[start : start + _CHUNK]
            keys = in_threads(lambda path: _key(path, maker.identity), list(paths))
            vectors = store.get([key for key in keys if isinstance(key, bytes)])
            where = {key: path for key, path in zip(keys, paths, strict=True) if key not in vectors}
            missing = [(key, path) for key, path in where.items() if isinstance(key, bytes)]
            callback(done + len(names) - len(missing), len(folder.files))
            batches = [missing[i : i + _BATCH] for i in range(0, len(missing), _BATCH)]
            content.update("".join(map(str, keys)).encode())
            reasons: dict[Any, str] = {key: key for key in keys if isinstance(key, str)}
            made = 0
            for batch, failed in read_and_work(maker.read, maker.make, batches, alone=True):
                store.put(batch)
                vectors |= batch
                reasons |= failed
                made += len(batch) + len(failed)
                callback(done + len(names) - len(missing) + made, len(folder.files))
            done += len(names)
            for name, key in zip(names, keys, strict=True):
                if key in vectors:
                    if rows is None:
                        rows = _Rows(len(folder.files), len(vectors[key]), scratch)
                    rows.add(maker.row(vectors[key]))
                else:
                    broken[name] = reasons[key]
    if rows is None:
        raise ValueError(
            f"none of the {len(folder.files)} pictures in {folder.root} can be read"
            + (f", the first because of: {next(iter(broken.values()))}." if broken else ".")
        )
    return FolderFeatures(rows.all(), folder.without(broken), recipe, content.hexdigest())


def _key(path: Path, recipe: str) -> bytes | str:
    """Return what tells a picture by its content; a text if it cannot be read, the reason."""
    try:
        with open(path, "rb") as file:
            content = hashlib.file_digest(file, "sha256").digest()
    except OSError as error:
        return error.strerror or "it cannot be read"
    return _key_of(content, recipe)


def _key_of(content: bytes, recipe: str) -> bytes:
    return hashlib.sha256(recipe.encode() + content).digest()


class _Rows:
    """Rows that come one after the other; in a file if there are too many for memory."""

    def __init__(self, most: int, width: int, scratch: Path | None) -> None:
        self.count = 0
        self.values: np.ndarray
        if scratch is not None and 4 * most * width > allowed_bytes(0.1, _HELD):
            scratch.mkdir(exist_ok=True)
            file = scratch / "features.npy"
            self.values = np.lib.format.open_memmap(file, "w+", np.float32, (most, width))
        else:
            self.values = np.empty((most, width), dtype=np.float32)

    def add(self, row: np.ndarray) -> None:
        self.values[self.count] = row
        self.count += 1

    def all(self) -> np.ndarray:
        if isinstance(self.values, np.memmap):
            self.values.flush()
        return self.values[: self.count]


@dataclass(frozen=True)
class _Maker:
    """Makes vectors of a kind: reads files, and turns what was read into vectors.

    Attributes
    ----------
    identity : str
        What decides the vector of a picture, besides its content.
    store : str
        Name of the file that keeps vectors.
    dtype : str
        Of the vectors there.
    size : tuple (height, width)
        That pictures are brought to.
    color : bool
        Whether they have three colours.
    embed : callable
        From pictures to vectors.
    """

    identity: str
    store: str
    dtype: str
    size: tuple[int, int]
    color: bool
    embed: Callable[[np.ndarray], np.ndarray]

    def read(self, batch: list[tuple[bytes, Path]]) -> tuple[list[bytes], list, dict[bytes, str]]:
        """Return keys and pictures of a batch, and why others could not be read."""
        keys, pictures, failed = [], [], {}
        read = read_color if self.color else read_gray
        for key, path in batch:
            try:
                content = path.read_bytes()
                if _key_of(hashlib.sha256(content).digest(), self.identity) != key:
                    raise UnreadablePicture("it was changed while it was read")
                pictures.append(read(io.BytesIO(content), self.size))
                keys.append(key)
            except (UnreadablePicture, OSError) as error:
                failed[key] = str(error)
        return keys, pictures, failed

    def make(
        self, found: tuple[list[bytes], list, dict[bytes, str]]
    ) -> tuple[dict[bytes, np.ndarray], dict[bytes, str]]:
        """Return the vectors of a batch that was read."""
        keys, pictures, failed = found
        if not keys:
            return {}, failed
        return dict(zip(keys, self.embed(np.stack(pictures)), strict=True)), failed

    def row(self, vector: np.ndarray) -> np.ndarray:
        """Return a vector as it goes into X: pixels between 0 and 1."""
        return vector / np.float32(255) if self.dtype == "u1" else vector


def _maker(recipe: FeatureRecipe) -> _Maker:
    if recipe.image_shape is not None:
        height, width = recipe.image_shape[:2]
        return _Maker(
            f"{_PIXELS}{recipe.image_shape}",
            "pixels.sqlite",
            "u1",
            (height, width),
            recipe.color,
            lambda pictures: pictures.reshape(len(pictures), -1),
        )
    assert recipe.model is not None
    network = load_network(recipe.model)
    network_identity = identity(recipe.model)
    # By content: a file of the user's is the same network wherever it lies.
    name = LITE0
    if recipe.model != LITE0:
        name = hashlib.sha256(network_identity.encode()).hexdigest()[:16]
    return _Maker(
        f"{network_identity}|file|",
        f"{name}-files.sqlite",
        "<f4",
        network.size,
        True,
        network.embed,
    )


def _store(maker: _Maker, cache: bool | str | os.PathLike) -> Any:
    from ..features._store import FeatureStore  # SQLite is imported by who uses it

    folder = user_path(cache) if not isinstance(cache, bool) else cache_folder() / "features"
    return FeatureStore(None if cache is False else folder / maker.store, maker.dtype)
