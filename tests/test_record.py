"""The rows in results/paper are whole, and the pages tell what they say."""

import re
from pathlib import Path

import pytest

from ronmf.experiments import met_tables, read_plan, read_rows

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "results" / "paper"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not FOLDER.is_dir(), reason="results/paper is in a clone only"),
]


@pytest.fixture(scope="module")
def rows():
    return read_rows(FOLDER)


def test_every_run_of_the_plan_has_one_good_row_of_one_code(rows):
    wanted = [run.digest for run in read_plan(ROOT / "plans" / "paper.toml").runs]
    assert sorted(rows["run"]) == sorted(wanted)
    assert set(rows["status"]) == {"ok"}
    assert rows["code"].nunique() == 1


@pytest.mark.parametrize("page", ["README.md", "docs/printed_and_measured.md"])
def test_pages_tell_how_many_printed_cells_are_met(rows, page):
    met, printed = re.findall(r"\d+", met_tables(rows)[0].title)
    said = (ROOT / page).read_text(encoding="utf-8")
    assert re.search(rf"{met} of the (paper's )?{printed}\b", said)
