"""From a folder of pictures to Zarr, and from Zarr to the workers of Dask.

    python examples/folder_to_dask.py FOLDER pictures.zarr --side 64
    python examples/folder_to_dask.py                      # without a folder: digits, as a trial

Sub-folders are classes; pictures directly in FOLDER are not labelled. The first step reads every
picture once, turns it upright and gray, brings it to one size and writes blocks of bytes; broken
pictures are named and left out. The second fits on two worker processes: the data stay there.
"""

import argparse
import sys
import tempfile
from pathlib import Path

import dask.array as da
import numpy as np
import zarr
from dask.distributed import Client, LocalCluster
from PIL import Image, ImageOps
from sklearn.datasets import load_digits

from ronmf import RONMF

BLOCK = 2**24  # bytes of pictures in a block: what a worker has in memory at a time


def digits(folder: Path) -> Path:
    """Write scikit-learn's digits as pictures: every tenth in a folder of its class."""
    found = load_digits()
    for i, (picture, name) in enumerate(zip(found.images, found.target, strict=True)):
        place = folder / str(name) if i % 10 == 0 else folder
        place.mkdir(exist_ok=True)
        Image.fromarray((15.9 * picture).astype(np.uint8)).save(place / f"{i:04d}.png")
    return folder


def write(folder: Path, path: Path, side: int) -> list[str]:
    """Write all pictures of a folder to Zarr; return the class of each, "" where it has none."""
    files = sorted(file for file in folder.rglob("*") if file.is_file())
    rows = max(1, BLOCK // side**2)
    shape, chunks = (len(files), side, side), (rows, side, side)
    stored = zarr.create_array(str(path), shape=shape, chunks=chunks, dtype="uint8", overwrite=True)
    classes: list[str] = []
    block: list[np.ndarray] = []

    def put() -> None:
        if block:
            stored[len(classes) - len(block) : len(classes)] = np.stack(block)
            block.clear()

    for file in files:
        try:
            with Image.open(file) as picture:
                upright = ImageOps.exif_transpose(picture).convert("L").resize((side, side))
        except OSError as error:
            print(f"left out {file}: {error}", file=sys.stderr)
            continue
        block.append(np.asarray(upright))
        classes.append("" if file.parent == folder else file.parent.name)
        if len(block) == rows:
            put()
    put()
    stored.resize((len(classes), side, side))
    return classes


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("stored", type=Path, nargs="?")
    parser.add_argument("--side", type=int, default=8)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.folder or digits(Path(scratch))
        path = options.stored or Path(scratch) / "pictures.zarr"
        y = np.array(write(folder, path, options.side))
        with (
            LocalCluster(2, threads_per_worker=1, dashboard_address=None) as cluster,
            Client(cluster),
        ):
            model = RONMF(random_state=0).fit(da.from_zarr(str(path)), y)
    print(f"{len(y)} pictures, {(y != '').sum()} labelled, {len(model.classes_)} classes:")
    for name, count in zip(*np.unique(model.transduction_, return_counts=True), strict=True):
        print(f"  {name}: {count}")
