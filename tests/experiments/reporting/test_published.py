import pytest

from ronmf.experiments.reporting.published import (
    COPIED_NOISE,
    COPIED_ROW,
    compare_with_printed,
    printed,
    printed_cell,
)
from support.tidy import example_rows


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
