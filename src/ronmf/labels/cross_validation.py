"""Cross-validation where most samples have no label."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.model_selection import BaseCrossValidator, StratifiedKFold

from ..numerics.types import Labels, Seed
from .encoding import read_labels

__all__ = ["LabelledKFold"]


class LabelledKFold(BaseCrossValidator):
    """Split the labelled samples into folds; unlabelled ones stay in every training part.

    The folds are stratified by class, as in :class:`sklearn.model_selection.StratifiedKFold`. A
    test part holds labelled samples only, so ``cross_val_score`` and ``GridSearchCV`` score what
    can be scored. The samples of a test part are new ones to the fit: not even their pixels are
    seen.

    Parameters
    ----------
    n_splits : int, default=3
        Number of folds, at most the number of labels of the rarest class.
    shuffle : bool, default=True
        Whether to shuffle the samples of each class first.
    random_state : int, RandomState or None, default=None
        Seed of the shuffle.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_digits
    >>> from sklearn.model_selection import cross_val_score
    >>> from ronmf import HarmonicLabelPropagation, LabelledKFold
    >>> X, truth = load_digits(return_X_y=True)
    >>> y = np.where(np.arange(len(truth)) % 20 == 0, truth, -1)  # one label in twenty
    >>> folds = LabelledKFold(3, random_state=0)
    >>> bool(cross_val_score(HarmonicLabelPropagation(), X, y, cv=folds).mean() > 0.9)
    True
    """

    def __init__(self, n_splits: int = 3, *, shuffle: bool = True, random_state: Seed = None):
        self.n_splits = n_splits
        self.shuffle = shuffle
        self.random_state = random_state

    def get_n_splits(self, X: Any = None, y: Labels = None, groups: Any = None) -> int:
        """Return the number of folds."""
        return self.n_splits

    def split(
        self, X: Any, y: Labels = None, groups: Any = None
    ) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield the indices of training and test samples.

        Parameters
        ----------
        X : array of shape (n_samples, ...)
            The data, for their number.
        y : array-like of shape (n_samples,)
            Class names; -1, None or NaN marks unlabelled samples.
        groups : ignored
        """
        if y is None:
            raise ValueError("y is None, but LabelledKFold splits labelled samples; give labels.")
        _, codes = read_labels(y, len(X))
        labelled, free = np.flatnonzero(codes >= 0), np.flatnonzero(codes < 0)
        rarest = np.bincount(codes[labelled]).min() if len(labelled) else 0
        if rarest < self.n_splits:
            raise ValueError(
                f"n_splits={self.n_splits} is more than the {rarest} labels of the rarest class in"
                " y; lower it, or label more samples of that class."
            )
        folds = StratifiedKFold(
            self.n_splits,
            shuffle=self.shuffle,
            random_state=self.random_state if self.shuffle else None,
        )
        for train, test in folds.split(labelled, codes[labelled]):
            yield np.sort(np.concatenate([labelled[train], free])), labelled[test]
