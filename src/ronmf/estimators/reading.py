"""What memberships say: probabilities, samples in doubt, and which labels would help most."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ..admm.loss import group_norms
from ..graph._hints import split_classes, unnamed_cluster
from ..graph._resampling import find_again
from ..labels.calibration import Calibration
from ..labels.class_prior import normalize_rows
from ..labels.encoding import KnownLabels
from ..labels.uncertainty import outlier_scores, worth_labelling
from ..numerics.arrays import to_numpy
from ..numerics.threads import with_own_threads
from .evidence import Evidence
from .novelty import Novelty
from .trouble import Trouble

__all__ = ["Reading", "hints", "keep_reading", "query"]


@dataclass(frozen=True, eq=False)
class Reading:
    """What is read from memberships once they are found.

    Attributes
    ----------
    probabilities : ndarray of shape (n_samples, n_clusters)
        Memberships, calibrated on hidden labels.
    calibration : Calibration
        The map from the one to the other.
    outlier_score : ndarray of shape (n_samples,)
        How strange each sample is.
    novelty : Novelty
        How likely each sample belongs to no labelled class.
    stability : float or None
        How far clusters are found again on part of the edges; None with labels.
    """

    probabilities: np.ndarray
    calibration: Calibration
    outlier_score: np.ndarray
    novelty: Novelty
    stability: float | None

    @classmethod
    def take(
        cls,
        X: Any,
        A: Any,
        coefficients: Any,
        basis: Any,
        evidence: Evidence,
        known: KnownLabels,
    ) -> Reading:
        """Read memberships.

        Parameters
        ----------
        X : array of shape (n_samples, n_features)
            The data.
        A : array of shape (n_samples, n_clusters)
            The memberships.
        coefficients, basis : arrays of shape (n_samples, k) and (n_features, k)
            The model of the data is ``coefficients @ basis.T``.
        evidence : Evidence
            The graph of the samples, and predictions of hidden labels. Without labels, clusters are
            looked for again on part of the edges instead, and a cluster is as likely as it was
            found; the fit itself counts as one time.
        known : KnownLabels
            The labels.
        """
        calibration, stability = evidence.calibration(), None
        memberships = normalize_rows(to_numpy(A))
        probabilities = calibration.probabilities(memberships)
        free = evidence.graph if evidence.label_free is None else evidence.label_free
        if (known.codes < 0).all() and memberships.shape[1] > 1:
            again = find_again(free.affinity, memberships.argmax(axis=1), memberships.shape[1])
            probabilities = again.probabilities(memberships)
            calibration, stability = again.calibration(memberships), again.stability
        residuals = to_numpy(group_norms(X, basis, coefficients, "samples"))
        # Axes that tell classes apart have none for what is damaged.
        score = outlier_scores(residuals, free.remoteness(), probabilities)
        novelty = Novelty.of_fit(evidence, known, probabilities)
        return cls(probabilities, calibration, score, novelty, stability)


def keep_reading(model: Any, found: Reading) -> None:
    """Set what a reading tells of the samples of a fit."""
    model.label_distributions_ = found.probabilities
    model.outlier_score_ = found.outlier_score
    model._calibration, model._novelty = found.calibration, found.novelty
    model.novelty_, model.stability_ = found.novelty.of_samples(), found.stability


def query(model: Any, n: int = 1) -> np.ndarray:
    """Return the samples to label next: uncertain, and typical of others that are.

    Parameters
    ----------
    n : int, default=1
        How many.

    Returns
    -------
    ndarray of int, shape (min(n, number of unlabelled samples),)
        Indices into the data of ``fit``, the most useful first.

    Examples
    --------
    >>> import numpy as np
    >>> from ronmf import RONMF
    >>> X = np.array([[1.0, 0.0], [0.9, 0.1], [0.5, 0.5], [0.1, 0.9], [0.0, 1.0]])
    >>> model = RONMF(n_neighbors=2, random_state=0).fit(X, [0, -1, -1, -1, 1])
    >>> model.query(1).tolist()
    [2]
    """
    check_is_fitted(model)
    if not isinstance(n, Integral) or n < 1:
        raise ValueError(f"n={n!r} is not a whole number from 1; say how many to suggest.")
    return worth_labelling(
        model.label_distributions_, model.graph_.affinity, model._known.codes >= 0, int(n)
    )


@with_own_threads
def hints(model: Any) -> list[Trouble]:
    """Return signs that the named classes are not the clusters of the graph.

    Of a labelled class that looks like two clusters, and of unlabelled samples that look like a
    class without a label. Both compare with how clearly the other classes are parted.

    Returns
    -------
    list of Trouble
        Empty if there is nothing to say. ``print`` them, or let ``sentence(name=...)`` call samples
        by their names.

    Examples
    --------
    >>> import numpy as np
    >>> from ronmf import RONMF
    >>> rng = np.random.default_rng(0)
    >>> centres = np.repeat([[1.0, 9.0, 1.0], [9.0, 1.0, 1.0], [1.0, 1.0, 9.0]], 40, axis=0)
    >>> y = np.where(np.arange(120) % 4 > 0, -1, np.repeat([0, 1, -1], 40))
    >>> model = RONMF(random_state=0).fit(centres + rng.random((120, 3)), y)
    >>> print(*model.hints())
    40 unlabelled samples ... look like a class that has no label; label some, or raise n_clusters.
    >>> model.hints()[0].sentence(name="{}.png".format)
    '40 unlabelled samples (80.png, 81.png, 82.png, 83.png, 84.png, ...) look like ...'
    """
    check_is_fitted(model)
    rng = np.random.RandomState(0)
    codes, W, classes = model._known.codes, model.graph_.affinity, model.classes_.tolist()
    found = [
        Trouble("class of two", tuple(half.tolist()), {"cluster": classes[j]})
        for j, half in split_classes(W, model.labels_, codes, rng)
    ]
    unnamed = unnamed_cluster(W, model.labels_, codes, rng)
    if len(unnamed):
        found.append(Trouble("unnamed class", tuple(unnamed.tolist())))
    return found
