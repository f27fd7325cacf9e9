"""``bench table``, ``figure`` and ``report`` with rows that nobody had to run."""

import json

import pytest

from ronmf.bench import FIGURES, TABLES
from ronmf.cli.naming import check_name
from support.command_line import assert_one_sentence, command
from support.tidy import row


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder of results: three methods on one set of the paper."""
    home = tmp_path_factory.mktemp("results") / "mine"
    home.mkdir()
    runs = [
        row("clean", "umist", method, seed, n_classes=6, acc_unlabelled=score + 0.02 * seed)
        for method, score in (("NMF", 0.5), ("HarmonicLabelPropagation", 0.7), ("RONMF-M", 0.8))
        for seed in range(2)
    ]
    (home / "rows.jsonl").write_text("".join(json.dumps(run) + "\n" for run in runs))
    return home


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["table", "clan"], ["the table 'clan' is not known", "did you mean 'clean'"]),
        (["table", "clean", "--metric", "ACC"], ["--metric 'ACC'", "did you mean 'acc'"]),
        (["table", "clean", "--scope", "al"], ["--scope 'al'", "did you mean 'all'"]),
        (["table", "clean", "--format", "latecks"], ["--format", "did you mean 'latex'"]),
        (["table", "clean", "-e", "klean"], ["--experiment 'klean'", "did you mean 'clean'"]),
        (["table", "clean", "-d", "umits"], ["--dataset 'umits'", "did you mean 'umist'"]),
        (["table", "ranks", "--interval"], ["the table ranks shows no intervals"]),
        (["figure", "box"], ["the figure 'box'", "did you mean 'boxes'"]),
        (["figure", "zzz"], ["the figure 'zzz'", "use one of boxes"]),
    ],
)
def test_a_wrong_name_gets_a_suggestion_in_one_sentence(folder, arguments, words):
    verb, name, *rest = arguments
    assert_one_sentence(command("bench", verb, folder, name, *rest), *words)


def test_names_in_any_case_are_found():
    with pytest.raises(ValueError, match=r"use one of .*did you mean 'RONMF-M'"):
        check_name("--method", "ronmf-m", ["NMF", "RONMF-M"])


def test_intervals_on_request(folder):
    plain = command("bench", "table", folder, "clean").out
    assert "0.810 ± 0.010" in plain
    assert "95 %" not in plain
    asked = command("bench", "table", folder, "clean", "--interval").out
    assert r"0.810 ± 0.010 \[0.683, 0.937\]" in asked


def test_a_table_of_one_dataset(tmp_path):
    runs = [row("clean", name, "NMF", 0, n_classes=6) for name in ("umist", "yale")]
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(run) + "\n" for run in runs))
    lines = command("bench", "table", tmp_path, "clean").out.splitlines()
    assert sum(line.startswith(("| umist", "| yale")) for line in lines) == 2
    lines = command("bench", "table", tmp_path, "clean", "-d", "yale").out.splitlines()
    assert [line[:7] for line in lines if line.startswith(("| umist", "| yale"))] == ["| yale "]


@pytest.mark.parametrize("verb", ["table", "figure", "report"])
def test_help_is_for_readers(verb):
    """Types are words that say what to give, and all names are listed."""
    said = " ".join(command("bench", verb, "--help").out.replace("│", " ").split())
    assert "-o, --out FILE" in said
    known = {"table": TABLES, "figure": FIGURES, "report": []}[verb]
    for name in known:
        assert name in said


def test_the_report_tells_how_far_it_is(folder, tmp_path):
    out = tmp_path / "report.html"
    ended = command("bench", "report", folder, "-o", out)
    assert ended.code == 0, ended.err
    assert ended.out.strip() == f"Wrote {out}."
    lines = ended.err.splitlines()
    assert lines[0].startswith("rows: done, ")
    assert {line.partition(":")[0] for line in lines[1:]} == {"tables", "figures"}
    assert "RONMF wins by 0.100" in out.read_text(encoding="utf-8")


def test_rows_of_different_behaviour_are_refused_or_named(folder, tmp_path):
    lines = (folder / "rows.jsonl").read_text().splitlines()
    rows = [json.loads(line) for line in lines]
    versions = [3] * 2 + [4] * (len(rows) - 2)
    mixed = [json.dumps({**row, "behaviour": v}) for row, v in zip(rows, versions, strict=True)]
    (tmp_path / "rows.jsonl").write_text("\n".join(mixed) + "\n")
    for verb, name in (("table", "clean"), ("figure", "boxes")):
        refused = command("bench", verb, tmp_path, name)
        assert refused.code == 2
        assert "of 2 versions of the behaviour" in refused.err
        assert "--allow-stale" in refused.err
    shown = command("bench", "table", tmp_path, "clean", "--allow-stale")
    assert shown.code == 0
    assert "| dataset |" in shown.out
    assert f"(4: {len(rows) - 2} rows, 3: 2)" in shown.err
