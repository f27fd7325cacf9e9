"""The four objects of a fit, each on its own: evidence, problem, solution, reading."""

import numpy as np
import pytest
from sklearn.base import clone

from ronmf import ADMM, RONMF, HarmonicLabelPropagation
from ronmf.admm.solver import solve
from ronmf.baselines import LNP, LpCNMF
from ronmf.estimators.evidence import Evidence
from ronmf.estimators.fit_problem import build_fit_problem
from ronmf.estimators.graph_search import GraphSearch, evidence_stages
from ronmf.estimators.progress import FitProgress
from ronmf.estimators.reading import Reading
from ronmf.estimators.settings import GraphSettings, ProblemSettings
from ronmf.estimators.warm_start import PreviousFit, Reusable, what_still_holds
from ronmf.graph import Edges, GivenGraph, neighbor_graph
from ronmf.labels.encoding import encode_labels
from ronmf.penalties import Penalty

PLAIN = GraphSettings("plain", Edges(5))


def gather(X, codes, settings=PLAIN, affinity=None, held=None, seed=0):
    rng, progress = np.random.RandomState(seed), FitProgress(RONMF(), evidence_stages(False))
    n_clusters = int(codes.max()) + 1
    search = GraphSearch(X, codes, n_clusters, settings, affinity, rng, progress)
    return search.evidence(held)


def test_evidence_is_a_graph_with_predictions_of_hidden_labels(digits):
    X, y, _ = digits
    evidence = gather(X, y)
    assert evidence.report is None
    assert abs(evidence.graph.affinity - neighbor_graph(X, 5).affinity).max() == 0
    for trial in evidence.trials:
        assert (trial.kept[trial.hidden] == -1).all()
        right = trial.predictions.argmax(axis=1) == y[trial.hidden]
        assert right.mean() > 0.7


@pytest.mark.parametrize(("grown", "holds"), [(0, True), (0.4, True), (0.6, False)])
def test_a_chosen_graph_holds_until_labels_have_grown_by_half(digits, grown, holds):
    X, y, truth = digits
    X, y, truth = X[:200], y[:200], truth[:200]
    chosen = gather(X, y, GraphSettings("auto", Edges(5)))
    assert chosen.report is not None
    more = y.copy()
    free = np.flatnonzero(y < 0)[: int(grown * (y >= 0).sum())]
    more[free] = truth[free]
    assert (chosen.under(more) is chosen) == holds
    wrong = y.copy()
    first = np.flatnonzero(y >= 0)[0]
    wrong[first] = (wrong[first] + 1) % 10
    assert chosen.under(wrong) is None


def test_a_graph_that_no_label_chose_always_holds_but_its_trials_do_not(digits):
    X, y, _ = digits
    evidence = gather(X, y)
    kept = evidence.under(np.full(len(y), -1))
    assert kept.graph is evidence.graph
    assert kept.trials is None
    assert gather(X, np.full(len(y), -1), held=kept).trials == []


def built(X, y, model):
    known = encode_labels(y, len(X), None)
    settings = ProblemSettings.check(model, len(known.classes), X.shape[1])
    rng = np.random.RandomState(0)
    return known, build_fit_problem(X, known, gather(X, known.codes), settings, Reusable(), rng)


def test_the_problem_is_what_the_solver_minimises(digits):
    X, y, _ = digits
    _, ready = built(X, y, RONMF(graph_weight=2.0))
    start, problem = ready.start, ready.problem
    result = solve(problem, start, ADMM(max_iter=30))
    value = problem.value(result.U, result.A, result.Z)
    assert value == pytest.approx(result.history.objective[-1], rel=1e-8)
    assert value < problem.value(start.U, start.A, start.Z)
    terms = problem.terms
    assert terms.value(result.A) == pytest.approx(
        terms.graph_weight * np.trace(result.A.T @ laplacian(ready.graph.affinity) @ result.A)
        + terms.label_weight * ((result.A - terms.anchor.Y)[y >= 0] ** 2).sum()
    )


def laplacian(W):
    return np.diag(W.sum(axis=1)) - W.toarray()


