"""The state between two sweeps, in a folder, so that a killed run goes on from there."""

import json
import re
import time
from dataclasses import asdict

import numpy as np
import scipy.sparse as sp

from ..storage._checkpoint import Checkpoint
from ..storage._scratch import FileArray
from .factored import FactoredResidual, Term
from .pace import Pace
from .result import History
from .steps import State

__all__ = ["SavedSweeps"]

_SUMMARY = "told"  # the name of its array in the file
_TIME_SHARE = 0.1  # that may go into saving, about
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
        summary = {
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
        text = json.dumps(summary, default=float)  # a parameter may be a number of NumPy
        arrays[_SUMMARY] = np.frombuffer(text.encode(), dtype=np.uint8)
        self.checkpoint.write(self.path, arrays)
        residual.scratch.sweep()
        self._since = time.monotonic()
        self._wait = (self._since - begun) / _TIME_SHARE

    def restore(self, state: State, pace: Pace, history: History) -> tuple[int, int]:
        """Bring back the saved state, if there is one; return sweeps done and doublings of β."""
        residual = _factored(state)
        try:
            arrays = self.checkpoint.read(self.path) or {}
            summary = json.loads(arrays[_SUMMARY].tobytes())
            if summary["key"] != self.key:
                raise ValueError("it is of another problem")
            terms = [self._term(arrays, j, *file) for j, file in enumerate(summary["terms"])]
            factors = [arrays[name] for name in ("U", "A", "Z")]
            numbers = {name: arrays[name] for name in _RESIDUAL}
            done, doublings = int(summary["iteration"]) + 1, int(summary["doublings"])
            series = {name: list(summary["history"][name]) for name in vars(history)}
            paced = {name: summary["pace"][name] for name in vars(pace)}
            beta = float(summary["beta"])
        except (KeyError, TypeError, ValueError, RecursionError):
            # There is none, or it is damaged: all sweeps are made again.
            self.path.unlink(missing_ok=True)
            residual.scratch.remove_others(set())
            return 0, 0
        residual.scratch.remove_others({term.P.path.name for term in terms})
        state.U, state.A, state.Z = factors
        vars(residual).update(numbers)
        residual.beta, residual.is_new, residual.terms = beta, False, terms
        vars(pace).update(paced)
        for name, values in series.items():
            getattr(history, name)[:] = values
        return done, doublings

    def _term(
        self, arrays: dict[str, np.ndarray], j: int, name: str, shape: list[int], dtype: str
    ) -> Term:
        """Return a model whose file is there, whole, and one that a fit of ours wrote."""
        path, size = self.checkpoint.folder / name, (int(shape[0]), int(shape[1]))
        P = FileArray(path, size, dtype)
        whole = path.is_file() and path.stat().st_size == size[0] * size[1] * P.dtype.itemsize
        if not re.fullmatch(r"array-\d{6,}\.bin", name) or path.is_symlink() or not whole:
            raise ValueError("a file of the state is not there, or damaged")
        parts = tuple(arrays[f"{part}{j}"] for part in _CSR)
        U = sp.csr_array(parts, shape=(len(parts[2]) - 1, size[1]))
        U.check_format(full_check=True)
        return Term(P, U, *(arrays[f"{part}{j}"] for part in _TERM))


def _factored(state: State) -> FactoredResidual:
    if not isinstance(state.residual, FactoredResidual):
        raise TypeError("only a residual that is kept as factors can be saved")
    return state.residual
