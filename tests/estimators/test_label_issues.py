"""`label_issues` puts wrong labels first, whatever the labels, data and settings are."""

import pickle

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score
from troubles import groups, some_labels

from ronmf import ADMM, RONMF, GraphChoice, HarmonicLabelPropagation, neighbor_graph
from ronmf.bench import flip_labels

pytestmark = pytest.mark.filterwarnings("ignore:RONMF", "ignore:HarmonicLabelPropagation")


@pytest.fixture(scope="module")
def flipped():
    X, truth = groups()
    y = some_labels(truth, 3)
    wrong = flip_labels(y, 0.1, np.random.default_rng(3))
    assert (wrong != y).sum() == 3
    return X, wrong, np.flatnonzero(wrong != y), truth


SETTINGS = {
    "auto": {},
    "plain": {"graph": "plain"},
    "unchecked": {"check_labels": False},
    "label edges": {"graph": GraphChoice("plain", label_edges=True)},
    "more clusters": {"n_clusters": 4, "graph": "plain"},
    "no class prior": {"class_prior": None},
}


@pytest.mark.parametrize("name", SETTINGS)
@pytest.mark.parametrize("estimator", [RONMF, HarmonicLabelPropagation])
def test_wrong_labels_come_first(flipped, estimator, name):
    X, y, wrong, truth = flipped
    model = estimator(random_state=0, **SETTINGS[name]).fit(X, y)
    issues = model.label_issues()
    assert len(issues) == (y >= 0).sum()
    assert set(issues.samples[:3]) == set(wrong)
    np.testing.assert_array_equal(issues.suggested[:3], truth[issues.samples[:3]])
    np.testing.assert_array_equal(issues.given, y[issues.samples])
    assert issues.quality[:3].max() < 0.5 < issues.quality[3:].min()
    np.testing.assert_allclose(issues.distributions.sum(axis=1), 1)
    np.testing.assert_array_equal(
        issues.samples[issues.doubted],
        np.array(issues.samples)[np.isin(issues.samples, model.doubted_labels_)],
    )
    assert len(issues.unjudged) == 0
    again = pickle.loads(pickle.dumps(model)).label_issues()
    np.testing.assert_array_equal(again.samples, issues.samples)


def test_many_digits_of_which_a_tenth_is_wrong(digits):
    X, _, truth = digits
    rng = np.random.default_rng(0)
    y = np.where(rng.random(len(truth)) < 0.15, truth, -1)
    y = flip_labels(y, 0.1, rng)
    model = RONMF(random_state=0, solver=ADMM(max_iter=20)).fit(X, y)
    issues = model.label_issues()
    wrong = (y != truth)[issues.samples]
    assert roc_auc_score(wrong, -np.arange(len(issues))) > 0.98
    assert len(issues) == (y >= 0).sum()


def test_names_are_those_of_the_labels_and_are_escaped(flipped):
    X, y, wrong, _ = flipped
    names = np.array(["<b>cat</b>", "dog & co", "eel", ""], dtype=object)
    issues = HarmonicLabelPropagation(random_state=0).fit(X, names[y]).label_issues()
    assert set(issues.samples[:3]) == set(wrong)
    assert issues.given.tolist() == names[y][issues.samples].tolist()
    html = issues._repr_html_()
    assert "<b>" not in html
    assert "&lt;b&gt;cat&lt;/b&gt;" in html
    assert "dog &amp; co" in html
    assert html.count("<tr>") == 11
    lines = str(issues).splitlines()
    assert len(lines) == 12
    assert lines[2].split()[0] == str(issues.samples[0])
    assert "<b>cat</b>" in str(issues)


def test_without_labels_there_is_nothing_to_judge():
    X, _ = groups()
    issues = RONMF(3, random_state=0).fit(X).label_issues()
    assert len(issues) == 0
    assert str(issues) == "No given label could be judged by others."
    assert "<table>" not in issues._repr_html_()


def test_a_class_with_one_label_is_left_out_and_told_of():
    X, truth = groups()
    one = some_labels(truth, 30)
    issues = RONMF(random_state=0).fit(X, one).label_issues()
    assert len(issues) == 0
    np.testing.assert_array_equal(issues.unjudged, np.flatnonzero(one >= 0))
    assert "3 given labels could not be judged" in str(issues)
    y = np.where(truth == 2, one, some_labels(truth, 10))
    issues = RONMF(random_state=0).fit(X, y).label_issues()
    assert len(issues) == 6
    np.testing.assert_array_equal(issues.unjudged, np.flatnonzero(y == 2))
    assert np.isfinite(issues.quality).all()
    single = RONMF(random_state=0).fit(X, np.where(truth == 0, 5, -1)).label_issues()
    assert len(single) == 0
    assert len(single.unjudged) == (truth == 0).sum()


def test_a_given_graph_and_single_precision(flipped):
    X, y, wrong, _ = flipped
    W = neighbor_graph(X).affinity
    given = RONMF(graph="precomputed", random_state=0).fit(X, y, affinity=W).label_issues()
    assert set(given.samples[:3]) == set(wrong)
    single = RONMF(random_state=0).fit(X.astype(np.float32), y).label_issues()
    assert set(single.samples[:3]) == set(wrong)


def test_rows_on_disk(flipped, tmp_path):
    X, y, wrong, _ = flipped
    np.save(tmp_path / "X.npy", X)
    model = RONMF(random_state=0).fit(np.load(tmp_path / "X.npy", mmap_mode="r"), y)
    assert set(model.label_issues().samples[:3]) == set(wrong)


def test_labels_that_came_with_a_warm_start_are_judged_too(flipped):
    X, y, wrong, _ = flipped
    first = np.where(np.isin(np.arange(len(y)), wrong[:2]), -1, y)
    model = RONMF(warm_start=True, random_state=0).fit(X, first)
    graph = model.graph_
    issues = model.fit(X, y).label_issues()
    assert model.graph_ is graph
    assert set(issues.samples[:3]) == set(wrong)
    assert len(issues) == (y >= 0).sum()


def test_parameters_set_after_the_fit_change_nothing(flipped):
    X, y, _, _ = flipped
    model = HarmonicLabelPropagation(random_state=0).fit(X, y)
    before = model.label_issues().quality
    model.set_params(label_weight=0.01, class_prior="labels")
    np.testing.assert_array_equal(model.label_issues().quality, before)


@pytest.mark.parametrize("i", [3, 33, 81])
def test_a_label_cannot_raise_its_own_quality(i):
    """Whatever a label says, the others' word on its sample stays, but for the folds."""
    X, truth = groups()
    for label in range(3):
        y = some_labels(truth, 3)
        y[i] = label
        issues = HarmonicLabelPropagation(random_state=0).fit(X, y).label_issues()
        (place,) = np.flatnonzero(issues.samples == i)
        assert issues.suggested[place] == truth[i]
        assert issues.distributions[place, truth[i]] > 0.9
