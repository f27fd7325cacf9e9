"""Methods that the benchmarks compare, called in one way.

All get samples of unit length. Classifiers take a view (samples, given labels, -1 where hidden) and
a seed and return a class for every sample; clusterers take samples, the number of clusters, a seed
and the shape of the pictures, which RONMF alone uses, and return a cluster for every sample.
"""

import importlib
from collections.abc import Callable

import numpy as np
from scipy.sparse.csgraph import connected_components
from sklearn.cluster import AgglomerativeClustering, KMeans, SpectralClustering
from sklearn.neighbors import NearestNeighbors
from sklearn.semi_supervised import LabelSpreading

from ronmf import RONMF
from ronmf.baselines import HarmonicLabelPropagation
from ronmf.bench import View, make_method

Shape = tuple[int, int] | None

CLASSIFIERS: dict[str, Callable[[View, int], np.ndarray]] = {
    "RONMF": lambda view, seed: (
        RONMF(image_shape=view.image_shape, random_state=seed).fit(view.X, view.y).transduction_
    ),
    "harmonic propagation": lambda view, seed: (
        HarmonicLabelPropagation(random_state=seed).fit(view.X, view.y).transduction_
    ),
    "LabelSpreading": lambda view, seed: (
        LabelSpreading(kernel="knn", n_neighbors=7).fit(view.X, view.y).transduction_
    ),
}

CLUSTERERS: dict[str, Callable[[np.ndarray, int, int, Shape], np.ndarray]] = {
    "RONMF": lambda X, n, seed, shape: RONMF(n, image_shape=shape, random_state=seed).fit_predict(
        X
    ),
    "spectral": lambda X, n, seed, shape: SpectralClustering(
        n,
        affinity="nearest_neighbors",
        n_neighbors=7,
        assign_labels="cluster_qr",
        random_state=seed,
    ).fit_predict(X),
    "k-means": lambda X, n, seed, shape: KMeans(n, n_init=10, random_state=seed).fit_predict(X),
    "Ward": lambda X, n, seed, shape: AgglomerativeClustering(n, linkage="ward").fit_predict(X),
    "GNMF": lambda X, n, seed, shape: make_method("GNMF", n, random_state=seed).fit_predict(X),
}

POISSON = "Poisson MBO"


def has_poisson() -> bool:
    """Whether the package graphlearning is there; it is imported now, outside of any timing."""
    try:
        importlib.import_module("graphlearning")
    except ImportError:
        return False
    return True


def poisson_mbo(view: View, class_sizes: np.ndarray) -> np.ndarray:
    """Return the classes found by Poisson MBO of graphlearning, which is told the true class sizes.

    Its graph of ten neighbours has the weights of that package. The neighbours are exact: its own
    search for them is approximate and needs one more package.
    """
    import graphlearning as gl

    distances, neighbors = NearestNeighbors(n_neighbors=11).fit(view.X).kneighbors(view.X)
    W = gl.weightmatrix.knn(view.X, 10, knn_data=(neighbors, distances))
    # Over several components the Poisson equation has no solution, and conjugate gradients, the
    # default, run off; the iteration of the paper stops.
    connected = connected_components(W, return_labels=False) == 1
    solver = "conjugate_gradient" if connected else "gradient_descent"
    given = np.flatnonzero(view.y >= 0)
    model = gl.ssl.poisson_mbo(W, class_sizes, solver=solver)
    return model.fit_predict(given, view.y[given])
