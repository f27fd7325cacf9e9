"""The program behaves as the version says that rows of results name, and changes are noticed."""

import json
import shutil

import behaviour
import pytest
from behaviour_panel import PANEL

from ronmf.bench.running.behaviour import BEHAVIOUR
from ronmf.graph.selection import tuning

FEW, MANY = "RONMF, without shape", "RONMF, above 1,000 samples"
# Constants of the choice of a graph, and a case that shows each
CONSTANTS = [("SHARPNESS", FEW), ("COMPARED", MANY)]


@pytest.fixture(scope="module")
def told():
    return behaviour.read()


def test_the_panel_is_as_its_version_says(told):
    lines = behaviour.compare(told["outcomes"], behaviour.run())
    if lines and told["libraries"] != behaviour.libraries():
        pytest.skip(f"made with {told['libraries']}, whose results may differ from those here")
    assert not lines, behaviour.message(told["version"], lines)


def test_rows_name_the_version_of_the_panel(told):
    words = "raise it by `python benchmarks/behaviour.py --raise` alone"
    assert told["version"] == BEHAVIOUR, words
    assert set(told["outcomes"]) == set(PANEL)


@pytest.mark.parametrize(("name", "case"), CONSTANTS, ids=str)
def test_a_changed_constant_of_the_choice_of_a_graph_is_noticed(told, monkeypatch, name, case):
    value = getattr(tuning, name)
    monkeypatch.setattr(tuning, name, type(value)(1.25 * value))
    (line,) = behaviour.compare(told["outcomes"], told["outcomes"] | behaviour.run([case]))
    assert line.startswith(f"{case}: ")


def test_what_differs_is_said():
    before = {"A": {"labels": "00112", "right": 0.8, "n_iter": 7.0}, "B": {"x": 1.0}}
    other = {"labels": "22001", "right": 0.8 + 1e-7, "n_iter": 7.0}
    assert behaviour.compare(before, {**before, "A": other}) == []  # clusters have other numbers
    now = {"A": {"labels": "00111", "right": 0.6, "objective": 3.0}, "C": {"x": 1.0}}
    assert behaviour.compare(before, now) == [
        "A: 1 of 5 labels differ; right 0.8 -> 0.6; n_iter 7 -> none; objective none -> 3",
        "B: no longer in the panel",
        "C: new in the panel",
    ]
    assert "5 of 5 labels" in behaviour.compare(before, {**before, "A": {"labels": "001"}})[0]
    said = behaviour.message(3, ["A: ..."])
    assert "`python benchmarks/behaviour.py --raise`" in said
    assert "today's outcomes become version 4, and rows of results of version 3 are stale" in said


@pytest.fixture
def command(tmp_path, monkeypatch, capsys, told):
    """The command, with a panel of two cases and files of its own."""
    for name in set(PANEL) - {"draw", "scores"}:
        monkeypatch.delitem(PANEL, name)
    shutil.copy(behaviour.MODULE, tmp_path / "module.py")
    monkeypatch.setattr(behaviour, "MODULE", tmp_path / "module.py")
    monkeypatch.setattr(behaviour, "FILE", tmp_path / "panel.json")
    few = {name: told["outcomes"][name] for name in ("draw", "scores")}
    (tmp_path / "panel.json").write_text(json.dumps({**told, "outcomes": few}))

    def call(*options):
        monkeypatch.setattr("sys.argv", ["behaviour.py", *options])
        try:
            behaviour.main()
        except SystemExit as end:
            return end.code, capsys.readouterr().err
        return 0, capsys.readouterr().out

    return call


def with_scores(**outcome):
    """Let the file say something else of one case, or nothing, and return what is in it now."""
    told = behaviour.read()
    told["outcomes"].pop("scores")
    told["outcomes"] |= {"scores": outcome} if outcome else {}
    behaviour.FILE.write_text(json.dumps(told))
    return behaviour.FILE.read_text()


def test_the_command_compares_and_raises_the_version(command):
    assert command() == (0, f"Version {BEHAVIOUR}:\n  nothing that the panel shows differs\n")
    before = with_scores(acc_all=0.5)
    for options in ([], ["--keep"]):
        code, said = command(*options)
        assert code == 1
        assert "scores: acc_all 0.5 -> 0.85" in said
        assert behaviour.FILE.read_text() == before
    assert command("--raise")[0] == 0
    assert behaviour.read()["version"] == BEHAVIOUR + 1
    assert f"\nBEHAVIOUR = {BEHAVIOUR + 1}\n" in behaviour.MODULE.read_text()
    assert command()[1].startswith(f"Version {BEHAVIOUR + 1}:\n  nothing")


def test_the_command_adds_cases_to_the_same_version(command):
    with_scores()
    assert "scores: new in the panel" in command()[1]
    assert command("--keep") == (0, f"Version {BEHAVIOUR}:\n  scores: new in the panel\n")
    assert behaviour.read()["version"] == BEHAVIOUR
    assert behaviour.MODULE.read_text().count(f"BEHAVIOUR = {BEHAVIOUR}\n") == 1
    assert set(behaviour.read()["outcomes"]) == {"draw", "scores"}
