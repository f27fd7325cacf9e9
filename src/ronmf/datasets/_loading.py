"""Load a dataset by its name or its path."""

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ..system.cache import cache_folder
from ..system.suggestions import did_you_mean
from ._arrays import read_arrays
from ._catalog import CATALOG, Entry
from ._dataset import Dataset, build
from ._fetching import download_entry
from ._folders import from_folder
from ._locations import find, own_path
from ._photographs import read_photographs

__all__ = ["load"]


def load(
    name: str | os.PathLike,
    folder: str | os.PathLike | None = None,
    *,
    image_shape: tuple[int, int] | None = None,
    classes: Sequence[str] | None = None,
    per_class: int | None = None,
) -> Dataset:
    """Load a dataset of the catalog, or your own file or folder.

    A dataset of the catalog is looked for in `folder`, or else in the folder that the environment
    variable ``RONMF_DATA`` names, then in the cache, and at last on the network; a download stays
    in the cache.

    Parameters
    ----------
    name : str or path
        ``"umist"``, ``"yale"``, ``"coil20"``, ``"coil100"``, ``"usps"``, ``"mnist"``, ``"orl10p"``,
        ``"cal101"`` or ``"digits"``. Else a ``.npz`` file, a ``.mat`` file or a folder of pictures,
        as it is or inside `folder` (``"owls"`` also finds ``owls.npz`` and ``owls.mat`` there).
    folder : str or path, optional
        Folder with ``yale.npz``, ``cal101.zip`` and so on, or ``Yale.mat`` and so on;
        ``RONMF_DATA`` if None.
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
    entry = CATALOG.get(str(name).lower())
    options = {"image_shape": image_shape, "classes": classes, "per_class": per_class}
    given = [option for option, value in options.items() if value is not None]
    if given and not (entry is not None and entry.resizable):
        able = " and ".join(each.name for each in CATALOG.values() if each.resizable)
        called = name if entry is None else entry.name
        raise ValueError(f"{given[0]} is for {able} only: leave it out for {called}.")
    if entry is None:
        return _load_own(name, folder)
    if entry.bundled:
        return _load_bundled(entry)
    path = find(entry.name, folder)
    if path is None:
        advised = Path(folder) if folder is not None else cache_folder()
        path = download_entry(entry, cache_folder(), advised=advised)
    if entry.resizable:
        return read_photographs(entry, path, image_shape, classes, per_class)
    dataset = read_arrays(path, entry.image_shape)
    if dataset.image_shape != entry.image_shape or (dataset.y < 0).any():
        raise ValueError(
            f"{path} is not {entry.name}: it should hold labelled pictures of "
            f"{entry.image_shape[0]} x {entry.image_shape[1]} pixels with their shape."
        )
    return replace(dataset, name=entry.name)


def _load_own(name: str | os.PathLike, folder: str | os.PathLike | None) -> Dataset:
    path = own_path(name, folder)
    if path is not None and path.is_dir():
        return from_folder(path)
    if path is not None and path.is_file():
        return read_arrays(path)
    raise FileNotFoundError(
        f"name is {str(name)!r}, which is no file, no folder and no dataset: choose one of"
        f" {', '.join(CATALOG)}, or give a path{did_you_mean(str(name), CATALOG) or '.'}"
    )


def _load_bundled(entry: Entry) -> Dataset:
    import sklearn.datasets

    values, y = getattr(sklearn.datasets, entry.bundled)(return_X_y=True)
    return build(entry.name, values, y, entry.image_shape)