def test_an_unfit_penalty_or_basis_is_refused_in_a_sentence(digits):
    X, y, _ = digits

    class OnlyValue(Penalty):
        def __init__(self, sigma=1.0):
            self.sigma = sigma

        def _value(self, t, sigma):
            return sigma * t

    with pytest.raises(ValueError, match=r"OnlyValue.* has no prox and no weight, but ADMM needs"):
        RONMF(penalty=OnlyValue()).fit(X, y)
    with pytest.raises(ValueError, match="parts may not overlap; lower it"):
        RONMF(n_components=65).fit(X, y)


def test_a_reading_knows_doubt_and_distance():
    X = np.array([[0.0], [0.1], [0.2], [5.0], [5.1], [9.0]])
    A = np.array([[1, 0], [1, 0], [0.5, 0.5], [0, 1], [0, 1], [0, 1.0]])
    graph = neighbor_graph(X, 2)
    means = np.array([[0.1], [5.0]])
    known = encode_labels([0, -1, -1, 1, -1, -1], 6, None)
    codes = known.codes
    reading = Reading.take(X, A, A, means.T, Evidence(graph, codes, None, []), known)
    np.testing.assert_array_equal(reading.probabilities, A)  # nothing to calibrate on
    assert reading.outlier_score.argmax() in (2, 5)
    alone = Evidence(GivenGraph(graph.affinity), codes)
    assert Reading.take(X, A, A, means.T, alone, known).outlier_score.shape == (6,)


@pytest.mark.parametrize("kind", [HarmonicLabelPropagation, LNP, LpCNMF])
def test_other_methods_with_memberships_read_them_too(digits, kind):
    X, y, truth = digits
    X = X / np.linalg.norm(X, axis=1, keepdims=True)
    model = kind(random_state=0).fit(X, y)
    P = model.label_distributions_
    if kind is not HarmonicLabelPropagation:
        loose = kind(random_state=0, **({"label_weight": 0.0} if kind is LpCNMF else {})).fit(X, y)
        assert (loose.label_distributions_.argmax(axis=1) == loose.labels_).mean() > 0.95
    np.testing.assert_allclose(P.sum(axis=1), 1.0)
    asked = model.query(20)
    assert (y[asked] == -1).all()
    assert len(set(asked.tolist())) == 20
    doubtful = np.sort(P, axis=1)[:, -1]
    assert doubtful[asked].mean() < doubtful[y == -1].mean()
    odd = np.vstack([X, np.random.default_rng(0).random((5, 64)) / 8])
    scores = clone(model).fit(odd, np.append(y, [-1] * 5)).outlier_score_
    assert scores[-5:].min() > np.median(scores[:-5])
    if kind is not LpCNMF:
        right = model.predict(X[y == -1]) == truth[y == -1]
        sure = model.predict_proba(X[y == -1]).max(axis=1)
        assert abs(sure.mean() - right.mean()) < 0.12


def test_what_still_holds_of_the_last_fit(digits):
    X, y, _ = digits
    X, y = X[:200], y[:200]
    model = RONMF(graph="plain", warm_start=True, random_state=0).fit(X, y)
    previous, known = model._previous, encode_labels(y, len(X), None)
    assert isinstance(previous, PreviousFit)
    all_of_it = what_still_holds(previous, X, known, previous.keys)
    assert None not in (all_of_it.evidence, all_of_it.start, all_of_it.scale)
    np.testing.assert_array_equal(all_of_it.anchors, known.codes)
    graph_key, problem_key = previous.keys
    other_graph = what_still_holds(previous, X, known, (("other",), problem_key))
    assert other_graph.evidence is None
    assert other_graph.start is not None
    other_loss = what_still_holds(previous, X, known, (graph_key, ("other",)))
    assert other_loss.evidence is not None
    assert (other_loss.start, other_loss.scale) == (None, None)
    other_data = what_still_holds(previous, X + 0.1, known, previous.keys)
    assert other_data == Reusable()
    assert what_still_holds(None, X, known, previous.keys) == Reusable()
