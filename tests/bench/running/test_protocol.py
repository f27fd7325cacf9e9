"""What is drawn, what is hidden, and that hidden labels stay hidden."""

import numpy as np
import pytest

from ronmf.bench.running.pool import Pool
from ronmf.bench.running.protocol import draw_case
from ronmf.bench.running.worker import Task
from ronmf.datasets import Dataset
from support.prying_methods import Peeker, Trojan


def test_a_draw_has_the_classes_labels_and_scaling_asked_for(dataset):
    case = draw_case(dataset, n_classes=4, label_rate=0.2, seed=3, samples_per_class=50)
    view = case.view
    assert view.n_clusters == 4
    assert view.X.shape == (200, 64)
    np.testing.assert_allclose(np.linalg.norm(view.X, axis=1), 1.0)
    assert [(view.y == j).sum() for j in range(4)] == [10] * 4
    assert draw_case(dataset, scaling="none").view.X.max() == 1.0
    everything = draw_case(dataset, label_rate=0.0001)
    assert len(everything.view.y) == len(dataset.y)
    assert (everything.view.y >= 0).sum() == 10  # at least one label per class


def test_so_many_labels_of_each_class(dataset):
    view = draw_case(dataset, n_classes=4, labels_per_class=5, label_rate=None).view
    assert [(view.y == j).sum() for j in range(4)] == [5] * 4
    scarce = draw_case(dataset, n_classes=2, labels_per_class=5, samples_per_class=3).view
    assert [(scarce.y == j).sum() for j in range(2)] == [2, 2]  # all but one
    single = draw_case(dataset, n_classes=2, labels_per_class=5, samples_per_class=1).view
    assert (single.y >= 0).all()  # at least one
    with pytest.raises(ValueError, match="labels_per_class=0 is out of range"):
        draw_case(dataset, labels_per_class=0)
    with pytest.raises(ValueError, match="label_rate and labels_per_class are both None"):
        draw_case(dataset, label_rate=None)


def test_order_does_not_tell_the_class(dataset):
    case = draw_case(dataset, n_classes=3, seed=0)
    changes = np.diff(case._truth) != 0
    assert changes.mean() > 0.5


def test_the_seed_fixes_classes_and_labels_whatever_the_noise(dataset):
    plain = draw_case(dataset, n_classes=4, seed=1)
    noisy = draw_case(dataset, n_classes=4, seed=1, noise="gaussian", noise_level=0.5)
    other = draw_case(dataset, n_classes=4, seed=2)
    np.testing.assert_array_equal(plain.view.y, noisy.view.y)
    assert np.abs(plain.view.X - noisy.view.X).max() > 0.01
    assert plain.view.X.shape != other.view.X.shape or (plain.view.X != other.view.X).any()


def test_flipped_labels_are_given_wrong_and_scored_right(dataset):
    clean = draw_case(dataset, n_classes=4, seed=1)
    flipped = draw_case(dataset, n_classes=4, seed=1, noise="label_flips", noise_level=0.3)
    given = clean.view.y >= 0
    assert (clean.view.y[given] != flipped.view.y[given]).mean() == pytest.approx(0.3, abs=0.02)
    assert flipped.score(flipped._truth)["acc_all"] == 1.0


def test_scores_of_perfect_and_blind_labels(dataset):
    case = draw_case(dataset, n_classes=5, seed=0)
    assert set(case.score(case._truth).values()) == {1.0}
    blind = case.score(np.zeros(len(case._truth), dtype=int))
    assert blind["acc_all"] < 0.3
    assert blind["nmi_unlabelled"] == pytest.approx(0.0, abs=1e-9)
    for bad in (np.zeros(3, dtype=int), np.zeros(len(case._truth))):
        with pytest.raises(ValueError, match="must return one cluster number for each"):
            case.score(bad)


def test_too_many_classes_is_one_sentence(dataset):
    with pytest.raises(ValueError, match="n_classes=11 is out of range: digits has 10 classes"):
        draw_case(dataset, n_classes=11)


def test_the_authors_graph_has_no_edge_between_true_classes(dataset):
    case = draw_case(dataset, n_classes=3, seed=0, leak="authors", samples_per_class=40)
    edges = case.view.affinity.tocoo()
    assert edges.nnz
    assert (case._truth[edges.row] == case._truth[edges.col]).all()
    assert draw_case(dataset, n_classes=3, seed=0).view.affinity is None


@pytest.fixture(scope="module")
def pool():
    with Pool(1, None) as found:
        yield found


def test_a_method_that_peeks_finds_the_truth_in_this_process_but_not_in_a_worker(dataset, pool):
    case = draw_case(dataset, n_classes=4, seed=0, samples_per_class=30)
    fingerprint = int(case._truth @ np.arange(120))
    peeker = Peeker(4, 120, fingerprint)
    assert case.score(peeker.fit_predict(case.view.X, case.view.y))["acc_all"] == 1.0
    params = f'{{"length": 120, "fingerprint": {fingerprint}}}'
    pool.submit("peek", Task(case.view, "support.prying_methods:Peeker", params, 0))
    ((_, result),) = list(pool.finished())
    assert "failed" not in result, result
    assert case.score(result["labels"])["acc_all"] == pytest.approx(0.25)


def test_what_a_method_returns_comes_back_as_plain_numbers(dataset, pool):
    case = draw_case(dataset, n_classes=4, seed=0, samples_per_class=30)
    assert case.score(Trojan(120))["acc_all"] == 1.0  # it would work in this process
    pool.submit("send", Task(case.view, "support.prying_methods:Sender", "{}", 0))
    ((_, result),) = list(pool.finished())
    assert case.score(result["labels"])["acc_all"] == pytest.approx(0.25)


def test_a_worker_that_died_while_idle_is_replaced(dataset):
    view = draw_case(dataset, n_classes=3, seed=0, samples_per_class=20).view
    with Pool(1, None) as pool:
        pool._workers[0]._process.kill()
        pool._workers[0]._process.join()
        pool.submit("fit", Task(view, "k-means", "{}", 0))
        ((_, result),) = list(pool.finished())
    assert len(result["labels"]) == 60


def test_unlabelled_samples_of_a_dataset_are_left_out():
    X = np.random.default_rng(0).random((30, 4))
    y = np.repeat([0, 1, -1], 10)
    case = draw_case(Dataset("own", X, y, np.array(["a", "b"]), None))
    assert len(case.view.y) == 20
