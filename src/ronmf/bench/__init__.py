"""The paper's experiments: methods by name, noise, plans, a runner, tables, figures and a report.

A plan says what to run, :func:`run_plan` appends a row to a folder for each fit, and every table
and figure is a function of these rows. Tables and figures need the packages of ``ronmf[bench]``;
they are imported when one is asked for.

Examples
--------
>>> from pathlib import Path
>>> from tempfile import TemporaryDirectory
>>> from ronmf.bench import TABLES, read_plan, read_rows, run_plan
>>> text = '''
... [[experiment]]
... name = "clean"
... datasets = ["digits"]
... methods = ["k-means", "HarmonicLabelPropagation"]
... n_classes = 3
... samples_per_class = 20
... seeds = 2
... '''
>>> with TemporaryDirectory() as folder:
...     plan = Path(folder) / "tiny.toml"
...     _ = plan.write_text(text)
...     end = run_plan(read_plan(plan), folder)
...     rows = read_rows(folder)
>>> end.done, end.failed, rows.n_labelled.unique().tolist()
(4, 0, [18])
>>> table = TABLES["clean"](rows, "acc", "unlabelled")
>>> print(table.to_markdown().splitlines()[2])
| dataset | k-means | HarmonicLabelPropagation |
"""

from importlib import import_module
from typing import Any

from ._noise import NOISES, add_noise, flip_labels, gaussian, occlusion, poisson, salt_pepper
from ._registry import METHODS, make_method
from .running.origins import PlanState, plan_state
from .running.plan import Plan, read_plan
from .running.protocol import Case, draw_case
from .running.rows import mixtures, read_rows
from .running.runner import Progress, run_plan
from .running.settings import Run
from .running.view import View

# Where the names are that need pandas and matplotlib.
_REPORTING = {
    "tables": ("TABLES",),
    "table": ("Table",),
    "ranking": ("rank_methods",),
    "figures": ("FIGURES", "save_figure"),
    "report": ("build_report",),
}
_MODULES = {name: module for module, names in _REPORTING.items() for name in names}

__all__ = ["METHODS", "NOISES", "Case", "Plan", "PlanState", "Progress", "Run", "View"]
__all__ += ["add_noise", "draw_case", "flip_labels", "gaussian", "make_method", "mixtures"]
__all__ += ["occlusion", "plan_state", "poisson", "read_plan", "read_rows", "run_plan"]
__all__ += ["salt_pepper", *_MODULES]


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        return getattr(import_module(f".reporting.{_MODULES[name]}", __name__), name)
    except ModuleNotFoundError as error:
        raise ImportError(f"{name} needs {error.name}: pip install 'ronmf[bench]'") from error


def __dir__() -> list[str]:
    return [*globals(), *_MODULES]
