"""What an [[experiment]] of a plan stands for: the product of all that it lists."""

import json
import math
from collections.abc import Iterator
from itertools import product
from typing import Any

from .plan_keys import EXPERIMENT_KEYS, Key, as_list, read_keys
from .plan_names import Names
from .renamed_parameters import with_new_names
from .settings import Run
from .values import LONGEST, Text

__all__ = ["runs_of"]

_NETWORK = Key(Text, "the name of a network")
_LABEL = Key(Text, "a text")


def runs_of(name: str, table: dict[str, Any], names: Names, most: int) -> Iterator[Run]:
    """Yield the runs of an experiment.

    Parameters
    ----------
    name : str
        Its name.
    table : dict
        What it says.
    names : Names
        Those of the plan so far.
    most : int
        How many runs it may have.
    """
    values = read_keys(table, EXPERIMENT_KEYS)
    rates, numbers = values["label_rate"], values["labels_per_class"]
    if rates != [None] and numbers != [None]:
        raise ValueError("label_rate and labels_per_class are both given; leave one out.")
    datasets, methods = names.datasets(values["datasets"]), names.methods(values["methods"])
    noises = [each for noise in values["noise"] for each in noise.levels]
    seeds = range(values["seeds"]) if isinstance(values["seeds"], int) else values["seeds"]
    features = {
        dataset: _NETWORK.read("features", _of(dataset, values["features"], ""))
        for dataset in datasets
    }
    _check_noises(features, noises)
    draws = datasets, values["n_classes"], rates, numbers, noises, seeds
    grid = {key: as_list(value) for key, value in values["grid"].items()}
    count = math.prod(map(len, (*draws, methods, values["variants"], *grid.values())))
    if count > most:
        raise ValueError(f"it has {count:,} runs; a plan has at most a million, so cut it.")
    variants = list(_variants(values["variants"], grid))
    new_params = {
        (method, params): with_new_names(method, params)
        for method, (_, params) in product(methods, variants)
    }
    # Methods innermost: they share a draw of the data, which is then made once.
    for dataset, k, rate, number, (noise, level), seed, method, (variant, params) in product(
        *draws, methods, variants
    ):
        yield Run(
            experiment=name,
            dataset=dataset,
            method=method,
            variant=variant,
            params=new_params[method, params],
            n_classes=None if k == "all" else k,
            label_rate=rate,
            labels_per_class=number,
            samples_per_class=_of(dataset, values["samples_per_class"], None),
            scaling=values["scaling"],
            features=features[dataset],
            noise=noise,
            noise_level=level,
            leak=values["leak"],
            seed=seed,
        )


def _of(dataset: str, value: Any, default: Any) -> Any:
    """Return what holds for a dataset: a value for all, or that of a table."""
    return value.get(dataset, default) if isinstance(value, dict) else value


def _check_noises(features: dict[str, str], noises: list[tuple[str, Any]]) -> None:
    """Refuse noise of pixels where there are none."""
    wrong = [kind for kind, _ in noises if kind not in ("none", "label_flips")]
    deep = [dataset for dataset, network in features.items() if network]
    if wrong and deep:
        raise ValueError(
            f"{wrong[0]} noise is for pixels, but {deep[0]} has features ="
            f" {features[deep[0]]!r}; leave out one of them."
        )


def _variants(variants: list[dict], grid: dict[str, list]) -> Iterator[tuple[str, str]]:
    """Yield labels and JSON texts of changed parameters: named variants times a grid."""
    for variant in variants:
        label = _LABEL.read("the label of a variant", variant.get("label"))
        named = {key: value for key, value in variant.items() if key != "label"}
        for values in product(*grid.values()):
            params = {**named, **dict(zip(grid, values, strict=True))}
            try:
                text = json.dumps(params, sort_keys=True)
            except TypeError:
                raise ValueError(
                    f"{params!r} has a value that is no number, text or list of them."
                ) from None
            if len(text) > LONGEST:
                raise ValueError("a variant has too long parameters; shorten them.")
            yield label, text
