"""Which printed cells are met: decided by the digits in print, cell by cell."""

import pandas as pd
import pytest
from met import COMPARISONS, compare_cells, measured_cells, met_tables
from published import printed

from support.tidy import fail, row


def run(dataset, method, value, seed=0, **changes):
    """A run of the paper's setting with the same value of every metric on all samples."""
    scores = {f"{metric}_all": value for metric in ("acc", "f1", "nmi", "purity")}
    return row("clean", dataset, method, seed, **{"n_classes": 6, **scores, **changes})


def perfect_rows():
    """Every printed cell, measured as 1."""
    cells = printed()[["noise", "dataset", "method"]].drop_duplicates()
    levels = {"none": 0.0, "poisson": 255.0, "salt_pepper": 0.05}
    return pd.DataFrame(
        run(c.dataset, c.method, 1.0, noise=c.noise, noise_level=levels[c.noise])
        for c in cells.itertuples()
    )


def verdicts(rows):
    """{(noise, dataset, metric, method): {who: met or not}}"""
    return {
        tuple(cell.theirs[2:6]): {who: cell.met(who) for who in COMPARISONS}
        for cell in compare_cells(measured_cells(rows))
    }


def counts(table):
    return {line[0].text: [cell.text for cell in line[2:]] for line in (*table.rows, *table.footer)}


def test_all_672_cells_are_counted_once():
    (table,) = met_tables(perfect_rows())
    assert table.title == "RONMF meets 672 of 672 printed cells"
    assert sum(int(line[2].text) for line in table.rows) == 672
    assert counts(table)["All"] == ["672"] + ["672 of 672"] * 4
    assert counts(table)["ACC"] == ["168"] + ["168 of 168"] * 4
    assert counts(table)["RONMF"][0] == "168"
    assert counts(table)["Doubtful"][0] == str((printed()["doubt"] != "").sum())


def test_the_printed_digits_decide():
    """Printed are 0.716 for k-means and 0.945 for RONMF-M, ACC on umist."""
    rows = pd.DataFrame([run("umist", "k-means", 0.71551), run("umist", "RONMF-M", 0.94449)])
    found = verdicts(rows)
    assert found["none", "umist", "acc", "k-means"]["same method"] is True
    assert found["none", "umist", "acc", "RONMF-M"]["same method"] is False
    rows["acc_all"] = 0.71549
    assert verdicts(rows)["none", "umist", "acc", "k-means"]["same method"] is False


def test_who_meets_a_cell():
    rows = pd.DataFrame(
        [
            run("umist", "RONMF-M", 0.5),
            run("umist", "RONMF-S", 0.99),
            run("umist", "HarmonicLabelPropagation", 1.0),
        ]
    )
    found = verdicts(rows)
    # A variant stands for its own cells, RONMF-M for those of other methods.
    assert found["none", "umist", "acc", "RONMF-S"] == {
        "RONMF": True, "best RONMF": True, "same method": True, "any method": True,
    }  # fmt: skip
    assert found["none", "umist", "acc", "RONMF-M"]["RONMF"] is False
    assert found["none", "umist", "acc", "RONMF-M"]["best RONMF"] is True
    assert found["none", "umist", "acc", "k-means"] == {
        "RONMF": False, "best RONMF": True, "same method": None, "any method": True,
    }  # fmt: skip
    assert found["none", "umist", "acc", "RONMF-E"]["RONMF"] is None
    assert set(found["none", "yale", "acc", "k-means"].values()) == {None}


def test_cells_without_rows_are_counted_as_such():
    rows = pd.DataFrame([run("umist", "RONMF-M", 1.0), run("umist", "k-means", 0.1)])
    table, listed = met_tables(rows)
    assert table.title == "RONMF meets 48 of 672 printed cells, of which 624 have no rows"
    first = table.rows[0]
    assert [cell.text for cell in first[:3]] == ["Table 4", "clean: umist, yale", "96"]
    assert (first[4].text, first[4].below) == ("48 of 48", "48 without rows")
    assert (first[5].text, first[5].below) == ("4 of 8", "88 without rows")
    assert [cell.text for cell in table.rows[1][3:]] == ["no rows"] * 4
    assert listed.title == "4 printed cells that the same method does not meet"
    assert {line[4].text for line in listed.rows} == {"k-means"}


