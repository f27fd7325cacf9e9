"""Datasets of OpenML: a description in JSON, and a table in ARFF that it names."""

import json
import re
from pathlib import Path

import numpy as np

from ._catalog import Entry, Source
from ._dataset import encode
from ._download import DownloadError, Progress, downloaded
from ._storage import compact, save_npz

__all__ = ["fetch_openml", "read_arff"]

_LONGEST_DESCRIPTION = 1 << 20  # bytes
_ATTRIBUTE = re.compile(r"""@attribute\s+('[^']*'|"[^"]*"|[^\s'"]+)""", re.IGNORECASE)


def fetch_openml(source: Source, entry: Entry, target: Path, progress: Progress | None) -> None:
    """Download a dataset of OpenML and write it to `target` as the catalog has it."""
    with downloaded(source.url, "", target, most_bytes=_LONGEST_DESCRIPTION) as file:
        try:
            about = json.loads(file.read_bytes())["data_set_description"]
            url, label = str(about["url"]), str(about["default_target_attribute"])
            md5 = about.get("md5_checksum")
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise DownloadError(f"{source.url}: no description of a dataset") from error
    digest = f"md5:{md5}" if md5 else ""
    with downloaded(url, digest, target, progress, named_by=source.url) as file:
        X, labels = read_arff(file, label)
    if entry.prepare is not None:
        X, labels = entry.prepare(X, labels)
    y, classes = encode(labels, len(X))
    save_npz(target, compact(X), y, entry.image_shape, classes)


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
    own = columns.index(label)
    rest = [column for column in range(len(columns)) if column != own]

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

    X, labels = np.atleast_2d(read(rest, np.float32)), np.atleast_1d(read([own], str))
    try:
        return X, labels.astype(float)  # so that 10 comes after 9
    except ValueError:
        return X, labels
