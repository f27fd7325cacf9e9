"""Write any number of pictures of digits onto disk: mnist and usps, turned, moved and dimmed.

    python benchmarks/many_pictures.py FOLDER [--count 1000000] [--data DIR]

``FOLDER/pictures.npy`` has one row of 28 x 28 bytes per picture, ``FOLDER/classes.npy`` its digit.
The first n pictures are the same whatever the count. Every copy is turned by up to 12 degrees,
enlarged or shrunk by up to a tenth, moved by up to two pixels, and dimmed by up to 40 %. Without
the real sets, scikit-learn's digits.
"""

import argparse
from pathlib import Path

import numpy as np
import scipy.sparse as sp
from protocol import available, data_directory

from ronmf.datasets import load

SIDE, SPAN = 28, 20  # of a picture, and of usps and digits in the middle of it
BLOCK = 20_000  # pictures that are made from one seed
MAPS = 200  # ways to turn, scale and move


def interpolation(source: tuple[int, int], places: np.ndarray) -> sp.csr_array:
    """Return the matrix that reads pictures between their pixels, zero outside.

    `places` has a row and a column of `source` for each of the 28 x 28 pixels.
    """
    height, width = source
    low = np.floor(places).astype(int)
    share = places - low
    rows, columns, values = [], [], []
    for step in ((0, 0), (0, 1), (1, 0), (1, 1)):
        at = low + step
        weight = np.prod(np.where(np.array(step) == 1, share, 1 - share), axis=1)
        inside = ((at >= 0) & (at < (height, width))).all(axis=1) & (weight > 0)
        rows.append(at[inside, 0] * width + at[inside, 1])
        columns.append(np.flatnonzero(inside))
        values.append(weight[inside])
    entries = np.concatenate(values), (np.concatenate(rows), np.concatenate(columns))
    return sp.csr_array(entries, shape=(height * width, SIDE * SIDE), dtype=np.float32)


def pixel_places() -> np.ndarray:
    """Return row and column of each pixel, from the middle of the picture."""
    each = np.arange(SIDE) - (SIDE - 1) / 2
    return np.stack(np.meshgrid(each, each, indexing="ij"), axis=-1).reshape(-1, 2)


def originals(folder: Path | None) -> tuple[np.ndarray, np.ndarray]:
    """Return pictures of 28 x 28 numbers from 0 to 1, and their digits."""
    names = [name for name in ("mnist", "usps") if available(name, folder)] or ["digits"]
    pictures, classes = [], []
    for name in names:
        dataset = load(name, folder)
        height, width = dataset.image_shape[:2]
        X = np.asarray(dataset.X, dtype=np.float32)
        if (height, width) != (SIDE, SIDE):
            middle = (np.array([height, width]) - 1) / 2
            X = X @ interpolation((height, width), pixel_places() * height / SPAN + middle)
        pictures.append(X / X.max())
        classes.append(dataset.y)
    return np.concatenate(pictures), np.concatenate(classes)


def movements(rng: np.random.Generator) -> list[sp.csr_array]:
    """Return matrices that turn, scale and move pictures."""
    found = []
    for _ in range(MAPS):
        angle, scale = rng.uniform(-0.21, 0.21), rng.uniform(0.9, 1.1)
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]) / scale
        middle = (SIDE - 1) / 2 + rng.uniform(-2, 2, size=2)
        found.append(interpolation((SIDE, SIDE), pixel_places() @ turn + middle))
    return found


def write(folder: Path, count: int, data: Path | None, seed: int = 0) -> None:
    """Write the pictures and their classes."""
    X, digits = originals(data)
    maps = movements(np.random.default_rng(seed))
    folder.mkdir(parents=True, exist_ok=True)
    pictures = np.lib.format.open_memmap(
        folder / "pictures.npy", mode="w+", dtype=np.uint8, shape=(count, SIDE * SIDE)
    )
    classes = np.empty(count, dtype=np.int64)
    for start in range(0, count, BLOCK):
        rng = np.random.default_rng((seed, 1 + start // BLOCK))
        source, way = rng.integers(len(X), size=BLOCK), rng.integers(MAPS, size=BLOCK)
        light = rng.uniform(0.6, 1.0, size=(BLOCK, 1)).astype(np.float32)
        made = np.empty((BLOCK, SIDE * SIDE), dtype=np.uint8)
        for i, move in enumerate(maps):
            rows = np.flatnonzero(way == i)
            made[rows] = np.clip(255 * light[rows] * (X[source[rows]] @ move), 0, 255).round()
        stop = min(start + BLOCK, count)
        pictures[start:stop], classes[start:stop] = (
            made[: stop - start],
            digits[source][: stop - start],
        )
    pictures.flush()
    np.save(folder / "classes.npy", classes)


def labels(classes: np.ndarray, share: float, seed: int) -> np.ndarray:
    """Return the classes of a share of each class's pictures, -1 elsewhere."""
    rng, y = np.random.default_rng((seed, 7)), np.full(len(classes), -1)
    for j in np.unique(classes):
        members = rng.permutation(np.flatnonzero(classes == j))
        y[members[: max(1, round(share * len(members)))]] = j
    return y


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=1_000_000)
    parser.add_argument("--data", help="data directory of the real sets")
    options = parser.parse_args()
    write(options.folder, options.count, data_directory(options.data))
    print(f"Wrote {options.count} pictures to {options.folder}.")
