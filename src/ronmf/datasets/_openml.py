"""Datasets of OpenML: a description in JSON, a table in ARFF that it names, and what to do with it.

Numbers are read by NumPy: readers of ARFF in Python take three times the memory and longer.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from . import _limits as limits
from ._catalog import Source
from ._download import downloaded

__all__ = ["METHODS", "read_arff", "read_table", "table_source"]

_ATTRIBUTE = re.compile(r"""@attribute\s+('[^']*'|"[^"]*"|[^\s'"]+)""", re.IGNORECASE)

Table = tuple[np.ndarray, np.ndarray]
"""Samples x features, and labels."""


def table_source(source: Source, target: Path) -> tuple[Source, str]:
    """Return where a description says that the table is, and which of its columns has labels."""
    with downloaded(source.url, "", target, most_bytes=limits.DESCRIPTION_BYTES) as file:
        try:
            about = json.loads(file.read_bytes())["data_set_description"]
            url, label = str(about["url"]), str(about["default_target_attribute"])
            md5 = about.get("md5_checksum")
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise ValueError("no description of a dataset") from error
    return Source(url, source.kind, f"md5:{md5}" if md5 else ""), label


def read_table(path: Path, label: str, prepare: Mapping[str, Any]) -> Table:
    """Read a table, and make the dataset of the catalog from it.

    Parameters
    ----------
    path : path
        The table.
    label : str
        Name of the column of labels.
    prepare : mapping
        The name of one of `METHODS` and its options; empty if nothing is to be done.
    """
    X, labels = read_arff(path, label)
    if not prepare:
        return X, labels
    options = dict(prepare)
    return METHODS[options.pop("method")](X, labels, **options)


def read_arff(path: Path, label: str) -> Table:
    """Numbers and labels of a dense ARFF table.

    Parameters
    ----------
    path : path
        The table.
    label : str
        Name of the column of labels.
    """
    columns: list[str] = []
    with path.open(encoding="utf-8", errors="replace") as file:
        for lines, line in enumerate(file, start=1):  # noqa: B007 -- used after the loop
            if match := _ATTRIBUTE.match(line.strip()):
                columns.append(match[1].strip("'\""))
            elif line.strip().lower() == "@data":
                break
    if label not in columns:
        raise ValueError(f"the table has no column {label} of labels")
    own = columns.index(label)
    rest = [column for column in range(len(columns)) if column != own]
    form: Any = {"delimiter": ",", "comments": "%", "quotechar": "'", "encoding": "utf-8"}
    X = np.loadtxt(path, np.float32, skiprows=lines, usecols=rest, ndmin=2, **form)
    labels = np.loadtxt(path, str, skiprows=lines, usecols=own, ndmin=1, **form)
    try:
        return X, labels.astype(float)  # so that 10 comes after 9
    except ValueError:
        return X, labels


def first_of_each(X: np.ndarray, labels: np.ndarray, *, rows: int, n: int) -> Table:
    """Take the first `n` samples of each class among the first `rows`, in their order.

    Examples
    --------
    >>> X, labels = np.arange(5)[:, None], np.array([1, 0, 1, 0, 1])
    >>> first_of_each(X, labels, rows=4, n=1)[1].tolist()
    [1, 0]
    """
    labels = labels[:rows]
    rows_taken = np.sort(
        np.concatenate([np.flatnonzero(labels == value)[:n] for value in np.unique(labels)])
    )
    return X[rows_taken], labels[rows_taken]


def count_from_zero(X: np.ndarray, labels: np.ndarray) -> Table:
    """Count the classes from 0 instead of 1.

    Examples
    --------
    >>> count_from_zero(np.eye(2), np.array([1.0, 10.0]))[1].tolist()
    [0.0, 9.0]
    """
    return X, labels.astype(float) - 1


def block_means(
    X: np.ndarray, labels: np.ndarray, *, full: tuple[int, int], small: tuple[int, int]
) -> Table:
    """Shrink pictures of `full` size to `small`, by means over blocks of pixels.

    Whether pixels go by rows or by columns shows in the pictures: read in the wrong order, a
    picture that is not square falls into stripes, so the smoother reading is the right one.

    Examples
    --------
    >>> X = np.array([[0.0, 0.2, 0.4, 0.6, 0.1, 0.3, 0.5, 0.7]])
    >>> block_means(X, np.array([0]), full=(2, 4), small=(1, 2))[0].round(2).tolist()
    [[0.15, 0.55]]
    """
    height, width = full
    if X.shape[1] != height * width:
        raise ValueError(f"the pictures have {X.shape[1]} pixels, not {height} x {width}")
    by_rows = X.reshape(-1, height, width)
    by_columns = X.reshape(-1, width, height).transpose(0, 2, 1)

    def roughness(pictures: np.ndarray) -> float:
        return float(sum(np.abs(np.diff(pictures, axis=axis)).mean() for axis in (1, 2)))

    upright = min(by_rows, by_columns, key=roughness)
    rows, columns = small
    blocks = upright.reshape(-1, rows, height // rows, columns, width // columns)
    return blocks.mean(axis=(2, 4)).reshape(len(X), -1), labels


METHODS = {each.__name__: each for each in (block_means, count_from_zero, first_of_each)}
"""What a table may need before it is the dataset of the catalog, by the names in the catalog."""
