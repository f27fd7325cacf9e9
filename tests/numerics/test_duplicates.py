"""Near-copies are found, and ordinary neighbours, however close, are none."""

import io

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.cluster.hierarchy import linkage
from scipy.spatial.distance import pdist, squareform
from sklearn.datasets import load_digits

from ronmf.numerics.duplicates import near_duplicates, same_light


def as_lists(groups):
    return [group.tolist() for group in groups]


def by_brute_force(X, ratio):
    """Return the largest isolated groups among all nodes of the single-linkage tree."""
    n, D = len(X), squareform(pdist(X))
    longest = ratio * np.median(np.sort(D, axis=1)[:, 3])
    nodes = [[i] for i in range(n)]
    found = []
    for a, b, height, _ in linkage(pdist(X), "single"):
        nodes.append(nodes[int(a)] + nodes[int(b)])
        group = nodes[-1]
        if height > longest or len(group) > 10 or len(group) == n:
            continue
        outside = np.delete(D[group], group, axis=1).min()
        if height <= ratio * outside:
            found = [other for other in found if not set(other) <= set(group)] + [group]
    return sorted(sorted(group) for group in found)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 4), st.sampled_from([0.2, 0.4, 0.7]))
def test_groups_are_the_isolated_nodes_of_single_linkage(seed, d, ratio):
    rng = np.random.default_rng(seed)
    X = rng.random((40, d))
    X[10:14] = X[:4] + 0.01 * rng.random((4, d))
    assert as_lists(near_duplicates(X, ratio)) == by_brute_force(X, ratio)


@pytest.mark.parametrize("d", [1, 2, 3, 5, 10, 50])
def test_samples_without_any_order_have_no_copies(d):
    found = [near_duplicates(np.random.default_rng(s).random((400, d))) for s in range(10)]
    assert sum(map(len, found)) <= 2


def test_views_of_an_object_that_turns_are_no_copies():
    """Pictures along a curve at random places: the nearest are very near, and all the same."""
    t = np.sort(np.random.default_rng(0).random(300)) * 2 * np.pi
    harmonics = np.arange(1, 6)
    X = np.concatenate([np.cos(np.outer(t, harmonics)), np.sin(np.outer(t, harmonics))], axis=1)
    assert near_duplicates(X + 1.0) == []


def test_exact_copies_of_any_number_and_in_any_place():
    X = np.random.default_rng(0).random((50, 20))
    X[[4, 8, 40]] = X[2]
    X[11:30] = X[10]
    expected = [[2, 4, 8, 40], list(range(10, 30))]
    assert as_lists(near_duplicates(X)) == expected
    assert as_lists(near_duplicates(X.astype(np.float32))) == expected
    assert as_lists(near_duplicates(1e-3 * X)) == expected
    assert as_lists(near_duplicates(np.ones((4, 3)))) == [[0, 1, 2, 3]]
    assert near_duplicates(np.arange(3.0)[:, None]) == []
    assert as_lists(near_duplicates(np.array([[1.0], [2.0], [1.0]]))) == [[0, 2]]


def test_a_set_of_which_every_sample_has_a_copy():
    X = np.random.default_rng(0).random((150, 30))
    both = np.concatenate([X, X + 0.01 * np.random.default_rng(1).random(X.shape)])
    assert as_lists(near_duplicates(both)) == [[i, i + 150] for i in range(150)]


def test_classes_that_are_far_apart_are_no_groups_of_copies():
    rng = np.random.default_rng(0)
    X = 100 * np.repeat(np.eye(4), 8, axis=0) + rng.random((32, 4))
    assert near_duplicates(X) == []


def jpeg(picture):
    image = pytest.importorskip("PIL.Image")
    file = io.BytesIO()
    image.fromarray(np.round(255 * picture).astype(np.uint8)).save(file, "JPEG", quality=70)
    return np.asarray(image.open(file)) / 255


CHANGES = {
    "copy": lambda picture, rng: picture,
    "compressed": lambda picture, rng: jpeg(picture),
    "noisy": lambda picture, rng: np.clip(picture + 0.02 * rng.normal(size=picture.shape), 0, 1),
    "brighter": lambda picture, rng: np.clip(1.03 * picture, 0, 1),
    "lighter": lambda picture, rng: picture + 0.03,
}


@pytest.mark.parametrize("name", CHANGES)
def test_changed_copies_among_digits_are_found(name):
    """Digits at four times their width, since eight pixels are too few for JPEG."""
    rng = np.random.default_rng(0)
    pictures = np.kron(load_digits().images[:600] / 16, np.ones((1, 4, 4)))
    changed = np.stack([CHANGES[name](picture, rng) for picture in pictures[:40]])
    X = same_light(np.concatenate([pictures, changed]).reshape(640, -1))
    found = as_lists(near_duplicates(X))
    planted = [[i, 600 + i] for i in range(40)]
    assert sum(group in planted for group in found) >= 38
    assert all(group in planted for group in found)


def test_digits_have_no_copies():
    assert near_duplicates(same_light(load_digits().data)) == []
    assert near_duplicates(load_digits().data) == []


def test_ratios_that_make_no_sense_are_refused():
    with pytest.raises(ValueError, match="ratio=2 is not between 0 and 1"):
        near_duplicates(np.eye(5), 2)
