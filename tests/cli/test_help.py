"""The pages of ``--help`` as a user sees them: 80 columns, and words that people read."""

import re
import subprocess
import sys

import pytest

from support.command_line import command

PAGES = [
    "",
    "cluster",
    "predict",
    "app",
    "data",
    "data list",
    "data info",
    "data verify",
    "data fetch",
]
VALUES = {"N", "NAME", "FILE", "DIR", "FOLDER", "MODEL", "SIZE", "KIND", "COMMAND", "OPTIONS"}
VALUES |= {"CSV", "JSON", "RONMF", "RONMF_DATA"}  # words in capitals that are no type


@pytest.mark.parametrize("page", PAGES)
def test_a_page_is_narrow_and_names_values_in_words(page, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    done = command(*page.split(), "--help")
    assert done.code == 0, done.err
    assert f"{page} [OPTIONS]" in done.out.splitlines()[0]
    assert max(map(len, done.out.splitlines())) <= 80
    assert set(re.findall(r"\b[A-Z][A-Z_]*[A-Z]\b|\bN\b", done.out)) <= VALUES
    assert not re.search(r"<\w+>|\[default|<=", done.out)
    options = done.out.partition("\nOptions:\n")[2]
    assert re.findall(r"^  (?:-\w, )?--(\w+)", options, re.MULTILINE)[-2:] == ["traceback", "help"]
    for entry in re.split(r"\n  (?=\S)", done.out.partition(":\n")[2]):
        assert re.search(r"\S  +\S", entry) or "\n" in entry, f"{entry!r} is not explained"


def test_a_page_of_the_module_says_how_it_was_asked_for():
    asked = [sys.executable, "-m", "ronmf", "data", "list", "--help"]
    done = subprocess.run(asked, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("Usage: python -m ronmf data list ")


def test_where_datasets_are_named_their_folder_is_too():
    for page in ("list", "info", "verify", "fetch"):
        text = command("data", page, "--help").out
        assert re.search(r"^  --data DIR  +\S", text, re.MULTILINE), text
