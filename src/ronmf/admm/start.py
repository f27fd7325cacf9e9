"""Where the iteration starts: memberships, amplitudes and parts."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from array_api_compat import array_namespace
from sklearn.cluster import KMeans

from ..graph._operator import GraphOperator
from ..numerics.arrays import from_numpy, to_numpy
from ..numerics.block_pivoting import nonnegative_least_squares
from ..storage._products import template, times, transposed_times
from .orthogonal import maximise_partition
from .residual import Residual

__all__ = ["STARTS", "Start", "propagated_start", "random_start", "start_from_memberships"]
__all__ += ["start_parts"]


@dataclass(frozen=True, eq=False)
class Start:
    """Factors to start from.

    Attributes
    ----------
    U, A, Z : arrays
        Feasible: ``U >= 0`` with orthonormal columns, ``A >= 0``, ``Z >= 0``.
    residual : Residual or None
        Error and multiplier of an earlier run to go on from; None: both are zero.
    """

    U: Any
    A: Any
    Z: Any
    residual: Residual | None = None


def start_parts(X: Any, A: Any, n_components: int, rng: np.random.RandomState) -> Any:
    """Group the features by how the clusters use them and return one part per group.

    A feature's profile is its mean in each cluster. Features with profiles of the same direction
    differ by a factor only, which a part can express, so spherical k-means on the profiles gives
    parts of small error.
    """
    total = np.asarray(to_numpy(array_namespace(A).sum(A, axis=0)), dtype=float)
    profiles = to_numpy(transposed_times(X, A)).astype(float)  # n_features x n_clusters
    profiles /= np.where(total > 0, total, 1.0)
    length = np.linalg.norm(profiles, axis=1)
    used = np.flatnonzero(length > 0)
    directions = profiles[used] / length[used, None]
    n_groups = min(n_components, len(np.unique(directions.round(12), axis=0)))
    C = np.zeros((len(profiles), n_components))
    if n_groups:
        model = KMeans(n_groups, n_init=1, random_state=rng, max_iter=50)
        group = model.fit_predict(directions, sample_weight=length[used] ** 2)
        C[used, group] = length[used]
    return maximise_partition(from_numpy(C, template(X)))


def start_from_memberships(
    X: Any, A: Any, n_components: int, rng: np.random.RandomState
) -> tuple[Any, Any]:
    """Return parts U and amplitudes Z that fit the data for given memberships."""
    U = start_parts(X, A, n_components, rng)
    # In float64: the rounding of float32 can make the Gram matrix indefinite.
    host = to_numpy(A).astype(float)
    gram, moment = host.T @ host, host.T @ to_numpy(times(X, U))
    Z = nonnegative_least_squares(gram, moment, np.ones_like(moment))
    return U, from_numpy(Z, template(X))


def propagated_start(
    X: Any,
    graph: GraphOperator,
    anchors: np.ndarray,
    n_clusters: int,
    n_components: int,
    label_weight: float,
    rng: np.random.RandomState,
    view: tuple[np.ndarray, float] | None = None,
) -> Start:
    """Start from label propagation on the graph, and from parts that fit its memberships."""
    A = graph.propagate(anchors, n_clusters, label_weight, view=view)
    U, Z = start_from_memberships(X, A, n_components, rng)
    return Start(U, A, Z)


def random_start(
    X: Any,
    graph: GraphOperator,
    anchors: np.ndarray,
    n_clusters: int,
    n_components: int,
    label_weight: float,
    rng: np.random.RandomState,
    view: tuple[np.ndarray, float] | None = None,
) -> Start:
    """Start from uniform random memberships and amplitudes and random parts, as printed."""
    like = template(X)
    U = maximise_partition(from_numpy(rng.uniform(size=(X.shape[1], n_components)), like))
    A = from_numpy(rng.uniform(size=(X.shape[0], n_clusters)), like)
    Z = from_numpy(rng.uniform(size=(n_clusters, n_components)), like)
    xp = array_namespace(like)
    ones = from_numpy(np.ones((X.shape[0], 1)), like)
    modelled = float(xp.sum(xp.sum(A @ Z, axis=0) * xp.sum(U, axis=0)))
    size = float(xp.sum(transposed_times(X, ones))) / modelled  # the data's brightness
    return Start(U, A, size * Z if size > 0 else Z)


STARTS: dict[str, Callable[..., Start]] = {
    "propagation": propagated_start,
    "random": random_start,
}
