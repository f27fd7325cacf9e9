"""Whether predictions of hidden labels are any better than guesses."""

import numpy as np

__all__ = ["like_chance"]

# Of labels that say nothing, so many are taken for knowledge, up to what one label in two folds
# says twice.
_LEVEL = 0.005
_SHUFFLES = 2000


def like_chance(predicted: np.ndarray, truth: np.ndarray) -> bool:
    """Return whether predictions would often do as well if labels were shuffled.

    Shuffled, labels have nothing to do with predictions, and classes stay as common as they are: a
    rare class that is found counts, and so does not a common one that is always said.

    Parameters
    ----------
    predicted, truth : ndarrays of int, shape (n_hidden,)
        The classes of labels while they were hidden, each once, and the labels.

    Examples
    --------
    >>> truth = np.repeat([0, 1], [57, 3])
    >>> like_chance(np.zeros(60, dtype=int), truth), like_chance(np.repeat([0, 1], [58, 2]), truth)
    (True, False)
    """
    right = (predicted == truth).sum()
    if right == len(truth):  # labels of one class cannot tell
        return False
    rng = np.random.RandomState(0)
    shuffled = np.array([(predicted == rng.permutation(truth)).sum() for _ in range(_SHUFFLES)])
    return bool((shuffled >= right).mean() > _LEVEL)
