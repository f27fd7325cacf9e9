"""How the sources are laid out: short files, and tests that share through `support` alone."""

import ast
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDERS = ("src", "tests", "benchmarks", "examples")
MOST_LINES = 300


def sources(*folders):
    return [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]


def imported(path):
    """Return the full names of all modules that a file imports, and of what it takes from them."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module or ''}.{name.name}" for name in node.names)


def test_no_file_is_long():
    files = sources(*FOLDERS)
    lines = {str(f.relative_to(ROOT)): len(f.read_text("utf-8").splitlines()) for f in files}
    long = {name: n for name, n in lines.items() if n > MOST_LINES}
    assert not long


def test_no_test_module_imports_another():
    tests = sources("tests")
    modules = {path.stem for path in tests if path.stem.startswith("test_")} | {"conftest"}
    shared = {
        f"{path.relative_to(ROOT)}: {name}"
        for path in tests
        for name in imported(path)
        if modules & set(name.split("."))
    }
    assert not shared


def test_every_room_has_its_tests():
    rooms = {path.parent.name for path in (ROOT / "src" / "ronmf").glob("*/__init__.py")}
    tested = {path.relative_to(ROOT / "tests").parts[0] for path in sources("tests")}
    assert rooms <= tested
