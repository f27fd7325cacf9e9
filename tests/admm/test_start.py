import numpy as np
import scipy.sparse as sp

from ronmf.admm.start import start_parts
from ronmf.graph import neighbor_graph
from ronmf.graph._anchors import seed_clusters


def blobs(sizes, seed=0):
    rng = np.random.default_rng(seed)
    centres = 10 * np.eye(len(sizes))
    X = np.concatenate([centres[j] + rng.random((m, len(sizes))) for j, m in enumerate(sizes)])
    return X, np.repeat(np.arange(len(sizes)), sizes)


def test_seeds_find_separated_clusters_nobody_labelled():
    X, truth = blobs([40, 60, 50, 30])
    W = neighbor_graph(X, 5).affinity
    codes = np.full(len(X), -1)
    codes[[0, 1]], codes[45] = 0, 1  # two of four classes named
    anchors = seed_clusters(W, codes, 4, np.random.RandomState(0))
    assert (anchors[codes >= 0] == codes[codes >= 0]).all()
    for j in (2, 3):
        found = truth[anchors == j]
        assert len(found) >= 3
        assert len(set(found)) == 1
        assert found[0] in (2, 3)
    assert set(truth[anchors == 2]) != set(truth[anchors == 3])


def test_seeds_do_nothing_when_every_cluster_is_named():
    codes = np.array([0, 1, -1])
    W = sp.csr_array((3, 3))
    assert seed_clusters(W, codes, 2, np.random.RandomState(0)) is codes


def test_parts_are_feasible_for_dead_features_and_few_profiles():
    rng = np.random.default_rng(0)
    X = rng.random((20, 9))
    X[:, 4:] = 0.0
    A = np.eye(2)[rng.integers(2, size=20)]
    U = start_parts(X, A, 6, np.random.RandomState(0))
    np.testing.assert_allclose(U.T @ U, np.eye(6), atol=1e-12)
    assert (U >= 0).all()


def test_parts_reproduce_a_part_based_model():
    """Data made of disjoint parts are explained without error from the start."""
    rng = np.random.default_rng(1)
    parts = np.kron(np.eye(3), np.ones(4)).T / 2  # 12 features in three groups
    A = np.eye(3)[np.arange(30) % 3]
    Z = np.array([[3.0, 1.0, 0.2], [0.5, 2.0, 1.0], [1.0, 0.3, 4.0]])
    X = A @ Z @ (parts * rng.uniform(0.5, 2, size=(12, 1))).T
    U = start_parts(X, A, 3, np.random.RandomState(0))
    explained = X @ U @ U.T
    np.testing.assert_allclose(explained, X, atol=1e-10)
