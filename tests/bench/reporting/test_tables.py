import numpy as np
import pandas as pd
import pytest

from ronmf.bench.reporting.published import COPIED_NOISE, compare_with_printed
from ronmf.bench.reporting.table_formats import Cell, Table
from ronmf.bench.reporting.tables import (
    clean_table,
    noise_table,
    type_table,
    wide_table,
)
from support.tidy import N_SEEDS, example_rows, fail, row


@pytest.fixture(scope="module")
def rows():
    return example_rows()


def runs(scores, **changes):
    """Rows from {(dataset, method): scores by seed}; None stands for a failed run."""
    found = []
    for (dataset, method), values in scores.items():
        for seed, value in enumerate(values):
            plain = row("clean", dataset, method, seed, acc_unlabelled=value, **changes)
            found.append(fail(plain) if value is None else plain)
    return pd.DataFrame(found)


def cells(table, *labels):
    """{method: cell} of the row or footer with these labels."""
    for line in (*table.rows, *table.footer):
        if tuple(cell.text for cell in line[: table.n_labels]) == labels:
            return dict(zip(table.header[table.n_labels :], line[table.n_labels :], strict=True))
    raise AssertionError(f"no row {labels}")


# --- cells, marks, averages


def test_cells_by_hand():
    table = clean_table(
        runs(
            {
                ("yale", "GNMF"): [0.2, 0.4],
                ("yale", "RONMF-E"): [0.5, 0.7],
                ("umist", "GNMF"): [0.6, 0.6],
                ("umist", "RONMF-E"): [0.5, 0.5],
            }
        )
    )
    assert [line[0].text for line in table.rows] == ["umist", "yale"]  # the paper's order
    yale = cells(table, "yale")
    assert yale["GNMF"] == Cell("0.300 ± 0.100", "(0.420 ± 0.050)", "second")
    assert yale["RONMF-E"] == Cell("0.600 ± 0.100", "(0.871 ± 0.047)", "best")
    average = cells(table, "Average")
    assert average["GNMF"] == Cell("0.450 ± 0.050", "(0.603 ± 0.101)", "second")
    assert average["RONMF-E"].text == "0.550 ± 0.050"
    assert "n = 2 runs per cell." in table.caption
    assert "unlabelled samples" in table.caption


def test_ties_are_decided_by_the_printed_digits():
    scores = {"k-means": 0.80004, "NMF": 0.79996, "GNMF": 0.7999, "RSNMF": 0.799, "CNMF": 0.1}
    table = clean_table(runs({("yale", name): [value] * 2 for name, value in scores.items()}))
    marks = {name: cell.mark for name, cell in cells(table, "yale").items()}
    assert marks == {
        "k-means": "best",
        "NMF": "best",
        "GNMF": "best",
        "RSNMF": "second",
        "CNMF": "",
    }


def test_failed_and_missing_cells():
    table = clean_table(
        runs(
            {
                ("mine", "k-means"): [0.9, None, 0.7],
                ("mine", "GNMF"): [None, None, None],
                ("mine", "NMF"): [0.5, 0.5, 0.5],
                ("mine", "CNMF"): [0.4, 0.4, 0.4],
                ("other", "k-means"): [0.5, 0.5, 0.5],
                ("other", "GNMF"): [0.5, 0.5, 0.5],
                ("other", "CNMF"): [0.6, 0.6, 0.6],
            }
        )
    )
    mine, average = cells(table, "mine"), cells(table, "Average")
    assert mine["k-means"] == Cell("0.800 ± 0.100, failed (1 of 3)")
    assert mine["GNMF"] == Cell("failed (3 of 3)")
    assert (mine["NMF"].mark, mine["CNMF"].mark) == ("best", "second")
    assert cells(table, "other")["NMF"] == Cell("–")
    assert average["k-means"] == Cell("0.650 ± 0.050, failed (1 of 6)")
    assert average["GNMF"].text == average["NMF"].text == "–"


