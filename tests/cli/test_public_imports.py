"""Command line and page do nothing that a user could not: they import public modules only."""

import ast
from pathlib import Path

import pytest

import ronmf

FILES = [
    file for room in ("app", "cli") for file in (Path(ronmf.__file__).parent / room).glob("*.py")
]
PUBLIC = {"", "bench", "datasets", "folders", "metrics", "pictures"}
PUBLIC.add("app.server")  # to which the command line is the door


@pytest.mark.parametrize("file", sorted(FILES), ids=lambda file: f"{file.parent.name}/{file.name}")
def test_only_public_modules_and_the_system_room(file):
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.ImportFrom) and node.level == 2:
            module = node.module or ""
            assert module in PUBLIC or module.split(".")[0] == "system", ast.unparse(node)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            assert not node.module.startswith("ronmf"), ast.unparse(node)
