"""The command line does nothing that a user could not: it imports public modules only."""

import ast
from pathlib import Path

import pytest

import ronmf.cli

FOLDER = Path(ronmf.cli.__file__).parent
PUBLIC = {"", "datasets", "experiments", "folders", "metrics", "noise", "registry"}


@pytest.mark.parametrize("file", sorted(FOLDER.glob("*.py")), ids=lambda file: file.name)
def test_only_public_modules_and_the_system_room(file):
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.ImportFrom) and node.level == 2:
            module = node.module or ""
            assert module in PUBLIC or module.split(".")[0] == "system", ast.unparse(node)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            assert not node.module.startswith("ronmf"), ast.unparse(node)
