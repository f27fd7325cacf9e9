"""Labels of any type become codes; bad ones get one sentence."""

import numpy as np
import pytest

from ronmf.labels.encoding import encode_labels


class Missing:
    """Behaves as pandas.NA does."""

    __hash__ = None

    def __eq__(self, other):
        return self

    __ne__ = __eq__

    def __bool__(self):
        raise TypeError("boolean value of NA is ambiguous")


@pytest.mark.parametrize(
    ("y", "classes"),
    [
        ([7, -1, 3, 7], [3, 7]),
        ([1.5, -1.0, 0.5, 1.5], [0.5, 1.5]),
        (["b", -1, "a", "b"], ["a", "b"]),
        (["b", -1.0, "a", "b"], ["a", "b"]),
        (np.array([2.0, -1.0, 1.0, 2.0], dtype=object), [1.0, 2.0]),
        (np.array([b"b", b"-1", b"a", b"b"]), [b"a", b"b"]),
        (np.array(["b", -1, "a", "b"], dtype=object), ["a", "b"]),
    ],
)
def test_names_of_any_type(y, classes):
    known = encode_labels(y, 4, None)
    assert known.classes.tolist() == classes
    assert known.codes.tolist() == [1, -1, 0, 1]


@pytest.mark.parametrize(
    ("y", "names"),
    [
        (None, [0, 1, 2, 3]),
        ([5, -1, 9, -1], [5, 9, 0, 1]),
        (["x", -1, "y", -1], ["x", "y", "cluster_2", "cluster_3"]),
        (["x", -1, "cluster_2", -1], ["cluster_2", "x", "cluster_3", "cluster_4"]),
        ([-3, -1, -2, -1], [-3, -2, 0, 1]),
        (np.array([127, -1, 3, -1], dtype=np.int8), [3, 127, 0, 1]),
        ([1e20, -1.0, 0.0, -1.0], [0.0, 1e20, 1.0, 2.0]),
    ],
)
def test_discovered_clusters_get_free_names(y, names):
    known = encode_labels(y, 4, 4)
    assert known.classes.tolist() == names


def test_column_vector_is_accepted():
    assert encode_labels(np.array([[0], [1], [-1]]), 3, None).codes.tolist() == [0, 1, -1]


@pytest.mark.parametrize(
    ("y", "n_clusters", "message"),
    [
        ([0, 1], None, r"y has shape \(2,\) but X has 4 samples"),
        ([-1, -1, -1, -1], None, "n_clusters is None and y has no labelled sample"),
        (None, None, "n_clusters is None"),
        ([0, 1, 2, -1], 2, "y has 3 labelled classes but n_clusters=2"),
        (np.ma.masked_array([0, 1, 0, 1], mask=[0, 0, 1, 1]), None, "y is a masked array"),
        (np.array([("a",), 3, "b", -1], dtype=object), None, "cannot be sorted together"),
        (None, 5, "n_clusters=5 is more than the number of samples"),
    ],
)
def test_bad_labels_get_one_sentence(y, n_clusters, message):
    with pytest.raises(ValueError, match=message):
        encode_labels(y, 4, n_clusters)


def test_a_finished_labelling_of_something_finer_is_ignored_with_a_warning():
    with pytest.warns(UserWarning, match="cannot name the clusters"):
        known = encode_labels([0, 1, 2, 2], 4, 2)
    assert known.codes.tolist() == [-1] * 4
