r"""The residual of data that are not in memory: kept as the factors it is made of.

``V <- X - P U' + d ∘ V`` makes V a weighted sum of the data and of the models of all sweeps so far,

.. math:: V = a \circ X - \sum_j w_j \circ P_j U_j',

with one number a and one number w_j per group. So nothing of the size of the data is ever written:
a sweep adds one n x r array, and reads the data for ``X U`` and for ``X'P`` only.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy.sparse as sp

from ..numerics.arrays import row_blocks
from ..storage._rows import StoredRows
from ..storage._scratch import Scratch
from .loss import GroupLoss
from .residual import Residual

__all__ = ["FactoredResidual", "Term"]

_FORGOTTEN_SHARE = 1e-10  # of the data: a term of so little makes no difference any more
_ROWS_AT_ONCE = 2**14  # of the models


@dataclass(frozen=True, eq=False)
class Term:
    """A model ``P U'`` of an earlier sweep.

    Attributes
    ----------
    P : array of shape (n_samples, r)
        Coefficients, in memory or in a file.
    U : csr_array of shape (n_features, r)
        Parts: a pixel belongs to one, as a rule.
    weight : ndarray of shape (n_groups,)
        w, with which it enters V.
    overlap, square : ndarray of shape (n_groups,)
        ``<X_g, (P U')_g>`` and ``|(P U')_g|^2``.
    """

    P: Any
    U: sp.csr_array
    weight: np.ndarray
    overlap: np.ndarray
    square: np.ndarray


class FactoredResidual(Residual):
    """``V`` as a sum of models, for data that are read by blocks.

    Parameters
    ----------
    X : StoredRows
        The data.
    loss, beta
        See :class:`~ronmf.admm.residual.Residual`.
    scratch : Scratch
        Where models of earlier sweeps are kept.
    """

    X: StoredRows

    def __init__(self, X: StoredRows, loss: GroupLoss, beta: float, scratch: Scratch) -> None:
        super().__init__(X, loss, beta)
        self.scratch, self.terms = scratch, list[Term]()
        self._own = np.zeros(len(self._square))  # a: how much of X is in V
        self._data_square = X.square_sums(loss.axis)
        self._known: tuple[Any, Any] | None = None  # P with X'P, or U with XU

    def target_times(self, U: np.ndarray) -> np.ndarray:
        """Return ``T @ U`` for the target ``T = X - E - Λ/β`` (n x r)."""
        w = self._excess
        own, by_features = 1 + w * self._own, self.loss.axis == 0
        if by_features:
            product = self.X.times(own[:, None] * U)
        else:
            product = own[:, None] * self._times_basis(U)
        maps = [
            t.U.T @ ((w * t.weight)[:, None] * U if by_features else U).astype(float)
            for t in self.terms
        ]
        for rows, terms in self._rows():
            for (term, P), small in zip(terms, maps, strict=True):
                of_model = P @ small.astype(P.dtype)
                if not by_features:
                    of_model *= (w[rows] * term.weight[rows])[:, None]
                product[rows] -= of_model
        return product.astype(self.X.dtype, copy=False)

    def target_transposed_times(self, P: np.ndarray) -> np.ndarray:
        """Return ``T.T @ P`` for the target ``T = X - E - Λ/β`` (d x r)."""
        w = self._excess
        own, by_features = 1 + w * self._own, self.loss.axis == 0
        if by_features:
            product = own[:, None] * self._data_times(P)
        else:
            product = self.X.transposed_times(own[:, None] * P)
        for term, gram in zip(self.terms, self._grams(P, None if by_features else w), strict=True):
            of_model = term.U @ gram
            product -= (w * term.weight)[:, None] * of_model if by_features else of_model
        return product.astype(self.X.dtype)

    @property
    def _excess(self) -> np.ndarray:
        """``d - s``: how often V is in the target."""
        return (self.dual - self.shrink).astype(np.float64)

    def _data_times(self, P: np.ndarray) -> np.ndarray:
        """Return ``X'P``, which is read once for both steps that ask for it."""
        if self._known is None or self._known[0] is not P:
            self._known = P, self.X.transposed_times(P)
        return self._known[1]

    def _times_basis(self, U: np.ndarray) -> np.ndarray:
        """Return ``XU``, exact enough for norms of samples, read once for both steps."""
        if self._known is None or self._known[0] is not U:
            self._known = U, self.X.times(U, exact=True)
        return self._known[1]

    def _replace(self, U: np.ndarray, P: np.ndarray) -> tuple[Any, Any, Any]:
        d, parts = self.dual.astype(np.float64), sp.csr_array(U.astype(np.float64))
        overlap = self._overlap(U, P)
        *products, own = self._products(P, parts)
        fit_square = self._data_square - 2 * overlap + own  # |X - P U'|^2
        fit_old = self._own * (self._data_square - overlap)  # <X - P U', V>
        for term, product in zip(self.terms, products, strict=True):
            fit_old -= term.weight * (term.overlap - product)
        old, less = self._square, 1 - d
        step_square = fit_square - 2 * less * fit_old + less**2 * old
        square = fit_square + 2 * d * fit_old + d**2 * old
        self._own = 1 + d * self._own
        self._remember(Term(self.scratch.keep(P), parts, np.ones(len(d)), overlap, own), d)
        return step_square.clip(min=0), fit_old - less * old, square.clip(min=0)

    def _overlap(self, U: np.ndarray, P: np.ndarray) -> np.ndarray:
        """Return ``<X_g, (P U')_g>``."""
        if self.loss.axis == 0:
            return np.einsum("ij,ij->i", U.astype(np.float64), self._data_times(P))
        return np.einsum("ij,ij->i", self._times_basis(U), P.astype(np.float64))

    def _products(self, P: np.ndarray, parts: sp.csr_array) -> list[np.ndarray]:
        """Return ``<(P_j U_j')_g, (P U')_g>`` of a new model with all, itself the last."""
        bases = [*(term.U for term in self.terms), parts]
        if self.loss.axis == 0:
            grams = [*self._grams(P), _gram(P, P)]
            return [_row_sums(parts, U @ gram) for U, gram in zip(bases, grams, strict=True)]
        maps = [(U.T @ parts).toarray() for U in bases]
        products = np.empty((len(bases), self.X.shape[0]))
        for rows, terms in self._rows():
            own = P[rows].astype(np.float64)
            for j, small in enumerate(maps):
                other = terms[j][1] if j < len(terms) else own
                products[j, rows] = np.einsum("ij,ij->i", other @ small, own)
        return list(products)

    def _grams(self, Q: np.ndarray, w: np.ndarray | None = None) -> list[np.ndarray]:
        """Return ``P_j' Q`` of every model, in float64.

        With one number w per sample, that of Q with rows weighed by w and by the model's weights.
        """
        grams = [np.zeros((term.U.shape[1], Q.shape[1])) for term in self.terms]
        for rows, terms in self._rows():
            for sums, (term, P) in zip(grams, terms, strict=True):
                own = Q[rows] if w is None else (w[rows] * term.weight[rows])[:, None] * Q[rows]
                sums += _gram(P, own)
        return grams

    def _rows(self) -> Iterator[tuple[slice, list[tuple[Term, np.ndarray]]]]:
        """Yield blocks of the models so far, read from where they are kept."""
        for rows in row_blocks(self.X, _ROWS_AT_ONCE):
            yield rows, [(term, np.asarray(term.P[rows])) for term in self.terms]

    def _remember(self, new: Term, d: np.ndarray) -> None:
        """Weigh earlier models by d, forget those without weight, and add the new one."""
        kept, largest = [], float(self._data_square.max(initial=0.0))
        for term in self.terms:
            weight = term.weight * d
            if float((weight**2 * term.square).max(initial=0.0)) > _FORGOTTEN_SHARE**2 * largest:
                kept.append(replace(term, weight=weight))
            else:
                self.scratch.drop(term.P)
        self.terms = [*kept, new]
        if sum(term.U.shape[1] for term in self.terms) > 2 * self.X.shape[1]:
            self._merge()

    def _merge(self) -> None:
        """Write all models as one, of as many columns as there are features."""
        by_features = self.loss.axis == 0
        n, d = self.X.shape
        whole, square = self.scratch.empty((n, d), self.X.dtype), np.zeros(len(self._own))
        for rows, terms in self._rows():
            total = np.zeros((rows.stop - rows.start, d))
            for term, P in terms:
                model = (term.U @ P.T.astype(np.float64)).T
                total += model * (term.weight if by_features else term.weight[rows, None])
            whole.write(rows, total)
            sums = np.einsum("ij,ij->j" if by_features else "ij,ij->i", total, total)
            square[slice(None) if by_features else rows] += sums
        overlap = sum((term.weight * term.overlap for term in self.terms), np.zeros(len(square)))
        for term in self.terms:
            self.scratch.drop(term.P)
        identity = sp.csr_array(sp.eye_array(d))
        self.terms = [Term(whole, identity, np.ones(len(square)), overlap, square)]


def _gram(P: np.ndarray, Q: np.ndarray) -> np.ndarray:
    return P.T.astype(np.float64) @ Q.astype(np.float64)


def _row_sums(U: sp.csr_array, B: np.ndarray) -> np.ndarray:
    """Return the sums of the rows of ``U ∘ B``."""
    rows = np.repeat(np.arange(U.shape[0]), np.diff(U.indptr))
    return np.bincount(rows, U.data * B[rows, U.indices], minlength=U.shape[0])
