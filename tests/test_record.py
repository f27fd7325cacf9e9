"""The rows in results are whole, and the pages tell what they say."""

import re
from pathlib import Path

import pytest
from met import met_tables

from ronmf.bench import read_plan, read_rows

ROOT = Path(__file__).parents[1]
PLANS = ("paper", "accuracy", "flips", "leak")
# Pages that show tables of rows, and name the version of the behaviour that made them
PAGES = {
    "docs/printed_and_measured.md": ("paper", "leak"),
    "docs/accuracy.md": ("paper", "accuracy"),
    "docs/trust.md": ("flips",),
}

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not (ROOT / "results").is_dir(), reason="results are in a clone only"),
]


@pytest.fixture(scope="module")
def rows():
    """The rows of every plan."""
    return {name: read_rows(ROOT / "results" / name) for name in PLANS}


@pytest.mark.parametrize("name", PLANS)
def test_every_run_of_the_plan_has_one_good_row_of_one_version(rows, name):
    wanted = [run.digest for run in read_plan(ROOT / "plans" / f"{name}.toml").runs]
    assert sorted(rows[name]["run"]) == sorted(wanted)
    assert set(rows[name]["status"]) == {"ok"}
    assert rows[name]["behaviour"].nunique() == 1


@pytest.mark.parametrize("page", PAGES)
def test_pages_name_the_version_of_their_rows(rows, page):
    text = (ROOT / page).read_text(encoding="utf-8")
    said = {int(number) for number in re.findall(r"behaviour version (\d+)", text)}
    assert said == {version for name in PAGES[page] for version in rows[name]["behaviour"]}


@pytest.mark.parametrize("page", ["README.md", "docs/printed_and_measured.md"])
def test_pages_tell_how_many_printed_cells_are_met(rows, page):
    met, printed = re.findall(r"\d+", met_tables(rows["paper"])[0].title)
    said = (ROOT / page).read_text(encoding="utf-8")
    assert re.search(rf"{met} of the (paper's )?{printed}\b", said)
