"""How an iteration went."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from ._drawing import axes_for, fitted_attribute

__all__ = ["HistoryDisplay"]

_RESIDUALS = ("primal", "dual", "membership_change")


class HistoryDisplay:
    """The objective, and where there are any the residuals, over the sweeps of a fit.

    Parameters
    ----------
    objective : list of float
        Its values.
    sweeps : list of int
        After how many sweeps each of them was computed.
    residuals : dict of str to list of float
        By name, as long as `sweeps`; empty for methods that have none.
    tol : float, default=None
        The tolerance on them, drawn as a line.

    Attributes
    ----------
    axes_ : ndarray of matplotlib axes
        Of the objective and, if there are any, of the residuals.
    figure_ : matplotlib figure

    Examples
    --------
    >>> from ronmf.displays import HistoryDisplay
    >>> display = HistoryDisplay([3.0, 2.0, 1.5], [1, 2, 3], {"primal": [1.0, 0.1, 0.01]}, tol=0.02)
    >>> [ax.get_ylabel() for ax in display.plot().axes_]
    ['objective', 'residuals']
    """

    def __init__(
        self,
        objective: list[float],
        sweeps: list[int],
        residuals: dict[str, list[float]],
        tol: float | None = None,
    ) -> None:
        self.objective, self.sweeps = objective, sweeps
        self.residuals, self.tol = residuals, tol

    @classmethod
    def from_estimator(cls, estimator: Any, *, axes: Any = None) -> Self:
        """Draw ``history_`` of a fitted model.

        Parameters
        ----------
        estimator : clusterer
            Fitted, with ``history_``.
        axes
            See :meth:`plot`.

        Returns
        -------
        HistoryDisplay
        """
        history = fitted_attribute(estimator, "history_", cls)
        residuals = {name: getattr(history, name) for name in _RESIDUALS if hasattr(history, name)}
        sweeps = getattr(history, "iteration", range(1, len(history.objective) + 1))
        tol = getattr(getattr(estimator, "solver_", estimator), "tol", None)
        return cls(history.objective, list(sweeps), residuals, tol).plot(axes=axes)

    def plot(self, *, axes: Any = None) -> Self:
        """Draw the curves.

        Parameters
        ----------
        axes : array of matplotlib axes, default=None
            One for the objective, and one for the residuals if there are any; None makes a new
            figure.

        Returns
        -------
        HistoryDisplay
            This one, with ``axes_`` and ``figure_``.
        """
        count = 2 if self.residuals else 1
        self.figure_, self.axes_ = axes_for(type(self).__name__, axes, count, count, (4, 3))
        self.axes_[0].plot(self.sweeps, self.objective)
        self.axes_[0].set(xlabel="sweep", ylabel="objective")
        if self.residuals:
            ax = self.axes_[1]
            for name, values in self.residuals.items():
                seen = np.where(np.asarray(values) > 0, values, np.nan)  # a logarithm has no zero
                ax.plot(self.sweeps, seen, marker=".", label=name.replace("_", " "))
            if self.tol:
                ax.axhline(self.tol, color="gray", linestyle=":", label="tol")
            ax.set(xlabel="sweep", ylabel="residuals", yscale="log")
            ax.legend(fontsize="small")
        return self
