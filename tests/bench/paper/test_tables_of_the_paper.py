"""The paper's own tables: its arrangement, printed beside measured, the leak."""

import json

import pandas as pd
import pytest
from tables import leak_table, main, printed_table, type_table

from ronmf.bench.reporting.selection import clean
from support.tidy import N_SEEDS, example_rows, row


def runs(dataset, values, **changes):
    """Rows of one method, with these accuracies on unlabelled samples and on all."""
    scores = [{"acc_unlabelled": value, "acc_all": value} for value in values]
    return [
        {**row("clean", dataset, "GNMF", seed, **changes), **score}
        for seed, score in enumerate(scores)
    ]


def test_printed_cells_stand_beside_ours_with_the_difference():
    table = printed_table(clean(pd.DataFrame(runs("yale", [0.5, 0.7]))), "acc", "all")
    ((*_, measured, printed, difference, doubt),) = table.rows
    assert measured.text == "0.600 ± 0.100"
    assert printed.text == "0.420 ± 0.050"
    assert difference.text == "+0.180"
    assert doubt.text == ""


def test_rows_that_nobody_printed_are_said():
    with pytest.raises(ValueError, match="no row has a printed acc"):
        printed_table(clean(pd.DataFrame(runs("digits", [0.9]))))


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


def test_four_metrics_count_a_failed_run_once():
    rows = example_rows()
    rows = rows[rows.experiment == "clean"]
    table = type_table(rows[rows.dataset.isin(["umist", "usps"])])
    assert [line[1].text for line in table.rows] == ["ACC", "F1", "NMI", "PUR"] * 2
    average = dict(zip(table.header, table.footer[0], strict=True))
    assert f"failed (1 of {2 * N_SEEDS})" in average["RONMF-M"].text
    assert average["GNMF"].below.startswith("(0.")
    assert table.caption.count("k-means at usps n = 3") == 1


@pytest.mark.parametrize("name", ["clean", "best-printed", "met", "paper"])
@pytest.mark.parametrize("kind", ["markdown", "latex", "html"])
def test_the_command_writes_every_format(tmp_path, monkeypatch, capsys, name, kind):
    runs = [row("clean", "yale", "RONMF-M", seed, n_classes=6) for seed in range(2)]
    lines = [json.dumps(run) for run in runs]
    (tmp_path / "rows.jsonl").write_text("".join(f"{line}\n" for line in lines))
    monkeypatch.setattr("sys.argv", ["tables.py", str(tmp_path), name, "--format", kind])
    main()
    assert "yale" in capsys.readouterr().out


def test_the_command_refuses_in_one_sentence(tmp_path, monkeypatch, capsys):
    for arguments, words in (
        ([str(tmp_path), "clean"], "there are no rows in"),
        ([str(tmp_path), "clan"], "invalid choice: 'clan'"),
    ):
        monkeypatch.setattr("sys.argv", ["tables.py", *arguments])
        with pytest.raises(SystemExit):
            main()
        assert words in capsys.readouterr().err
