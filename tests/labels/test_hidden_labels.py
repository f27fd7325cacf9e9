"""Hiding given labels, and what hidden labels say of a graph."""

import numpy as np
import pytest

from ronmf.labels.hidden_labels import (
    class_mean_error_ratio,
    hide_labels,
    run_trials,
    tentative_trials,
)


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


def test_class_mean_error_ratio_sees_no_hidden_label():
    """Neither rival is shown the labels it is asked for, and each is scored on its own errors."""
    codes = np.array([0, 0, 0, 1, 1, 1, -1, -1])
    X = np.where(codes[:, None] == 1, 1.0, 0.0) + np.zeros((8, 2))
    shown = []

    def wrong_graph(kept):
        shown.append(kept)
        return np.eye(2)[1 - np.clip(codes, 0, 1)]  # always the other class

    trials = run_trials(codes, wrong_graph, np.random.RandomState(0))
    # No error of the means, six of the graph, in each of the two rounds that few labels get.
    assert class_mean_error_ratio(X, trials) == pytest.approx(1 / 13)
    assert len(shown) == 6
    for trial, kept in zip(trials, shown, strict=True):
        np.testing.assert_array_equal(trial.kept, kept)
        assert (kept == -1).sum() == 4
        assert (kept[trial.hidden] == -1).all()
    lonely = np.array([0, 1] + [-1] * 6)
    assert run_trials(lonely, wrong_graph, np.random.RandomState(0)) == []
    assert class_mean_error_ratio(X, []) == 4  # without evidence: what is usual where there is some


def test_predictions_predict_each_other_where_no_label_can_be_hidden():
    codes = np.array([0, 1, 1] + [-1] * 27)
    first, rng = np.eye(2)[np.arange(30) % 2], np.random.RandomState(0)
    trials = tentative_trials(codes, first, lambda kept: first, rng)
    assert len(trials) == 3
    for trial in trials:
        assert np.bincount(trial.kept[trial.kept >= 0]).tolist() == [1, 2]  # as many as were given
        assert (trial.kept[trial.hidden] == -1).all()
        assert (codes[trial.hidden] == -1).all()
        np.testing.assert_array_equal(trial.truth, trial.hidden % 2)
    assert tentative_trials(np.full(30, -1), first, lambda kept: first, rng) == []


def test_many_labels_are_hidden_once_and_few_twice():
    for count, times in [(99, 2), (102, 1)]:
        # What is predicted does not matter here.
        trials = run_trials(np.arange(count) % 3, np.ones_like, np.random.RandomState(0))
        hidden = np.concatenate([trial.hidden for trial in trials])
        assert (np.bincount(hidden, minlength=count) == times).all()
