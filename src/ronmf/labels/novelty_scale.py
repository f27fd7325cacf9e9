r"""From the odds that a walk dies before it meets a label to the probability of a stranger."""

from dataclasses import dataclass

import numpy as np
from scipy.stats import norm

from .novelty import NamedOdds

__all__ = ["NoveltyScale", "fit_novelty"]

# Chosen on draws of nine sets with 1, 2 and 5 labels per class, for half, three quarters, nine
# tenths and all of the classes; `benchmarks/novelty.py` measures on others.
_KINDS = 2  # of strangers: some are in no way joined to a label, others are. With one kind three
# times as many strangers seem sure to be of a named class; three kinds bring nothing
_FLOOR = 0.2  # standard deviation of a kind, at least
_APART = 1.5  # how far beyond the named its mean is, in standard deviations of the named
_AS_FAR = {"hidden": 0.25, "guessed": 0.5}  # and in parts of the distance of labels whose whole
# class is hidden, where the named are known from hidden labels, or guessed from sizes
_CLEAR = {"hidden": (0.015, 0.04), "guessed": (0.1, 0.3)}  # gain in log-likelihood per sample from
# which strangers are believed, first a little and then in full: with half of their classes named,
# sets have 0.055 to 12 (one draw in 27 has nothing), with all less than 0.025 in 22 of 27; with one
# label per class 0 to 2.3, and 0 to 0.16
_LEAST = 20.0  # the same of all samples together, in full: so much a few dozens gain by chance
_FEWEST = (0.05, 0.08)  # shares of strangers, likewise: fewer are not told from the odd samples of
# named classes, and draws with nine tenths of the classes have 0.08 or more
_ORDER = 0.001  # novelty that the order of t makes where there seem to be no strangers
_BINS, _MARGIN, _STEPS = 512, 0.01, 200


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
    t: np.ndarray, named: NamedOdds, share: np.ndarray, distance: float | None = None
) -> NoveltyScale:
    r"""Return how likely strangers are at each t, given those of all unlabelled samples.

    The samples are taken for a mixture :math:`(1-\pi) f_0 + \pi_1 f_1 + \pi_2 f_2`. :math:`f_0` is
    known from hidden labels; shares, means and widths of the normals :math:`f_1` and :math:`f_2`
    beyond it are found by expectation and maximisation, as mixtures of known and unknown classes
    are elsewhere [1]_. Where the mixture explains the samples hardly better than :math:`f_0` alone,
    or strangers would be few, there are none.

    Parameters
    ----------
    t : ndarray of shape (n_unlabelled,)
        Logarithms of the odds of the unlabelled samples.
    named : NamedOdds
        What t is like in named classes.
    share : ndarray of shape (n_classes,)
        Shares of the named classes among the samples, as predicted.
    distance : float, default=None
        How far beyond named ones labels are whose whole class is hidden; None: no class could be.
        Strangers are then not believed where named classes are guessed too.

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
    known_from_labels = named.known == "hidden" or distance is not None
    distance = distance or 0.0
    low, high = t.min() - _MARGIN, t.max() + _MARGIN  # they may all be the same
    counts, edges = np.histogram(t, _BINS, (low, high))
    points, counts = (edges[1:] + edges[:-1]) / 2, counts / len(t)
    f0, centre = named.density(points, share), float(share @ named.centres)
    width = float(np.sqrt(named.width**2 + share @ np.square(named.centres - centre)))
    least = centre + max(_APART * width, _AS_FAR[named.known] * distance)
    few = 1 / len(t)  # one sample's worth of belief keeps every share and width above zero
    far = np.linspace(0.5, 1.5, _KINDS) * max(3 * width, distance)
    means, widths = np.maximum(centre + far, least), np.full(_KINDS, max(width, 0.5))
    shares = np.full(_KINDS, 0.3 / _KINDS)
    for _ in range(_STEPS):
        each = shares * norm.pdf(points[:, None], means, widths)
        both = each.sum(axis=1) + (1 - shares.sum()) * f0 + 1e-300
        q = np.where(points[:, None] < centre, 0.0, each / both[:, None])
        total = counts @ q
        shares = (total + few / _KINDS) / (1 + 10 * few)
        means = np.maximum((counts * points) @ q / (total + 1e-12), least)
        squares = np.einsum("p,pk->k", counts, q * np.square(points[:, None] - means))
        widths = np.maximum(np.sqrt((squares + 0.1 * few) / (total + few)), _FLOOR)
    if np.ptp(means) <= widths.max():  # they are one kind
        each, q, shares = (of.sum(axis=-1, keepdims=True) for of in (each, q, shares))
    # Each kind must be needed: a handful far away is no reason to believe in others nearby.
    without = both[:, None] - each + shares * np.maximum(f0, 1e-12)[:, None]
    gain = counts @ (np.log(both)[:, None] - np.log(without))
    clear = np.array(_CLEAR[named.known])
    clear *= max(1.0, _LEAST * few / clear[1])
    belief = np.interp(gain, clear, [0, 1])
    belief *= known_from_labels * np.interp(shares @ belief, _FEWEST, [0, 1])
    novelty = np.maximum.accumulate(q @ belief)
    order = _ORDER * norm.cdf(points, centre, width)
    return NoveltyScale(points, novelty + (1 - novelty) * order)
