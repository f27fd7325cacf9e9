"""What users import from ``ronmf.bench``, and which way its rooms look."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from ronmf import bench

ROOM = Path(bench.__file__).parent


@pytest.mark.parametrize("name", bench.__all__)
def test_everything_promised_is_there_and_described(name):
    thing = getattr(bench, name)
    assert name in dir(bench)
    if callable(thing):
        assert len(thing.__doc__) > 20


def test_what_is_not_there_is_said_as_python_says_it():
    with pytest.raises(AttributeError, match=r"'ronmf\.bench' has no attribute 'nothing'"):
        bench.nothing  # noqa: B018


def test_plans_need_neither_pandas_nor_matplotlib():
    hidden = "import sys; sys.modules['pandas'] = sys.modules['matplotlib'] = None;"
    code = f"{hidden} from ronmf.bench import run_plan; print(run_plan.__name__)"
    command = [sys.executable, "-c", code]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.stdout.strip() == "run_plan", result.stderr


def imports(file):
    """Return the dotted names that a file imports, as written."""
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.ImportFrom):
            yield "." * node.level + (node.module or "")
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def test_running_never_imports_reporting():
    for file in (ROOM / "running").glob("*.py"):
        assert not [name for name in imports(file) if "reporting" in name], file.name


def test_sub_folders_say_that_they_are_internal():
    for folder in ("running", "reporting", "reporting/figures", "reporting/page"):
        text = ast.get_docstring(ast.parse((ROOM / folder / "__init__.py").read_text()))
        assert text.startswith("Internal room: "), folder
