"""docs/paper.md: whatever it names is there, and nothing of the paper is left out."""

import ast
import re
import shlex
import tomllib
from functools import cache
from itertools import pairwise
from pathlib import Path

import figures
import pytest
import tables

from ronmf.bench import FIGURES, TABLES
from ronmf.datasets import CATALOG
from ronmf.metrics import METRICS, SCOPES
from support.paper_source import counts, labels

ROOT = Path(__file__).parents[1]
PACKAGE, DOCS = ROOT / "src" / "ronmf", ROOT / "docs"
PAGE = (DOCS / "paper.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```sh\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
SPANS = re.findall(
    r"`([^`\n]+)`", re.sub(r"^```.*?^```$", "", PAGE, flags=re.DOTALL | re.MULTILINE)
)
COMMANDS = sorted(
    {line.partition("#")[0].strip() for block in BLOCKS for line in block.splitlines()}
    | {span for span in SPANS if span.startswith(("ronmf ", "python "))}
)
TESTS = sorted({span for span in SPANS if "::" in span})
FILES = sorted({span for span in SPANS if span.endswith(".py") and " " not in span})
# `file.py`: `name`, `another`
NAMED = re.findall(r"`([\w/]+\.py)`: ((?:`[\w.]+`(?:, )?(?!: ))+)", PAGE)
SYMBOLS = sorted(
    {
        (file, name)
        for file, names in NAMED
        for name in re.findall(r"`([\w.]+)`", names)
        if not name.endswith(".py")
    }
)


@cache
def names_in(file):
    """Return what a module defines: functions, classes with their methods, constants."""
    found = set()
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ClassDef):
            inner = {part.name for part in node.body if isinstance(part, ast.FunctionDef)}
            found |= {node.name, *(f"{node.name}.{name}" for name in inner)}
        elif isinstance(node, ast.FunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.Assign):
            found |= {target.id for target in node.targets if isinstance(target, ast.Name)}
        elif isinstance(node, ast.AnnAssign):
            found.add(node.target.id)
    return found


@cache
def anchors(page):
    """Return the anchors of the headings of a page, as MyST makes them."""
    text = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    titles = re.findall(r"^#{1,3} (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.strip().lower()).replace(" ", "-") for title in titles}


def test_files_and_tests_and_code_are_where_it_is_said():
    # Patterns that find nothing would make any page right.
    assert len(FILES) > 40
    assert len(TESTS) > 60
    assert len(SYMBOLS) > 60
    wrong = [f for f in FILES if not ((PACKAGE / f).is_file() or (ROOT / f).is_file())]
    wrong += [test for test in TESTS if not is_there(*test.split("::"), ROOT)]
    wrong += [f"{file}: {name}" for file, name in SYMBOLS if not is_there(file, name, PACKAGE)]
    assert not wrong


def is_there(file, name, folder):
    """Whether a file of a folder, or of the repository, defines a name."""
    place = folder / file if (folder / file).is_file() else ROOT / file
    return place.is_file() and name in names_in(place)


def options(words, *flags):
    """Return the values of a repeated option."""
    return [value for flag, value in pairwise(words) if flag in flags]


def unknown_in(command):
    """Return what a command names although it does not exist; empty if all of it does."""
    program, *words = shlex.split(command)
    if words[0] in ("benchmarks/paper/tables.py", "benchmarks/paper/figures.py"):
        script, place, name, *rest = words
        known = figures.CAPTIONS if "figures" in script else tables.TABLE_NAMES
        unknown = {name} - set(known) | set(options(rest, "-d")) - set(CATALOG)
        unknown |= set(options(rest, "--metric")) - set(METRICS)
        unknown |= set(options(rest, "--scope")) - set(SCOPES)
        return unknown | ({place} if not (ROOT / place).is_dir() else set())
    if program == "python":
        if not words[0].startswith("benchmarks/") or not (ROOT / words[0]).is_file():
            return {words[0]}
        needs_data = "--data" in (ROOT / words[0]).read_text(encoding="utf-8")
        return set() if words[1:] == ["--data", "DIR"] * needs_data else {"--data"}
    unknown = set(options(words, "-d")) - set(CATALOG)
    if words[0] == "data":
        return unknown | {words[1]} - {"list", "info"} | set(words[2:-2]) - set(CATALOG)
    room, action, place, *rest = words
    unknown |= {room} - {"bench"} | {action} - {"run", "status", "table", "figure"}
    if not (ROOT / place).exists():
        return unknown | {place}
    if action == "run":
        plan = tomllib.loads((ROOT / place).read_text(encoding="utf-8"))
        chosen = set(options(rest, "-e"))
        unknown |= chosen - {section["name"] for section in plan["experiment"]}
        unknown |= set(options(rest, "--data")) ^ {"DIR"}
        sections = [each for each in plan["experiment"] if each["name"] in chosen]
        unknown |= set(options(rest, "-d")) - {name for s in sections for name in s["datasets"]}
    if action == "table":
        unknown |= {rest[0]} - set(TABLES)
        unknown |= set(options(rest, "--metric")) - set(METRICS)
        unknown |= set(options(rest, "--scope")) - set(SCOPES)
    if action == "figure":
        unknown |= {rest[0]} - set(FIGURES)
    return unknown


def test_commands_name_what_there_is():
    assert len(COMMANDS) > 25
    unknown = {command: unknown_in(command) for command in COMMANDS}
    assert not {command: names for command, names in unknown.items() if names}


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("python benchmarks/nothing.py", "benchmarks/nothing.py"),
        ("ronmf data info mnist nothing --data DIR", "nothing"),
        ("ronmf bench table results/paper nothing", "nothing"),
        ("ronmf bench run plans/paper.toml -e nothing --data DIR", "nothing"),
    ],
)
def test_a_command_that_names_what_is_not_there_is_found(command, name):
    assert unknown_in(command) == {name}


