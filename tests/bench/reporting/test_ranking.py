import itertools
import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from ronmf.bench.reporting.ranking import (
    critical_difference,
    holm,
    rank_matrix,
    rank_methods,
    signed_rank,
)
from support.tidy import example_rows


def matrix(n, k, seed=0, decimals=2):
    """Results with ties, some methods better than others."""
    rng = np.random.default_rng(seed)
    values = rng.normal(0.5, 0.1, (n, k)) + 0.05 * np.arange(k)
    return pd.DataFrame(values.round(decimals), columns=[f"m{j}" for j in range(k)])


# Table 5 of Demšar (2006), two-tailed Nemenyi
@pytest.mark.parametrize(
    ("alpha", "k", "q"),
    [
        (0.05, 2, 1.960),
        (0.05, 3, 2.343),
        (0.05, 5, 2.728),
        (0.05, 10, 3.164),
        (0.10, 4, 2.291),
        (0.10, 10, 2.920),
    ],
)
def test_published_quantiles(alpha, k, q):
    n = k * (k + 1) / 6  # makes the root 1
    assert critical_difference(k, n, alpha) == pytest.approx(q, abs=1e-3)


def test_critical_difference_bounds_the_largest_gap_of_random_ranks():
    """By simulation: of equal methods, some two differ so much in 5 % of the cases."""
    rng, k, n = np.random.default_rng(0), 5, 30
    ranks = rng.permuted(np.tile(np.arange(1.0, k + 1), (4000, n, 1)), axis=2).mean(axis=1)
    share = np.mean(np.ptp(ranks, axis=1) >= critical_difference(k, n))
    assert 0.035 < share < 0.06


def test_ranks_by_hand():
    # a wins both; b and c tie on the first dataset, c is second on the second
    means = pd.DataFrame({"c": [0.7, 0.8], "a": [0.9, 0.9], "b": [0.7, 0.1]}, index=["x", "y"])
    found = rank_matrix(means)
    assert found.methods == ("a", "c", "b")
    assert found.average_ranks == (1.0, 2.25, 2.75)
    assert found.datasets == ("x", "y")


def test_friedman_by_hand():
    # the same order on 4 datasets: chi2 = 12 n / (k (k+1)) * sum (R - (k+1)/2)^2 = 4 * (1 + 1) = 8
    means = pd.DataFrame({"a": [0.9] * 4, "b": [0.5] * 4, "c": [0.1] * 4})
    found = rank_matrix(means)
    assert found.statistic == pytest.approx(8.0)
    assert found.p_value == pytest.approx(math.exp(-4.0))  # chi-squared with 2 degrees


def test_friedman_against_all_permutations():
    """Under equal methods every order of each row is as likely; the p-value should be near."""
    means = matrix(4, 3, seed=3, decimals=6)
    found = rank_matrix(means)
    orders = [np.array(order) for order in itertools.permutations([1.0, 2.0, 3.0])]
    spread = [np.square(sum(rows) / 4 - 2.0).sum() for rows in itertools.product(orders, repeat=4)]
    own = np.square(np.array(found.average_ranks) - 2.0).sum()
    assert found.p_value == pytest.approx(np.mean(np.array(spread) >= own - 1e-9), abs=0.06)


def test_ranks_and_groups_by_brute_force():
    for seed in range(5):
        means = matrix(12, 7, seed)
        found = rank_matrix(means)
        by_row = np.array([stats.rankdata([-v for v in line]) for line in means.to_numpy()])
        expected = dict(zip(means.columns, by_row.mean(axis=0), strict=True))
        assert dict(zip(found.methods, found.average_ranks, strict=True)) == pytest.approx(expected)
        # groups: all subsets in which no two methods differ, that no other such subset contains
        close = [
            set(names)
            for size in range(2, 8)
            for names in itertools.combinations(means.columns, size)
            if all(
                abs(expected[a] - expected[b]) < found.critical_difference
                for a, b in itertools.combinations(names, 2)
            )
        ]
        largest = [names for names in close if not any(names < other for other in close)]
        assert sorted(map(sorted, found.groups)) == sorted(map(sorted, largest))


def test_holm_by_hand():
    # smallest times 4, next times 3, then 2, then 1; never below an earlier one; at most 1
    assert holm([0.04, 0.01, 0.012, 0.5]) == pytest.approx([0.08, 0.04, 0.04, 0.5])
    assert holm([0.6, 0.7]) == pytest.approx([1.0, 1.0])


