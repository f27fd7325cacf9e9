"""A plan is a TOML file: which datasets, methods, classes, noises, label rates and seeds to run."""

import tomllib
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ...datasets._locations import dataset_name
from ...system.suggestions import did_you_mean
from .experiment import runs_of
from .plan_keys import EXPERIMENT_KEYS, PLAN_KEYS, Key, check_keys, read_keys
from .plan_names import Names
from .settings import LABELS, Run
from .values import Name

__all__ = ["Plan", "read_plan"]

_MOST_BYTES = 2**20
_MOST_RUNS = 10**6  # the paper's plan has 33 thousand
_EXPERIMENT_NAME = Key(Name, 'a text such as name = "clean"')


@dataclass(frozen=True)
class Plan:
    """A name and the runs, in order.

    Attributes
    ----------
    name : str
        Name of the plan, and of its folder of results.
    runs : tuple of Run
        What to run.
    timeout : float or None
        Largest number of seconds of a run.
    paths : dict of str to str
        What the plan says for each dataset: a name of the catalog, or a path.
    classes : dict of str to str
        The "module:Class" of each method that is not in the registry.
    selected : bool
        Whether it is only a part of the plan that was read.
    """

    name: str
    runs: tuple[Run, ...]
    timeout: float | None = None
    paths: dict[str, str] = field(default_factory=dict)
    classes: dict[str, str] = field(default_factory=dict)
    selected: bool = False

    @property
    def folder(self) -> Path:
        """Where its results go if nobody says otherwise."""
        return Path("results") / self.name

    def select(
        self,
        datasets: list[str] | None = None,
        methods: list[str] | None = None,
        experiments: list[str] | None = None,
    ) -> "Plan":
        """Return the plan with the named datasets, methods and experiments only.

        Parameters
        ----------
        datasets, methods, experiments : list of str, default=None
            Names to keep, or the paths and classes behind them; None for all. A name also selects
            its variants: "RONMF" stands for RONMF-M, RONMF-S and RONMF-E.
        """
        runs = self.runs
        names_of_classes = {path: name for name, path in self.classes.items()}
        selected = {
            "dataset": [dataset_name(each) for each in datasets or ()],
            "method": [names_of_classes.get(each, each) for each in methods or ()],
            "experiment": experiments,
        }
        for column, names in selected.items():
            if not names:
                continue
            known = dict.fromkeys(getattr(run, column) for run in self.runs)
            chosen = set()
            for name in names:
                matches = {each for each in known if f"{each}-".startswith(f"{name}-")}
                if not matches:
                    raise ValueError(
                        f"{column} {name!r} is not in the plan {self.name!r}; it has"
                        f" {', '.join(known)}{did_you_mean(name, known) or '.'}"
                    )
                chosen |= matches
            runs = tuple(run for run in runs if getattr(run, column) in chosen)
        return replace(self, runs=runs, selected=len(runs) < len(self.runs))


def read_plan(path: str | Path) -> Plan:
    """Read a plan and check it.

    Parameters
    ----------
    path : str or Path
        TOML file.

    Returns
    -------
    Plan
        Its runs, in order.

    Raises
    ------
    ValueError
        One sentence that names the file, the key and what to do.
    """
    path = Path(path)
    if not path.is_file():
        raise ValueError(f"there is no plan at {path}; give the path of a TOML file.")
    if path.stat().st_size > _MOST_BYTES:
        raise ValueError(f"{path} has more than {_MOST_BYTES >> 20} MiB, which is no plan.")
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    # ValueError: also numbers of so many digits that Python refuses them
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path} is not a TOML file: {error}.") from None
    try:
        return _plan(table, path.stem)
    except RecursionError:
        raise ValueError(f"{path}: its tables are nested too deeply; write them flat.") from None
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def _plan(table: dict[str, Any], stem: str) -> Plan:
    check_keys(table, PLAN_KEYS, "the plan")
    values = read_keys({"name": stem, **table}, PLAN_KEYS)
    defaults = values["defaults"]
    check_keys(defaults, EXPERIMENT_KEYS, "[defaults]")
    runs: dict[str, Run] = {}
    names = Names()
    for section in values["experiment"]:
        name = _EXPERIMENT_NAME.read("the name of an [[experiment]]", section.pop("name", None))
        try:
            check_keys(section, ("name", *EXPERIMENT_KEYS), "it")
            # Of two ways to say how many labels there are, an experiment's own word counts.
            given = set(LABELS) & set(section) or set(LABELS) & set(defaults)
            other = dict.fromkeys(set(LABELS) - given) if given else {}
            settings = {**defaults, **section, **other}
            for run in runs_of(name, settings, names, _MOST_RUNS - len(runs)):
                runs.setdefault(run.digest, run)
        except ValueError as error:
            raise ValueError(f"experiment {name!r}: {error}") from None
    return Plan(values["name"], tuple(runs.values()), values["timeout"], names.paths, names.classes)
