import numpy as np
import pytest

from ronmf.labels.encoding import encode_labels
from ronmf.labels.hidden_labels import graph_trust, hide_labels, run_trials


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
        ([0, np.nan, 1, -1], None, "y contains None or NaN"),
        (["a", Missing(), "b", -1], None, "y contains None or NaN"),
        (["a", np.nan, "b", -1], None, "y contains None or NaN"),
        (np.array(["2020", "NaT", "2021", "2022"], dtype="M8[Y]"), None, "None or NaN"),
        (np.ma.masked_array([0, 1, 0, 1], mask=[0, 0, 1, 1]), None, "y is a masked array"),
        (np.array(["a", None, "b", -1], dtype=object), None, "y contains None or NaN"),
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


def test_hidden_folds_cover_every_label_once_and_leave_one_of_its_class():
    rng = np.random.RandomState(0)
    codes = np.array([0] * 7 + [1] * 2 + [2] + [-1] * 5)
    splits = hide_labels(codes, 3, rng)
    hidden = np.concatenate([h for _, h in splits])
    assert sorted(hidden) == list(range(9))  # the lonely label of class 2 is never asked for
    for kept, hidden in splits:
        assert (kept[hidden] == -1).all()
        assert set(codes[hidden]) <= set(kept[kept >= 0])
        assert ((kept == codes) | (kept == -1)).all()


def test_graph_trust_sees_no_hidden_label():
    """Neither rival is shown the labels it is asked for, and each is scored on its own errors."""
    codes = np.array([0, 0, 0, 1, 1, 1, -1, -1])
    X = np.where(codes[:, None] == 1, 1.0, 0.0) + np.zeros((8, 2))
    shown = []

    def wrong_graph(kept):
        shown.append(kept)
        return np.eye(2)[1 - np.clip(codes, 0, 1)]  # always the other class

    trials = run_trials(codes, wrong_graph, np.random.RandomState(0))
    # No error of the means, six of the graph, in each of the two rounds that few labels get.
    assert graph_trust(X, codes, trials) == pytest.approx(1 / 13)
    assert len(shown) == 6
    for trial, kept in zip(trials, shown, strict=True):
        np.testing.assert_array_equal(trial.kept, kept)
        assert (kept == -1).sum() == 4
        assert (kept[trial.hidden] == -1).all()
    lonely = np.array([0, 1] + [-1] * 6)
    assert run_trials(lonely, wrong_graph, np.random.RandomState(0)) == []
    assert graph_trust(X, lonely, []) == 4  # without evidence: what is usual where there is some


def test_many_labels_are_hidden_once_and_few_twice():
    for count, times in [(99, 2), (102, 1)]:
        # What is predicted does not matter here.
        trials = run_trials(np.arange(count) % 3, np.ones_like, np.random.RandomState(0))
        hidden = np.concatenate([trial.hidden for trial in trials])
        assert (np.bincount(hidden, minlength=count) == times).all()
