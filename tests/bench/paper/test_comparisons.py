"""RONMF beside what it should beat, from invented rows whose verdicts are known."""

import numpy as np
import pandas as pd
import pytest
from comparisons import (
    best_printed_table,
    few_labels_table,
    noise_gain_table,
    paired_t,
    same_graph_table,
)
from scipy import stats

from ronmf.bench.reporting.opponents import CHOSEN_GRAPH
from ronmf.bench.reporting.ranking import holm
from support.tidy import fail, row

PIXELS = "HarmonicLabelPropagation"


def runs(method, values, dataset="yale", **changes):
    """Rows of a method with these scores, of every metric and scope, by seed."""
    found = []
    for seed, value in enumerate(values):
        scores = {
            f"{metric}_{scope}": value - (0.1 if scope == "unlabelled" and metric == "f1" else 0)
            for metric in ("acc", "f1", "nmi", "purity")
            for scope in ("all", "unlabelled")
        }
        settings = {"n_classes": 6, **changes}
        found.append({**row("clean", dataset, method, seed), **scores, **settings})
    return found


def texts(table):
    return [[cell.text for cell in line] for line in (*table.rows, *table.footer)]


def test_the_best_printed_cell_of_any_method_stands_beside_ours():
    rows = pd.DataFrame(
        runs("RONMF-M", [0.89, 0.93]) + runs("RONMF-S", [1.0]) + runs("RONMF-M", [0.5], "digits")
    )
    table = best_printed_table(rows)
    assert texts(table) == [
        ["yale", "ACC", *["0.910 ± 0.020"] * 2, "0.875 ± 0.063", "RONMF-S", "+0.035", "yes"],
        ["yale", "F1", "0.910 ± 0.020", "0.810 ± 0.020", "0.909 ± 0.075", "RONMF-E", "+0.001",
         "yes"],
        ["yale", "NMI", *["0.910 ± 0.020"] * 2, "0.920 ± 0.040", "RONMF-E", "-0.010", "no"],
        ["yale", "PUR", *["0.910 ± 0.020"] * 2, "0.909 ± 0.048", "RONMF-E", "+0.001", "yes"],
        ["Above on all samples", *[""] * 6, "3 of 4, ACC 1 of 1"],
        ["Above on unlabelled samples", *[""] * 6, "2 of 4, ACC 1 of 1"],
    ]  # fmt: skip
    assert "n = 2 runs per cell. Label rate 0.3. Classes 6." in table.caption
    assert texts(best_printed_table(rows, "RONMF-S"))[0][2] == "1.000"


def test_equal_digits_and_failed_runs_are_not_above():
    equal = best_printed_table(pd.DataFrame(runs("RONMF-M", [0.8754, 0.8754])))
    assert texts(equal)[0][-2:] == ["+0.000", "no"]
    broken = runs("RONMF-M", [0.99, 0.99])
    table = best_printed_table(pd.DataFrame([broken[0], fail(broken[1])]))
    assert texts(table)[0][2] == "0.990, failed (1 of 2)"
    assert texts(table)[0][-2:] == ["–", "no"]


def test_doubtful_cells_and_features_are_said():
    table = best_printed_table(
        pd.DataFrame(
            runs("RONMF-M", [0.9, 0.9], "coil20", features="")
            + runs("RONMF-M", [0.9, 0.9], "cal101", features="some_net")
        )
    )
    assert texts(table)[1][4].endswith("†")
    assert "† Doubtful: the F1 rows of COIL20 and COIL100" in table.caption
    assert "cal101 as features of some_net." in table.caption


def noise_rows():
    rows = []
    for level, ours, theirs in [(0.1, 0.96, 0.96), (0.3, 0.93, 0.91), (0.5, 0.9, 0.89)]:
        noise = {"noise": "gaussian", "noise_level": level}
        rows += runs("RONMF-M", [ours] * 2, **noise) + runs(PIXELS, [theirs] * 2, **noise)
    return pd.DataFrame(rows + runs("RONMF-M", [0.9] * 2))


