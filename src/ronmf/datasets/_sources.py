"""From what the sources offer to the files of the catalog."""

import io
import re
import shutil
import tarfile
import zipfile
from pathlib import Path

import numpy as np

from . import _limits as limits
from ._arrays import read_matrix, rows_from_columns, save_npz
from ._catalog import Entry, Source
from ._dataset import encode
from ._download import Progress, downloaded
from ._openml import read_table, table_source
from ._pictures import opened_picture, pillow, read_member

__all__ = ["convert"]

_NUMBERED = re.compile(r"obj(\d+)__(\d+)\.png$")

Table = tuple[np.ndarray, np.ndarray | list[int] | None]
"""Samples x features, and their labels."""


def convert(source: Source, entry: Entry, target: Path, progress: Progress | None = None) -> None:
    """Download from a source, and write what it offers to `target` as the catalog has it.

    Parameters
    ----------
    source : Source
        Where from.
    entry : Entry
        What it should become.
    target : path
        Where to write.
    progress : callable, optional
        Called with the bytes received and the bytes to come (None if unknown).
    """
    named_by = label = ""
    if source.kind == "openml":
        named_by, (source, label) = source.url, table_source(source, target)
    elif source.kind == "numbered_pictures":
        pillow()  # is needed later: better said before the download
    with downloaded(source.url, source.digest, target, progress, named_by=named_by) as file:
        match source.kind:
            case "copy":
                shutil.copyfile(file, target)  # a rename would put a file there that nobody holds
            case "mat":
                _save(target, entry, _read_mat(file, entry))
            case "openml":
                _save(target, entry, read_table(file, label, entry.prepare))
            case "numbered_pictures":
                _save(target, entry, _read_numbered_pictures(file, entry))
            case "packed_photographs":
                _repack_photographs(file, entry, target)


def _save(target: Path, entry: Entry, table: Table) -> None:
    X, labels = table
    y, classes = encode(labels, len(X))
    save_npz(target, X, y, entry.image_shape, classes)


def _read_mat(file: Path, entry: Entry) -> Table:
    values, labels = read_matrix(file)
    return rows_from_columns(values, entry.image_shape), labels


def _read_numbered_pictures(file: Path, entry: Entry) -> Table:
    """Read a zip file of colour pictures ``obj7__355.png``, this one of class 7, as gray values."""
    image = pillow()
    height, width = entry.image_shape
    with zipfile.ZipFile(file) as archive:
        members = sorted(
            (int(match[1]), int(match[2]), member)
            for member in archive.namelist()
            if (match := _NUMBERED.search(member)) and "__MACOSX" not in member
        )
        rows = []
        for _, _, member in members:
            with opened_picture(io.BytesIO(read_member(archive, member))) as picture:
                # Bilinear without smoothing, as in the reference copy: `resize` would smooth.
                small = picture.convert("RGB").transform(
                    (width, height),
                    image.Transform.AFFINE,
                    (picture.width / width, 0, 0, 0, picture.height / height, 0),
                    image.Resampling.BILINEAR,
                )
                rows.append(np.asarray(small, dtype=float) @ (0.299, 0.587, 0.114))
    X = np.round(np.array(rows)).astype(np.uint8).reshape(len(rows), -1)
    return X, [number for number, _, _ in members]


def _repack_photographs(file: Path, entry: Entry, target: Path) -> None:
    """Repack a zip file around a tar file of photographs in folders, in colour."""
    with zipfile.ZipFile(file) as outer:
        inner = next(
            (n for n in outer.namelist() if n.endswith(".tar.gz") and "__MACOSX" not in n), None
        )
        if inner is None:
            raise ValueError("no .tar.gz file inside")
        with (
            outer.open(inner) as packed,
            tarfile.open(fileobj=packed, mode="r|gz") as photographs,
            zipfile.ZipFile(target, "w") as archive,  # JPEG files do not shrink further
        ):
            written = 0
            for member in photographs:
                path = Path(member.name)
                name = path.parent.name
                if member.isfile() and path.suffix == ".jpg" and name not in entry.no_classes:
                    written += member.size
                    one_too_large = member.size > limits.ARCHIVED_PICTURE_BYTES
                    if one_too_large or written > limits.PHOTOGRAPHS_BYTES:
                        raise ValueError("its photographs are too large")
                    content = photographs.extractfile(member)
                    assert content is not None  # a plain file has content
                    archive.writestr(f"{name}/{path.name}", content.read())
