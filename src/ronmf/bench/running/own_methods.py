"""A digest of the module of a user's own method, so that rows of another one are known as such."""

import ast
import hashlib
import io
import os
import sys
import tokenize
from importlib.machinery import PathFinder
from pathlib import Path

__all__ = ["own_method_digest", "source_digest"]

_LENGTH = 12


def own_method_digest(method: str) -> str:
    """Return a digest of the module of "module:Class", which is found but not run.

    Empty if it cannot be found. What that module imports does not count.
    """
    path = [*sys.path, os.getcwd()]  # where `bench run` looks too
    spec = None
    for name in (module := method.partition(":")[0].split(".")):
        spec = PathFinder.find_spec(name, path)
        if spec is None:
            return ""
        path = list(spec.submodule_search_locations or [])
    if spec is None or not spec.origin or not spec.origin.endswith(".py"):
        return ""
    source = Path(spec.origin).read_text(encoding="utf-8")
    return source_digest(f"{'.'.join(module)}\n{source}")


def source_digest(source: str) -> str:
    """Return a digest of Python code; comments, docstrings and empty lines do not count.

    Examples
    --------
    >>> source_digest("x = 1  # one") == source_digest("x = 1") != source_digest("x = 2")
    True
    """
    return hashlib.sha256(_bare(source).encode()).hexdigest()[:_LENGTH]


def _bare(source: str) -> str:
    """Return code without comments, docstrings and empty lines; as it is if it does not parse."""
    try:
        tree = ast.parse(source)
        tokens = list(tokenize.generate_tokens(io.StringIO(source).readline))
    except (SyntaxError, tokenize.TokenError):
        return source
    lines = source.splitlines()
    for token in tokens:
        if token.type == tokenize.COMMENT:
            row, column = token.start
            lines[row - 1] = lines[row - 1][:column]
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0] if node.body else None
            if first is not None and ast.get_docstring(node, clean=False) is not None:
                for number in range(first.lineno - 1, first.end_lineno or first.lineno):
                    lines[number] = ""
    return "\n".join(line.rstrip() for line in lines if line.strip())