@pytest.mark.parametrize("decimals", [6, 1])  # one decimal makes ties and zeros
def test_wilcoxon_by_counting_signs(decimals):
    for seed in range(4):
        means = matrix(8, 3, seed, decimals)
        found = rank_matrix(means)
        p_values = {}
        for better, worse in found.pairs:
            difference = (means[better] - means[worse]).to_numpy().round(9)
            assert difference.sum() >= 0
            difference = difference[difference != 0]
            ranks = stats.rankdata(np.abs(difference))
            sums = np.array(list(itertools.product([0, 1], repeat=len(ranks)))) @ ranks
            own = ranks[difference > 0].sum()
            tail = min(np.mean(sums >= own), np.mean(sums <= own))
            p_values[better, worse] = min(1.0, 2 * tail)
            assert signed_rank(difference) == pytest.approx(p_values[better, worse])
        assert len(found.pairs) == 3
        assert list(found.pairs.values()) == pytest.approx(holm(list(p_values.values())))


def test_signed_rank_with_ties_and_zeros():
    # ranks 1.5 1.5 3 (the zero is left out), plus side 4.5; sums of at least 4.5: 2 of 8 signs
    # (1.5 + 3 twice) and the full 6, so 2 * 3 / 8
    assert signed_rank([0.1, -0.1, 0.2, 0.0]) == pytest.approx(0.75)
    # ranks 3.5 3.5 1.5 1.5, plus side 3; at most 3: nothing, 1.5 twice and 3, so 2 * 4 / 16
    assert signed_rank([-3, -3, 1, 1]) == pytest.approx(0.5)
    assert signed_rank([0.0, 0.0]) == 1.0


def test_signed_rank_as_scipy():
    for n in (6, 25, 40):
        difference = np.random.default_rng(n).normal(0.3, 1.0, n)
        expected = stats.wilcoxon(difference, method="exact").pvalue
        assert signed_rank(difference) == pytest.approx(expected)


def test_equal_methods_are_not_different():
    found = rank_matrix(pd.DataFrame(np.full((4, 3), 0.5), columns=list("abc")))
    assert (found.statistic, found.p_value) == (0.0, 1.0)
    assert found.groups == (("a", "b", "c"),)
    assert set(found.pairs.values()) == {1.0}
    assert "do not differ significantly" in found.describe()
    assert "should not be read" in found.describe()


def test_last_digits_are_no_difference():
    means = pd.DataFrame({"a": [0.1 + 0.2] * 3, "b": [0.3] * 3, "c": [0.1] * 3})
    assert rank_matrix(means).average_ranks == (1.5, 1.5, 3.0)


def test_rows_and_description():
    rows = example_rows()
    rows = rows[(rows.experiment == "clean") & (rows.method != "NMF")]
    found = rank_methods(rows)
    first = rows[rows.status == "ok"].groupby(["dataset", "method"]).acc_unlabelled.mean()
    assert set(found.methods) == set(rows.method)
    wins = first.unstack().idxmax(axis=1)
    assert found.methods[0] == wins.mode().item()
    text = found.describe()
    assert "Over 5 datasets, 6 methods differ significantly" in text
    assert "could find none" in text
    assert "0.062, before correction" in text
    assert "5 datasets are few" in text
    assert "failed runs of RONMF-M on umist (1 of 5)." in text
    many = rank_matrix(matrix(40, 3, decimals=6)).describe()
    assert "few" not in many
    assert "could find none" not in many


def test_clear_winner_is_named():
    means = pd.DataFrame({"a": [0.9] * 20, "b": [0.5] * 20, "c": [0.1] * 20})
    text = rank_matrix(means).describe()
    assert "a differs from every other method" in text
    assert "finds 3 of 3 pairs" in text


def test_what_cannot_be_tested_is_refused():
    for n, k in ((1, 5), (5, 2)):
        with pytest.raises(ValueError, match=f"{k} methods on {n} datasets; the tests need"):
            rank_matrix(matrix(n, k))
    with pytest.raises(ValueError, match=r"alpha=5 is not a level"):
        rank_matrix(matrix(5, 5), alpha=5)
    rows = example_rows(leak=True)
    with pytest.raises(ValueError, match="no rows of unchanged methods"):
        rank_methods(rows[rows.experiment == "leak"])
    with pytest.raises(ValueError, match="metric='seconds_unlabelled' is not known"):
        rank_methods(rows, "seconds")
