"""Load a dataset by its name or its path."""

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ..system.cache import cache_folder
from ..system.files import user_path
from ..system.suggestions import did_you_mean
from ._catalog import CATALOG, Entry, entry_of
from ._dataset import Dataset, build
from ._fetching import download_entry
from ._folders import from_folder
from ._locations import find
from ._photographs import read_photographs
from ._readers import from_mat, from_npz

__all__ = ["load", "load_any"]


def load(
    name: str,
    folder: str | os.PathLike | None = None,
    *,
    image_shape: tuple[int, int] | None = None,
    classes: Sequence[str] | None = None,
    per_class: int | None = None,
) -> Dataset:
    """Load a dataset of the catalog.

    It is looked for in `folder`, or else in the folder that the environment variable ``RONMF_DATA``
    names, then in the cache, and at last on the network; a download stays in the cache.

    Parameters
    ----------
    name : str
        ``"umist"``, ``"yale"``, ``"coil20"``, ``"coil100"``, ``"usps"``, ``"mnist"``, ``"orl10p"``,
        ``"cal101"`` or ``"digits"``.
    folder : str or path, optional
        Folder with ``yale.npz``, ``cal101.zip`` and so on, or ``Yale.mat`` and so on.
    image_shape : tuple (height, width), optional
        For ``"cal101"`` only, whose photographs differ in size: the size they get, 64 x 64 if None.
    classes : sequence of str, optional
        For ``"cal101"`` only: these classes alone.
    per_class : int, optional
        For ``"cal101"`` only: at most so many pictures per class.

    Returns
    -------
    Dataset

    Raises
    ------
    FileNotFoundError
        If the dataset is nowhere; the text says which file to put where.

    Examples
    --------
    >>> from ronmf.datasets import load
    >>> digits = load("digits")
    >>> digits.X.shape, float(digits.X.max()), digits.image_shape
    ((1797, 64), 1.0, (8, 8))
    """
    entry = entry_of(name)
    options = {"image_shape": image_shape, "classes": classes, "per_class": per_class}
    if not entry.resizable and (given := [k for k, v in options.items() if v is not None]):
        able = " and ".join(each.name for each in CATALOG.values() if each.resizable)
        raise ValueError(f"{given[0]} is for {able} only: leave it out for {entry.name}.")
    if entry.bundled:
        return _bundled(entry)
    path = find(entry, folder)
    if path is None:
        advised = Path(folder) if folder is not None else cache_folder()
        path = download_entry(entry, cache_folder(), advised=advised)
    if entry.resizable:
        return read_photographs(entry, path, image_shape, classes, per_class)
    return _read_arrays(entry, path)


def load_any(name: str | os.PathLike, folder: str | os.PathLike | None = None) -> Dataset:
    """Load a dataset of the catalog, or your own file or folder.

    Parameters
    ----------
    name : str or path
        A name of the catalog; or a ``.npz`` file, a ``.mat`` file or a folder of pictures, as it is
        or inside `folder` (``"owls"`` also finds ``owls.npz`` and ``owls.mat`` there).
    folder : str or path, optional
        Folder of datasets; ``RONMF_DATA`` if None.

    Returns
    -------
    Dataset

    Examples
    --------
    >>> from ronmf.datasets import load_any
    >>> load_any("digits").X.shape
    (1797, 64)
    """
    if str(name).lower() in CATALOG:
        return load(str(name), folder)
    chosen = folder if folder is not None else os.environ.get("RONMF_DATA")
    paths = [user_path(name)]
    if chosen:
        base = user_path(chosen)
        paths += [base / name, base / f"{name}.npz", base / f"{name}.mat"]
    for path in paths:
        if path.is_dir():
            return from_folder(path)
        if path.is_file():
            return from_mat(path) if path.suffix.lower() == ".mat" else from_npz(path)
    raise FileNotFoundError(
        f"name is {str(name)!r}, which is no file, no folder and no dataset: choose one of"
        f" {', '.join(CATALOG)}, or give a path{did_you_mean(str(name), CATALOG) or '.'}"
    )


def _bundled(entry: Entry) -> Dataset:
    import sklearn.datasets

    values, y = getattr(sklearn.datasets, entry.bundled)(return_X_y=True)
    return build(entry.name, values, y, entry.image_shape)


def _read_arrays(entry: Entry, path: Path) -> Dataset:
    """Read the ``.npz`` or ``.mat`` file of an entry and check that it is what it should be."""
    is_mat = path.suffix.lower() == ".mat"
    dataset = from_mat(path, entry.image_shape) if is_mat else from_npz(path)
    if dataset.image_shape != entry.image_shape or (dataset.y < 0).any():
        raise ValueError(
            f"{path} is not {entry.name}: it should hold labelled pictures of "
            f"{entry.image_shape[0]} x {entry.image_shape[1]} pixels with their shape."
        )
    return replace(dataset, name=entry.name)
