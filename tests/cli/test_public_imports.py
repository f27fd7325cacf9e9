"""Command line and page do nothing that a user could not: they import public modules only."""

import ast
from pathlib import Path

import ronmf

FILES = [
    file for room in ("app", "cli") for file in (Path(ronmf.__file__).parent / room).glob("*.py")
]
PUBLIC = {"", "bench", "datasets", "displays", "metrics", "sorting"}
PUBLIC.add("app.server")  # to which the command line is the door


def is_private(node):
    """Whether a node of a program imports what users could not."""
    if not isinstance(node, ast.ImportFrom):
        return False
    module = node.module or ""
    if node.level == 2:
        return module not in PUBLIC and module.split(".")[0] != "system"
    return node.level == 0 and module.startswith("ronmf")


def test_only_public_modules_and_the_system_room():
    assert len(FILES) > 20
    assert not [
        f"{file.parent.name}/{file.name}: {ast.unparse(node)}"
        for file in FILES
        for node in ast.walk(ast.parse(file.read_text()))
        if is_private(node)
    ]
