"""Neighbours of many samples: the exact search, ours with faiss, and other libraries.

    pip install pynndescent usearch voyager
    python benchmarks/neighbors.py [--data DIR] [--samples 70000] [--save results/speed]

mnist, beyond its own size with copies that are moved by a pixel and dimmed (``growth.py``): its
pixels, and 100 principal axes of them. Five neighbours of every sample, float32. Seconds are those
of the first call in the process and of the second: pynndescent compiles itself in each process.
Recall is the share of neighbours no farther than the exact fifth, of 300 samples. Size is that of
the installed packages, with what only they need. Libraries that are not installed are left out.
"""

import argparse
import time
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from growth import jittered
from protocol import available, data_directory
from speed_parts import save

from ronmf.datasets import load
from ronmf.numerics.approximate_neighbors import approximate_neighbors
from ronmf.numerics.nearest_neighbors import k_nearest
from ronmf.numerics.threads import n_threads

K = 5
PACKAGES = {
    "ours (faiss)": ("faiss-cpu",),
    "faiss HNSW": ("faiss-cpu",),
    "pynndescent": ("pynndescent", "numba", "llvmlite"),
    "usearch": ("usearch",),
    "voyager": ("voyager",),
}


def exact(X: np.ndarray) -> np.ndarray:
    return k_nearest(X, K)[0]


def ours(X: np.ndarray) -> np.ndarray:
    return approximate_neighbors(X, K)[0]


def hnsw(X: np.ndarray) -> np.ndarray:
    import faiss

    index = faiss.IndexHNSWFlat(X.shape[1], 16)
    index.add(X)
    index.hnsw.efSearch = 32
    return index.search(X, K + 1)[1]


def pynndescent(X: np.ndarray) -> np.ndarray:
    from pynndescent import NNDescent

    return NNDescent(X, n_neighbors=15, random_state=0).neighbor_graph[0]


def usearch(X: np.ndarray) -> np.ndarray:
    from usearch.index import Index

    index = Index(ndim=X.shape[1], metric="l2sq", dtype="f32", expansion_add=64)
    index.add(np.arange(len(X)), X, threads=n_threads())
    return index.search(X, K + 1, threads=n_threads()).keys


def voyager(X: np.ndarray) -> np.ndarray:
    from voyager import Index, Space

    index = Index(Space.Euclidean, X.shape[1], M=12, ef_construction=64)
    index.add_items(X, num_threads=n_threads())
    return index.query(X, K + 1, num_threads=n_threads(), query_ef=48)[0]


METHODS: dict[str, tuple[str, Callable[[np.ndarray], np.ndarray]]] = {
    "exact": ("numpy", exact),
    "ours (faiss)": ("faiss", ours),
    "faiss HNSW": ("faiss", hnsw),
    "pynndescent": ("pynndescent", pynndescent),
    "usearch": ("usearch", usearch),
    "voyager": ("voyager", voyager),
}


def recall(X: np.ndarray, indices: np.ndarray, tested: np.ndarray) -> float:
    """Return the share of neighbours that are no farther than the exact last one."""
    _, distances = k_nearest(X, K + 1, X[tested])  # itself is the first
    found = []
    for i, last in zip(tested, distances[:, -1], strict=True):
        others = indices[i][indices[i] != i].astype(int)
        near = np.linalg.norm(X[others] - X[i], axis=1) <= last * (1 + 1e-5)
        found.append(min(near.sum(), K) / K)
    return float(np.mean(found))


def installed(packages: tuple[str, ...]) -> float:
    """Return the size of installed packages in MB."""
    total = 0
    for name in packages:
        try:
            files = distribution(name).files or []
        except PackageNotFoundError:
            continue
        total += sum(Path(f.locate()).stat().st_size for f in files if Path(f.locate()).exists())
    return total / 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", help="folder of the real sets (default: $RONMF_DATA)")
    parser.add_argument("--samples", type=int, default=70000)
    parser.add_argument("--save", type=Path, help="folder for neighbors.json and neighbors.md")
    options = parser.parse_args()
    folder = data_directory(options.data)
    dataset = load("mnist" if available("mnist", folder) else "digits", folder)
    rng = np.random.RandomState(0)
    pixels = np.asarray(dataset.X, dtype=np.float32)
    _, pixels = jittered(pixels, dataset.image_shape, options.samples, seed=0)
    pixels = pixels[rng.permutation(len(pixels))]
    some = pixels[:4000] - pixels.mean(axis=0)
    axes = np.linalg.eigh(some.T @ some)[1][:, -100:]
    tested, rows = rng.permutation(len(pixels))[:300], []
    lines = ["| points | search | first call, s | second, s | recall | size, MB |"]
    lines.append("|---|---|---|---|---|---|")
    for label, X in (("pixels", pixels), ("100 axes", np.ascontiguousarray(pixels @ axes))):
        for name, (module, search) in METHODS.items():
            if find_spec(module) is None:
                continue
            seconds = []
            for _ in range(2):
                start = time.perf_counter()
                indices = search(X)
                seconds.append(time.perf_counter() - start)
            rows.append(
                {
                    "points": f"{len(X)} x {X.shape[1]} ({label})",
                    "search": name,
                    "seconds": seconds,
                    "recall": recall(X, np.asarray(indices), tested),
                    "megabytes": installed(PACKAGES.get(name, ())),
                }
            )
            row = rows[-1]
            lines.append(
                f"| {row['points']} | {name} | {seconds[0]:.1f} | {seconds[1]:.1f} |"
                f" {row['recall']:.4f} | {row['megabytes']:.0f} |"
            )
            print(lines[-1], flush=True)
    if options.save:
        save(options.save, "neighbors", {"rows": rows}, "\n".join(lines))


if __name__ == "__main__":
    main()
