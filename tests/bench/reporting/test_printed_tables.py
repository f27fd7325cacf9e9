import pandas as pd
import pytest

from ronmf.bench.reporting.printed_tables import leak_table, printed_table
from support.tidy import row


def runs(dataset, values, **changes):
    """Rows of one method, with these accuracies on unlabelled samples and on all."""
    scores = [{"acc_unlabelled": value, "acc_all": value} for value in values]
    return [
        {**row("clean", dataset, "GNMF", seed, **changes), **score}
        for seed, score in enumerate(scores)
    ]


def test_printed_cells_stand_beside_ours_with_the_difference():
    table = printed_table(pd.DataFrame(runs("yale", [0.5, 0.7])), "acc", "all")
    ((*_, measured, printed, difference, doubt),) = table.rows
    assert measured.text == "0.600 ± 0.100"
    assert printed.text == "0.420 ± 0.050"
    assert difference.text == "+0.180"
    assert doubt.text == ""


def test_rows_that_nobody_printed_are_said():
    with pytest.raises(ValueError, match="no row has a printed acc"):
        printed_table(pd.DataFrame(runs("digits", [0.9])))


def test_leaked_rows_stand_beside_honest_ones():
    honest, leaked = runs("yale", [0.3, 0.5]), runs("yale", [1.0, 1.0], leak="authors")
    table = leak_table(pd.DataFrame(honest + leaked))
    assert [cell.text for cell in table.rows[0][2:]] == ["0.400 ± 0.100", "1.000 ± 0.000"]
    with pytest.raises(ValueError, match="with and without the leak"):
        leak_table(pd.DataFrame(honest))


def test_methods_stand_in_reading_order_whichever_ended_first():
    found = [
        row("clean", "yale", method, 0, leak=leak)
        for leak in ("none", "authors")
        for method in ("RONMF-M", "LpCNMF", "GNMF")
    ]
    table = leak_table(pd.DataFrame(found))
    assert [line[1].text for line in table.rows] == ["GNMF", "LpCNMF", "RONMF-M"]
