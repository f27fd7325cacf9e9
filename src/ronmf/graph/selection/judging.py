"""How good predictions of hidden labels are."""

import numpy as np

__all__ = ["judge"]

_DOUBT = 0.02  # part of every prediction that counts as a guess: one error must not decide
_FLOOR = 1e-6  # a membership below this is not told from zero
_TEMPERATURES = (0.1, 0.15, 0.25, 0.35, 0.5, 0.7, 1.4)
_ENOUGH = 100  # hidden labels from which the best temperature counts for half


def judge(P: np.ndarray, truth: np.ndarray, n_hidden: int) -> tuple[float, float]:
    """Return the score of predictions of hidden labels, and the fraction that was found.

    The score is the mean logarithm of the probability of the true class. The more labels are hidden
    in all (`n_hidden`), the more memberships count at the temperature that suits them best: a timid
    graph may be as good as a bold one. Of few labels boldness is evidence too, and a temperature
    would be fitted to chance.

    Examples
    --------
    >>> timid, bold = np.array([[0.6, 0.4], [0.4, 0.6]]), np.array([[0.9, 0.1], [0.1, 0.9]])
    >>> [round(judge(P, np.array([0, 1]), 10**6)[0], 2) for P in (timid, bold)]
    [-0.03, -0.01]
    >>> [round(judge(P, np.array([0, 1]), 2)[0], 1) for P in (timid, bold)]
    [-0.5, -0.1]
    """
    logs = np.log(np.maximum(P, _FLOOR))
    scores = []
    for temperature in (1.0, *_TEMPERATURES):
        sharp = np.exp((logs - logs.max(axis=1, keepdims=True)) / temperature)
        true = sharp[np.arange(len(truth)), truth] / sharp.sum(axis=1)
        scores.append(float(np.log((1 - _DOUBT) * true + _DOUBT / P.shape[1]).mean()))
    tempered = n_hidden / (n_hidden + _ENOUGH)
    score = (1 - tempered) * scores[0] + tempered * max(scores)
    return score, float((logs.argmax(axis=1) == truth).mean())
