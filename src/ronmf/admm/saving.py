"""The state between two sweeps, in a folder, so that a killed run goes on from there."""

import json
import time
from dataclasses import asdict
from typing import Any

import numpy as np
import scipy.sparse as sp

from ..storage._checkpoint import Checkpoint
from ..storage._scratch import FileArray
from .factored import FactoredResidual, Term
from .pace import Pace
from .result import History
from .steps import State

__all__ = ["SavedSweeps"]

_SHARE = 0.1  # of the time that may go into saving, about
_TERM = ("weight", "overlap", "square")
_CSR = ("data", "indices", "indptr")
_RESIDUAL = ("shrink", "dual", "_square", "_own", "_data_square")


class SavedSweeps:
    """Saves the iterate of a run now and then, and finds it again.

    Parameters
    ----------
    checkpoint : Checkpoint
        The folder.
    key : str
        Tells this problem, with its start, from others.
    """

    def __init__(self, checkpoint: Checkpoint, key: str) -> None:
        self.checkpoint, self.key = checkpoint, key
        self.path = checkpoint.folder / "sweeps.npz"
        self._wait = 0.0
        self._since = time.monotonic()

    def save(
        self, state: State, pace: Pace, history: History, iteration: int, doublings: int
    ) -> None:
        """Save the state after a sweep, unless the last time was not long ago."""
        begun = time.monotonic()
        if begun - self._since < self._wait:
            return
        residual = _factored(state)
        arrays = {name: np.asarray(getattr(state, name)) for name in ("U", "A", "Z")}
        arrays |= {name: getattr(residual, name) for name in _RESIDUAL}
        for j, term in enumerate(residual.terms):
            arrays |= {f"{name}{j}": getattr(term, name) for name in _TERM}
            arrays |= {f"{name}{j}": getattr(term.U, name) for name in _CSR}
        told = {
            "key": self.key,
            "iteration": iteration,
            "doublings": doublings,
            "beta": residual.beta,
            "pace": vars(pace),
            "history": asdict(history),
            "terms": [
                [term.P.path.name, term.P.shape, term.P.dtype.str] for term in residual.terms
            ],
        }
        arrays["told"] = np.frombuffer(json.dumps(told).encode(), dtype=np.uint8)
        self.checkpoint.write(self.path, arrays)
        residual.scratch.sweep()
        self._since = time.monotonic()
        self._wait = (self._since - begun) / _SHARE

    def restore(self, state: State, pace: Pace, history: History) -> tuple[int, int]:
        """Bring back the saved state, if there is one; return sweeps done and doublings of β."""
        residual = _factored(state)
        found = self.checkpoint.read(self.path) if self.path.exists() else None
        told = _told(found)
        if found is None or told is None or told["key"] != self.key:
            residual.scratch.remove_others(set())
            return 0, 0
        residual.scratch.remove_others({name for name, *_ in told["terms"]})
        state.U, state.A, state.Z = (found[name] for name in ("U", "A", "Z"))
        for name in _RESIDUAL:
            setattr(residual, name, found[name])
        residual.beta, residual.is_new = told["beta"], False
        residual.terms = [
            _term(self.checkpoint, found, j, *file) for j, file in enumerate(told["terms"])
        ]
        vars(pace).update(told["pace"])
        for name, series in told["history"].items():
            getattr(history, name)[:] = series
        return told["iteration"] + 1, told["doublings"]


def _factored(state: State) -> FactoredResidual:
    if not isinstance(state.residual, FactoredResidual):
        raise TypeError("only a residual that is kept as factors can be saved")
    return state.residual


def _told(found: dict[str, np.ndarray] | None) -> Any:
    try:
        return None if found is None else json.loads(found["told"].tobytes())
    except (KeyError, ValueError, RecursionError):
        return None


def _term(
    checkpoint: Checkpoint,
    found: dict[str, np.ndarray],
    j: int,
    name: str,
    shape: list[int],
    dtype: str,
) -> Term:
    P = FileArray(checkpoint.folder / name, (shape[0], shape[1]), dtype)
    n_features = len(found[f"indptr{j}"]) - 1
    U = sp.csr_array(tuple(found[f"{part}{j}"] for part in _CSR), shape=(n_features, shape[1]))
    return Term(P, U, *(found[f"{part}{j}"] for part in _TERM))