def test_caption_names_cells_with_other_seeds():
    unequal = runs({("yale", "NMF"): [0.1, 0.2], ("yale", "GNMF"): [0.1, 0.2]})
    more = runs({("yale", "k-means"): [0.5], ("umist", "GNMF"): [0.3, 0.4]})
    more.loc[more.dataset == "umist", "seed"] += 10
    table = clean_table(pd.concat([unequal, more]))
    assert "n = 2 runs per cell, but GNMF at umist n = 2 of other seeds" in table.caption
    assert "k-means at yale n = 1" in table.caption
    assert cells(table, "yale")["k-means"].text == "0.500"  # a single run has no spread


def test_four_metrics_count_a_failed_run_once(rows):
    table = type_table(rows[rows.experiment == "clean"], ["umist", "usps"])
    assert [line[1].text for line in table.rows] == ["ACC", "F1", "NMI", "PUR"] * 2
    assert f"failed (1 of {2 * N_SEEDS})" in cells(table, "Average", "")["RONMF-M"].text
    assert table.caption.count("k-means at usps n = 3") == 1
    with pytest.raises(ValueError, match="datasets names 'mnist', which has no rows"):
        type_table(rows[rows.experiment == "clean"], ["mnist"])


def test_scopes_differ(rows):
    clean = rows[rows.experiment == "clean"]
    everywhere = cells(clean_table(clean, "nmi", "all"), "yale")["GNMF"].text
    mask = (clean.dataset == "yale") & (clean.method == "GNMF")
    assert everywhere.startswith(f"{np.mean(clean.nmi_all[mask]):.3f}")
    assert everywhere != cells(clean_table(clean, "nmi"), "yale")["GNMF"].text


def test_noise_table_has_an_average_for_each_noise(rows):
    table = noise_table(rows[rows.experiment == "noise"])
    assert len(table.rows) == 2 * 13
    assert [line[0].text for line in table.footer][:2] == ["Average, none", "Average, gaussian"]
    assert cells(table, "poisson", "yale", "4")["LpCNMF"].below == "(0.200 ± 0.030)†"
    assert COPIED_NOISE in table.caption


def test_wide_tables(rows):
    ablation = wide_table(rows[rows.experiment == "ablation"], "dataset", "variant")
    assert ablation.header[1:3] == ("unchanged", "without graph")
    assert cells(ablation, "yale")["unchanged"].mark == "best"
    assert "without graph (graph_weight=0.0); " in ablation.caption
    rates = wide_table(rows[rows.experiment == "labels"], ["dataset", "method"], "label_rate")
    assert rates.header == ("dataset", "method", "0.1", "0.2", "0.3", "0.5")
    assert not any(cell.mark for line in rates.rows for cell in line)  # rates do not compete
    time = pd.DataFrame(
        [row("t", "yale", "NMF", 0, seconds=12.34), row("t", "yale", "GNMF", 0, seconds=120.4)]
    )
    line = cells(wide_table(time, "dataset", "method", "seconds"), "yale")
    assert (line["NMF"], line["GNMF"]) == (Cell("12.3", "", "best"), Cell("120", "", "second"))


def test_all_classes_of_a_dataset_stand_last():
    plain = runs({("yale", "NMF"): [0.1, 0.2]})
    plain = pd.concat([plain.assign(n_classes=k) for k in (np.nan, 10.0, 6.0)])
    table = wide_table(plain, "dataset", "n_classes")
    assert table.header == ("dataset", "6", "10", "all")
    assert "Classes 6, 10, all." in table.caption


# --- what is refused


def refused(table, match, **changes):
    plain = runs({("yale", "NMF"): [0.1, 0.2], ("yale", "GNMF"): [0.1, 0.2]})
    for name, value in changes.items():
        plain[name] = plain[name].astype(object)
        plain.loc[plain.index[0], name] = value
    with pytest.raises(ValueError, match=match):
        table(plain)


