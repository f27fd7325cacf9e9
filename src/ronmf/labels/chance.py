"""Whether predictions of hidden labels are any better than guesses."""

from scipy.stats import binom

__all__ = ["like_chance"]

# Of labels that say nothing, so many are taken for knowledge, up to what one label in two folds
# says twice; with 0.1 it was one set of random labels in five.
_LEVEL = 0.005


def like_chance(count: int, right: int, commonest: float) -> bool:
    """Return whether guessing the commonest class would often do as well.

    Parameters
    ----------
    count, right : int
        How many labels were hidden, each counted once, and how many of them predicted.
    commonest : float
        Share of the commonest class among them, which a guess would get right.

    Examples
    --------
    >>> like_chance(40, 24, 0.5), like_chance(40, 32, 0.5)
    (True, False)
    """
    if right == count:  # labels of one class cannot tell
        return False
    return bool(binom.sf(right - 1, count, commonest) > _LEVEL)
