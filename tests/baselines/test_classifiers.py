import warnings

import numpy as np
import pytest
from sklearn.semi_supervised import LabelSpreading

from ronmf.baselines._classifiers import TransductiveClassifier
from ronmf.bench import make_method
from ronmf.bench.running.protocol import draw_case
from ronmf.datasets import load


@pytest.mark.parametrize("name", ["LabelSpreading", "SelfTraining"])
@pytest.mark.parametrize("number", [1, 5])
def test_classifiers_work_from_one_label_of_each_class_on(name, number):
    case = draw_case(load("digits"), labels_per_class=number, samples_per_class=40, seed=1)
    with warnings.catch_warnings():
        warnings.simplefilter("error", FutureWarning)  # what scikit-learn is going to remove
        labels = make_method(name, 10, random_state=0).fit_predict(case.view.X, case.view.y)
    assert case.score(labels)["acc_unlabelled"] > (0.5 if number == 1 else 0.75)


def test_label_spreading_is_that_of_scikit_learn():
    view = draw_case(load("digits"), n_classes=4, label_rate=0.1, samples_per_class=50).view
    ours = make_method("LabelSpreading", 4).fit_predict(view.X, view.y)
    theirs = LabelSpreading(kernel="knn", n_neighbors=7).fit(view.X, view.y).transduction_
    np.testing.assert_array_equal(ours, theirs)


def test_self_training_trains_itself():
    view = draw_case(load("digits"), labels_per_class=5, samples_per_class=40).view
    model = make_method("SelfTraining", 10).fit(view.X, view.y)
    assert (model.classifier_.labeled_iter_ > 0).sum() > 100


def test_labels_are_places_in_the_sorted_classes():
    X = np.array([[0.0], [0.1], [5.0], [5.1]])
    model = TransductiveClassifier(LabelSpreading(kernel="knn", n_neighbors=2)).fit(
        X, [7, -1, 3, -1]
    )
    assert model.classes_.tolist() == [3, 7]
    assert model.labels_.tolist() == [1, 1, 0, 0]
    with pytest.raises(ValueError, match="y has no label, but LabelSpreading needs one"):
        model.fit(X, [-1] * 4)
