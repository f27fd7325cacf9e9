"""Label propagation with weights that reconstruct each sample from its neighbours."""

from __future__ import annotations

from collections.abc import Callable
from numbers import Real
from typing import Any

import numpy as np
import scipy.sparse as sp
from array_api_compat import array_namespace
from sklearn.base import _fit_context
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import check_is_fitted

from ..estimators.evidence import Evidence
from ..estimators.progress import FitProgress
from ..estimators.reading import Reading, hints, keep_reading, query
from ..estimators.shell import SemiSupervisedClusterer
from ..graph import GivenGraph
from ..graph._anchors import seed_clusters
from ..labels.class_prior import normalize_rows
from ..labels.encoding import encode_labels, one_hot
from ..labels.hidden_labels import run_trials
from ..numerics.arrays import (
    block_rows,
    from_numpy,
    linked_sums,
    row_blocks,
    sparse_product,
    to_numpy,
    weighted_means,
)
from ..numerics.block_pivoting import nonnegative_rows
from ..numerics.nearest_neighbors import k_nearest
from ..numerics.types import Array, Labels, Seed
from ..system.parameters import COUNT, parameter, parameters
from ..system.user_warnings import warn_user

__all__ = ["LNP", "reconstruction_weights"]

_MAX_STEPS = 10_000  # more than alpha = 0.996 needs
_TRIAL_TOLERANCE = 1e-3  # of memberships that only calibrate
_RIDGE = 1e-3  # share of a Gram matrix's trace on its diagonal, as in locally linear embedding


@parameters
class LNP(SemiSupervisedClusterer):
    r"""Linear neighbourhood propagation.

    Each sample is reconstructed from its nearest neighbours, by weights that minimise
    :math:`\|x_i - \sum_j w_{ij} x_j\|^2` with :math:`w \ge 0` and :math:`\sum_j w_{ij} = 1`; labels
    then spread by the same weights, F ← αWF + (1-α)Y, until nothing changes [1]_. It propagates
    labels and factorises nothing. A sample that no label reaches gets equal memberships (and the
    first class as its label).

    Parameters
    ----------
    n_clusters : int, default=None
        Number of clusters. None: as many as there are labelled classes. More than that: the
        others are discovered, as in RONMF.
    alpha : float, default=0.99
        How much a sample takes from its neighbours in each step, below 1.
    n_neighbors : int, default=5
        Neighbours of each sample.
    random_state : int, RandomState or None, default=None
        Seed of hidden labels and of the discovery of clusters nobody labelled.

    Attributes
    ----------
    classes_ : ndarray of shape (n_clusters,)
        Names: the labelled classes in sorted order, then the discovered clusters.
    membership_ : array of shape (n_samples, n_clusters)
        F with rows scaled to sum to one.
    prototypes_ : array of shape (n_clusters, n_features)
        Mean of the samples, weighted by membership.
    label_distributions_ : ndarray of shape (n_samples, n_clusters)
        Probability of each class for each sample: memberships calibrated on hidden labels.
    outlier_score_ : ndarray of shape (n_samples,)
        How strange each sample is; about 1 for ordinary ones.
    graph_ : GivenGraph
        The weights W, made symmetric: which samples are joined.
    n_iter_ : int
        Steps of propagation.

    Notes
    -----
    The weights are not made symmetric. A Gram matrix of neighbours gets a thousandth of its trace
    on its diagonal, so that the weights are unique also where neighbours outnumber dimensions or
    coincide. A new sample takes the mean of its neighbours' memberships, by its own weights.

    References
    ----------
    .. [1] F. Wang and C. Zhang. Label propagation through linear neighborhoods. IEEE TKDE 20, 2008.

    Examples
    --------
    >>> import numpy as np
    >>> from ronmf.baselines import LNP
    >>> X = np.array([[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]])
    >>> LNP(n_neighbors=2).fit(X, ["near", -1, -1, -1, -1, "far"]).transduction_.tolist()
    ['near', 'near', 'near', 'far', 'far', 'far']
    """

    alpha: float = parameter(default=0.99, allowed=Interval(Real, 0, 1, closed="neither"))
    n_neighbors: int = parameter(default=5, allowed=COUNT)
    random_state: Seed = parameter(default=None, allowed="random_state")

    _takes_any_rows = True

    hints = hints
    query = query

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Array, y: Labels = None) -> LNP:
        """Propagate the labels among the samples of `X`.

        Parameters
        ----------
        X : array of shape (n_samples, n_features)
            Of any array API library, or sparse.
        y : array-like of shape (n_samples,), default=None
            Class names of any type; -1, None or NaN marks unlabelled samples.

        Returns
        -------
        LNP
            The fitted estimator.
        """
        with self._nothing_half_written(), FitProgress(self, n_stages=0):
            X = self._validate_X(X, reset=True)
            known = encode_labels(y, X.shape[0], self.n_clusters)
            n, n_clusters = X.shape[0], len(known.classes)
            indices = to_numpy(k_nearest(X, self.n_neighbors)[0])
            values = to_numpy(reconstruction_weights(X, X, indices)).astype(float)
            k = indices.shape[1]
            W = sp.csr_array((values.ravel(), indices.ravel(), np.arange(n + 1) * k), shape=(n, n))
            graph = GivenGraph(W.maximum(W.T))
            rng = check_random_state(self.random_state)
            anchors = seed_clusters(graph.affinity, known.codes, n_clusters, rng)
            product = sparse_product(W, X)

            def memberships(codes: np.ndarray, tol: float | None = None) -> tuple[Any, int]:
                """Return the limit F with rows that sum to one, and the number of steps."""
                Y = one_hot(codes, n_clusters, X)
                F, steps = _propagate(product, Y, float(self.alpha), tol)
                return normalize_rows(F), steps

            A, n_iter = memberships(anchors)
            means = weighted_means(A, X)
            trials = run_trials(
                known.codes, lambda kept: to_numpy(memberships(kept, _TRIAL_TOLERANCE)[0]), rng
            )
            evidence = Evidence(graph, known.codes, None, trials)
            reading = Reading.take(X, A, A, means.T, evidence, known)
            self._samples, self._k, self.n_iter_, self.graph_ = X, k, n_iter, graph
            self._keep_memberships(A, self._in_columns_of_X(means), known)
            keep_reading(self, reading)
        return self

    def predict_proba(self, X: Array) -> np.ndarray:
        """Return the probability of each class, calibrated on hidden labels.

        Columns follow ``classes_``. For the samples of ``fit`` see ``label_distributions_``: here
        they count as new ones, whose labels are not known.
        """
        check_is_fitted(self)
        return self._calibration.probabilities(super().predict_proba(X))

    def _represent(self, X: Any) -> Any:
        indices = to_numpy(k_nearest(self._samples, self._k, X)[0])
        weights = reconstruction_weights(X, self._samples, indices)
        return linked_sums(self.membership_, indices, weights)


