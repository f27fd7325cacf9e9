"""From what the sources offer to the files of the catalog, one function per kind of source."""

import io
import re
import shutil
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

from ._catalog import Entry, Source
from ._dataset import encode
from ._download import DownloadError, Progress, downloaded
from ._openml import fetch_openml
from ._pictures import MOST_BYTES, opened_picture, pillow, read_member
from ._readers import read_mat
from ._storage import compact, save_npz

__all__ = ["CONVERTERS"]

_MOST_PHOTOGRAPHS = 1 << 31  # bytes of all photographs of an archive

Converter = Callable[[Source, Entry, Path, Progress | None], None]


def _copy(source: Source, entry: Entry, target: Path, progress: Progress | None) -> None:
    """Take the very file of the catalog."""
    with downloaded(source.url, source.digest, target, progress) as file:
        shutil.copyfile(file, target)  # a rename would put a file there that nobody holds


def _mat(source: Source, entry: Entry, target: Path, progress: Progress | None) -> None:
    """Convert a MATLAB file with pictures column by column."""
    with downloaded(source.url, source.digest, target, progress) as file:
        values, labels = read_mat(file)
    height, width = entry.image_shape
    if values.shape[1] != height * width:
        raise DownloadError(f"{source.url}: pictures of {values.shape[1]} pixels")
    X = values.reshape(-1, width, height).transpose(0, 2, 1).reshape(len(values), -1)
    y, classes = encode(labels, len(X))
    save_npz(target, compact(X), y, entry.image_shape, classes)


def _numbered_pictures(
    source: Source, entry: Entry, target: Path, progress: Progress | None
) -> None:
    """Convert a zip file of colour pictures ``obj7__355.png``, this one of class 7, to gray."""
    image = pillow()  # before the download
    height, width = entry.image_shape
    name = re.compile(r"obj(\d+)__(\d+)\.png$")
    with (
        downloaded(source.url, source.digest, target, progress) as file,
        zipfile.ZipFile(file) as archive,
    ):
        found = sorted(
            (int(match[1]), int(match[2]), member)
            for member in archive.namelist()
            if (match := name.search(member)) and "__MACOSX" not in member
        )
        rows = []
        for _, _, member in found:
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
    y, classes = encode([number for number, _, _ in found], len(X))
    save_npz(target, X, y, entry.image_shape, classes)


def _packed_photographs(
    source: Source, entry: Entry, target: Path, progress: Progress | None
) -> None:
    """Repack a zip file around a tar file of photographs in folders, in colour."""
    with (
        downloaded(source.url, source.digest, target, progress) as file,
        zipfile.ZipFile(file) as outer,
        outer.open(_inner(outer, source)) as packed,
        tarfile.open(fileobj=packed, mode="r|gz") as photographs,
        zipfile.ZipFile(target, "w") as archive,  # JPEG files do not shrink further
    ):
        written = 0
        for member in photographs:
            path = Path(member.name)
            if (
                member.isfile()
                and path.suffix == ".jpg"
                and path.parent.name not in entry.no_classes
            ):
                written += member.size
                if member.size > MOST_BYTES or written > _MOST_PHOTOGRAPHS:
                    raise DownloadError(f"{source.url}: its photographs are too large")
                content = photographs.extractfile(member)
                assert content is not None  # a plain file has content
                archive.writestr(f"{path.parent.name}/{path.name}", content.read())


def _inner(outer: zipfile.ZipFile, source: Source) -> str:
    for name in outer.namelist():
        if name.endswith(".tar.gz") and "__MACOSX" not in name:
            return name
    raise DownloadError(f"{source.url}: no .tar.gz file inside")


CONVERTERS: dict[str, Converter] = {
    "copy": _copy,
    "mat": _mat,
    "openml": fetch_openml,
    "numbered_pictures": _numbered_pictures,
    "packed_photographs": _packed_photographs,
}
