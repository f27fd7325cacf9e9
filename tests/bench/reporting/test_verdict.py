"""Who won is said as the rows have it: a win, a tie, a loss, or that nobody can tell."""

import numpy as np
import pandas as pd
import pytest

from ronmf.bench.reporting.contest import hold_contest
from ronmf.bench.reporting.verdict import give_verdict
from support.tidy import fail, row

DATASETS = ("yale", "umist", "coil20", "usps")
GRAPH = "Propagation, chosen graph"


def rows_of(scores, datasets=DATASETS, seeds=6, spread=0.02, own_noise=0.002):
    """Rows in which draws move all methods together, and each a little on its own."""
    rng, found = np.random.default_rng(0), []
    for dataset in datasets:
        common = rng.normal(0.0, spread, seeds)
        for method, score in scores.items():
            own = rng.normal(0.0, own_noise, seeds)
            values = score + (common - common.mean()) + (own - own.mean())
            found += [
                row("clean", dataset, method, seed, acc_unlabelled=value)
                for seed, value in enumerate(values)
            ]
    return pd.DataFrame(found).assign(n_classes=6)


def said(rows):
    verdict = give_verdict(rows)
    return verdict.headline, verdict.sentences


def test_a_win():
    headline, sentences = said(rows_of({"NMF": 0.5, "GNMF": 0.7, "RONMF-M": 0.9, "RONMF-E": 0.89}))
    assert headline == "RONMF wins by 0.200 in accuracy"
    assert len(sentences) == 3
    who, much, sure = sentences
    assert who.startswith("On clean data of 4 datasets (6 classes, 30 % labels, 6 draws each)")
    assert "with RONMF-M, the best of 2 variants, and" in who
    assert "with GNMF, the best of 2 other methods: RONMF wins." in who
    assert much.startswith("On the same 24 draws RONMF-M is ahead by 0.200 (95 % interval 0.19")
    assert much.endswith("and ahead on 4 of 4 datasets.")
    assert "average ranks of 1.00 and 3.00 among 4 methods" in sure


def test_a_loss_is_said_as_plainly():
    headline, sentences = said(rows_of({"NMF": 0.5, "GNMF": 0.7, "RONMF-M": 0.6}))
    assert headline == "RONMF loses to GNMF by 0.100 in accuracy"
    assert sentences[0].endswith("with RONMF-M: RONMF loses.")
    assert "GNMF is ahead by 0.100" in sentences[1]


def test_a_tie():
    scores = {"NMF": 0.5, "GNMF": 0.702, "RONMF-M": 0.7}
    headline, sentences = said(rows_of(scores, own_noise=0.02))
    assert headline == "A tie: GNMF and RONMF"
    assert sentences[0].endswith(": a tie.")
    assert "may be chance" in sentences[1]
    assert "Ranks do not tell them apart either" in sentences[2]


def test_what_three_digits_do_not_show_is_a_tie_however_sure():
    rows = rows_of({"GNMF": 0.7, "RONMF-M": 0.7003}, own_noise=0.0)
    assert give_verdict(rows).headline == "A tie: RONMF and GNMF"
    assert "differ by less than 0.001 (95 % interval 0.000 to 0.000)" in said(rows)[1][1]


def test_chance_is_judged_on_the_same_draws():
    """The draws spread by far more than the methods differ, but all methods together."""
    rows = rows_of({"NMF": 0.4, "GNMF": 0.60, "RONMF-M": 0.61}, spread=0.1, own_noise=0.001)
    assert give_verdict(rows).headline == "RONMF wins by 0.010 in accuracy"


def test_variants_and_the_own_graph_are_no_runner_up():
    scores = {"GNMF": 0.7, GRAPH: 0.9, "RONMF-S": 0.9, "RONMF-M": 0.895, "RONMF-M, printed": 0.8}
    headline, sentences = said(rows_of(scores))
    assert headline == "RONMF wins by 0.200 in accuracy"
    assert "0.7" in sentences[0].partition(" with GNMF")[0]
    assert sentences[3].endswith("level with RONMF-S: the graph decides, not the factorisation.")


@pytest.mark.parametrize(("graph", "words"), [(0.8, "adds to its graph"), (0.95, "takes away")])
def test_the_own_graph_is_told_apart_where_it_differs(graph, words):
    sentences = said(rows_of({"GNMF": 0.7, GRAPH: graph, "RONMF-M": 0.9}))[1]
    assert sentences[3].endswith(f"the factorisation {words}.")


