"""The terms of an objective: their parts against numerical gradients and plain sums."""

import numpy as np
import pytest

from ronmf.baselines import SNMFDSR
from ronmf.baselines._multiplicative.loop import sweep
from ronmf.graph import neighbor_graph
from ronmf.labels.encoding import encode_labels
from support.multiplicative_problems import METHODS, problem_of, random_data


@pytest.mark.parametrize("name", METHODS)
def test_parts_are_those_of_the_numerical_gradient(name):
    for seed in range(3):
        X, y = random_data(seed)
        problem = problem_of(name, X, y)
        factors = problem.start(np.random.RandomState(seed))
        for _ in range(3):
            factors = sweep(problem, factors)
        rng = np.random.default_rng(seed)
        for key, F in factors.items():
            parts = [term.split(key, factors) for term in (problem.data, *problem.terms)]
            N = sum(part[0] for part in parts if part is not None)
            P = sum(part[1] for part in parts if part is not None)
            assert np.min(N) >= 0
            assert np.min(P) >= 0
            direction = rng.standard_normal(F.shape)
            step = 1e-6 * max(F.max(), 1e-3)
            ahead = problem.value({**factors, key: F + step * direction})
            behind = problem.value({**factors, key: F - step * direction})
            slope = np.sum(2 * (P - N) * direction)
            scale = np.sum(2 * (P + N) * np.abs(direction))
            assert abs((ahead - behind) / (2 * step) - slope) <= 2e-6 * scale, key


def test_dissimilarity_is_that_of_all_labelled_pairs_of_two_classes(data):
    X, y = data
    known, W = encode_labels(y, len(X), 3), neighbor_graph(X, 4).affinity
    near = SNMFDSR(graph_weight=0.0, dissimilarity_weight=0.0)._problem(X, known, W)
    far = SNMFDSR(graph_weight=0.0, dissimilarity_weight=0.7)._problem(X, known, W)
    factors = near.start(np.random.RandomState(0))
    V, pairs = factors["V"], 0.0
    for i in range(len(X)):
        for j in range(len(X)):
            if y[i] >= 0 and y[j] >= 0 and y[i] != y[j]:
                pairs += V[i] @ V[j]
    assert far.value(factors) - near.value(factors) == pytest.approx(0.7 * pairs, rel=1e-10)
