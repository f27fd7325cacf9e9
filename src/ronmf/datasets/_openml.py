"""Datasets of OpenML: a description in JSON, and a table in ARFF that it names."""

import json
import re
from pathlib import Path

import numpy as np

from ._catalog import Entry, Source
from ._dataset import encode
from ._download import DownloadError, Progress, downloaded
from ._storage import save_npz

__all__ = ["fetch_openml", "read_arff"]

_ATTRIBUTE = re.compile(r"""@attribute\s+('[^']*'|"[^"]*"|[^\s'"]+)""", re.IGNORECASE)
_DIGITS = np.array([str(digit) for digit in range(10)])


def fetch_openml(source: Source, entry: Entry, target: Path, progress: Progress | None) -> None:
    """Download a dataset of OpenML and write it to `target` as the catalog has it."""
    with downloaded(source.url, "", target.parent) as file:
        try:
            about = json.loads(file.read_bytes())["data_set_description"]
            url, label = about["url"], about["default_target_attribute"]
        except (ValueError, KeyError, TypeError) as error:
            raise DownloadError(f"{source.url}: no description of a dataset") from error
    md5 = about.get("md5_checksum")
    with downloaded(url, f"md5:{md5}" if md5 else "", target.parent, progress) as file:
        X, labels = read_arff(file, label)
    if entry.name == "mnist":
        X, labels = _first_of_each(X, labels, 60000, 2000)
        X = X.astype(np.uint8)
    elif entry.name == "umist":
        X = _shrink_faces(X)
    y, classes = encode(labels, len(X))
    # USPS counts its classes from 1 to 10: the digits 0 to 9.
    save_npz(target, X, y, entry.image_shape, _DIGITS if len(classes) == 10 else classes)


def read_arff(path: Path, label: str) -> tuple[np.ndarray, np.ndarray]:
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
    place = columns.index(label)
    rest = [column for column in range(len(columns)) if column != place]

    def read(which: list[int], dtype: type) -> np.ndarray:
        return np.loadtxt(
            path,
            delimiter=",",
            comments="%",
            quotechar="'",
            skiprows=lines,
            usecols=which,
            dtype=dtype,
            encoding="utf-8",
        )

    X, labels = np.atleast_2d(read(rest, np.float32)), np.atleast_1d(read([place], str))
    try:
        return X, labels.astype(float)  # so that 10 comes after 9
    except ValueError:
        return X, labels


def _first_of_each(
    X: np.ndarray, labels: np.ndarray, rows: int, n: int
) -> tuple[np.ndarray, np.ndarray]:
    """Take the first `n` samples of each class among the first `rows`, in their order."""
    labels = labels[:rows]
    chosen = np.sort(
        np.concatenate([np.flatnonzero(labels == value)[:n] for value in np.unique(labels)])
    )
    return X[chosen], labels[chosen]


def _shrink_faces(X: np.ndarray) -> np.ndarray:
    """UMIST in its full 112 x 92 to 28 x 23, by means over 4 x 4 pixels.

    Whether pixels go by rows or by columns shows in the pictures: read in the wrong order, a
    picture that is not square falls into stripes, so the smoother reading is the right one.
    """
    if X.shape[1] != 112 * 92:
        raise ValueError(f"the faces have {X.shape[1]} pixels, not 112 x 92")
    by_rows = X.reshape(-1, 112, 92)
    by_columns = X.reshape(-1, 92, 112).transpose(0, 2, 1)

    def roughness(pictures: np.ndarray) -> float:
        return float(sum(np.abs(np.diff(pictures, axis=axis)).mean() for axis in (1, 2)))

    upright = min(by_rows, by_columns, key=roughness)
    return upright.reshape(-1, 28, 4, 23, 4).mean(axis=(2, 4)).reshape(-1, 28 * 23)
