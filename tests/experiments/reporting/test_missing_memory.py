"""Peak memory that no system could tell is called missing, not 0 and not an error."""

import pandas as pd

from ronmf.experiments import to_markdown, wide_table
from support.tidy import row


def runs(method, peaks):
    return [
        {**row("clean", "yale", method, seed), "peak_mb": peak} for seed, peak in enumerate(peaks)
    ]


def test_tables_of_cost_say_what_is_missing():
    rows = pd.DataFrame(
        runs("NMF", [None, None]) + runs("GNMF", [30.0, 10.0]) + runs("RONMF-M", [40.0, None])
    )
    table = wide_table(rows, "dataset", "method", "peak_mb")
    assert [cell.text for cell in table.rows[0]] == [
        "yale", "missing (2 of 2)", "20.0 ± 10.0", "40.0, missing (1 of 2)",
    ]  # fmt: skip
    assert "Missing: not measured" in table.caption
    assert {cell.mark for cell in table.rows[0]} == {""}  # one whole number is not the best of many


def test_a_column_of_nothing_but_holes_is_a_table_too():
    rows = pd.DataFrame(runs("NMF", [None]) + runs("GNMF", [None]))
    assert "missing (1 of 1)" in to_markdown(wide_table(rows, "dataset", "method", "peak_mb"))
    full = pd.DataFrame(runs("NMF", [1.0]) + runs("GNMF", [2.0]))
    assert "Missing" not in wide_table(full, "dataset", "method", "peak_mb").caption
