"""The regimes in which a factorisation might tell more than its graph; see ``factorisation.py``.

Each regime takes a :class:`Ground`, one draw with its graph, and returns a class for each sample.
It sees the draw's view only: no hidden label reaches it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import csr_array
from sklearn.cluster import KMeans
from sklearn.utils.extmath import randomized_svd

from ronmf import RONMF, neighbor_graph
from ronmf.baselines import RSNMF, HarmonicLabelPropagation
from ronmf.bench import View
from ronmf.features import MedianFilter
from ronmf.labels.class_prior import apply_class_prior


@dataclass(frozen=True)
class Ground:
    """A draw, RONMF with its defaults on one graph of it, and what is compared with it.

    Attributes
    ----------
    view : View
        Data and given labels.
    graph : {"auto", "plain"}
        How its graph is made.
    model : RONMF
        Fitted with that graph.
    """

    view: View
    graph: str
    model: RONMF

    @classmethod
    def of(cls, view: View, graph: str) -> "Ground":
        """Fit RONMF with its defaults but for the graph."""
        model = RONMF(view.n_clusters, graph=graph, image_shape=view.image_shape, random_state=0)
        return cls(view, graph, model.fit(view.X, view.y))

    def propagate(self, W: csr_array | None = None) -> np.ndarray:
        """Return the labels of propagation with the class prior; by default on the same graph."""
        return propagation(self.view.X, self.view.y, self.model.graph_.affinity if W is None else W)

    def refit(self, y: np.ndarray | None = None, **settings: Any) -> RONMF:
        """Fit on the same graph; the graph has the same weight unless `settings` says otherwise."""
        weight = self.model.graph_weight_
        model = RONMF(graph="precomputed", graph_weight=weight, random_state=0)
        model.set_params(**settings)
        given = self.view.y if y is None else y
        return model.fit(self.view.X, given, affinity=self.model.graph_.affinity)

    def graph_of(self, X: np.ndarray) -> csr_array:
        """Return the graph of other pictures of the same samples, made as this one was."""
        if self.graph == "plain":
            return neighbor_graph(X).affinity
        view = self.view
        model = HarmonicLabelPropagation(
            graph="auto", class_prior="labels", image_shape=view.image_shape, random_state=0
        )
        return model.fit(X, view.y).graph_.affinity


def propagation(X: np.ndarray, y: np.ndarray, W: csr_array) -> np.ndarray:
    model = HarmonicLabelPropagation(graph="precomputed", class_prior="labels", random_state=0)
    return model.fit(X, y, affinity=W).labels_


def split_classes(X: np.ndarray, y: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Split the labelled samples of each class by k-means.

    Returns
    -------
    ndarray of int, shape (n_samples,)
        Sub-classes, -1 where no label is given.
    ndarray of int, shape (n_subclasses,)
        The class of each sub-class.
    """
    finer = np.full(len(y), -1)
    owner: list[int] = []
    for j in range(y.max() + 1):
        own = np.flatnonzero(y == j)
        parts = KMeans(min(count, len(own)), n_init=5, random_state=0).fit_predict(X[own])
        names = np.unique(parts)  # copies of one picture make empty clusters
        finer[own] = len(owner) + np.searchsorted(names, parts)
        owner += [j] * len(names)
    return finer, np.array(owner)


def subclasses(count: int, **settings: Any) -> Callable[[Ground], np.ndarray]:
    """Give each class several prototypes, and add up the memberships of its sub-classes."""

    def regime(ground: Ground) -> np.ndarray:
        y = ground.view.y
        finer, owner = split_classes(ground.view.X, y, count)
        A = ground.refit(finer, class_prior=None, **settings).membership_
        merged = A @ np.eye(owner.max() + 1)[owner]
        return apply_class_prior(merged, y, "labels").argmax(axis=1)

    return regime


def parts(times: int, **settings: Any) -> Callable[[Ground], np.ndarray]:
    """Use more parts than classes; parts may not overlap, so there are as many as features."""

    def regime(ground: Ground) -> np.ndarray:
        count = min(times * ground.view.n_clusters, ground.view.X.shape[1])
        return ground.refit(n_components=count, **settings).labels_

    return regime


def fit(**settings: Any) -> Callable[[Ground], np.ndarray]:
    return lambda ground: ground.refit(**settings).labels_


def tenth_of_graph(ground: Ground) -> np.ndarray:
    return ground.refit(graph_weight=ground.model.graph_weight_ / 10).labels_


