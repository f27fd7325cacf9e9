"""The walk that may die before it meets a label: by brute force, and in its limits."""

import numpy as np
import pytest
import scipy.sparse as sp

from ronmf.graph import neighbor_graph
from ronmf.graph._walk import meeting_probability, new_meeting_probability


def some_graph(n=40, seed=0):
    return neighbor_graph(np.random.default_rng(seed).random((n, 3)), 4).affinity


def test_it_is_what_walking_finds():
    """Walks that are thrown, step by step, meet a label as often as the solution says."""
    W, rng, rate = some_graph(12), np.random.default_rng(1), 0.1
    labelled = np.arange(12) < 2
    found = meeting_probability(W, labelled, rate)
    steps = (W.toarray() / W.sum(axis=1)[:, None]).cumsum(axis=1)
    places = np.repeat(np.arange(12), 4000)
    alive, met = np.ones(len(places), dtype=bool), labelled[places]
    for _ in range(200):
        alive &= ~met & (rng.random(len(places)) > rate / (1 + rate))
        draws = rng.random(len(places))
        moved = (draws[:, None] > steps[places]).sum(axis=1).clip(0, 11)
        places = np.where(alive, moved, places)
        met |= alive & labelled[places]
    np.testing.assert_allclose(found, met.reshape(12, -1).mean(axis=1), atol=0.04)


def test_columns_are_questions_of_their_own():
    W, rng = some_graph(), np.random.default_rng(2)
    labelled = rng.random((40, 7)) < 0.1
    together = meeting_probability(W, labelled)
    alone = [meeting_probability(W, column) for column in labelled.T]
    np.testing.assert_allclose(together, np.stack(alone, axis=1), atol=1e-3)


def test_limits():
    W = sp.block_diag([some_graph(20, 3), some_graph(20, 4)]).tocsr()
    labelled = np.arange(40) == 0
    immortal = meeting_probability(W, labelled, 1e-9)
    reached = immortal > 0.5
    np.testing.assert_allclose(immortal[reached], 1.0, atol=1e-3)
    assert not reached[20:].any()
    assert meeting_probability(W, labelled, 1e9)[1:].max() < 1e-6
    assert meeting_probability(W, np.zeros(40, dtype=bool)).max() == 0
    assert meeting_probability(sp.csr_array((3, 3)), np.array([True, False, False])).tolist() == [
        1.0,
        0.0,
        0.0,
    ]
    np.testing.assert_allclose(  # weights have no unit
        meeting_probability(1e6 * W, labelled), meeting_probability(W, labelled), atol=1e-3
    )


def test_a_new_sample_is_like_the_one_that_it_copies():
    W = some_graph()
    met = meeting_probability(W, np.arange(40) % 13 == 0)
    row = slice(W.indptr[5], W.indptr[6])
    own = new_meeting_probability(met, W.indices[None, row], W.data[None, row])
    assert own[0] == pytest.approx(met[5], abs=1e-3)
    assert new_meeting_probability(met, np.zeros((1, 2), dtype=int), np.zeros((1, 2)))[0] == 0
