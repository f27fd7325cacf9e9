"""Features of the pictures of a folder, one batch after the other, kept on disk as they come."""

import hashlib
import io
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..datasets import PictureFolder
from ..datasets._pictures import UnreadablePicture, read_color, read_gray
from ..features._networks import identity, load_network
from ..features._store import FeatureStore
from ..numerics.memory import allowed_bytes
from ..numerics.threads import in_threads, read_and_work
from ..system.cache import cache_folder
from ..system.files import user_path
from ..system.plain_text import counted, shown_name
from ..system.writing import open_to_write
from ._listing import no_picture_error
from ._recipes import FeatureRecipe

__all__ = ["FolderFeatures", "features_of", "read_features"]

_BATCH = 32  # pictures that go through a network at once, and are kept together
_CHUNK = 32 * _BATCH  # pictures that are looked up at once
_IN_MEMORY = 2**30  # bytes of features above which they go to a file
_READ = 2**29  # bytes of a file of features above which it is mapped: numbers may be of any type
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
    embedding = _Embedding(recipe)
    X, n_rows = np.empty(0, np.float32), 0
    broken: dict[str, str] = {}
    content = hashlib.sha256(repr(folder.files).encode("utf-8", "backslashreplace"))
    place = user_path(cache) if not isinstance(cache, bool) else cache_folder() / "features"
    file = None if cache is False else place / embedding.file
    with FeatureStore(file, embedding.dtype) as store:
        for name, key, vector in _vectors(folder, embedding, store, callback):
            content.update(str(key).encode())
            if isinstance(vector, str):
                broken[name] = vector
                continue
            if not n_rows:
                X = _empty((len(folder.files), len(vector)), scratch)
            X[n_rows] = embedding.row(vector)
            n_rows += 1
    readable = folder.without(broken)
    if not n_rows:
        raise no_picture_error(folder, readable.skipped[len(folder.skipped) :], "opened")
    if isinstance(X, np.memmap):
        X.flush()
    return FolderFeatures(X[:n_rows], readable, recipe, content.hexdigest())


def _vectors(
    folder: PictureFolder,
    embedding: "_Embedding",
    store: FeatureStore,
    callback: Callable[[int, int], Any],
) -> Iterator[tuple[str, bytes | str, np.ndarray | str]]:
    """Yield name, key and vector of each picture; the reason if it cannot be read."""
    n_all = len(folder.files)
    for start in range(0, n_all, _CHUNK):
        paths = folder.paths[start : start + _CHUNK]
        keys = in_threads(embedding.key, paths)
        vectors: dict[Any, Any] = store.get([key for key in keys if isinstance(key, bytes)])
        missing = [
            (key, path)
            for key, path in dict(zip(keys, paths, strict=True)).items()
            if isinstance(key, bytes) and key not in vectors
        ]
        n_done = start + len(paths) - len(missing)
        callback(n_done, n_all)
        batches = [missing[i : i + _BATCH] for i in range(0, len(missing), _BATCH)]
        for made in read_and_work(embedding.read, embedding.make, batches, alone=True):
            store.put({key: each for key, each in made.items() if not isinstance(each, str)})
            vectors |= made
            n_done += len(made)
            callback(n_done, n_all)
        for name, key in zip(folder.files[start : start + _CHUNK], keys, strict=True):
            yield name, key, vectors.get(key, key)


