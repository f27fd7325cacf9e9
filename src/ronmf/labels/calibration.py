"""Probabilities one can believe: memberships sharpened or softened until hidden labels agree."""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq, minimize_scalar

from .hidden_labels import Trial

__all__ = ["Calibration", "calibrate", "calibrate_on_trials", "calibrate_tentatively"]
__all__ += ["calibrated_score"]

_FLOOR = 1e-6  # a membership below this is not told from zero
_RANGE = np.log([0.02, 10.0])  # of temperatures


@dataclass(frozen=True)
class Calibration:
    r"""The map from memberships to probabilities.

    A row s becomes :math:`(1-\delta)\,s^{1/T}/\sum s^{1/T} + \delta/c`.

    Attributes
    ----------
    temperature : float
        T: below 1 memberships were too timid, above 1 too bold.
    doubt : float
        δ: what is left for every class however clear a sample is.
    """

    temperature: float = 1.0
    doubt: float = 0.0

    def probabilities(self, memberships: np.ndarray) -> np.ndarray:
        """Return calibrated rows; they sum to one and keep the order of the memberships.

        Examples
        --------
        >>> Calibration(temperature=0.5).probabilities(np.array([[0.75, 0.25]])).round(3).tolist()
        [[0.9, 0.1]]
        """
        if self == Calibration():
            return memberships
        power = np.log(np.maximum(memberships.astype(np.float64), _FLOOR)) / self.temperature
        power = np.exp(power - power.max(axis=1, keepdims=True))
        sharp = power / power.sum(axis=1, keepdims=True)
        rows = (1 - self.doubt) * sharp + self.doubt / memberships.shape[1]
        return rows.astype(memberships.dtype)

    def score(self, memberships: np.ndarray, truth: np.ndarray) -> float:
        """Return the mean logarithm of the probability of the true classes; 0 is perfect.

        Examples
        --------
        >>> round(Calibration().score(np.array([[0.75, 0.25]]), np.array([0])), 3)
        -0.288
        """
        likely = self.probabilities(memberships)[np.arange(len(truth)), truth]
        return float(np.log(likely).mean())


def calibrate(
    memberships: np.ndarray, truth: np.ndarray, n_labels: int | None = None
) -> Calibration:
    r"""Return the temperature under which hidden labels are likeliest [1]_.

    δ is the share of errors that so many labels cannot exclude, one of ``n_labels + 2``; a weak
    belief in T = 1 (one observation's worth) keeps few labels from extremes.

    Parameters
    ----------
    memberships : ndarray of shape (n, n_classes)
        Predictions of hidden labels; rows sum to one.
    truth : ndarray of int, shape (n,)
        The labels.
    n_labels : int, default=None
        How many different labels these are, if some were hidden more than once; None: all.

    Returns
    -------
    Calibration
        The identity if n is 0.

    References
    ----------
    .. [1] C. Guo, G. Pleiss, Y. Sun and K. Q. Weinberger. On calibration of modern neural networks.
       ICML 2017.

    Examples
    --------
    >>> timid = np.array([[0.6, 0.4], [0.4, 0.6]] * 50)  # always right, never sure
    >>> calibrate(timid, np.array([0, 1] * 50)).temperature < 0.2
    True
    """
    if not len(truth):
        return Calibration()
    n_labels = len(truth) if n_labels is None else n_labels
    doubt = 1 / (n_labels + 2)

    def cost(log_temperature: float) -> float:
        score = Calibration(float(np.exp(log_temperature)), doubt).score(memberships, truth)
        return log_temperature**2 / 2 - score * n_labels

    best = minimize_scalar(cost, bounds=tuple(_RANGE), method="bounded")
    return Calibration(float(np.exp(best.x)), doubt)


def calibrated_score(memberships: np.ndarray, truth: np.ndarray) -> float:
    """Return the score of predictions under their own calibration: bold ones gain nothing by it.

    Examples
    --------
    >>> timid = np.array([[0.6, 0.4], [0.4, 0.6]] * 50)
    >>> calibrated_score(timid, np.array([0, 1] * 50)) > -0.02
    True
    """
    return calibrate(memberships, truth).score(memberships, truth)


def calibrate_on_trials(trials: list[Trial], n_labels: int) -> Calibration:
    """Calibrate on what trials predicted; they come from so many different labels."""
    if not trials:
        return Calibration()
    truth = np.concatenate([trial.truth for trial in trials])
    predictions = np.concatenate([trial.predictions for trial in trials])
    return calibrate(predictions, truth, n_labels)


def calibrate_tentatively(trials: list[Trial], n_labels: int, confusion: float) -> Calibration:
    r"""Calibrate on predictions of predictions; these come from so many labels.

    With t the share of a first prediction that a second one finds again, the second is right in t
    of all cases if the first was right. That was right in t again, were it a prediction of the same
    kind, as it is where classes are no clusters of the graph; where given labels say that classes
    are clusters it was right nearly always. So :math:`t^{1+\rho}` of all predictions are
    right, with ρ how far labels contradict the clusters: memberships get the temperature at which
    they say so in the mean.

    Parameters
    ----------
    trials : list of Trial
        Predictions of predictions.
    n_labels : int
        How many labels predicted.
    confusion : float
        ρ, from 0 to 1.

    Examples
    --------
    >>> codes, timid = np.array([0, 1] * 50), np.array([[0.6, 0.4], [0.4, 0.6]] * 50)
    >>> trial = Trial(codes, np.arange(100), timid, np.where(np.arange(100) < 80, codes, 1 - codes))
    >>> for confusion in (0.0, 1.0):
    ...     sure = calibrate_tentatively([trial], 2, confusion).probabilities(timid).max(axis=1)
    ...     print(round(float(sure.mean()), 2))
    0.8
    0.64
    """
    if not trials:
        return Calibration()
    truth = np.concatenate([trial.truth for trial in trials])
    predictions = np.concatenate([trial.predictions for trial in trials])
    wanted = float((predictions.argmax(axis=1) == truth).mean()) ** (1 + confusion)
    doubt = 1 / (n_labels + 2)

    def excess(log_temperature: float) -> float:
        map_ = Calibration(float(np.exp(log_temperature)), doubt)
        return float(map_.probabilities(predictions).max(axis=1).mean()) - wanted

    low, high = _RANGE
    if excess(low) <= 0 or excess(high) >= 0:  # bolder or more timid than the range allows
        best = low if excess(low) <= 0 else high
    else:
        best = brentq(excess, low, high, xtol=1e-3)
    return Calibration(float(np.exp(best)), doubt)
