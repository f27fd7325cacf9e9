import numpy as np
import pandas as pd
import pytest

from ronmf.bench import TABLES
from ronmf.bench.reporting.reference import Reference
from ronmf.bench.reporting.table import Cell
from support.tidy import example_rows, fail, row

PRINTED = Reference(
    "printed",
    "somewhere",
    {
        ("yale", "none", "acc", "GNMF"): (0.420, 0.050, ""),
        ("umist", "none", "acc", "GNMF"): (0.786, 0.152, ""),
        ("yale", "none", "acc", "RONMF-E"): (0.871, 0.047, ""),
        ("yale", "poisson", "acc", "LpCNMF"): (0.200, 0.030, "it was copied"),
    },
)


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
    table = TABLES["clean"](
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
    assert yale["GNMF"] == Cell("0.300 ± 0.100", "", "second")
    assert yale["RONMF-E"] == Cell("0.600 ± 0.100", "", "best")
    average = cells(table, "Average")
    assert average["GNMF"] == Cell("0.450 ± 0.050", "", "second")
    assert average["RONMF-E"].text == "0.550 ± 0.050"
    assert "n = 2 runs per cell." in table.caption
    assert "unlabelled samples" in table.caption


def test_ties_are_decided_by_the_printed_digits():
    scores = {"k-means": 0.80004, "NMF": 0.79996, "GNMF": 0.7999, "RSNMF": 0.799, "CNMF": 0.1}
    table = TABLES["clean"](runs({("yale", name): [value] * 2 for name, value in scores.items()}))
    marks = {name: cell.mark for name, cell in cells(table, "yale").items()}
    assert marks == {
        "k-means": "best",
        "NMF": "best",
        "GNMF": "best",
        "RSNMF": "second",
        "CNMF": "",
    }


def test_failed_and_missing_cells():
    table = TABLES["clean"](
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
    table = TABLES["clean"](pd.concat([unequal, more]))
    assert "n = 2 runs per cell, but GNMF at umist n = 2 of other seeds" in table.caption
    assert "k-means at yale n = 1" in table.caption
    assert cells(table, "yale")["k-means"].text == "0.500"  # a single run has no spread


def test_scopes_differ(rows):
    clean = rows[rows.experiment == "clean"]
    everywhere = cells(TABLES["clean"](clean, "nmi", "all"), "yale")["GNMF"].text
    mask = (clean.dataset == "yale") & (clean.method == "GNMF")
    assert everywhere.startswith(f"{np.mean(clean.nmi_all[mask]):.3f}")
    assert everywhere != cells(TABLES["clean"](clean, "nmi"), "yale")["GNMF"].text


def test_noise_table_has_an_average_for_each_noise(rows):
    table = TABLES["noise"](rows[rows.experiment == "noise"], reference=PRINTED)
    assert len(table.rows) == 2 * 13
    assert [line[0].text for line in table.footer][:2] == ["Average, none", "Average, gaussian"]
    assert cells(table, "poisson", "yale", "4")["LpCNMF"].below == "(0.200 ± 0.030)†"
    assert "In brackets: printed, somewhere; averages computed" in table.caption
    assert "† Doubtful: it was copied." in table.caption


def test_what_stands_beside_is_averaged_where_all_of_it_is_there():
    scores = {(name, m): [0.5, 0.5] for name in ("yale", "umist") for m in ("GNMF", "RONMF-E")}
    table = TABLES["clean"](runs(scores), reference=PRINTED)
    average = cells(table, "Average")
    assert average["GNMF"].below == "(0.603 ± 0.101)"  # 0.420 and 0.786
    assert average["RONMF-E"].below == ""
    assert cells(table, "yale")["RONMF-E"].below == "(0.871 ± 0.047)"
    assert "averages computed from its cells" in table.caption
    assert "In brackets" not in TABLES["clean"](runs(scores)).caption


def test_variants_rates_and_times(rows):
    ablation = TABLES["ablation"](rows)
    assert ablation.header[2:4] == ("unchanged", "without graph")
    assert cells(ablation, "yale", "RONMF-E")["unchanged"].mark == "best"
    assert "without graph (graph_weight=0.0); " in ablation.caption
    rates = TABLES["labels"](rows)
    assert rates.header[:2] == ("dataset", "label rate")
    assert [line[1].text for line in rates.rows] == ["0.1", "0.2", "0.3", "0.5"] * 2
    time = [row("t", "yale", "NMF", 0, seconds=12.34), row("t", "yale", "GNMF", 0, seconds=120.4)]
    line = cells(TABLES["time"](pd.DataFrame(time)), "yale")
    assert (line["NMF"], line["GNMF"]) == (Cell("12.3", "", "best"), Cell("120", "", "second"))


def test_the_number_of_classes_is_a_column_of_its_own():
    plain = runs({("yale", "NMF"): [0.1, 0.2]})
    plain = pd.concat([plain.assign(n_classes=k) for k in (np.nan, 10.0, 6.0)])
    table = TABLES["classes"](plain)
    assert [line[1].text for line in table.rows] == ["6", "10"]
    assert "Classes 6, 10." in table.caption
    whole = TABLES["clean"](plain[plain.n_classes.isna()])
    assert "Classes all." in whole.caption


def test_levels_are_averages_of_datasets(rows):
    table = TABLES["levels"](rows)
    assert table.title == "ACC under noise, average of yale, usps"
    noise = TABLES["noise"](rows)
    both = [cells(noise, "gaussian", name, "0.1")["RONMF-E"].text for name in ("yale", "usps")]
    mean = np.mean([float(text.split()[0]) for text in both])
    found = cells(table, "gaussian", "0.1")["RONMF-E"].text
    assert float(found.split()[0]) == pytest.approx(mean, abs=1e-3)
    assert not table.footer


# --- what is refused


def test_runs_that_saw_hidden_labels_and_runs_twice_take_no_part(rows):
    clean = rows[rows.experiment == "clean"]
    cheat = clean.assign(leak="authors", acc_unlabelled=1.0)
    assert TABLES["clean"](pd.concat([clean, cheat, clean])) == TABLES["clean"](clean)


def test_cells_never_mix_two_settings():
    plain = runs({("yale", "NMF"): [0.1, 0.2]}, variant="v", params='{"a": 1}')
    other = plain.assign(params='{"a": 2}')
    with pytest.raises(ValueError, match="rows mixes several params at yale, NMF, v; choose one"):
        TABLES["ablation"](pd.concat([plain, other]))


def test_the_methods_of_a_row_ran_on_the_same():
    """Of a dataset the commonest setting counts; other runs are left out, not mixed in."""
    same = runs({("yale", "NMF"): [0.1, 0.2], ("yale", "GNMF"): [0.1, 0.2]})
    other = same[same.method == "NMF"].assign(label_rate=0.5, acc_unlabelled=0.9)
    assert TABLES["clean"](pd.concat([same, other])) == TABLES["clean"](same)


def test_wrong_arguments(rows):
    clean = rows[rows.experiment == "clean"]
    for call, match in [
        (lambda: TABLES["clean"](clean, "loss"), "metric='loss' is not known"),
        (lambda: TABLES["clean"](clean, "acc", "labelled"), "scope='labelled' is not known"),
        (lambda: TABLES["clean"](rows.iloc[:0]), "rows is empty"),
        (lambda: TABLES["clean"](clean.drop(columns="leak")), "rows lack the columns leak"),
        (lambda: TABLES["ranks"](clean, interval=True), "ranks shows no intervals"),
        (lambda: TABLES["clean"](clean.assign(acc_unlabelled=np.nan)), "acc_unlabelled is missing"),
    ]:
        with pytest.raises(ValueError, match=match):
            call()


# --- costs


def test_memory_of_shared_processes_is_no_cost(rows):
    """Older rows have the column; it was that of a process that ran many methods."""
    with pytest.raises(ValueError, match="metric='peak_mb' is not known"):
        TABLES["clean"](rows[rows.experiment == "clean"], "peak_mb")


def test_a_run_without_its_time_is_refused(rows):
    with pytest.raises(ValueError, match="seconds is missing in"):
        TABLES["time"](rows.assign(seconds=float("nan")))


def test_caption_names_whole_lines_with_more_seeds():
    few = {("yale", method): [0.1, 0.2] for method in ("NMF", "GNMF")}
    many = {(name, m): [0.1, 0.2, 0.3] for name in ("umist", "coil20") for m in ("NMF", "GNMF")}
    table = TABLES["clean"](runs({**few, **many, ("usps", "NMF"): [0.1, 0.2, 0.3]}))
    assert "n = 3 runs per cell, but n = 2 at yale." in table.caption


def test_caption_names_columns_that_differ_from_their_line_once():
    """Two columns that fall short on the same lines are named together."""
    seeds = {"umist": 3, "yale": 3, "usps": 2, "coil20": 2, "orl10p": 2}
    cells = {
        (name, method): [0.1] * (2 if method in ("LNP", "CNMF") else count)
        for name, count in seeds.items()
        for method in ("NMF", "GNMF", "RNMF", "LNP", "CNMF")
    }
    said = TABLES["clean"](runs(cells)).caption
    assert "n = 2 runs per cell, but n = 3 at umist, yale; CNMF, LNP at umist, yale n = 2." in said
