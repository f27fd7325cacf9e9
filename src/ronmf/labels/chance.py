"""Whether predictions of hidden labels are any better than guesses."""

import numpy as np

__all__ = ["like_chance"]

# Of labels that say nothing, so many are taken for knowledge. What they contradict is then set
# aside, and the others look like knowledge indeed: with 0.005 it was one set in twenty.
_LEVEL = 0.001
_SHUFFLES, _MOST_ENTRIES = 5000, 2_000_000


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
    >>> truth = np.repeat([0, 1], [55, 5])
    >>> like_chance(np.zeros(60, dtype=int), truth), like_chance(np.repeat([0, 1], [57, 3]), truth)
    (True, False)
    """
    right = (predicted == truth).sum()
    if right == len(truth):  # labels of one class cannot tell
        return False
    rng, n_shuffles = np.random.RandomState(0), min(_SHUFFLES, 1 + _MOST_ENTRIES // len(truth))
    shuffled = [(predicted == rng.permutation(truth)).sum() for _ in range(n_shuffles)]
    return bool((np.array(shuffled) >= right).mean() > _LEVEL)