def robust_low_rank(X: np.ndarray, rank: int, sweeps: int = 15) -> np.ndarray:
    """Return a low-rank fit from which single entries may deviate.

    Alternates a truncated singular value decomposition with soft thresholds of its residual, at
    2.5 times the residual's spread by the median: what is beyond is taken for a cover or noise.
    """
    sparse = np.zeros_like(X)
    for _ in range(sweeps):
        U, s, V = randomized_svd(X - sparse, min(rank, min(X.shape) - 1), random_state=0)
        low = (U * s) @ V
        residual = X - low
        threshold = 2.5 * 1.48 * np.median(np.abs(residual))
        sparse = np.sign(residual) * np.maximum(np.abs(residual) - threshold, 0)
    return low.clip(0)


def entries_set_aside(ground: Ground) -> np.ndarray:
    """Propagate on the graph of pictures from which single deviating entries are removed."""
    cleaned = robust_low_rank(ground.view.X, 5 * ground.view.n_clusters)
    return ground.propagate(ground.graph_of(cleaned))


def weighed_pixels(ground: Ground) -> np.ndarray:
    """Propagate on the graph of pictures whose pixels weigh what the robust loss gives them."""
    weights = 0.1 + 0.9 * ground.model.group_weights_
    return ground.propagate(ground.graph_of(ground.view.X * np.sqrt(weights)))


def reconstruction_beside(ground: Ground) -> np.ndarray:
    """Propagate on the graph with that of the model's reconstruction added, both of one degree."""
    W, n_samples = ground.model.graph_.affinity, len(ground.view.y)
    rebuilt = neighbor_graph(ground.model.membership_ @ ground.model.prototypes_).affinity
    return ground.propagate(W * (n_samples / W.sum()) + rebuilt * (n_samples / rebuilt.sum()))


def rsnmf(ground: Ground) -> np.ndarray:
    """Use robust structured NMF, two prototypes of a class and no graph."""
    model = RSNMF(ground.view.n_clusters, n_init=3, random_state=0)
    return model.fit(ground.view.X, ground.view.y).labels_


def class_means(ground: Ground) -> np.ndarray:
    """Give each sample the class whose labelled samples' mean is nearest: no factorisation."""
    X, y = ground.view.X, ground.view.y
    means = np.stack([X[y == j].mean(axis=0) for j in range(y.max() + 1)])
    distances = (means**2).sum(axis=1) - 2 * X @ means.T
    return np.where(y >= 0, y, distances.argmin(axis=1))


def plain_low_rank(ground: Ground) -> np.ndarray:
    """Propagate on the graph of a low-rank fit of the same rank that sets no entry aside."""
    low = robust_low_rank(ground.view.X, 5 * ground.view.n_clusters, sweeps=1)
    return ground.propagate(ground.graph_of(low))


def median_filter(ground: Ground) -> np.ndarray:
    """Propagate on the graph of pictures after a median filter: no factorisation."""
    median = MedianFilter(image_shape=ground.view.image_shape)
    return ground.propagate(ground.graph_of(median.fit_transform(ground.view.X)))


REGIMES: dict[str, Callable[[Ground], np.ndarray]] = {
    "RONMF as it is": lambda ground: ground.model.labels_,
    "a: 3 sub-classes": subclasses(3),
    "a: 3 sub-classes, graph weight 1": subclasses(3, graph_weight=1.0),
    "a: RSNMF": rsnmf,
    "b: parts x 2": parts(2),
    "b: parts x 5": parts(5),
    "b: parts x 10": parts(10),
    "b: parts x 10, graph weight 1": parts(10, graph_weight=1.0),
    "c: groups of samples, graph weight 1": fit(groups="samples", graph_weight=1.0),
    "c: graph of pictures without deviating entries": entries_set_aside,
    "d: graph of weighed pixels": weighed_pixels,
    "e: graph of the reconstruction added": reconstruction_beside,
    "g: graph weight / 10": tenth_of_graph,
    "g: graph weight 1": fit(graph_weight=1.0),
    "g: graph weight 0.1": fit(graph_weight=0.1),
}
CONTROLS: dict[str, Callable[[Ground], np.ndarray]] = {
    "control: nearest class mean": class_means,
    "control: graph of a plain low-rank fit": plain_low_rank,
    "control: graph of median-filtered pictures": median_filter,
}