@pytest.mark.parametrize("table", [clean_table, noise_table, compare_with_printed, type_table])
def test_rows_that_do_not_belong_together_are_refused(table):
    refused(table, "leak='authors', which saw hidden labels", leak="authors")
    refused(table, "rows mixes variant 'no graph' and '' at .*dataset=yale", variant="no graph")
    refused(table, "rows mixes label_rate 0.5 and 0.3 at .*dataset=yale", label_rate=0.5)
    refused(table, r"""rows mixes params '\{"a": 1\}' and '\{\}'""", params='{"a": 1}')
    refused(table, "rows holds 1 runs twice, the first dataset=yale, method=NMF, seed=1", seed=1)
    refused(table, "the status 'running'", status="running")
    refused(table, "acc_unlabelled is missing in 1 runs", acc_unlabelled=np.nan)
    plain = runs({("yale", "NMF"): [0.1, 0.2], ("yale", "GNMF"): [0.1, 0.2]})
    plain = plain.assign(scaling="unit")
    for name, value in {"label_rate": 0.5, "n_classes": 6, "scaling": "max"}.items():
        # each method alone is in order, but they would not compare
        unfair = plain.assign(**{name: plain[name].where(plain.method == "NMF", value)})
        with pytest.raises(ValueError, match=f"rows mixes {name} .* at .*dataset=yale"):
            table(unfair)
    for wrong, match in [
        (plain.iloc[:0], "rows is empty"),
        (plain.drop(columns="leak"), "rows has no column 'leak'"),
        (plain.assign(variant="no graph"), "rows holds the variant 'no graph'"),
    ]:
        with pytest.raises(ValueError, match=match):
            table(wrong)


def test_wrong_arguments(rows):
    clean = rows[rows.experiment == "clean"]
    for call, match in [
        (lambda: clean_table(clean, "seconds"), "metric='seconds' is not a score"),
        (lambda: clean_table(clean, "acc", "labelled"), "scope='labelled' is not known"),
        (lambda: wide_table(clean, "dataset", "method", "loss"), "metric='loss' is not known"),
        (lambda: wide_table(clean, "seed", "method"), "'seed' is not a setting"),
        (lambda: wide_table(clean, "dataset", "dataset"), "no setting twice"),
        (lambda: wide_table(clean, "dataset", "noise"), "rows mixes method"),
        (lambda: clean_table(rows), "runs twice"),
        (lambda: clean_table(clean.assign(noise="gaussian")), "rows holds runs under noise"),
        (lambda: Table("t", "", ("a", "b"), 1, ((Cell("1"),),)), "a row of 1 cells"),
    ]:
        with pytest.raises(ValueError, match=match):
            call()


# --- costs


def test_memory_of_shared_processes_is_no_cost(rows):
    """Older rows have the column; it was that of a process that ran many methods."""
    with pytest.raises(ValueError, match="metric='peak_mb' is not known"):
        wide_table(rows[rows.experiment == "clean"], "dataset", "method", "peak_mb")


def test_a_run_without_its_time_is_refused(rows):
    part = rows[rows.experiment == "labels"].assign(seconds=float("nan"))
    with pytest.raises(ValueError, match="seconds is missing in"):
        wide_table(part, ["dataset", "label_rate"], "method", "seconds")


def test_caption_names_whole_lines_with_more_seeds():
    few = {("yale", method): [0.1, 0.2] for method in ("NMF", "GNMF")}
    many = {(name, m): [0.1, 0.2, 0.3] for name in ("umist", "coil20") for m in ("NMF", "GNMF")}
    table = clean_table(runs({**few, **many, ("usps", "NMF"): [0.1, 0.2, 0.3]}))
    assert "n = 3 runs per cell, but n = 2 at yale." in table.caption


def test_caption_names_columns_that_differ_from_their_line_once():
    """Two columns that fall short on the same lines are named together."""
    seeds = {"umist": 3, "yale": 3, "usps": 2, "coil20": 2, "orl10p": 2}
    cells = {
        (name, method): [0.1] * (2 if method in ("LNP", "CNMF") else count)
        for name, count in seeds.items()
        for method in ("NMF", "GNMF", "RNMF", "LNP", "CNMF")
    }
    said = clean_table(runs(cells)).caption
    assert "n = 2 runs per cell, but n = 3 at umist, yale; CNMF, LNP at umist, yale n = 2." in said
