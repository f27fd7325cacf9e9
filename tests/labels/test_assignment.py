from itertools import permutations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ronmf.labels.assignment import ClusterAssignment, match_names


@given(
    st.integers(1, 4).flatmap(
        lambda c: st.tuples(
            st.just(c),
            st.lists(st.tuples(st.integers(0, c - 1), st.integers(-1, c - 1)), min_size=1),
        )
    )
)
def test_names_agree_with_as_many_labels_as_any_permutation(case):
    n_clusters, pairs = case
    found, codes = np.array(pairs).T

    def agreement(names):
        return (np.asarray(names)[found] == codes)[codes >= 0].sum()

    names = match_names(found, codes, n_clusters)
    assert sorted(names) == list(range(n_clusters))
    assert agreement(names) == max(agreement(p) for p in permutations(range(n_clusters)))


def test_k_means_and_argmax_read_clear_rows_alike():
    rng = np.random.RandomState(0)
    truth = rng.randint(3, size=90)
    rows = np.eye(3)[(truth + 1) % 3] + 0.1 * rng.uniform(size=(90, 3))  # columns out of order
    codes = np.where(np.arange(90) < 20, truth, -1)
    for rule in ("kmeans", "argmax"):
        readout = ClusterAssignment.fit(rows, rule, codes, 3, rng, named=False)
        np.testing.assert_array_equal(readout.clusters(rows), truth)


def test_named_columns_are_not_matched_again():
    rows = np.eye(3)[[0, 1, 2]]
    readout = ClusterAssignment.fit(
        rows, "argmax", np.array([1, 2, 0]), 3, np.random.RandomState(0), named=True
    )
    assert readout.clusters(rows).tolist() == [0, 1, 2]
