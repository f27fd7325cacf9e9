"""The printed cells are those of the paper, and what is said of them is so."""

import pandas as pd
from printed_cells import BLOCKS, METHODS, ROUNDING, printed_averages, recomputed_averages
from published import COPIED_NOISE, COPIED_ROW, WRONG_AVERAGES, as_reference, printed

from support.paper_source import cells


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
    cells = as_reference().cells
    assert cells["yale", "none", "acc", "RONMF-E"] == (0.871, 0.047, "")
    assert cells["yale", "none", "acc", "RONMF-E, printed"] == (0.871, 0.047, "")
    assert cells["yale", "salt_pepper", "acc", "k-means"][0] == 0.230
    assert ("yale", "gaussian", "acc", "k-means") not in cells
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