def reconstruction_weights(X: Any, samples: Any, indices: np.ndarray) -> Any:
    """Return the weights that best reconstruct each row of X from the samples at its indices.

    Up to scale, minimising ``w'Gw`` over the simplex is minimising ``w'Gw/2 - 1'w`` over w >= 0.
    """
    xp = array_namespace(X)
    k, blocks = indices.shape[1], []
    for block in row_blocks(X, max(1, block_rows(X) // k)):
        chosen = from_numpy(indices[block].ravel(), X, dtype=xp.int64)
        neighbours = xp.reshape(xp.take(samples, chosen, axis=0), (-1, k, X.shape[1]))
        offsets = X[block, :][:, None, :] - neighbours
        gram = xp.matmul(offsets, xp.matrix_transpose(offsets))
        trace = xp.sum(xp.sum(offsets * offsets, axis=2), axis=1)
        # In units of the trace; where all neighbours are copies any weights will do.
        gram = gram / xp.where(trace > 0, trace, 1.0)[:, None, None]
        ones = xp.ones_like(trace)
        w = nonnegative_rows(gram, ones, xp.ones_like(gram[:, :, 0]), _RIDGE * ones)
        blocks.append(w / xp.sum(w, axis=1)[:, None])
    return xp.concat(blocks)


def _propagate(
    product: Callable[[Any], Any], Y: Any, alpha: float, tol: float | None
) -> tuple[Any, int]:
    """Iterate ``F ← αWF + (1-α)Y`` to its limit; return it and the number of steps.

    The rows of W sum to one, so a step shrinks the distance to the limit by α in the largest entry:
    a change of δ leaves at most δα/(1-α) to go. By default that is followed to the last digits.
    """
    xp, F = array_namespace(Y), Y
    if tol is None:
        tol = 1e4 * float(xp.finfo(Y.dtype).eps)
    for step in range(1, _MAX_STEPS + 1):
        before, F = F, alpha * product(F) + (1 - alpha) * Y
        to_go = float(xp.max(xp.abs(F - before))) * alpha / (1 - alpha)
        # Contraction alone brings it there within log(tol)/log(alpha) steps, rounding aside.
        if to_go <= tol or alpha**step < tol:
            return F, step
    warn_user(
        f"LNP is up to {to_go:.0e} from its limit after {_MAX_STEPS} steps; lower alpha={alpha}.",
        ConvergenceWarning,
    )
    return F, _MAX_STEPS
