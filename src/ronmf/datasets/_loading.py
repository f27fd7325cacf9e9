"""Load a dataset by its name."""

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ..system.cache import cache_folder
from ._caltech import read_caltech
from ._catalog import Entry, entry_of
from ._dataset import Dataset, build
from ._fetching import download_entry
from ._locations import find
from ._readers import from_mat, from_npz

__all__ = ["load", "read_arrays"]


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
        For ``"cal101"`` only: at most so many pictures a class.

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
    if entry.name != "cal101" and (given := [k for k, v in options.items() if v is not None]):
        raise ValueError(f"{given[0]} is for cal101 only: leave it out for {entry.name}.")
    if entry.name == "digits":
        return _digits()
    path = find(entry, folder)
    if path is None:
        advised = Path(folder) if folder is not None else cache_folder()
        path = download_entry(entry, cache_folder(), advised=advised)
    if entry.name == "cal101":
        return read_caltech(path, image_shape, classes, per_class)
    return read_arrays(path, entry)


def read_arrays(path: Path, entry: Entry) -> Dataset:
    """Read the ``.npz`` or ``.mat`` file of an entry and check that it is what it should be."""
    is_mat = path.suffix.lower() == ".mat"
    dataset = from_mat(path, entry.image_shape) if is_mat else from_npz(path)
    if dataset.image_shape != entry.image_shape or (dataset.y < 0).any():
        raise ValueError(
            f"{path} is not {entry.name}: it should hold labelled pictures of "
            f"{entry.image_shape[0]} x {entry.image_shape[1]} pixels with their shape."
        )
    return replace(dataset, name=entry.name)


def _digits() -> Dataset:
    from sklearn.datasets import load_digits

    values, y = load_digits(return_X_y=True)
    return build("digits", values, y, (8, 8))
