"""Runs of one draw share the graph that labels choose; nothing else may come of it."""

from dataclasses import replace

import numpy as np
import pytest

from ronmf import RONMF
from ronmf.baselines import HarmonicLabelPropagation
from ronmf.bench import draw_case, read_plan, read_rows, run_plan
from ronmf.bench.running.schedule import Schedule
from ronmf.bench.running.worker import Task, fit_view
from ronmf.estimators.progress import fit_listener
from ronmf.estimators.shared_graphs import SharedGraphs
from ronmf.metrics import SCORE_COLUMNS

PLAN = """
[[experiment]]
name = "clean"
datasets = ["digits"]
methods = [
    "RONMF-M", "RONMF-S", "RONMF-E", "Propagation, chosen graph", "RONMF-M, labels as given",
]
n_classes = 3
samples_per_class = 25
seeds = 2
noise = { kind = "label_flips", level = 0.1 }
"""


@pytest.fixture(scope="module")
def view(dataset):
    settings = {"n_classes": 3, "samples_per_class": 25, "noise": "label_flips"}
    return draw_case(dataset, seed=1, noise_level=0.1, **settings).view


def searches(graphs, view, model):
    """Fit; return how often a graph was chosen."""
    stages = []
    with graphs.in_use(), fit_listener(lambda stage, done, most: stages.append((stage, done))):
        model.fit(view.X, view.y)
    return stages.count(("graph", 0))


def models():
    yield RONMF(3, penalty="scad", random_state=0)
    yield RONMF(3, penalty="etp", graph_weight=3.0, random_state=0)
    settings = {"graph": "auto", "class_prior": "labels", "random_state": 0}
    yield HarmonicLabelPropagation(3, **settings, check_labels=True)
    yield HarmonicLabelPropagation(3, **settings)


def everything(model):
    """All numbers that a fit leaves, as bytes."""
    parts = (value for value in vars(model).values() if isinstance(value, np.ndarray))
    graph = model.graph_.affinity
    texts = repr(model.graph_report_), repr(model.graph_summary_)
    return [part.tobytes() for part in (*parts, graph.data, graph.indices)], texts


def test_fits_that_share_a_graph_end_as_they_do_alone_to_the_last_bit(view):
    graphs = SharedGraphs()
    assert searches(graphs, view, RONMF(3, random_state=0)) > 0
    for model, alone in zip(models(), models(), strict=True):
        assert searches(graphs, view, model) == 0
        assert everything(model) == everything(alone.fit(view.X, view.y))
    assert graphs.seconds_saved > 0


@pytest.mark.parametrize(
    "changed",
    [
        {"random_state": 1},
        {"n_neighbors": 6},
        {"label_weight": 5.0},
        {"class_prior": None},
        {"graph__edge_weights": "binary"},
        {"n_clusters": 4},
        {"image_shape": (8, 8)},
    ],
)
def test_what_decides_the_graph_is_not_shared(view, changed):
    graphs = SharedGraphs()
    settings = {"n_clusters": 3, "random_state": 0, "check_labels": False}
    assert searches(graphs, view, RONMF(**settings)) == 1
    assert searches(graphs, view, RONMF(**settings).set_params(**changed)) == 1
    assert searches(graphs, view, RONMF(**settings)) == 0


def test_a_changed_label_or_pixel_is_not_shared(view):
    graphs = SharedGraphs()
    for X, y in ((view.X, view.y), (view.X, view.y.copy()), (view.X.copy(), view.y)):
        model = RONMF(3, random_state=0, check_labels=False)
        if y is not view.y:
            y[np.flatnonzero(y >= 0)[0]] = -1
        if X is not view.X:
            X[0, 0] += 1e-9
        assert searches(graphs, replace(view, X=X, y=y), model) == 1


def test_random_numbers_of_another_generator_are_not_shared(view):
    """Their state is no tuple that the key could tell apart."""
    graphs = SharedGraphs()
    for seed in (1, 2):
        rng = np.random.RandomState(np.random.PCG64(seed))
        model = RONMF(3, random_state=rng, check_labels=False)
        assert searches(graphs, view, model) == 1
    assert graphs.seconds_saved == 0


def test_nothing_is_shared_unless_asked_for(view):
    for _ in range(2):
        fit = RONMF(3, random_state=0)
        stages = []
        with fit_listener(lambda stage, *_, stages=stages: stages.append(stage)):
            fit.fit(view.X, view.y)
        assert "graph" in stages


def test_a_fit_that_writes_into_its_graph_changes_that_of_no_other(view):
    graphs = SharedGraphs()
    first, alone = RONMF(3, random_state=0), RONMF(3, random_state=0)
    searches(graphs, view, first)
    for model in (first, alone):
        if model is alone:
            searches(graphs, view, model)
        model.graph_.affinity.data[:] = 0
    last = RONMF(3, random_state=0)
    assert searches(graphs, view, last) == 0
    assert last.graph_.affinity.sum() > 0


@pytest.mark.slow
def test_a_plan_has_the_rows_that_its_runs_have_alone_and_tells_what_they_cost_alone(
    tmp_path, dataset
):
    (tmp_path / "plan.toml").write_text(PLAN)
    plan = read_plan(tmp_path / "plan.toml")
    end = run_plan(plan, tmp_path / "out", jobs=2)
    rows = read_rows(tmp_path / "out").set_index("run")
    settings = {"n_classes": 3, "samples_per_class": 25, "noise": "label_flips"}
    for run in plan.runs:
        case = draw_case(dataset, seed=run.seed, noise_level=0.1, **settings)
        alone = fit_view(Task(case.view, run.method, run.params, run.seed))
        row = rows.loc[run.digest]
        scores = case.score(alone["labels"])
        assert {name: row[name] for name in SCORE_COLUMNS} == scores
        for name in ("n_iter", "converged"):
            assert row[name] == alone[name] or alone[name] is None, name
    # Eight of ten runs took the graph of another: alone, all of them would have chosen one.
    assert end.seconds_saved > 0.5 * rows.seconds.sum()
    assert (rows.seconds > 0.1 * rows.seconds.max()).all()


def test_a_worker_stays_with_a_draw_and_helps_others_when_none_is_left(tmp_path, dataset):
    (tmp_path / "plan.toml").write_text(PLAN)
    runs = list(read_plan(tmp_path / "plan.toml").runs)
    schedule = Schedule(runs, {("digits", ""): dataset})
    first = [schedule.next(worker)[0] for worker in (0, 1, 0, 1)]
    assert [run.seed for run in first] == [0, 1, 0, 1]
    second = [schedule.next(0) for _ in range(4)]
    assert [run.seed for run, _ in second] == [0, 0, 0, 1]
    assert second[-1][1].case is schedule.next(1)[1].case
    left = [schedule.next(1)[0]]
    assert schedule.next(0) is None is schedule.next(1)
    assert len({*first, *(run for run, _ in second), *left}) == len(runs) - 1
