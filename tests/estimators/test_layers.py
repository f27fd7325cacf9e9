"""The number of clusters is asked for: layers, labels that arrive, clusters beside named ones."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone

from ronmf import ADMM, RONMF
from ronmf.graph import neighbor_graph
from ronmf.metrics import clustering_accuracy

COLOURS = [(200, 40, 40), (40, 200, 40), (40, 40, 200), (200, 200, 40)]
SHORT = ADMM(max_iter=20)
pytestmark = pytest.mark.filterwarnings("ignore:RONMF")


def groups(n_groups=6, size=40, seed=0):
    rng = np.random.default_rng(seed)
    truth = np.repeat(np.arange(n_groups), size)
    X = 8 * np.eye(n_groups)[truth] + rng.random((len(truth), n_groups))
    order = rng.permutation(len(truth))
    return X[order], truth[order]


def labels_of(truth, classes, n_labels=3):
    y = np.full(len(truth), -1)
    for j in classes:
        y[np.flatnonzero(truth == j)[:n_labels]] = j
    return y


def flat_pictures(tones, per_class, seed):
    """Pictures of one tone each and noise: edges tell nothing of their class."""
    rng = np.random.default_rng(seed)
    y = np.repeat(np.arange(len(tones)), per_class)
    X = np.array(tones)[y][:, None, None] + rng.normal(0, 25, (len(y), 16, 16, len(tones[0])))
    order = rng.permutation(len(y))
    return np.clip(X, 0, 255)[order], y[order]


@pytest.mark.parametrize(
    "tones", [COLOURS[:3], COLOURS, [(60,), (130,), (210,)]], ids=["three", "four", "gray"]
)
def test_pictures_that_differ_in_colour_or_brightness_alone(tones):
    X, y = flat_pictures(tones, 25, 0)
    model = RONMF("auto", solver=SHORT, random_state=0).fit(X)
    assert len(model.classes_) == len(tones)
    assert clustering_accuracy(y, model.labels_) == 1.0


def test_layers_are_nested_and_one_is_in_use():
    X, truth = groups()
    model = RONMF("auto", solver=SHORT, random_state=0).fit(X)
    assert clustering_accuracy(truth, model.labels_) == 1.0
    layer = model.layers_[model.layer_]
    assert layer.n_clusters == len(model.classes_) == 6
    assert layer.stability > 0.99
    assert len(model.layers_) <= 8
    assert RONMF(6, solver=SHORT).fit(X).layers_ is None


def test_another_layer_is_read_without_a_new_graph():
    X, truth = groups()
    model = RONMF("auto", solver=SHORT, random_state=0).fit(X)
    before = {name: value for name, value in vars(model).items() if name.endswith("_")}
    coarse = model.at_layer(0)
    assert coarse.graph_ is model.graph_
    assert len(coarse.classes_) == model.layers_[0].n_clusters < 6
    assert clustering_accuracy(model.layers_[0].labels, coarse.labels_) > 0.9
    np.testing.assert_array_equal(coarse.predict(X), coarse.transduction_)
    assert coarse.predict_proba(X).shape == (len(X), len(coarse.classes_))
    assert coarse.label_distributions_.sum(axis=1) == pytest.approx(1.0)
    assert coarse.prototypes_.shape == (len(coarse.classes_), X.shape[1])
    assert coarse.certainty_.shape == (len(X),)
    assert len(coarse.results_frame()) == len(X)
    assert all(vars(model)[name] is value for name, value in before.items())  # the model stays
    back = coarse.at_layer(model.layer_)
    assert clustering_accuracy(truth, back.labels_) == 1.0
    means = np.array([X[back.labels_ == j].mean(axis=0) for j in range(6)])
    np.testing.assert_allclose(back.prototypes_, means, atol=0.6)


def test_a_layer_with_labels_keeps_their_names():
    X, truth = groups()
    y = np.array(["", "owl", "cat"], dtype=object)[np.minimum(labels_of(truth, [0, 1]), 1) + 1]
    model = RONMF("auto", solver=SHORT, random_state=0).fit(X, y)
    for layer in range(len(model.layers_)):
        again = model.at_layer(layer)
        assert again.classes_[:2].tolist() == ["cat", "owl"]
        assert (again.transduction_[y == "owl"] == "owl").all()
        assert again.novelty_ is model.novelty_


def test_layers_that_are_not_there_are_refused_in_a_sentence():
    X, _ = groups(3)
    with pytest.raises(ValueError, match="set n_clusters='auto' and fit again"):
        RONMF(3, solver=SHORT).fit(X).at_layer(0)
    model = RONMF("auto", solver=SHORT, random_state=0).fit(X)
    with pytest.raises(ValueError, match="layer=99 is none of the"):
        model.at_layer(99)


def test_classes_without_a_label_stay_beside_the_named_ones(digits):
    X, _, truth = digits
    y = labels_of(truth, range(6), 5)
    model = RONMF("auto", image_shape=(8, 8), solver=SHORT, random_state=0).fit(X, y)
    assert model.classes_[:6].tolist() == list(range(6))
    assert 9 <= len(model.classes_) <= 14
    named = truth < 6
    assert (model.transduction_ == truth)[named].mean() > 0.9
    assert clustering_accuracy(truth[~named], model.labels_[~named]) > 0.75


def test_with_labels_of_all_classes_it_is_the_fit_without_the_question(digits):
    X, _, truth = digits
    y = labels_of(truth, range(10), 5)
    asked, told = (
        RONMF(n_clusters, image_shape=(8, 8), solver=SHORT, random_state=0).fit(X, y)
        for n_clusters in ("auto", None)
    )
    np.testing.assert_array_equal(asked.label_distributions_, told.label_distributions_)
    assert told.layers_ is None
    assert asked.layers_ is not None


def test_labels_that_arrive_destroy_no_cluster(digits):
    """From no label on, classes are named one by one, in any order."""
    X, _, truth = digits
    rng = np.random.default_rng(0)
    X, truth = X[:700], truth[:700]
    model = RONMF("auto", image_shape=(8, 8), warm_start=True, solver=SHORT, random_state=0)
    y = np.full(len(X), -1)
    last = clustering_accuracy(truth, model.fit(X, y).labels_)
    for j in rng.permutation(10):
        y[rng.choice(np.flatnonzero(truth == j))] = j
        found = clustering_accuracy(truth, model.fit(X, y).labels_)
        assert found > last - 0.03
        assert (model.transduction_ == y)[y >= 0].all()
        last = found
    assert last > 0.85


def test_a_label_names_its_cluster_and_the_others_stay():
    X, truth = groups()
    model = RONMF("auto", warm_start=True, solver=SHORT, random_state=0).fit(X)
    before = model.labels_.copy()
    y = labels_of(truth, [2], 1)
    model.fit(X, y)
    assert clustering_accuracy(before, model.labels_) == 1.0
    assert (model.transduction_[truth == 2] == 2).all()
    y[np.flatnonzero(truth == 2)[5]] = 7  # it was two classes
    model.fit(X, y)
    others = truth != 2
    assert clustering_accuracy(before[others], model.labels_[others]) == 1.0
    assert set(model.transduction_[truth == 2]) == {2, 7}
    assert len(clone(model).fit(X, y).classes_) >= 2  # a new one does not know the clusters


def test_a_fit_goes_on_from_the_layer_that_was_chosen():
    X, truth = groups()
    model = RONMF("auto", warm_start=True, solver=SHORT, random_state=0).fit(X)
    coarse = model.at_layer(0)
    n_clusters = len(coarse.classes_)
    y = labels_of(truth, [3], 1)
    assert len(coarse.fit(X, y).classes_) == n_clusters
    assert len(model.fit(X, y).classes_) == 6


def test_clusters_whose_model_is_gone_can_be_gone_on_from():
    X, truth = groups()
    merged = np.minimum(truth, 3)  # a result of four clusters, the first of them named
    model = RONMF("auto", solver=SHORT, random_state=0)._go_on_from(merged, 1)
    y = np.where(labels_of(truth, [0], 1) == 0, "zero", "").astype(object)
    assert len(model.fit(X, y).classes_) == 4
    assert clustering_accuracy(merged, model.labels_) == 1.0
    assert len(model.fit(X, y).classes_) == 6  # only the next fit does


def test_the_number_of_clusters_of_a_given_graph():
    X, truth = groups(3, 25)
    W = neighbor_graph(X, 5).affinity
    for affinity in (W, W.toarray(), W.tocoo()):
        model = RONMF("auto", graph="precomputed", solver=SHORT, random_state=0)
        assert len(model.fit(X, affinity=affinity).classes_) == 3
    y = labels_of(truth, [0, 1])
    assert len(model.fit(X, y, affinity=W).classes_) == 3
    assert len(RONMF("auto", graph="plain", solver=SHORT).fit(X, y).classes_) == 3
    with pytest.raises(ValueError, match="needs the graph"):
        RONMF("auto", graph="precomputed").fit(X)
    assert len(model.fit(X, affinity=sp.csr_array((75, 75))).classes_) >= 1


@pytest.mark.parametrize("labelled", [30, 3])
def test_one_class_alone_leaves_little_to_count(labelled):
    X = np.random.default_rng(0).random((30, 5))
    y = np.where(np.arange(30) < labelled, 0, -1)
    model = RONMF("auto", solver=SHORT, random_state=0).fit(X, y)
    assert model.classes_[0] == 0
    assert labelled < 30 or len(model.classes_) == 1


def test_two_named_classes_beside_unnamed_clusters_can_be_asked_everything():
    X, truth = groups()
    model = RONMF("auto", solver=SHORT, random_state=0).fit(X, labels_of(truth, [0, 1], 4))
    assert len(model.classes_) == 6
    assert len(model.label_issues().samples) == 8
    assert len(model.results_frame()) == len(X)
    assert model.graph_report_.accuracy == 1.0
    assert not {trouble.kind for trouble in model.diagnose()} & {"little evidence", "chance"}


def test_guesses_are_no_evidence():
    """A hidden label must not be predicted by guesses that were made of it."""
    X, truth = groups(12, 12)
    y = np.full(len(truth), -1)
    y[[np.flatnonzero(truth == j)[0] for j in range(6)]] = [0, 0, 1, 1, 2, 2]  # as chance has it
    model = RONMF("auto", graph="plain", check_labels=False, random_state=0).fit(X, y)
    trials = model._witnesses.tried
    right = (trials[1].argmax(axis=1) == trials[2]).mean()
    assert right < 0.7  # each lies in a cluster of its own: nothing can be known
    one = RONMF("auto", random_state=0).fit(X, labels_of(truth, [3], 1))
    assert "no evidence" in {trouble.kind for trouble in one.diagnose()}
    assert "No given label could be hidden" in one.graph_report_.reason


def test_a_label_that_was_withdrawn_leaves_its_cluster_unnamed():
    X, truth = groups()
    model = RONMF("auto", warm_start=True, solver=SHORT, random_state=0)
    y = np.full(len(truth), None, dtype=object)
    first, second = (np.flatnonzero(truth == j)[0] for j in (0, 1))
    y[first], y[second] = "cat", "bird"
    model.fit(X, y)
    y[first], y[np.flatnonzero(truth == 2)[0]] = None, "cat"
    model.fit(X, y)
    assert clustering_accuracy(truth, model.labels_) == 1.0
    assert (model.transduction_[truth == 2] == "cat").all()
    assert not (model.transduction_[truth == 0] == "cat").any()


def test_no_cluster_turns_up_again_once_all_are_named(digits):
    X, _, truth = digits
    X, truth = X[:400], truth[:400]
    model = RONMF("auto", image_shape=(8, 8), warm_start=True, solver=SHORT, random_state=0)
    model.fit(X, labels_of(truth, range(10), 1))
    before = len(model.classes_)
    for n_labels in (2, 3):
        model.fit(X, labels_of(truth, range(10), n_labels))
        assert len(model.classes_) <= before
