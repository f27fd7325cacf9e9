"""Photographs of many sizes in one zip file, one folder per class."""

import hashlib
import io
import zipfile
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np

from ..system.cache import cache_folder
from ._arrays import from_npz, save_npz
from ._catalog import Entry
from ._dataset import Dataset, build
from ._pictures import check_shape, read_many, read_member

__all__ = ["members", "read_photographs"]


def members(path: Path, no_classes: Collection[str] = ()) -> dict[str, list[zipfile.ZipInfo]]:
    """List the pictures of each class, sorted, without the folders that are no class."""
    pictures: dict[str, list[zipfile.ZipInfo]] = {}
    try:
        with zipfile.ZipFile(path) as archive:
            infos = sorted(archive.infolist(), key=lambda info: info.filename)
    except OSError:
        raise  # not of the content: it cannot be read at all
    except Exception as error:  # zipfile lets errors of struct and others through
        raise ValueError(f"{path} is no readable zip file: fetch or copy it again.") from error
    for info in infos:
        name = Path(info.filename).parent.name
        is_picture = info.filename.lower().endswith((".jpg", ".jpeg", ".png"))
        if is_picture and "__MACOSX" not in info.filename and name not in ("", *no_classes):
            pictures.setdefault(name, []).append(info)
    if not pictures:
        raise ValueError(f"{path} holds no picture: it should hold one folder per class.")
    return dict(sorted(pictures.items()))


def read_photographs(
    entry: Entry,
    path: Path,
    image_shape: tuple[int, int] | None = None,
    classes: Sequence[str] | None = None,
    per_class: int | None = None,
) -> Dataset:
    """Read the archive, gray and in one size; the arrays are kept in the cache for the next time.

    Parameters
    ----------
    entry : Entry
        The dataset.
    path : path
        Its zip file.
    image_shape : tuple (height, width), optional
        Size every picture is brought to; that of `entry` if None.
    classes : sequence of str, optional
        Only these classes.
    per_class : int, optional
        At most so many pictures per class, the first by name.
    """
    shape = check_shape(entry.image_shape if image_shape is None else image_shape)
    pictures = members(path, entry.no_classes)
    if per_class is not None and per_class < 1:
        raise ValueError(f"per_class is {per_class}: give a whole number from 1, or None for all.")
    names = _wanted(pictures, classes)
    labeled = [(name, info) for name in names for info in pictures[name][:per_class]]
    # Names and checksums of the pictures say which arrays these are, wherever the archive lies.
    content = "\n".join(f"{info.filename} {info.CRC:08x}" for _, info in labeled)
    digest = hashlib.sha256(content.encode()).hexdigest()[:12]
    cached = cache_folder() / f"{entry.name}-{shape[0]}x{shape[1]}-{digest}.npz"
    if cached.is_file():
        with suppress(ValueError):  # an unreadable file is written anew
            return replace(from_npz(cached), name=entry.name)
    with zipfile.ZipFile(path) as archive:
        values, readable = read_many(
            [info.filename for _, info in labeled],
            lambda name: io.BytesIO(read_member(archive, name)),
            shape,
        )
    if not readable.any():
        raise ValueError(f"None of the {len(labeled)} pictures in {path} can be read.")
    labels = np.array([name for name, _ in labeled])[readable]
    dataset = build(entry.name, values, labels, shape)
    if readable.all():  # else the warning should come again
        with suppress(OSError):  # without a cache the next reading is slow, not wrong
            save_npz(cached, values, dataset.y, shape, dataset.classes)
    return dataset


def _wanted(present: Collection[str], classes: Sequence[str] | None) -> list[str]:
    """Return the classes to read, in the order of their names."""
    if classes is None:
        return list(present)
    wanted = {classes} if isinstance(classes, str) else set(classes)
    if unknown := sorted(wanted.difference(present)):
        what = f"has {unknown[0]!r}, which is none of the {len(present)} classes"
    elif not wanted:
        what = "is empty"
    else:
        return sorted(wanted)
    raise ValueError(f"classes {what}: name folders of the zip file, such as {min(present)}.")
