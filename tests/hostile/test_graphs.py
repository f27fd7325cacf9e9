"""Given graphs with broken indices, and features that are none: refused, never followed."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import BaseEstimator, TransformerMixin

from ronmf import ADMM, RONMF, GraphRecipe, HarmonicLabelPropagation
from ronmf.baselines import GNMF

X = np.random.RandomState(0).rand(60, 20)
Y = np.where(np.arange(60) < 12, np.arange(60) % 3, -1)


def broken_graphs():
    """Yield sparse matrices whose indices point outside, by kind."""
    n = len(X)
    ring = sp.csr_array((np.ones(n), (np.arange(n), (np.arange(n) + 1) % n)), shape=(n, n))
    ring = ring + ring.T
    for kind in ("csr", "csc", "bsr"):
        for value in (10**6, -1, n):
            W = ring.asformat(kind).copy()
            W.indices[3] = value
            yield f"{kind} {value}", W
        W = ring.asformat(kind).copy()
        W.indptr[1:4] = 10**6
        yield f"{kind} pointers", W
    for value in (10**6, -1):
        W = ring.tocoo().copy()
        W.row[0] = value
        yield f"coo {value}", W
    W = ring.todok().copy()
    W._dict[n + 5, 0] = 1.0
    yield "dok", W


BROKEN = dict(broken_graphs())


@pytest.mark.parametrize("kind", BROKEN)
def test_graphs_that_point_outside_are_refused(kind):
    for estimator in (RONMF, HarmonicLabelPropagation, GNMF):
        with pytest.raises(ValueError, match="affinity matrix has indices that point outside"):
            estimator(graph="precomputed").fit(X, Y, affinity=BROKEN[kind])


class Odd(TransformerMixin, BaseEstimator):
    """Features that are not what they should be, from the second call on if `late`."""

    def __init__(self, make=None, late=False):
        self.make, self.late = make, late

    def fit(self, X, y=None):
        return self

    def fit_transform(self, X, y=None):
        return X if self.late else self.make(X)

    def transform(self, X):
        return self.make(X)


MADE = {
    "NaN": lambda X: np.full(X.shape, np.nan),
    "infinite": lambda X: X / 0,
    "one row less": lambda X: X[1:],
    "flat": lambda X: X.ravel(),
    "no columns": lambda X: X[:, :0],
    "text": lambda X: X.astype(str),
    "complex": lambda X: X * 1j,
    "nothing": lambda X: None,
    "sparse": sp.csr_array,
    "objects": lambda X: X.astype(object),
    "other columns": lambda X: np.hstack([X, X]),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("made", MADE)
def test_features_that_are_none_are_refused(made):
    for late in (False, True):
        recipe = GraphRecipe(Odd(MADE[made], late))
        many = np.random.RandomState(1).rand(2100, 6)  # some are not among the compared samples
        y = np.where(np.arange(2100) % 20 == 0, np.arange(2100) % 3, -1)
        with np.errstate(all="ignore"):
            if made != "other columns" or late:
                with pytest.raises(ValueError, match="features of Odd"):
                    RONMF(graph=recipe, solver=ADMM(max_iter=2), random_state=0).fit(
                        many, y
                    ).predict(many[:4])
            else:  # odd, but one row of numbers for each sample
                model = RONMF(graph=recipe, solver=ADMM(max_iter=2), random_state=0).fit(many, y)
                assert np.isfinite(model.label_distributions_).all()
