"""Every trouble that is planted is told of, once, in words; a sound fit has none."""

import warnings
from pathlib import Path

import numpy as np
import pytest
from troubles import PLANTED, groups, some_labels

from ronmf import RONMF, HarmonicLabelPropagation
from ronmf.estimators.diagnosis import HiddenLabels

SILENT = {"no labels", "no evidence", "little evidence"}  # usual where labels are few
DOCS = Path(__file__).parents[2] / "docs" / "trust.md"


@pytest.mark.parametrize("kind", PLANTED)
def test_a_planted_trouble_is_told_in_the_words_of_the_documentation_and_warned_of_once(kind):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model = PLANTED[kind]()
    (text,) = [str(each) for each in model.diagnose() if each.kind == kind]
    assert text in DOCS.read_text(encoding="utf-8")
    if kind not in SILENT:
        said = [str(each.message) for each in caught if each.category is not RuntimeWarning]
        warned = "max_iter=1" if kind == "not converged" else text
        assert len([each for each in said if warned in each]) == 1


@pytest.mark.parametrize("estimator", [RONMF, HarmonicLabelPropagation])
def test_a_sound_fit_has_no_trouble_and_no_warning(estimator):
    X, truth = groups()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = estimator(graph="auto", random_state=0).fit(X, some_labels(truth, 3))
    assert model.diagnose() == []
    assert len(model.doubted_labels_) == 0


def test_a_fit_without_labels_lacks_evidence_but_does_not_warn():
    X, _ = groups()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = RONMF(3, random_state=0).fit(X)
    (trouble,) = model.diagnose()
    assert trouble.kind == "no labels"
    assert str(trouble).startswith("there are no labels")


@pytest.mark.parametrize("estimator", [RONMF, HarmonicLabelPropagation])
def test_labels_of_one_class_that_are_all_predicted_are_no_trouble(estimator):
    X, truth = groups()
    y = np.where(np.isin(np.arange(90), [0, 5, 10, 15, 20, 30, 60]), truth, -1)
    model = estimator(random_state=0).fit(X, y)
    assert "chance" not in [each.kind for each in model.diagnose()]
    assert HiddenLabels.of(model).count == 5  # each once


@pytest.mark.parametrize("graph", ["auto", "plain"])
def test_wrong_labels_that_come_later_are_doubted_too(graph):
    X, truth = groups()
    y = some_labels(truth, 5)
    model = RONMF(random_state=0, warm_start=True, graph=graph).fit(X, y)
    assert len(model.doubted_labels_) == 0
    y[[3, 36]] = 2, 0
    with pytest.warns(UserWarning, match=r"2 samples \(3, 36\) seem to have wrong labels"):
        model.fit(X, y)
    np.testing.assert_array_equal(model.transduction_, truth)


def test_rare_classes_that_are_labelled_to_the_last_sample_are_no_trouble():
    X, truth = groups(3, 40)
    y = np.where((truth > 0) | (np.arange(120) < 20), truth, -1)
    assert HarmonicLabelPropagation(random_state=0).fit(X, y).diagnose() == []


def test_few_hidden_labels_are_a_lack_of_evidence_not_of_knowledge():
    X, _ = groups(1, 90)
    y = np.where(np.arange(90) < 10, np.random.default_rng(1).integers(2, size=90), -1)
    (trouble,) = HarmonicLabelPropagation(random_state=0).fit(X, y).diagnose()
    assert trouble.kind == "little evidence"
    assert trouble.numbers["hidden"] == 10


def test_labels_given_again_after_a_look_are_new_evidence():
    X, truth = groups()
    y = some_labels(truth, 3)
    y[[3, 36, 66]] = 2, 0, 1
    with pytest.warns(UserWarning, match=r"3 samples \(3, 36, 66\) seem to have wrong labels"):
        model = RONMF(random_state=0, warm_start=True).fit(X, y)
    np.testing.assert_array_equal(model.transduction_, truth)
    with pytest.warns(UserWarning, match="3 samples"):  # nothing has changed
        model.fit(X, y)
    assert model.doubted_labels_.tolist() == [3, 36, 66]
    y[[3, 36, 66]] = truth[[3, 36, 66]]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.fit(X, y)
    assert model.doubted_labels_.tolist() == []