class _Embedding:
    """How a picture becomes a vector, by its pixels or a network; how it is read before.

    Attributes
    ----------
    identity : str
        What decides the vector of a picture, besides its content.
    file, dtype : str
        Name of the file that keeps vectors, and type of the numbers there.
    """

    def __init__(self, recipe: FeatureRecipe) -> None:
        self._read = read_color if recipe.color else read_gray
        self._embed: Callable[[np.ndarray], np.ndarray]
        if recipe.image_shape is not None:
            self.identity = f"{_PIXELS}{recipe.image_shape}"
            self.file, self.dtype = "pixels.sqlite", "u1"
            self._size = (recipe.image_shape[0], recipe.image_shape[1])
            self._embed = lambda pictures: pictures.reshape(len(pictures), -1)
            return
        assert recipe.model is not None
        network, name = load_network(recipe.model), recipe.model
        network_identity = identity(name)
        if recipe.own_network:  # by content: it is the same wherever it lies
            name = hashlib.sha256(network_identity.encode()).hexdigest()[:16]
        self.identity = f"{network_identity}|file|"
        self.file, self.dtype = f"{name}-files.sqlite", "<f4"
        self._size, self._embed = network.size, network.embed

    def key(self, path: Path) -> bytes | str:
        """Return what tells a picture by its content; if it cannot be read, the reason."""
        try:
            with path.open("rb") as file:
                return self._key_of(hashlib.file_digest(file, "sha256"))
        except OSError as error:
            return error.strerror or "it cannot be read"

    def _key_of(self, content: Any) -> bytes:
        return hashlib.sha256(self.identity.encode() + content.digest()).digest()

    def read(self, batch: list[tuple[bytes, Path]]) -> dict[bytes, np.ndarray | str]:
        """Return the pictures of a batch by their keys, or why they cannot be read."""
        return {key: self._picture(key, path) for key, path in batch}

    def _picture(self, key: bytes, path: Path) -> np.ndarray | str:
        try:
            content = path.read_bytes()
            if self._key_of(hashlib.sha256(content)) != key:
                return "it was changed while it was read"
            return self._read(io.BytesIO(content), self._size)
        except (UnreadablePicture, OSError) as error:
            return str(error)

    def make(self, batch: dict[bytes, np.ndarray | str]) -> dict[bytes, np.ndarray | str]:
        """Return the vectors of a batch that was read, and why some could not be."""
        pictures = {key: each for key, each in batch.items() if not isinstance(each, str)}
        if not pictures:
            return batch
        vectors = self._embed(np.stack(list(pictures.values())))
        return batch | dict(zip(pictures, vectors, strict=True))

    def row(self, vector: np.ndarray) -> np.ndarray:
        """Return a vector as it goes into X: pixels between 0 and 1."""
        return vector / np.float32(255) if self.dtype == "u1" else vector


def _empty(shape: tuple[int, int], scratch: Path | None) -> np.ndarray:
    """Return an array for features; in a file if it is too large for memory."""
    if scratch is None or 4 * shape[0] * shape[1] <= allowed_bytes(0.1, _IN_MEMORY):
        return np.empty(shape, np.float32)
    scratch.mkdir(exist_ok=True)
    file = scratch / "features.npy"
    open_to_write(file, "wb").close()
    return np.lib.format.open_memmap(file, "w+", np.float32, shape)


def read_features(path: str | os.PathLike, folder: PictureFolder) -> FolderFeatures:
    """Open a ``.npy`` file with one row for each picture of a folder, in their order."""
    file = user_path(path)
    given = f"features is {shown_name(file)}"
    if not file.is_file():
        raise FileNotFoundError(f"{given}, which is not a file.")
    if file.suffix.lower() != ".npy":
        raise ValueError(f"{given}; rows of numbers come in a .npy file.")
    try:
        X = np.load(file, mmap_mode="r", allow_pickle=False)
    except (ValueError, OSError, EOFError):
        X = None
    if not isinstance(X, np.ndarray):
        raise ValueError(f"{given}, which is no array of numbers that np.save wrote.")
    if X.ndim < 2 or X.dtype.kind not in "fiu":
        raise ValueError(
            f"{given}, an array of shape {X.shape} and type {X.dtype}; it needs a row of numbers"
            " for each picture."
        )
    if X.shape[0] != len(folder.files):
        raise ValueError(
            f"{given}, which has {counted(X.shape[0], 'row')} for"
            f" {counted(len(folder.files), 'picture')}; give one row per picture, in the order of"
            " their names."
        )
    if X.nbytes <= _READ:
        X = np.array(X)
        if not np.isfinite(X).all():
            raise ValueError(f"{given}, which has NaN or infinite numbers.")
    state = file.stat()
    digest = f"{file.resolve()}/{state.st_size}/{state.st_mtime_ns}"
    return FolderFeatures(X, folder, None, digest)
