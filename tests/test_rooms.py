"""The rooms of the package: which may import which, and what is public."""

import ast
import importlib
import pkgutil
import re
from pathlib import Path

import pytest

import ronmf

ROOT = Path(ronmf.__file__).parent
# From the top down. A room imports from its own line and from those below it.
LEVELS = (
    {"__main__", "app", "cli"},
    {"bench", "sorting"},
    {"saving"},
    {"baselines"},
    {"estimators"},
    {"displays"},
    {"admm"},
    {"graph"},
    {"labels"},
    {"datasets", "features", "metrics", "penalties"},
    {"storage"},
    {"numerics"},
    {"system"},
)
LEVEL = {room: depth for depth, rooms in enumerate(LEVELS) for room in rooms}
# Inside two rooms there is a floor of their own: these never import what comes before them.
FLOORS = (
    ("ronmf.bench.reporting", "ronmf.bench.running"),
    ("ronmf.graph.selection", "ronmf.graph._"),
)
PUBLIC = ("", "baselines", "bench", "datasets", "displays", "features", "graph", "metrics")
# What public functions return, documented although their modules are internal
RESULTS = {"Candidate", "ChosenGraph", "History", "LabelIssues", "Layer", "LabelTable"}
RESULTS |= {"Method", "Metric", "ObjectiveHistory", "Ranking", "Skipped", "Verdict"}
PUBLIC += ("penalties", "saving", "sorting", "storage")


def modules():
    for path in sorted(ROOT.rglob("*.py")):
        parts = ["ronmf", *path.relative_to(ROOT).with_suffix("").parts]
        is_package = parts[-1] == "__init__"
        yield ".".join(parts[:-1] if is_package else parts), is_package, path


def imported(name, is_package, path):
    """Yield the absolute names of the modules of this package that a file imports, anywhere."""
    package = name.split(".") if is_package else name.split(".")[:-1]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            target = ".".join([*base, *([node.module] if node.module else [])])
            if target == "ronmf" and node.level:  # from .. import datasets
                yield from (f"ronmf.{alias.name}" for alias in node.names)
            elif target.split(".")[0] == "ronmf":
                yield target
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.startswith("ronmf."))


EDGES = [
    (name, target)
    for name, is_package, path in modules()
    if name != "ronmf"  # it names the public things of all rooms
    for target in imported(name, is_package, path)
]


def test_lower_rooms_never_import_upper_ones():
    wrong = []
    for name, target in EDGES:
        parts = target.split(".")
        if len(parts) < 2 or parts[1] == "__version__":
            continue
        if LEVEL[name.split(".")[1]] > LEVEL[parts[1]]:
            wrong.append(f"{name} imports {target}")
    assert not wrong, "\n".join(wrong)


def test_every_room_has_a_level():
    assert {name.split(".")[1] for name, _, _ in modules() if "." in name} == set(LEVEL)


@pytest.mark.parametrize(("upper", "lower"), FLOORS)
def test_floors_inside_a_room_import_downwards_only(upper, lower):
    wrong = [edge for edge in EDGES if edge[0].startswith(lower) and edge[1].startswith(upper)]
    assert not wrong


def test_what_is_not_public_says_so():
    """A module is public, underscored, or lies in a room whose docstring says it is internal."""
    internal = []
    for name, _, path in modules():
        parts = name.split(".")[1:]
        if ".".join(parts) in PUBLIC or any(part.startswith("_") for part in parts):
            continue
        rooms = [ROOT.joinpath(*parts[:i]) / "__init__.py" for i in range(1, len(parts) + 1)]
        texts = [room.read_text(encoding="utf-8") for room in rooms if room.is_file()]
        if not any(text.startswith('"""Internal room:') for text in texts):
            internal.append(str(path.relative_to(ROOT)))
    assert not internal


def listed(room):
    """Yield the full names that a room's page of the API documents, in tables or by themselves."""
    text = (ROOT.parents[1] / "docs" / "api" / f"{room or 'ronmf'}.md").read_text(encoding="utf-8")
    home = f"ronmf.{room}".rstrip(".")
    assert f".. module:: {home}\n" in text
    for table in re.findall(r"autosummary::\n(?:   :.*\n)?\n((?:   \S+\n)+)", text):
        yield from (f"{home}.{name.removeprefix('~')}" for name in table.split())
    yield from re.findall(r"autodata:: (\S+)\n", text)


@pytest.mark.parametrize("room", PUBLIC)
def test_public_names_exist_and_are_documented(room):
    module = importlib.import_module(f"ronmf.{room}".rstrip("."))
    names = list(listed(room))
    assert len(names) == len(set(names))
    found = {}
    for full in names:
        place, _, name = full.rpartition(".")
        found[name] = getattr(importlib.import_module(place), name)
        assert found[name].__doc__, name
    for name in module.__all__:
        assert found.pop(name) is getattr(module, name), name
    assert set(found) <= RESULTS  # nothing that is not public, and no name that is gone


def test_the_api_has_a_page_for_every_public_room():
    folder = ROOT.parents[1] / "docs"
    assert {path.stem for path in (folder / "api").glob("*.md")} == {
        room or "ronmf" for room in PUBLIC
    }
    index = (folder / "api.md").read_text(encoding="utf-8")
    for room in PUBLIC:
        assert f"(api/{room or 'ronmf'}.md)" in index
        assert f"\napi/{room or 'ronmf'}\n" in index


def test_every_module_can_be_imported():
    for found in pkgutil.walk_packages([str(ROOT)], "ronmf."):
        if not found.name.endswith("__main__"):
            importlib.import_module(found.name)
