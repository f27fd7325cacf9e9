"""The objectives that the paper prints for other methods, written out with dense matrices."""

import numpy as np
import pytest

from ronmf.baselines import CNMF, GNMF, RNMF, LpCNMF
from ronmf.graph import neighbor_graph
from ronmf.labels.encoding import encode_labels


def printed_terms(X, y):
    """Return the Laplacian L of the graph below, S, Y and the matrix A of CNMF."""
    W = neighbor_graph(X, 4, weights="heat").affinity
    L = np.diag(W.sum(axis=1)) - W.toarray()
    S, Y = np.zeros((len(X), len(X))), np.zeros((len(X), 3))
    tied = np.zeros((len(X), 3 + (y < 0).sum()))
    free = 3
    for i, label in enumerate(y):
        if label >= 0:
            S[i, i] = Y[i, label] = tied[i, label] = 1
        else:
            tied[i, free] = 1
            free += 1
    return W, L, S, Y, tied


def squares(X, V, U):
    return np.linalg.norm(X - V @ U.T) ** 2


def lengths(X, V, U, axis):
    return sum(np.linalg.norm(group) for group in np.moveaxis(X - V @ U.T, axis, 0))


BOOK = {
    "NMF": (GNMF(graph_weight=0.0), lambda X, f, *_: squares(X, f["V"], f["U"])),
    "RNMF, samples": (RNMF(), lambda X, f, *_: lengths(X, f["V"], f["U"], 0)),
    "RNMF, rows of the paper's matrix": (
        RNMF(groups="features"),
        lambda X, f, *_: lengths(X, f["V"], f["U"], 1),
    ),
    "GNMF": (
        GNMF(graph_weight=7.0),
        lambda X, f, L, *_: squares(X, f["V"], f["U"]) + 7 * np.trace(f["V"].T @ L @ f["V"]),
    ),
    "CNMF": (CNMF(), lambda X, f, L, S, Y, tied: squares(X, tied @ f["Z"], f["U"])),
    "LpCNMF": (
        LpCNMF(graph_weight=3.0),
        lambda X, f, L, S, Y, tied: (
            squares(X, f["A"] @ f["Z"], f["U"])
            + 3 * np.trace(f["A"].T @ L @ f["A"])
            + 3 * np.trace((f["A"] - Y).T @ S @ (f["A"] - Y))
        ),
    ),
}


@pytest.mark.parametrize("name", BOOK)
def test_the_objective_is_the_printed_one(data, name):
    X, y = data
    model, book = BOOK[name]
    W, *terms = printed_terms(X, y)
    problem = model._problem(X, encode_labels(y, len(X), 3), W)
    for seed in range(3):
        factors = problem.start(np.random.RandomState(seed))
        assert problem.value(factors) == pytest.approx(book(X, factors, *terms), rel=1e-8)
