"""What memberships say: probabilities, samples in doubt, and which labels would help most."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ..admm.loss import group_norms
from ..graph._hints import split_classes, unnamed_cluster
from ..labels.calibration import Calibration
from ..labels.class_prior import normalize_rows
from ..labels.uncertainty import outlier_scores, worth_labelling
from ..numerics.arrays import to_numpy
from ..numerics.threads import with_own_threads
from .evidence import Evidence

__all__ = ["Reading", "hints", "keep_reading", "query"]

_NAMED = 5  # samples that a hint calls by name


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
    """

    probabilities: np.ndarray
    calibration: Calibration
    outlier_score: np.ndarray

    @classmethod
    def take(
        cls,
        X: Any,
        A: Any,
        coefficients: Any,
        basis: Any,
        evidence: Evidence,
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
            The graph of the samples, and predictions of hidden labels; without any, memberships
            are taken for probabilities as they are.
        """
        calibration = evidence.calibration()
        probabilities = calibration.probabilities(normalize_rows(to_numpy(A)))
        residuals = to_numpy(group_norms(X, basis, coefficients, "samples"))
        score = outlier_scores(residuals, evidence.graph.remoteness(), probabilities)
        return cls(probabilities, calibration, score)


def keep_reading(model: Any, found: Reading) -> None:
    """Set what a reading tells of the samples of a fit."""
    model.label_distributions_ = found.probabilities
    model.outlier_score_ = found.outlier_score
    model._calibration = found.calibration


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
def hints(model: Any, names: Sequence[str] | None = None) -> list[str]:
    """Return sentences about classes that the graph does not confirm.

    Says so when a labelled class looks like two clusters, and when unlabelled samples look like
    a class nobody named. Both compare with how clearly the other classes are parted.

    Parameters
    ----------
    names : sequence of str, default=None
        What the samples of ``fit`` are called, such as their files; None: their numbers.

    Returns
    -------
    list of str
        Empty if there is nothing to say.

    Examples
    --------
    >>> import numpy as np
    >>> from ronmf import RONMF
    >>> rng = np.random.default_rng(0)
    >>> centres = np.repeat([[1.0, 9.0, 1.0], [9.0, 1.0, 1.0], [1.0, 1.0, 9.0]], 40, axis=0)
    >>> y = np.where(np.arange(120) % 4 > 0, -1, np.repeat([0, 1, -1], 40))
    >>> model = RONMF(random_state=0).fit(centres + rng.random((120, 3)), y)
    >>> print(*model.hints())
    40 unlabelled samples ... look like a class nobody named; label some, or raise n_clusters.
    >>> print(*model.hints([f"{i}.png" for i in range(120)]))
    40 unlabelled samples (80.png, 81.png, 82.png, 83.png, 84.png, ...) look like ...
    """
    check_is_fitted(model)
    rng = np.random.RandomState(0)
    codes, W, classes = model._known.codes, model.graph_.affinity, model.classes_.tolist()
    if names is not None and len(names) != len(codes):
        raise ValueError(
            f"names has {len(names)} entries for {len(codes)} samples: give one for each"
            " sample of fit, in the same order."
        )
    said = [
        f"class {classes[j]!r} looks like two clusters, one of {_few(half, names)}; should it"
        " be two classes?"
        for j, half in split_classes(W, model.labels_, codes, rng)
    ]
    unnamed = unnamed_cluster(W, model.labels_, codes, rng)
    if len(unnamed):
        look = "look" if len(unnamed) > 1 else "looks"
        said.append(
            f"{_few(unnamed, names, 'unlabelled ')} {look} like a class nobody named; label"
            " some, or raise n_clusters."
        )
    return said


def _few(samples: np.ndarray, names: Sequence[str] | None, kind: str = "") -> str:
    """Return how many samples there are, and what the first few are called."""
    some = ", ".join(str(i) if names is None else names[i] for i in samples[:_NAMED])
    more = ", ..." if len(samples) > _NAMED else ""
    return f"{len(samples)} {kind}sample{'s' if len(samples) > 1 else ''} ({some}{more})"
