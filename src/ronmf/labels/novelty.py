r"""How hardly a walk meets a label: the measure of novelty, and what it is in named classes.

The measure is the logarithm t of the odds that the walk dies first. Labels while they are hidden
tell what it is in named classes, and whole classes while they are hidden how far strangers are.
"""

from dataclasses import dataclass

import numpy as np
from scipy.stats import t as student

from .hidden_labels import hide_labels

__all__ = ["HiddenOdds", "NamedOdds", "death_odds", "hidden_walks"]

# Chosen on draws of ten sets with 1, 2 and 5 labels per class, for a quarter, half, nine tenths and
# all of the classes; `benchmarks/novelty.py` measures on others.
_FOLDS = 5  # parts of the labels, and groups of the classes, that are hidden in turn
_FEWEST_CLASSES = 3  # of which one can be hidden while two are left
_CLIP = 1e-4  # probability of dying that is not told from 0, or from 1
_HALF = 0.5  # added to counts of labels whose ratio is taken, so that 1 of 2 is no certain half
_NARROWEST = 0.15  # standard deviation of a class: a handful of labels may agree by chance
_UNSURE = 0.4  # standard error of a shift, in parts of it; with 0.2, sets whose classes all have
# two labels seem to have twice as many strangers
_UNKNOWN = 0.9  # standard deviation where no label can be hidden; with 0.5 half of a set whose
# classes have one label each may seem to be strangers
_MIXING = 1.2  # how much likelier a walk dies than if it forgot where it began; sets have 1 to 2


def death_odds(met: np.ndarray) -> np.ndarray:
    """Return the logarithm of the odds that a walk dies before it meets a label.

    Examples
    --------
    >>> death_odds(np.array([0.5, 0.0])).round(2).tolist()
    [0.0, 9.21]
    """
    dies = np.clip(1 - met, _CLIP, 1 - _CLIP)
    return np.log(dies) - np.log1p(-dies)


@dataclass(frozen=True, eq=False)
class HiddenOdds:
    """Labels that are hidden in turn, to see how far from the others they are.

    Attributes
    ----------
    kept : ndarray of bool, shape (n_samples, n_turns)
        The labels that are left in each turn: first all, then without a part of each class, then
        without whole classes.
    hidden : list of ndarray of int
        The samples whose labels are hidden in each turn.
    shift : list of ndarray
        For each of them, what their number says of t: with l labels of a class instead of L, t
        grows by about log(L/l), since the walk dies with odds of the samples over the labels.
    n_parts : int
        How many of the turns hide a part of each class.
    """

    kept: np.ndarray
    hidden: list[np.ndarray]
    shift: list[np.ndarray]
    n_parts: int


def hidden_walks(codes: np.ndarray, trusted: np.ndarray) -> HiddenOdds:
    """Return which labels to hide in turn: parts of each class, and whole ones of three or more.

    Parameters
    ----------
    codes : ndarray of int, shape (n_samples,)
        Known classes, -1 where unlabelled. Doubted labels are among them: whichever it is, such a
        sample is of some named class.
    trusted : ndarray of bool, shape (n_samples,)
        The labels that tell what named classes are like while they are hidden.
    """
    rng, labelled = np.random.RandomState(0), codes >= 0
    turns, hidden = [labelled], [np.zeros(0, dtype=int)]
    shift, n_labels = [np.zeros(0)], np.bincount(codes[labelled])
    for kept, rows in hide_labels(codes, _FOLDS, rng):
        left = np.bincount(kept[kept >= 0], minlength=len(n_labels))
        turns.append(kept >= 0)
        rows = rows[trusted[rows]]
        hidden.append(rows)
        shift.append(np.log((n_labels + _HALF) / (left + _HALF))[codes[rows]])
    n_parts, classes = len(turns) - 1, rng.permutation(np.flatnonzero(n_labels))
    if len(classes) >= _FEWEST_CLASSES:
        for i in range(min(_FOLDS, len(classes))):
            rows = np.flatnonzero(labelled & np.isin(codes, classes[i::_FOLDS]))
            turns.append(labelled & ~np.isin(np.arange(len(codes)), rows))
            hidden.append(rows[trusted[rows]])
            shift.append(np.zeros(len(hidden[-1])))
    return HiddenOdds(np.stack(turns, axis=1), hidden, shift, n_parts)