def test_what_is_asked_for_under_noise():
    table = noise_gain_table(noise_rows())
    assert [line[-2:] for line in texts(table)] == [
        ["+0.000", "yes"], ["+0.020", "yes"], ["+0.010", "no"], ["+0.010", "2 of 3"],
    ]  # fmt: skip
    assert texts(table)[-1] == ["Mean", "", "", "0.930", "0.920", "+0.010", "2 of 3"]
    less = noise_rows()
    less = less[(less.method != PIXELS) | (less.noise_level != 0.5)]
    assert texts(noise_gain_table(less))[-2][3:] == ["0.900 ± 0.000", "–", "–", "no"]
    with pytest.raises(ValueError, match="RONMF-S has no rows for this table"):
        noise_gain_table(noise_rows(), "RONMF-S")
    with pytest.raises(ValueError, match="no rows with noise"):
        noise_gain_table(pd.DataFrame(runs("RONMF-M", [0.9])))


def test_few_labels_leave_out_the_propagation_of_the_same_graph():
    rows = []
    for number, ours in [(1, 0.6), (5, 0.7)]:
        few = {"labels_per_class": number, "label_rate": None, "n_classes": None}
        rows += runs("RONMF-M", [ours] * 2, **few) + runs(CHOSEN_GRAPH, [0.8] * 2, **few)
        rows += runs("SelfTraining", [0.65] * 2, **few)
    table = few_labels_table(pd.DataFrame(rows + runs("RONMF-M", [0.9])))
    assert table.header == (
        "dataset", "labels of each class", CHOSEN_GRAPH, "SelfTraining", "RONMF-M", "above",
    )  # fmt: skip
    assert [line[1] for line in texts(table)] == ["1", "5", ""]
    assert [line[-1] for line in texts(table)] == ["no", "yes", "1 of 2"]
    assert "1, 5 labels of each class. Classes all." in table.caption
    with pytest.raises(ValueError, match="no rows with labels_per_class"):
        few_labels_table(pd.DataFrame(runs("RONMF-M", [0.9])))


def test_the_same_graph_is_tested_over_seeds():
    rng = np.random.default_rng(0)
    base = rng.uniform(0.6, 0.9, 10)
    gains = {"yale": 0.03, "umist": 0.0, "usps": -0.02}
    rows, noise = [], {"noise": "gaussian", "noise_level": 0.3}
    for dataset, gain in gains.items():
        ours = base + gain + rng.normal(0, 0.004, 10)
        rows += runs("RONMF-M", ours, dataset) + runs(CHOSEN_GRAPH, base, dataset)
    rows += runs("RONMF-M", base, **noise) + runs(CHOSEN_GRAPH, base, **noise)
    table = same_graph_table(pd.DataFrame(rows))
    found = {(line[0], line[1]): line for line in texts(table)}
    assert found["none", "yale"][-1] == "adds"
    assert found["none", "usps"][-1] == "hurts"
    assert found["none", "umist"][-1] == found["gaussian", "yale"][-1] == "nothing"
    assert found["gaussian", "yale"][-4:-1] == ["+0.0000", "1", "1"]
    assert found["Mean", ""][-1] == "adds 1, nothing 2, hurts 1"
    # four rows, ten seeds of one sign: 4 * 2 / 2^10
    assert found["none", "yale"][-3] == "0.0078"
    assert "Wilcoxon's test could find nothing" not in table.caption
    few = same_graph_table(pd.DataFrame([r for r in rows if r["seed"] < 4]))
    assert "its smallest possible corrected p-value is 0.5" in few.caption
    with pytest.raises(ValueError, match="share no two seeds"):
        same_graph_table(pd.DataFrame([r for r in rows if r["seed"] == 0]))
    with pytest.raises(ValueError, match=f"{CHOSEN_GRAPH} has no rows"):
        same_graph_table(pd.DataFrame(runs("RONMF-M", base)))


def test_paired_t_as_scipy_and_without_spread():
    difference = np.random.default_rng(1).normal(0.1, 1.0, 12)
    assert paired_t(difference) == pytest.approx(stats.ttest_rel(difference, 0 * difference).pvalue)
    assert paired_t([0.1, 0.1]) == 0.0
    assert holm([paired_t([0.0, 1e-15])])[0] == 1.0
