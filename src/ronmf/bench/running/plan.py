"""A plan is a TOML file: which datasets, methods, classes, noises, label rates and seeds to run."""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path
from typing import Any

from ...datasets._locations import dataset_name
from ...system.suggestions import did_you_mean
from .plan_checks import (
    as_list,
    check_count,
    check_keys,
    check_text,
    is_count,
    is_number,
    read_classes,
    read_features,
    read_labels,
    read_noises,
    read_seeds,
    read_variants,
)
from .plan_names import Names
from .renamed_parameters import with_new_names
from .settings import LABELS, PLAN_DEFAULTS, SETTINGS, Run

__all__ = ["Plan", "read_plan"]


_LONGEST = 2**20  # bytes
_MOST = 10**6  # runs; the paper's experiments are six thousand


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
        own = {text: name for name, text in self.classes.items()}
        wanted = {
            "dataset": [dataset_name(each) for each in datasets or ()],
            "method": [own.get(each, each) for each in methods or ()],
            "experiment": experiments,
        }
        for column, names in wanted.items():
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
    if path.stat().st_size > _LONGEST:
        raise ValueError(f"{path} has more than {_LONGEST >> 20} MiB, which is no plan.")
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
    check_keys(table, {"name", "timeout", "defaults", "experiment"}, "the plan")
    defaults = table.get("defaults", {})
    check_keys(defaults, set(PLAN_DEFAULTS), "[defaults]")
    sections = table.get("experiment", [])
    if not isinstance(sections, list) or not sections:
        raise ValueError("it has no [[experiment]]; add at least one with datasets and methods.")
    runs: dict[str, Run] = {}
    names = Names()
    for section in sections:
        name = section.get("name") if isinstance(section, dict) else None
        if not isinstance(name, str) or not name:
            raise ValueError('an [[experiment]] has no name; add name = "...".')
        check_text(name, "the name of an [[experiment]]")
        check_keys(section, {"name", *PLAN_DEFAULTS}, f"experiment {name!r}")
        # Whichever of the two an experiment names stands, whatever the defaults say of the other.
        spoken = set(LABELS) & set(section) or set(LABELS) & set(defaults)
        silent = dict.fromkeys(set(LABELS) - spoken) if spoken else {}
        own = {k: v for k, v in section.items() if k != "name"}
        settings = {**PLAN_DEFAULTS, **defaults, **own, **silent}
        for run in _expand(name, settings, names, _MOST - len(runs)):
            runs.setdefault(run.digest, run)
    timeout = table.get("timeout")
    if timeout is not None and not (is_number(timeout) and timeout > 0):
        raise ValueError(f"timeout = {timeout!r} is not a positive number of seconds.")
    plan_name = table.get("name", stem)
    if not isinstance(plan_name, str) or not plan_name.strip(". ") or set("/\\:") & set(plan_name):
        raise ValueError(f"name = {plan_name!r} cannot name a folder; use a short word.")
    check_text(plan_name, "name")
    return Plan(plan_name, tuple(runs.values()), timeout, names.paths, names.classes)


def _expand(name: str, settings: dict[str, Any], names: Names, most: int) -> Iterator[Run]:
    """Yield the runs of an experiment, unless they are more than `most`."""
    where = f"experiment {name!r}"
    datasets = names.datasets(settings["datasets"], where)
    methods = names.methods(settings["methods"], where)
    for setting in SETTINGS.values():
        said = settings.get(setting.plan_key)
        if setting.listed and said == []:
            raise ValueError(
                f"{where}: {setting.plan_key} is an empty list; leave it out or fill it."
            )
        if setting.choices and said not in setting.choices:
            known = " or ".join(f'"{choice}"' for choice in setting.choices)
            raise ValueError(f"{where}: {setting.plan_key} is {said!r}; use {known}.")
    classes = [read_classes(k, where) for k in as_list(settings["n_classes"])]
    labels = list(read_labels(settings["label_rate"], settings["labels_per_class"], where))
    seeds = read_seeds(settings["seeds"], where, most)
    limits = settings["samples_per_class"]
    counts = limits.values() if isinstance(limits, dict) else [limits]
    if not all(is_count(count, 1) for count in counts):
        raise ValueError(
            f"{where}: samples_per_class = {limits!r} is neither a count nor a table of them."
        )
    variants = list(read_variants(settings["variants"], settings["grid"], where, most))
    noises = list(read_noises(settings["noise"], where))
    features = {d: read_features(settings["features"], d, noises, where) for d in datasets}
    check_count(datasets, classes, labels, noises, seeds, methods, variants, where=where, most=most)
    today: dict[tuple[str, str], str] = {}  # what each method calls the parameters
    for method, (_, params) in product(methods, variants):
        try:
            today[method, params] = with_new_names(method, params)
        except ValueError as error:
            raise ValueError(f"{where}: {error}") from None
    # Methods innermost: they share a draw of the data, which is then made once.
    for dataset, k, (rate, number), (noise, level), seed, method, (variant, params) in product(
        datasets, classes, labels, noises, seeds, methods, variants
    ):
        yield Run(
            experiment=name,
            dataset=dataset,
            method=method,
            variant=variant,
            params=today[method, params],
            n_classes=k,
            label_rate=rate,
            labels_per_class=number,
            samples_per_class=limits.get(dataset) if isinstance(limits, dict) else limits,
            scaling=settings["scaling"],
            features=features[dataset],
            noise=noise,
            noise_level=level,
            leak=settings["leak"],
            seed=seed,
        )
