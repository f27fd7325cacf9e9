"""How the time of a fit grows with samples, features and classes: exponents of a power law.

    python benchmarks/growth.py [--data DIR] [--most 70000] [--save results/speed]

Samples: mnist, beyond its own size with copies that are moved by a pixel and dimmed at random, 5 %
labels. Features: pictures of mnist enlarged, 5000 samples. Classes: those of coil100, 72 samples
each, 10 % labels. Without the real sets, scikit-learn's digits. The exponent is the slope of the
logarithm of the time over the logarithm of the size, by least squares.
"""

import argparse
import time
from pathlib import Path

import numpy as np
from protocol import available, data_directory
from speed_parts import save

from ronmf import RONMF
from ronmf.datasets import load

GRAPHS = {"default": "auto", "plain": "plain"}


def jittered(
    X: np.ndarray, shape: tuple[int, ...], count: int, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return so many pictures: the given ones, then copies moved by up to a pixel and dimmed.

    With the picture that each was made of, by its number.
    """
    rng = np.random.RandomState(seed)
    if count <= len(X):
        return np.arange(count), X[:count]
    source = np.concatenate([np.arange(len(X)), rng.randint(len(X), size=count - len(X))])
    pictures = X[source].reshape(-1, *shape)
    steps = rng.randint(-1, 2, size=(count, 2))
    steps[: len(X)] = 0
    for move in np.unique(steps, axis=0):
        rows = np.flatnonzero((steps == move).all(axis=1))
        pictures[rows] = np.roll(pictures[rows], tuple(move), axis=(1, 2))
    light = rng.uniform(0.7, 1.0, size=(count, 1)).astype(X.dtype)
    light[: len(X)] = 1
    return source, pictures.reshape(count, -1) * light


def labelled(truth: np.ndarray, rate: float, seed: int) -> np.ndarray:
    """Return the classes of a share of the samples of each, -1 elsewhere."""
    rng, y = np.random.RandomState(seed), np.full(len(truth), -1)
    for j in np.unique(truth):
        members = rng.permutation(np.flatnonzero(truth == j))
        y[members[: max(1, round(rate * len(members)))]] = j
    return y


def cases(kind: str, folder: Path | None, most: int) -> list[tuple[int, tuple]]:
    """Return sizes with X, y and the shape of a picture."""
    real = available("mnist", folder)
    dataset = load("mnist" if real else "digits", folder)
    X, truth, shape = np.asarray(dataset.X, dtype=np.float32), dataset.y, dataset.image_shape
    order = np.random.RandomState(0).permutation(len(X))
    X, truth = X[order], truth[order]
    found = []
    if kind == "samples":
        sizes = (5000, 10000, 20000, 40000, 70000) if real else (450, 900, 1797)
        for n in (size for size in sizes if size <= most):
            source, rows = jittered(X, shape, n, seed=0)
            found.append((n, (rows, labelled(truth[source], 0.05, 0), shape)))
    elif kind == "features":
        rows = X[:5000].reshape(-1, *shape)
        for times in (1, 2, 4):
            large = np.repeat(np.repeat(rows, times, axis=1), times, axis=2)
            size = large[0].size
            y = labelled(truth[: len(rows)], 0.05, 0)
            found.append((size, (large.reshape(len(rows), -1), y, large.shape[1:])))
    elif available("coil100", folder):
        dataset = load("coil100", folder)
        for c in (10, 25, 50, 100):
            keep = dataset.y < c
            rows = np.asarray(dataset.X[keep], dtype=np.float32)
            found.append((c, (rows, labelled(dataset.y[keep], 0.1, 0), dataset.image_shape)))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", help="folder of the real sets (default: $RONMF_DATA)")
    parser.add_argument("--most", type=int, default=70000, help="largest number of samples")
    parser.add_argument("--save", type=Path, help="folder for growth.json and growth.md")
    options = parser.parse_args()
    folder, rows = data_directory(options.data), []
    for kind in ("samples", "features", "classes"):
        for label, graph in GRAPHS.items():
            sizes, seconds = [], []
            for size, (X, y, shape) in cases(kind, folder, options.most):
                start = time.perf_counter()
                RONMF(graph=graph, image_shape=shape, random_state=0).fit(X, y)
                sizes.append(size)
                seconds.append(time.perf_counter() - start)
                print(f"{kind} {label} {size}: {seconds[-1]:.2f} s", flush=True)
            if len(sizes) > 1:
                slope = float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])
                rows.append({"grows": kind, "fit": label, "sizes": sizes, "seconds": seconds})
                rows[-1]["exponent"] = slope
    lines = ["| grows | fit | sizes | seconds | exponent |", "|---|---|---|---|---|"]
    for row in rows:
        each = [", ".join(map(str, row["sizes"])), ", ".join(f"{s:.1f}" for s in row["seconds"])]
        lines.append(
            f"| {row['grows']} | {row['fit']} | {' | '.join(each)} | {row['exponent']:.2f} |"
        )
    print("\n".join(lines))
    if options.save:
        save(options.save, "growth", {"rows": rows}, "\n".join(lines))


if __name__ == "__main__":
    main()
