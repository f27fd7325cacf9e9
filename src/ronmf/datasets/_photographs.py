"""Photographs of many sizes in one zip file, one folder per class."""

import hashlib
import io
import zipfile
from collections.abc import Collection, Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np

from ..system.cache import cache_folder
from ._catalog import Entry
from ._dataset import Dataset, build
from ._pictures import check_shape, read_many, read_member
from ._readers import from_npz
from ._storage import save_npz

__all__ = ["class_of", "members", "read_photographs"]


def members(path: Path, no_classes: Collection[str] = ()) -> list[zipfile.ZipInfo]:
    """List the pictures of the archive, by class and name, without folders that are no class."""
    try:
        with zipfile.ZipFile(path) as archive:
            found = [
                info
                for info in archive.infolist()
                if info.filename.lower().endswith((".jpg", ".jpeg", ".png"))
                and "__MACOSX" not in info.filename
                and class_of(info) not in ("", *no_classes)
            ]
    except OSError:
        raise  # not of the content: it cannot be read at all
    except Exception as error:  # zipfile lets errors of struct and others through
        raise ValueError(f"{path} is no readable zip file: fetch or copy it again.") from error
    if not found:
        raise ValueError(f"{path} holds no picture: it should hold one folder per class.")
    return sorted(found, key=lambda info: (class_of(info), info.filename))


def class_of(info: zipfile.ZipInfo) -> str:
    """Return the folder a picture lies in."""
    return Path(info.filename).parent.name


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
    chosen = _choose(members(path, entry.no_classes), classes, per_class)
    # Names and checksums of the pictures say which arrays these are, wherever the archive lies.
    content = "\n".join(f"{info.filename} {info.CRC:08x}" for info in chosen)
    digest = hashlib.sha256(content.encode()).hexdigest()[:12]
    kept_at = cache_folder() / f"{entry.name}-{shape[0]}x{shape[1]}-{digest}.npz"
    if kept_at.is_file():
        with suppress(ValueError):  # an unreadable file is written anew
            kept = from_npz(kept_at)
            return Dataset(entry.name, kept.X, kept.y, kept.classes, kept.image_shape)
    with zipfile.ZipFile(path) as archive:
        values, readable = read_many(
            [info.filename for info in chosen],
            lambda name: io.BytesIO(read_member(archive, name)),
            shape,
        )
    if not readable.any():
        raise ValueError(f"None of the {len(chosen)} pictures in {path} can be read.")
    labels = np.array([class_of(info) for info in chosen])[readable]
    dataset = build(entry.name, values, labels, shape)
    if readable.all():  # else the warning should come again
        with suppress(OSError):  # without a cache the next reading is slow, not wrong
            save_npz(kept_at, values, dataset.y, shape, dataset.classes)
    return dataset


def _choose(
    found: list[zipfile.ZipInfo], classes: Sequence[str] | None, per_class: int | None
) -> list[zipfile.ZipInfo]:
    present = {class_of(info) for info in found}
    wanted = present if classes is None else {classes} if isinstance(classes, str) else set(classes)
    if not wanted or (unknown := sorted(wanted - present)):
        what = (
            f"has {unknown[0]!r}, which is none of the {len(present)} classes"
            if wanted
            else "is empty"
        )
        raise ValueError(f"classes {what}: name folders of the zip file, such as {min(present)}.")
    if per_class is not None and per_class < 1:
        raise ValueError(f"per_class is {per_class}: give a whole number from 1, or None for all.")
    chosen, taken = [], dict.fromkeys(wanted, 0)
    for info in found:
        name = class_of(info)
        if name in wanted and (per_class is None or taken[name] < per_class):
            taken[name] += 1
            chosen.append(info)
    return chosen
