import pandas as pd
import pytest
from printed_cells import BLOCKS, METHODS, ROUNDING, printed_averages, recomputed_averages

from ronmf.bench.reporting.published import (
    COPIED_NOISE,
    COPIED_ROW,
    WRONG_AVERAGES,
    compare_with_printed,
    printed,
    printed_cell,
)
from support.paper_source import cells
from support.tidy import example_rows


def test_cells_and_averages_are_those_of_the_source(paper_source):
    source = cells(paper_source)
    names = {"acc": "ACC", "f1": "F1", "nmi": "NMI", "purity": "PUR"}
    table = printed()
    for cell in table.itertuples():
        place = cell.table, cell.noise.replace("_", "-"), cell.dataset.upper(), names[cell.metric]
        assert source.pop((*place, cell.method)) == (cell.mean, cell.std), place
    for block, (name, noise) in BLOCKS.items():
        averages = printed_averages(block)
        for method in METHODS:
            place = name, noise.replace("_", "-"), "Average", "", method
            assert source.pop(place) == tuple(averages.loc[method]), place
    assert not source


def test_averages_are_wrong_where_it_is_said():
    gaps = pd.concat({b: (printed_averages(b) - recomputed_averages(b)).abs() for b in BLOCKS})
    wrong = (gaps > ROUNDING + 1e-9).sum()
    assert wrong["mean"] == 27
    assert "in 27 places" in WRONG_AVERAGES
    assert wrong["std"] == 26


def test_printed_cells_are_those_of_the_paper():
    cell = printed_cell("yale", "none", "acc", "RONMF-E")
    assert (cell.mean, cell.std, cell.doubt) == (0.871, 0.047, "")
    assert printed_cell("yale", "none", "acc", "RONMF-E, printed") == cell
    assert printed_cell("yale", "salt_pepper", "acc", "k-means").mean == 0.230
    assert printed_cell("yale", "gaussian", "acc", "k-means") is None
    table = printed()
    assert len(table) == 672
    assert not table.duplicated(["dataset", "noise", "metric", "method"]).any()
    assert table["mean"].between(0, 1).all()
    assert table["std"].between(0, 0.5).all()
    table["mean"] = 0.0  # a copy: nobody can change the paper
    assert printed()["mean"].min() > 0


def test_doubtful_cells_are_indeed_copies():
    table = printed()
    values = ["mean", "std"]
    doubted = table[table.doubt == COPIED_ROW].set_index(["dataset", "method"])[values]
    assert len(doubted) == 24
    assert doubted.loc["coil20"].equals(doubted.loc["coil100"])
    doubted = table[table.doubt == COPIED_NOISE].set_index(["noise", "dataset", "metric", "method"])
    assert len(doubted) == 2 * 12 * 8
    assert doubted.loc["poisson"][values].equals(doubted.loc["salt_pepper"][values])
    # and no other method is copied
    rest = table[(table.noise != "none") & (table.doubt == "")]
    wide = rest.pivot(index=["dataset", "metric", "method"], columns="noise", values="mean")
    same = (wide["poisson"] == wide["salt_pepper"]).groupby("method").all()
    assert not same.any()


def test_comparison_keeps_every_run_and_has_the_difference():
    rows = example_rows()
    noisy = rows[rows.experiment == "noise"]
    table = compare_with_printed(noisy)
    assert table["n"].sum() + table["failed"].sum() == len(noisy)
    assert table.printed_mean.notna().sum() == 2 * 3 * 5  # none, poisson twice, salt_pepper twice
    one = table[(table.dataset == "usps") & (table.noise == "none") & (table.method == "LpCNMF")]
    assert one.difference.item() == pytest.approx(one["mean"].item() - 0.924)