def test_propagation_on_the_own_graph_alone_is_nothing_to_compare_with():
    headline, sentences = said(rows_of({GRAPH: 0.9, "RONMF-M": 0.9}))
    assert headline == "Only RONMF-M ran"
    assert "nothing but propagation on its own graph to compare it with" in sentences[0]
    assert "level with RONMF-M" in sentences[1]


def test_one_dataset_says_little_of_others():
    headline, sentences = said(rows_of({"NMF": 0.5, "GNMF": 0.7, "RONMF-M": 0.9}, ["yale"]))
    assert headline == "RONMF wins by 0.200 in accuracy"
    assert "clean data of yale (" in sentences[0]
    assert sentences[2].startswith("3 methods on 1 dataset say little of other data")


def test_one_draw_tells_nothing_of_chance():
    headline, sentences = said(rows_of({"NMF": 0.5, "GNMF": 0.7, "RONMF-M": 0.9}, seeds=1))
    assert headline == "RONMF is ahead by 0.200 in accuracy"
    assert "1 draw each" in sentences[0]
    assert "nothing tells that from chance" in sentences[1]
    headline, sentences = said(rows_of({"GNMF": 0.9, "RONMF-M": 0.7}, seeds=1))
    assert headline == "RONMF is behind GNMF by 0.200 in accuracy"
    assert sentences[0].endswith("RONMF is behind.")


def test_without_ronmf():
    headline, sentences = said(rows_of({"NMF": 0.5, "GNMF": 0.7, "CNMF": 0.4}))
    assert headline == "GNMF wins by 0.200 in accuracy"
    assert "the best of" not in sentences[0]
    assert sentences[3] == "RONMF is not among these methods."


def test_ranks_that_turn_the_order_round_are_said_to():
    rows = rows_of({"NMF": 0.2, "GNMF": 0.8, "RONMF-M": 0.7}, own_noise=0.0)
    lifted = (rows["dataset"] == "yale") & (rows["method"] == "RONMF-M")
    rows.loc[lifted, "acc_unlabelled"] += 0.6  # far ahead once, behind thrice
    headline, sentences = said(rows)
    assert headline == "RONMF wins by 0.050 in accuracy"
    assert "ahead on 1 of 4 datasets, behind on 3" in sentences[1]
    assert "(the other way round)" in sentences[2]


def test_significant_is_what_exceeds_the_critical_difference():
    names = [*DATASETS, *"abcdefgh"]
    scores = {"k-means": 0.3, "CNMF": 0.4, "NMF": 0.5, "GNMF": 0.7, "RONMF-M": 0.9}
    near = said(rows_of(scores, names))[1][2]
    assert near.startswith("That is not significant over 12 datasets")
    assert "are few" not in near
    scores = {"RONMF-M": 0.9, "NMF": 0.5, "RONMF-S": 0.8, "RONMF-E": 0.7}
    far = said(rows_of(scores, names))[1][2]
    assert far.startswith("That is significant over 12 datasets: average ranks of 1.00 and 4.00")


def test_methods_that_did_not_run_everywhere_take_no_part():
    rows = rows_of({"NMF": 0.5, "GNMF": 0.7, "RONMF-M": 0.9, "CNMF": 0.99})
    rows = rows[(rows["method"] != "CNMF") | (rows["dataset"] == "yale")]
    contest = hold_contest(rows)
    assert contest.left_out == ["CNMF"]
    assert contest.pair[1] == "GNMF"


def test_rows_that_compare_nothing():
    noisy = rows_of({"NMF": 0.5, "RONMF-M": 0.9}).assign(noise="gaussian", noise_level=0.3)
    headline, (why,) = said(noisy)
    assert headline == "No comparison on clean data"
    assert why.startswith("No rows of unchanged methods without noise")
    failed = pd.DataFrame([fail(row("clean", "yale", "NMF", seed)) for seed in range(2)])
    assert give_verdict(failed).contest is None


def test_labels_are_said_as_they_were_given():
    rows = rows_of({"NMF": 0.5, "RONMF-M": 0.9}, seeds=2)
    few = rows.assign(label_rate=None, labels_per_class=1, n_classes=None)
    assert "(all classes, 1 label per class, 2 draws each)" in said(few)[1][0]
