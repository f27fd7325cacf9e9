"""A dataset from a folder of picture files."""

import csv
import os
from pathlib import Path

import numpy as np

from ..system.files import user_path
from ._dataset import Dataset, build
from ._pictures import SUFFIXES, check_shape, picture_size, read_many

__all__ = ["from_folder"]

_LARGEST_SIDE = 64


def from_folder(
    path: str | os.PathLike,
    image_shape: tuple[int, int] | None = None,
    labels: str | os.PathLike | None = None,
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
        CSV file with the columns ``file`` (relative to `path`) and ``label``; an empty label, or a
        picture the table does not name, means unlabelled. The names of folders then do not count.

    Returns
    -------
    Dataset
        Gray pictures in the order of their names; ``y`` is -1 where unlabelled.

    Warns
    -----
    UserWarning
        Once, if pictures cannot be read; they are skipped.
    """
    root = user_path(path)
    if not root.is_dir():
        raise FileNotFoundError(f"path is {root}, which is not a folder.")
    shape = None if image_shape is None else check_shape(image_shape)
    given = None if labels is None else _read_labels(user_path(labels))
    # With a table, pictures may lie at any depth; without, a class is a folder directly in root.
    names = sorted(
        file.relative_to(root).as_posix()
        for pattern in (["**/*"] if given is not None else ["*", "*/*"])
        for file in root.glob(pattern)
        if file.suffix.lower() in SUFFIXES and not file.name.startswith(".") and file.is_file()
    )
    if given is not None and (absent := sorted(set(given) - set(names))):
        raise ValueError(
            f"labels names {len(absent)} files that are no pictures in {root}, "
            f"the first of them {absent[0]}: correct the column file."
        )
    if not names:
        raise ValueError(f"path is {root}, which holds no picture: put one folder per class there.")
    shape = shape or _median_shape(root, names)
    values, kept = read_many(names, lambda name: root / name, shape)
    if not kept.any():
        raise ValueError(f"None of the {len(names)} pictures in {root} can be read.")
    if given is not None:
        classes = [given.get(name, "") for name in names]
    else:
        classes = [name.rpartition("/")[0] for name in names]
    return build(root.resolve().name, values, np.array(classes)[kept], shape)


def _read_labels(path: Path) -> dict[str, str]:
    """Return the label of each file that the table names."""
    if not path.is_file():
        raise FileNotFoundError(f"labels is {path}, which is not a file.")
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            table = csv.DictReader(file, skipinitialspace=True)
            if not {"file", "label"} <= set(table.fieldnames or ()):
                raise ValueError(f"labels is {path}, whose first line must be: file,label")
            return {
                row["file"].strip().replace("\\", "/"): (row["label"] or "").strip()
                for row in table
                if row["file"]
            }
    except (UnicodeDecodeError, csv.Error) as error:
        raise ValueError(f"labels is {path}, which is no CSV file in UTF-8: {error}.") from error


def _median_shape(root: Path, names: list[str]) -> tuple[int, int]:
    sizes = [size for name in names if (size := picture_size(root / name)) is not None]
    if not sizes:
        raise ValueError(f"None of the {len(names)} pictures in {root} can be read.")
    height, width = np.median(np.array(sizes), axis=0)
    shrink = min(1.0, _LARGEST_SIDE / max(height, width))
    return max(1, round(height * shrink)), max(1, round(width * shrink))