def test_every_heading_of_the_errata_is_linked():
    """A mistake that the reader of the paper is not told of would be of no use."""
    headings = anchors(DOCS / "errata.md")
    groups = {"errata", "proximal-operators", "model", "optimisation", "slips-in-tables-and-text"}
    linked = set(re.findall(r"\]\(errata\.md#([^)]+)\)", PAGE))
    assert headings - groups - {"how-to-get-the-printed-variant"} == linked


def numbers(kind):
    """Return the numbers at the head of lines: of equations in brackets, of others by name."""
    heads = re.findall(r"^\| ([^|]+) \|", PAGE, re.MULTILINE)
    pattern = r"^\((\d+)\)" if kind == "equation" else rf"^{kind.capitalize()} (\d+)\b"
    return [int(found[1]) for head in heads if (found := re.match(pattern, head))]


COUNTED = {"equation": 34, "table": 9, "figure": 8, "algorithm": 2}


def test_every_number_has_a_line_in_the_order_of_print():
    for kind, count in COUNTED.items():
        found = numbers(kind)
        assert found == sorted(found), kind
        assert sorted(set(found)) == list(range(1, count + 1)), kind


def test_the_source_was_counted_right(paper_source):
    assert counts(paper_source) == COUNTED


def test_every_label_of_the_source_is_named(paper_source):
    assert set(labels(paper_source)) <= set(SPANS)


def test_labels_that_are_given_twice_have_two_lines(paper_source):
    found = labels(paper_source)
    assert {label for label in found if found.count(label) > 1} == {
        "acc", "eq:ADMM_update", "tsne",
    }  # fmt: skip
    for label in ("acc", "eq:ADMM_update", "tsne"):
        assert SPANS.count(label) == 3  # and one where it is said


def test_the_citation_is_that_of_the_paper(paper_source):
    citation = (
        (ROOT / "CITATION.cff").read_text(encoding="utf-8").partition("preferred-citation:")[2]
    )
    title = re.search(r"\\title\[[^]]*\]\{([^}]+)\}", paper_source)[1]
    authors = re.findall(r"\\author\[[^]]*\]\{([^}]+)\}", paper_source)
    assert f"title: {title}\n" in citation
    named = re.findall(r"family-names: (\w+), given-names: (\w+)", citation)
    assert [f"{given} {family}" for family, given in named] == authors
    assert "arXiv:2504.21472" in citation
    assert "year: 2025" in citation
