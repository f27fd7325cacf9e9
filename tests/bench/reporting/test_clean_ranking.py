"""Ranks on clean data: who takes part, and what the table says of the tests."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from ronmf.bench import TABLES, rank_methods
from ronmf.bench.reporting.contest import hold_contest
from ronmf.bench.reporting.opponents import CHOSEN_GRAPH
from ronmf.bench.reporting.page import dots
from support.tidy import example_rows, row

DATASETS = ("yale", "umist", "coil20", "usps")


def rows_of(scores):
    """Three runs of every method on every dataset, at its score."""
    return pd.DataFrame(
        [
            row("clean", dataset, method, seed, acc_unlabelled=score, acc_all=1.0 - score)
            for dataset in DATASETS
            for method, score in scores.items()
            for seed in range(3)
        ]
    )


PLAIN = {"k-means": 0.5, "NMF": 0.6, "GNMF": 0.7, "RONMF-M": 0.9}
COPIES = {CHOSEN_GRAPH: 0.9, "RONMF-M, printed": 0.85, "RONMF-M, as released": 0.95}


def test_near_copies_of_a_method_push_nobody_down():
    alone = rank_methods(rows_of(PLAIN))
    beside = rank_methods(rows_of({**PLAIN, **COPIES}))
    assert (beside.methods, beside.average_ranks) == (alone.methods, alone.average_ranks)
    assert sorted(beside.left_out) == sorted(COPIES)
    assert f"not run everywhere: {', '.join(beside.left_out)}." in beside.describe()


def test_a_copy_is_not_chosen_to_stand_for_the_method():
    contest = hold_contest(rows_of({**PLAIN, **COPIES}))
    assert contest.pair == ["RONMF-M", "GNMF"]
    assert contest.own == ["RONMF-M"]
    assert set(COPIES) < set(contest.means)  # they are shown all the same
    assert contest.ranking.rank("RONMF-M") == 1.0


def test_copies_of_other_methods_are_no_opponents_either():
    contest = hold_contest(rows_of({"NMF": 0.6, "GNMF": 0.7, "LNP": 0.5, "GNMF, tuned": 0.8}))
    assert contest.pair == ["GNMF", "NMF"]
    assert contest.ranking.rank("GNMF") == 1.0


@pytest.mark.parametrize(
    ("printed", "shown"),
    [(0.85, ["RONMF-M", "RONMF-M, printed", "GNMF"]), (0.1, ["RONMF-M", "GNMF", "NMF"])],
)
def test_the_picture_leaves_out_the_lowest_whoever_they_are(monkeypatch, printed, shown):
    """It says so; copies of RONMF have no place of their own."""
    monkeypatch.setattr(dots, "_MOST_LINES", 3)
    lines, _, caption = dots.dot_plot(hold_contest(rows_of({**PLAIN, "RONMF-M, printed": printed})))
    assert [line.method for line in lines] == shown
    assert "2 methods with lower means are in the table only" in caption


def test_a_copy_takes_part_where_the_method_itself_did_not_run():
    scores = {"k-means": 0.5, "NMF": 0.6, "RONMF-M, printed": 0.85}
    ranking = rank_methods(rows_of(scores))
    assert ranking.methods == ("RONMF-M, printed", "NMF", "k-means")
    assert ranking.left_out == ()


def test_ranking_leaves_out_what_did_not_run_everywhere():
    ranking = rank_methods(example_rows())
    assert ranking.left_out == ("NMF",)  # failed on every seed of a dataset
    assert ranking.methods[0] == "RONMF-E"


def test_the_table_has_ranks_means_and_what_nemenyi_tells_apart():
    """Rank differences are 1, 2 and 3; the critical difference by the textbook formula."""
    table = TABLES["ranks"](rows_of(PLAIN))
    distance = stats.studentized_range.ppf(0.95, 4, np.inf) / np.sqrt(2) * np.sqrt(20 / 24)
    assert 2.0 < distance < 3.0
    assert [[cell.text for cell in line] for line in table.rows] == [
        ["RONMF-M", "1.00", "0.900", ""],
        ["GNMF", "2.00", "0.700", "no"],
        ["NMF", "3.00", "0.600", "no"],
        ["k-means", "4.00", "0.500", "yes"],
    ]
    assert f"critical difference is {distance:.2f}" in table.caption


def test_the_table_ranks_the_samples_asked_for():
    table = TABLES["ranks"](rows_of(PLAIN), scope="all")
    assert table.rows[0][0].text == "k-means"


def test_too_few_to_rank():
    with pytest.raises(ValueError, match="at least 3 methods on 2 datasets"):
        TABLES["ranks"](rows_of({"NMF": 0.5, "RONMF-M": 0.9, "RONMF-M, printed": 0.8}))
