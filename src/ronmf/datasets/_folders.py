"""A dataset from a folder of picture files."""

import os
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from ._dataset import Dataset, build
from ._label_tables import read_label_table
from ._listing import PictureFolder, list_pictures
from ._pictures import check_shape, picture_size, read_many

__all__ = ["from_folder", "median_shape"]

_LARGEST_SIDE = 64


def from_folder(
    path: str | os.PathLike,
    image_shape: tuple[int, int] | None = None,
    labels: str | os.PathLike | None = None,
    color: bool = False,
) -> Dataset:
    """Read your own pictures: one folder per class, or one folder and a table of labels.

    Parameters
    ----------
    path : str or path
        Folder with one folder per class. Pictures directly in it are unlabelled.
    image_shape : tuple (height, width), optional
        Size every picture is brought to. If None, the median height and the median width, shrunk
        together so that neither is above 64: more pixels cost time and seldom help to cluster.
    labels : str or path, optional
        Table with the columns ``file`` and ``label``, see :func:`read_label_table`; an empty label,
        or a picture the table does not name, means unlabelled. The names of folders then do not
        count.
    color : bool, default=False
        Whether red, green and blue are kept: three times as many features.

    Returns
    -------
    Dataset
        Pictures in the order of their names, which ``files`` holds; ``y`` is -1 where unlabelled.

    Warns
    -----
    UserWarning
        Once, if pictures cannot be read; they are skipped.
    """
    shape = None if image_shape is None else check_shape(image_shape)
    folder = list_pictures(path)
    root = folder.root
    if not folder.files:
        raise ValueError(f"path is {root}, which holds no picture: put one folder per class there.")
    classes = folder.folder_labels() if labels is None else _table_labels(labels, folder)
    shape = shape or median_shape(folder.paths)
    if shape is not None:
        paths = dict(zip(folder.files, folder.paths, strict=True))
        values, readable = read_many(folder.files, paths.__getitem__, shape, color)
    if shape is None or not readable.any():
        raise ValueError(f"None of the {len(folder.files)} pictures in {root} can be read.")
    return build(
        root.resolve().name,
        values,
        np.array(classes)[readable],
        (*shape, 3) if color else shape,
        files=[name for name, read in zip(folder.files, readable, strict=True) if read],
    )


def _table_labels(labels: str | os.PathLike, folder: PictureFolder) -> list[str]:
    table = read_label_table(labels, folder)
    if table.unknown:
        raise ValueError(
            f"labels names {len(table.unknown)} files that are no pictures in {folder.root}, "
            f"the first of them {table.unknown[0]}: correct the column file."
        )
    return table.of(folder.files)


def median_shape(
    paths: Iterable[Path], largest_side: int = _LARGEST_SIDE
) -> tuple[int, int] | None:
    """Return the median height and width of pictures, shrunk together if one is too large.

    None if none of them is a picture.
    """
    sizes = [size for path in paths if (size := picture_size(path)) is not None]
    if not sizes:
        return None
    height, width = np.median(np.array(sizes), axis=0)
    shrink = min(1.0, largest_side / max(height, width))
    return max(1, round(height * shrink)), max(1, round(width * shrink))
