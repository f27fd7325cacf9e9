"""How heavy the code is: lines of code, long signatures, public names, and how deep a fit goes.

    python benchmarks/weight.py [FOLDER] [--functions]

FOLDER is a package, by default ``src/ronmf``. Lines of code are those without blanks, comments and
docstrings. ``--functions`` names those with eight parameters or more. Frames are counted from
``fit`` to the search of neighbours and to the A-step, both included. They and the public names are
those of the package that is imported.
"""

import argparse
import ast
import importlib
import io
import sys
import tokenize
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from inspect import signature
from pathlib import Path
from unittest.mock import patch

import numpy as np
from sklearn.datasets import load_digits
from threadpoolctl import threadpool_limits

import ronmf
from ronmf import RONMF
from ronmf.admm import solver

MANY = 8  # parameters
_SILENT = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}
_SILENT |= {tokenize.ENDMARKER, tokenize.ENCODING}
_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def lines_of_code(source: str) -> int:
    r"""Return how many lines have code, of which docstrings are none.

    Examples
    --------
    >>> lines_of_code("def f():\n    'Why.'\n\n    # how\n    return 1\n")
    2
    """
    code: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in _SILENT:
            code |= set(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, _DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            code -= set(range(node.body[0].lineno, node.body[0].end_lineno + 1))
    return len(code)


def functions(source: str) -> Iterator[tuple[str, int]]:
    """Yield the name of each function and the number of its parameters without self and cls."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            names = [each.arg for each in (*node.args.posonlyargs, *node.args.args)]
            own = bool(names) and names[0] in ("self", "cls")
            yield node.name, len(names) - own + len(node.args.kwonlyargs)


def public_names() -> int:
    """Return how many things are public; one that is public in two rooms counts once."""
    rooms = [ronmf, *(importlib.import_module(f"ronmf.{room}") for room in ronmf._PUBLIC)]
    return len({id(getattr(room, name)) for room in rooms for name in room.__all__})


def depths() -> dict[str, int]:
    """Return how many frames of this package lie between ``fit`` and two places, with both."""
    counts: dict[str, int] = {}
    room = str(Path(ronmf.__file__).parent)

    def counted(name: str, work: Callable) -> Callable:
        def work_counted(*arguments):
            frame, files = sys._getframe(1), []
            while frame is not None:
                files.append(frame.f_code.co_filename)
                frame = frame.f_back
            counts.setdefault(name, 1 + sum(file.startswith(room) for file in files))
            return work(*arguments)

        return work_counted

    X, truth = load_digits(return_X_y=True)
    X, y = X[:200], np.where(np.arange(200) % 5 == 0, truth[:200], -1)
    joining = sys.modules["ronmf.graph._neighbor_graph"]
    with (
        patch.object(joining, "k_nearest", counted("the search of neighbours", joining.k_nearest)),
        patch.object(solver, "update_A", counted("the A-step", solver.update_A)),
        threadpool_limits(1),  # one thread: one stack
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("ignore")
        RONMF(image_shape=(8, 8), random_state=0).fit(X, y)
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path, default=Path(ronmf.__file__).parent)
    parser.add_argument("--functions", action="store_true", help="name those of many parameters")
    options = parser.parse_args()
    rooms: Counter[str] = Counter()
    counts: list[tuple[str, int]] = []
    for path in sorted(options.folder.rglob("*.py")):
        source, place = path.read_text(encoding="utf-8"), path.relative_to(options.folder)
        rooms["/".join(place.parts[:-1]) or "."] += lines_of_code(source)
        counts += [(f"{place}: {name}", count) for name, count in functions(source)]
    for room, lines in rooms.most_common():
        print(f"{lines:6}  {room}")
    many = [(name, count) for name, count in counts if count >= MANY]
    print(f"{rooms.total():6}  lines of code in all")
    print(f"{len(many):6}  of {len(counts)} functions have {MANY} parameters or more")
    if options.functions:
        print(*(f"{count:10}  {name}" for name, count in many), sep="\n")
    print(f"{len(signature(RONMF).parameters):6}  parameters of RONMF")
    print(f"{public_names():6}  public names")
    for place, count in depths().items():
        print(f"{count:6}  frames from fit to {place}")


if __name__ == "__main__":
    main()