@dataclass(frozen=True, eq=False)
class NamedOdds:
    """What t is like in named classes.

    Attributes
    ----------
    centres : ndarray of shape (n_classes,)
        Mean of each class.
    width : float
        Standard deviation inside classes.
    freedom : float
        Degrees of freedom: a t distribution, since few hidden labels say little about the width.
    known : {"hidden", "guessed"}
        Whether from hidden labels, or from the sizes of classes.
    """

    centres: np.ndarray
    width: float
    freedom: float
    known: str

    @classmethod
    def of_hidden(
        cls, t: np.ndarray, codes: np.ndarray, n_labels: np.ndarray, shift: float = 0.0
    ) -> "NamedOdds":
        """Estimate them from hidden labels: means of classes are drawn to the mean of all.

        As much as in a model with random effects: classes differ in size, and so in t, but five
        labels of a class tell its mean with an error, which is estimated too. A class whose only
        label cannot be hidden may be as large as the others, and its samples so much further away.

        Parameters
        ----------
        t : ndarray of shape (n_hidden,)
            Of the labels while they were hidden.
        codes : ndarray of int, shape (n_hidden,)
            Their classes.
        n_labels : ndarray of int, shape (n_classes,)
            How many labels each class has.
        shift : float, default=0.0
            The mean of what was subtracted for the labels that were hidden together.

        Examples
        --------
        >>> t, codes = np.array([0.0, 0.2, -0.2, 2.0, 2.2, 1.8]), np.repeat([0, 1], 3)
        >>> NamedOdds.of_hidden(t, codes, np.array([3, 3])).centres.round(2).tolist()
        [0.01, 1.99]
        """
        n_classes = len(n_labels)
        count = np.bincount(codes, minlength=n_classes)
        mean = np.bincount(codes, t, n_classes) / np.maximum(count, 1)
        seen, spare = count > 0, len(t) - (count > 0).sum()
        within = np.square(t - mean[codes]).sum() / spare if spare else np.var(t)
        between = 0.0
        if seen.sum() > 1:
            errors = (within / count[seen]).mean()
            between = max(0.0, float(np.var(mean[seen], ddof=1) - errors))
        weight = between / (between + within / np.maximum(count, 1) + 1e-12)
        fewer = np.log(n_labels[seen].mean() / np.maximum(n_labels, 1))
        centres = t.mean() + np.where(seen, weight * (mean - t.mean()), np.maximum(fewer, 0.0))
        width = max(float(np.sqrt(within)), _NARROWEST) * np.sqrt(1 + 1 / len(t))
        width = float(np.hypot(width, _UNSURE * shift))
        return cls(centres, width, float(np.clip(spare, 3, 30)), "hidden")

    @classmethod
    def of_sizes(cls, sizes: np.ndarray, n_labels: np.ndarray, rate: float) -> "NamedOdds":
        """Guess them where no label can be hidden: a walk in a class of m samples with l labels.

        If it forgets where it began, it meets a label with odds l to m ε, ε being the odds that it
        dies. Sizes are drawn half to their mean, since one label does not tell classes apart well.
        """
        sizes = (sizes + sizes.mean()) / 2
        odds = _MIXING * rate * sizes / np.maximum(n_labels, 1)
        return cls(np.log(odds), _UNKNOWN, 10.0, "guessed")

    def density(self, t: np.ndarray, share: np.ndarray) -> np.ndarray:
        """Return the density of t, classes having these shares of the samples."""
        distance = (t[:, None] - self.centres) / self.width
        return student.pdf(distance, self.freedom) @ share / self.width
