"""The 95 % interval of a mean over draws: by hand, by simulation, and in the tables."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from ronmf.bench import TABLES
from ronmf.bench.reporting.summary import half_width
from support.tidy import row


def runs(scores):
    return pd.DataFrame(
        [
            row("clean", dataset, method, seed, acc_unlabelled=value)
            for (dataset, method), values in scores.items()
            for seed, value in enumerate(values)
        ]
    )


def test_one_mean_has_students_interval():
    values = [0.7, 0.75, 0.9, 0.85, 0.6]
    low, high = stats.t.interval(0.95, 4, np.mean(values), stats.sem(values))
    half = half_width([np.std(values)], [5])
    assert (np.mean(values) - half, np.mean(values) + half) == pytest.approx((low, high))


def test_two_means_have_welchs_interval():
    a, b = [0.1, 0.5, 0.3, 0.35], [0.9, 0.8, 0.86, 0.7, 0.6, 0.65]
    difference = stats.ttest_ind(a, np.negative(b), equal_var=False).confidence_interval(0.95)
    # The mean of two means is half of the difference between one and minus the other.
    expected = (difference.high - difference.low) / 4
    assert half_width([np.std(a), np.std(b)], [4, 6]) == pytest.approx(expected)


def test_it_holds_the_mean_as_often_as_it_says():
    rng = np.random.default_rng(0)
    draws = rng.normal(size=(4000, 3, 6)) * np.array([1.0, 3.0, 0.2])[None, :, None]
    means, stds = draws.mean(axis=2), draws.std(axis=2)
    held = [
        abs(mean.mean()) <= half_width(std.tolist(), [6, 6, 6])
        for mean, std in zip(means, stds, strict=True)
    ]
    assert np.mean(held) == pytest.approx(0.95, abs=0.015)


def test_nothing_is_known_of_one_draw_and_all_of_equal_ones():
    assert math.isnan(half_width([float("nan")], [1]))
    assert math.isnan(half_width([0.1, float("nan")], [5, 1]))
    assert half_width([0.0, 0.0], [5, 5]) == 0.0
    assert half_width([1e-200], [5]) == pytest.approx(0.0)


def test_a_cell_and_the_average_of_a_table_have_one():
    rows = runs({("yale", "NMF"): [0.5, 0.6, 0.7], ("umist", "NMF"): [0.9, 0.95, 1.0]})
    table = TABLES["clean"](rows, interval=True)
    texts = {line[0].text: line[1].text for line in (*table.rows, *table.footer)}
    assert texts["yale"] == "0.600 ± 0.082 [0.352, 0.848]"
    assert texts["umist"] == "0.950 ± 0.041 [0.826, 1.000]"  # cut at 1
    half = half_width([np.std([0.5, 0.6, 0.7]), np.std([0.9, 0.95, 1.0])], [3, 3])
    assert texts["Average"] == f"0.775 ± 0.061 [{0.775 - half:.3f}, {0.775 + half:.3f}]"
    assert "95 % interval" in table.caption
    assert "95 %" not in TABLES["clean"](rows).caption
    assert r"\[0.352, 0.848\]" in table.to_markdown()
    assert "{[}0.352, 0.848]" in table.to_latex()


def test_a_single_run_has_none():
    table = TABLES["clean"](runs({("yale", "NMF"): [0.5]}), interval=True)
    assert table.rows[0][1].text == "0.500"


def test_time_is_not_cut_at_one():
    rows = runs({("yale", "NMF"): [0.5, 0.6]}).assign(seconds=[10.0, 14.0])
    table = TABLES["time"](rows, "acc", "unlabelled", interval=True)
    assert table.rows[0][1].text == "12.0 ± 2.0 [0.0, 37.4]"
