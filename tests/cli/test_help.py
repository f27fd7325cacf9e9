"""The pages of ``--help`` as a user sees them: 80 columns, and words that people read."""

import os
import re
import subprocess
import sys

import pytest

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
def test_a_page_is_narrow_and_names_values_in_words(page):
    done = subprocess.run(
        [sys.executable, "-m", "ronmf", *page.split(), "--help"],
        capture_output=True,
        text=True,
        env={**os.environ, "COLUMNS": "80"},
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"Usage: python -m ronmf {page}".strip())
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert set(re.findall(r"\b[A-Z][A-Z_]*[A-Z]\b|\bN\b", done.stdout)) <= VALUES
    assert not re.search(r"<\w+>|\[default|<=", done.stdout)
    options = done.stdout.partition("\nOptions:\n")[2]
    assert re.findall(r"^  (?:-\w, )?--(\w+)", options, re.MULTILINE)[-2:] == ["traceback", "help"]
    for entry in re.split(r"\n  (?=\S)", done.stdout.partition(":\n")[2]):
        assert re.search(r"\S  +\S", entry) or "\n" in entry, f"{entry!r} is not explained"


def test_where_datasets_are_named_their_folder_is_too():
    for page in ("list", "info", "verify", "fetch"):
        command = [sys.executable, "-m", "ronmf", "data", page, "--help"]
        text = subprocess.run(command, capture_output=True, text=True).stdout
        assert re.search(r"^  --data DIR  +\S", text, re.MULTILINE), text
