r"""How likely a sample belongs to no labelled class, by how hardly a walk from it meets a label.

The logarithm t of the odds that the walk dies first is compared with two others: those of labels
while they are hidden, which tell how far samples of named classes are, and those of unlabelled
samples, among which strangers form a second hill, if there are any.
"""

from dataclasses import dataclass

import numpy as np
from scipy.stats import norm
from scipy.stats import t as student

from .hidden_labels import hide_labels

__all__ = ["HiddenOdds", "NamedOdds", "NoveltyScale", "death_odds", "fit_novelty", "hidden_walks"]

# Chosen on draws of ten sets with 1, 2 and 5 labels per class, for a quarter, half, nine tenths and
# all of the classes; `benchmarks/novelty.py` measures on others.
_FOLDS = 5  # parts of the labels, and groups of the classes, that are hidden in turn
_FEWEST_CLASSES = 3  # of which one can be hidden while two are left
_CLIP = 1e-4  # probability of dying that is not told from 0, or from 1
_HALF = 0.5  # added to counts of labels whose ratio is taken, so that 1 of 2 is no certain half
_NARROWEST = 0.15  # standard deviation of a class: a handful of labels may agree by chance
_UNSURE = 0.4  # standard error of a shift, in parts of it; with 0.2, sets whose classes all have
# two labels seem to have twice as many strangers
_UNKNOWN = 0.5  # standard deviation where no label can be hidden; with 0.4 closed sets have some
_MIXING = 1.2  # how much likelier a walk dies than if it forgot where it began; sets have 1 to 2
_FLOOR = 0.2  # standard deviation of strangers, at least
_APART = 1.5  # how far beyond the named their mean is, in standard deviations of the named
_AS_FAR = {"hidden": 0.25, "guessed": 0.5}  # and in parts of the distance of labels whose whole
# class is hidden, where the named are known from hidden labels, or guessed from sizes
_CLEAR = 0.05  # gain in log-likelihood per sample from which strangers are believed in full: with
# half of their classes named, sets have 0.07 to 8 (a draw in fifteen less), with all less than 0.04
_LEAST = 20.0  # the same of all samples together: so much a few dozens in a square gain by chance
_ORDER = 0.001  # novelty that the order of t makes where there seem to be no strangers
_BINS, _MARGIN, _STEPS = 512, 0.01, 200


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


@dataclass(frozen=True, eq=False)
class NoveltyScale:
    """The map from t to novelty: a rising line through points.

    Attributes
    ----------
    odds, values : ndarray of shape (n_points,)
        The points, in increasing order of both.
    """

    odds: np.ndarray
    values: np.ndarray

    def probability(self, t: np.ndarray) -> np.ndarray:
        """Return the novelty of samples.

        Examples
        --------
        >>> scale = NoveltyScale(np.array([0.0, 1.0]), np.array([0.0, 0.8]))
        >>> scale.probability(np.array([-3.0, 0.5, 9.0])).tolist()
        [0.0, 0.4, 0.8]
        """
        return np.interp(t, self.odds, self.values)


def fit_novelty(
    t: np.ndarray, named: NamedOdds, share: np.ndarray, distance: float = 0.0
) -> NoveltyScale:
    r"""Return how likely strangers are at each t, given those of all unlabelled samples.

    The samples are taken for a mixture :math:`(1-\pi) f_0 + \pi f_1`. :math:`f_0` is known from
    hidden labels; :math:`\pi` and the mean and width of a normal :math:`f_1` beyond it are found by
    expectation and maximisation, as mixtures of known and unknown classes are elsewhere [1]_. Where
    the mixture explains the samples no better than :math:`f_0` alone, there are no strangers.

    Parameters
    ----------
    t : ndarray of shape (n_unlabelled,)
        Logarithms of the odds of the unlabelled samples.
    named : NamedOdds
        What t is like in named classes.
    share : ndarray of shape (n_classes,)
        Shares of the named classes among the samples, as predicted.
    distance : float, default=0.0
        How far beyond named ones labels are whose whole class is hidden.

    References
    ----------
    .. [1] M. Saerens, P. Latinne and C. Decaestecker. Adjusting the outputs of a classifier to new
       a priori probabilities. Neural Computation 14, 2002.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> named = NamedOdds(np.zeros(1), 0.3, 30.0, "hidden")
    >>> closed, far = 0.3 * rng.normal(size=500), 3 + rng.normal(size=200)
    >>> scale = fit_novelty(np.concatenate([closed, far]), named, np.ones(1))
    >>> scale.probability(np.array([0.0, 3.0])).round(1).tolist()
    [0.0, 1.0]
    >>> bool(fit_novelty(closed, named, np.ones(1)).values.max() <= 0.02)
    True
    """
    low, high = t.min() - _MARGIN, t.max() + _MARGIN  # they may all be the same
    counts, edges = np.histogram(t, _BINS, (low, high))
    points, counts = (edges[1:] + edges[:-1]) / 2, counts / len(t)
    f0, centre = named.density(points, share), float(share @ named.centres)
    width = float(np.sqrt(named.width**2 + share @ np.square(named.centres - centre)))
    least = centre + max(_APART * width, _AS_FAR[named.known] * distance)
    few = 1 / len(t)  # one sample's worth of belief keeps every share and width above zero
    strange, mean, spread = 0.3, centre + max(3 * width, distance), 1.0
    for _ in range(_STEPS):
        f1 = norm.pdf(points, mean, spread)
        both = strange * f1 + (1 - strange) * f0 + 1e-300
        q = np.where(points < centre, 0.0, strange * f1 / both)
        total = float(counts @ q)
        strange = (total + few) / (1 + 10 * few)
        mean = max(float((counts * q) @ points) / (total + 1e-12), least)
        square = float((counts * q) @ np.square(points - mean))
        spread = max(float(np.sqrt((square + 0.1 * few) / (total + few))), _FLOOR)
    gain = float(counts @ (np.log(both) - np.log(np.maximum(f0, 1e-12))))
    enough = max(_CLEAR, _LEAST * few)
    novelty = np.clip(gain / enough, 0.0, 1.0) * np.maximum.accumulate(q)
    order = _ORDER * norm.cdf(points, centre, width)
    return NoveltyScale(points, novelty + (1 - novelty) * order)