def test_the_lists_have_what_is_printed_and_what_is_measured():
    rows = pd.DataFrame(
        [run("umist", method, value, seed) for seed in (0, 1) for method, value in
         (("RONMF-M", 0.90 + 0.02 * seed), ("k-means", 0.5))]
    )  # fmt: skip
    _, below, differ = met_tables(rows)
    line = next(li for li in below.rows if (li[3].text, li[4].text) == ("ACC", "RONMF-E"))
    assert [cell.text for cell in line] == [
        "Table 4", "clean", "umist", "ACC", "RONMF-E", "0.954 ± 0.016",
        "RONMF-M", "0.910 ± 0.010", "RONMF-M", "0.910 ± 0.010",
    ]  # fmt: skip
    line = next(li for li in differ.rows if (li[3].text, li[4].text) == ("ACC", "k-means"))
    assert [cell.text for cell in line[4:]] == [
        "k-means", "0.716 ± 0.070", "0.500 ± 0.000", "-0.216",
    ]  # fmt: skip


def test_one_level_stands_for_each_noise_and_is_named():
    noisy = [
        run("yale", "k-means", 0.1 * i, noise="salt_pepper", noise_level=level)
        for i, level in enumerate((0.3, 0.05, 0.1), start=1)
    ]
    noisy += [
        run("yale", "k-means", 0.9, noise="poisson", noise_level=level) for level in (16, 128)
    ]
    measured = measured_cells(pd.DataFrame(noisy))
    assert measured.levels == {"salt_pepper": 0.05, "poisson": 128.0}
    assert measured.cells["salt_pepper", "yale", "acc"]["k-means"].mean == pytest.approx(0.2)
    table = met_tables(pd.DataFrame(noisy))[0]
    assert "salt_pepper 0.05 and poisson 128 stand for them" in table.caption


def test_doubtful_cells_are_marked():
    rows = perfect_rows()
    rows.loc[rows["noise"] == "poisson", "acc_all"] = 0.0
    tables = met_tables(rows)
    texts = [line[5].text for line in tables[1].rows]
    assert sum(text.endswith("†") for text in texts) == 8 * 3
    assert "in one of two places at most: all baselines but SNMFSP" in tables[0].caption


def test_only_the_papers_setting_counts():
    rows = pd.DataFrame(
        [
            run("umist", "k-means", 1.0, n_classes=20),
            run("umist", "NMF", 1.0, label_rate=0.5),
            run("umist", "GNMF", 1.0, variant="mine", params='{"graph_weight": 1}'),
            run("umist", "CNMF", 0.9),
        ]
    )
    assert set(measured_cells(rows).cells["none", "umist", "acc"]) == {"CNMF"}
    with pytest.raises(ValueError, match=r"run plans/paper\.toml"):
        met_tables(rows[rows["n_classes"] == 20])


def test_failed_runs_meet_nothing():
    good = [run("umist", "k-means", 1.0, seed) for seed in range(3)]
    rows = pd.DataFrame([*good[:2], fail(good[2])])
    assert verdicts(rows)["none", "umist", "acc", "k-means"]["same method"] is False
    assert "failed (1 of 3)" in met_tables(rows)[-1].rows[0][6].text


def test_pixels_count_where_features_of_a_network_ran_too():
    """However many rows there are of each; the paper clusters pixels."""
    deep = [run("cal101", "RONMF-M", 1.0, seed, features="net") for seed in range(3)]
    found = verdicts(pd.DataFrame([run("cal101", "RONMF-M", 0.1, features=""), *deep]))
    assert found["none", "cal101", "acc", "RONMF-M"]["RONMF"] is False
    assert verdicts(pd.DataFrame(deep))["none", "cal101", "acc", "RONMF-M"]["RONMF"] is True
