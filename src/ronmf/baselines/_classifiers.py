"""Semi-supervised classifiers of scikit-learn in the shape of the methods compared here."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.linear_model import LogisticRegression
from sklearn.semi_supervised import LabelSpreading, SelfTrainingClassifier

from ..numerics.types import Array, Labels, Seed

__all__ = ["TransductiveClassifier", "label_spreading", "self_training"]


class TransductiveClassifier(BaseEstimator):
    """A classifier that takes -1 for unlabelled, asked for the classes of its training samples.

    Parameters
    ----------
    classifier : estimator
        Of :mod:`sklearn.semi_supervised`.

    Attributes
    ----------
    classifier_ : estimator
        The fitted copy.
    classes_ : ndarray of shape (n_classes,)
        Names of the labelled classes, in sorted order.
    labels_ : ndarray of int, shape (n_samples,)
        Class of each sample, an index into ``classes_``.

    Examples
    --------
    >>> from sklearn.semi_supervised import LabelSpreading
    >>> X = [[0.0], [0.1], [5.0], [5.1]]
    >>> model = TransductiveClassifier(LabelSpreading(kernel="knn", n_neighbors=2))
    >>> model.fit_predict(X, [0, -1, 1, -1]).tolist()
    [0, 0, 1, 1]
    """

    def __init__(self, classifier: Any) -> None:
        self.classifier = classifier

    def fit(self, X: Array, y: Labels) -> Self:
        """Fit the classifier and ask it.

        Parameters
        ----------
        X : array of shape (n_samples, n_features)
            The data.
        y : array-like of int, shape (n_samples,)
            Class numbers; -1 marks unlabelled samples.

        Returns
        -------
        TransductiveClassifier
            The fitted estimator.
        """
        y = np.asarray(y)
        if not (y != -1).any():
            raise ValueError(
                f"y has no label, but {type(self.classifier).__name__} needs one of each class;"
                " label some samples."
            )
        self.classifier_ = clone(self.classifier).fit(X, y)
        self.classes_ = self.classifier_.classes_
        # Self-training also has a transduction_, but with -1 where it never was sure.
        predicted = (
            self.classifier_.transduction_
            if isinstance(self.classifier_, LabelSpreading)
            else self.classifier_.predict(X)
        )
        self.labels_ = np.searchsorted(self.classes_, predicted)
        return self

    def fit_predict(self, X: Array, y: Labels) -> np.ndarray:
        """Fit and return the class name of each sample."""
        labels = self.fit(X, y).labels_
        return self.classes_[labels]


def label_spreading(
    n_clusters: int | None, random_state: Seed, **settings: Any
) -> TransductiveClassifier:
    """Return label spreading; it knows the classes from the labels and has nothing random.

    Examples
    --------
    >>> label_spreading(3, 0, kernel="knn").classifier
    LabelSpreading(kernel='knn')
    """
    return TransductiveClassifier(LabelSpreading(**settings))


def self_training(
    n_clusters: int | None, random_state: Seed, **settings: Any
) -> TransductiveClassifier:
    """Return self-training over logistic regression, whose settings are given.

    Logistic regression has probabilities from one label per class on. Support vectors would need
    several for calibration, and nearest neighbours are sure of everything at once.

    Examples
    --------
    >>> self_training(3, 0, C=10.0).classifier.get_params()["estimator__C"]
    10.0
    """
    return TransductiveClassifier(SelfTrainingClassifier(LogisticRegression(**settings)))
