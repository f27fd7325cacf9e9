"""Graphs made elsewhere, and what a summary says of a graph."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_array_equal

from ronmf.graph._matrix import check_affinity, component_labels, degrees, graph_summary


@pytest.mark.parametrize("convert", [np.asarray, sp.csr_matrix, sp.coo_array, sp.csc_array])
def test_check_affinity_drops_the_diagonal_and_leaves_its_input(convert):
    dense = np.array([[3, 1, 0], [1, 0, 2], [0, 2, 1]])
    given_matrix = convert(dense)
    W = check_affinity(given_matrix, 3)
    assert isinstance(W, sp.csr_array)
    assert W.dtype == np.float64
    assert W.nnz == 4
    assert_array_equal(W.toarray(), dense * (1 - np.eye(3)))
    assert_array_equal(given_matrix.sum(), dense.sum())


def test_check_affinity_evens_out_rounding():
    W = check_affinity(np.array([[0.0, 1.0], [1.0 + 1e-8, 0.0]]), 2)
    assert (W != W.T).nnz == 0


@pytest.mark.parametrize(
    ("W", "message"),
    [
        (np.zeros((2, 3)), r"shape \(2, 3\); pass one of shape \(2, 2\)"),
        (np.zeros((3, 3)), r"shape \(3, 3\); pass one of shape \(2, 2\)"),
        (np.array([[0.0, 1.0], [2.0, 0.0]]), r"not symmetric; use \(W \+ W.T\) / 2"),
        (np.array([[0.0, -1.0], [-1.0, 0.0]]), "negative, infinite or NaN"),
        (np.array([[0.0, np.nan], [np.nan, 0.0]]), "negative, infinite or NaN"),
        (sp.csr_array([[0.0, np.inf], [np.inf, 0.0]]), "negative, infinite or NaN"),
    ],
)
def test_check_affinity_errors(W, message):
    with pytest.raises(ValueError, match="The affinity matrix .*" + message):
        check_affinity(W, 2)


def test_degrees_and_components():
    W = np.zeros((8, 8))
    W[:3, :3], W[4:, 4:] = 1, 2
    W = check_affinity(W, 8)
    assert_array_equal(degrees(W), [2, 2, 2, 0, 6, 6, 6, 6])
    assert_array_equal(component_labels(W), [0, 0, 0, 1, 2, 2, 2, 2])
    summary = {
        "samples": 8,
        "edges": 9,
        "degrees": (0.0, 4.0, 6.0),
        "components": 3,
        "component_sizes": [4, 3, 1],
        "isolated_samples": 1,
    }
    assert graph_summary(W) == summary
    labelled = np.array([-1, 0, 0, -1, -1, -1, -1, -1])
    unreached = {"unreached_components": 2, "unreached_samples": 5}
    assert graph_summary(W, labelled) == summary | unreached
    nothing = {"unreached_components": 3, "unreached_samples": 8}
    assert graph_summary(W, np.full(8, -1)) == summary | nothing
