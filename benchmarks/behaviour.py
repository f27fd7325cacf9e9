"""Whether the program behaves as the version that rows of results name says.

    python benchmarks/behaviour.py            # what differs from the outcomes of that version
    python benchmarks/behaviour.py --raise    # on purpose: today's outcomes are the next version
    python benchmarks/behaviour.py --keep     # same version: cases were added, or libraries are new

The cases are in ``behaviour_panel.py``, their outcomes and version in ``behaviour.json``. With
``--raise`` all rows of results become stale, so it is also for a change that no case shows. Labels
must be the same but for the numbering of clusters, which no score depends on. Numbers may differ
by what another library for linear algebra makes of them.
"""

import argparse
import json
import math
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy
import scipy
import sklearn
from behaviour_panel import PANEL, Outcome
from scipy.optimize import linear_sum_assignment
from sklearn.metrics.cluster import contingency_matrix

from ronmf.bench.running import behaviour

__all__ = ["FILE", "MODULE", "compare", "differing", "libraries", "message", "read", "run"]

FILE = Path(__file__).with_name("behaviour.json")
MODULE = Path(behaviour.__file__)  # where the package has its version
_CLOSE = {"rel_tol": 1e-4, "abs_tol": 1e-6}  # other BLAS kernels change shares of graphs by 1.4e-5
_DIGITS = 8  # of the numbers in the file
_MOST_WORDS = 4  # numbers that are named of a case

Outcomes = dict[str, Outcome]


def run(names: Iterable[str] = PANEL) -> Outcomes:
    """Return today's outcomes of cases of the panel."""
    return {name: {key: _short(value) for key, value in PANEL[name]().items()} for name in names}


def read() -> dict[str, Any]:
    """Return the version, the libraries and the outcomes of the file."""
    return json.loads(FILE.read_text(encoding="utf-8"))


def compare(before: Outcomes, now: Outcomes) -> list[str]:
    """Return a line for each case that differs."""
    words = {name: _case(before.get(name), now.get(name)) for name in {**before, **now}}
    return [f"{name}: {word}" for name, word in words.items() if word]


def differing(before: str, now: str) -> int:
    """Return how many labels differ when clusters are numbered so that most agree.

    Examples
    --------
    >>> differing("0011", "1100"), differing("0011", "1101")
    (0, 1)
    """
    if len(before) != len(now):
        return max(len(before), len(now))
    counts = contingency_matrix(list(before), list(now))
    return len(before) - int(counts[linear_sum_assignment(counts, maximize=True)].sum())


def libraries() -> dict[str, str]:
    """Return the versions of the libraries that results depend on, without patches."""
    found = {"numpy": numpy, "scipy": scipy, "scikit-learn": sklearn}
    return {k: ".".join(v.__version__.split(".")[:2]) for k, v in found.items()}


def message(version: int, lines: list[str]) -> str:
    """Return what differs from a version, and what to do."""
    return "\n  ".join([f"ronmf behaves otherwise than in version {version}:", *lines]) + (
        "\nIf that is meant, run `python benchmarks/behaviour.py --raise`: today's outcomes become"
        f" version {version + 1}, and rows of results of version {version} are stale. If only cases"
        " were added or removed, use --keep. If nothing is meant, a result was changed by mistake."
    )


def _case(before: Outcome | None, now: Outcome | None) -> str:
    if before is None or now is None:
        return "new in the panel" if before is None else "no longer in the panel"
    said, others = [], 0
    for name in {**before, **now}:
        old, new = before.get(name), now.get(name)
        if isinstance(old, str) and isinstance(new, str):
            if count := differing(old, new):
                said.append(f"{count} of {len(old)} {name} differ")
        elif old is None or new is None or not math.isclose(old, new, **_CLOSE):
            if len(said) < _MOST_WORDS:
                said.append(f"{name} {_text(old)} -> {_text(new)}")
            else:
                others += 1
    return "; ".join([*said, *([f"{others} more numbers"] if others else [])])


def _text(value: float | None) -> str:
    return "none" if value is None else f"{value:.6g}"


def _short(value: str | float) -> str | float:
    return value if isinstance(value, str) else float(f"{value:.{_DIGITS}g}")


def _write(version: int, outcomes: Outcomes) -> None:
    """Write the outcomes, and their version into the package too."""
    content = {"version": version, "libraries": libraries(), "outcomes": outcomes}
    FILE.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    source = MODULE.read_text(encoding="utf-8")
    changed = re.sub(r"^BEHAVIOUR = \d+$", f"BEHAVIOUR = {version}", source, flags=re.MULTILINE)
    MODULE.write_text(changed, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--raise", action="store_true", dest="next", help="write the next version")
    what.add_argument("--keep", action="store_true", help="write the outcomes of the same version")
    options = parser.parse_args()
    told, now = read(), run()
    version, before = told["version"], told["outcomes"]
    lines = compare(before, now)
    if options.next:
        version += 1
    elif options.keep:
        both = before.keys() & now.keys()
        changed = compare(*({name: each[name] for name in both} for each in (before, now)))
        if changed and told["libraries"] == libraries():
            parser.exit(1, f"{message(version, changed)}\nNothing was written.\n")
    elif lines:
        parser.exit(1, message(version, lines) + "\n")
    if options.next or options.keep:
        _write(version, now)
    print(
        "\n  ".join([f"Version {version}:", *(lines or ["nothing that the panel shows differs"])])
    )


if __name__ == "__main__":
    main()
