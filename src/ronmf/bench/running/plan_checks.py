"""Checks of what a plan says; each error is one sentence that says where."""

import json
import math
from collections.abc import Iterator, Sized
from itertools import product
from typing import Any

from ...system.plain_text import has_control_characters
from .._noise import NOISES
from .row_checks import LARGEST, LONGEST

_LARGEST_SEED = 2**32 - 1  # of NumPy's older generator, which scikit-learn uses
__all__ = [
    "as_list",
    "check_count",
    "check_keys",
    "check_text",
    "is_count",
    "is_number",
    "read_classes",
    "read_features",
    "read_labels",
    "read_noises",
    "read_number",
    "read_seeds",
    "read_variants",
    "short",
]


def check_keys(table: dict[str, Any], allowed: set[str], where: str) -> None:
    """Refuse a key that means nothing here."""
    if not isinstance(table, dict):
        raise ValueError(f"{where} is not a table; write its keys below its heading.")
    for key in table:
        if key not in allowed:
            raise ValueError(f"{where} has the unknown key {key!r}; use {_list(allowed)}.")


def check_count(*lists: Sized, where: str, most: int) -> None:
    """Refuse lists whose product is more than `most` runs, before any of them is made."""
    count = math.prod(map(len, lists))
    if count > most:
        raise ValueError(f"{where} has {count:,} runs; a plan has at most a million, so cut it.")


def check_text(text: str, what: str) -> None:
    """Refuse a text that would do more to a terminal than print."""
    if has_control_characters(text):
        raise ValueError(f"{what} has characters that are not printed; leave them out.")


def _list(names: Any) -> str:
    return ", ".join(sorted(names))


def is_count(value: Any, least: int) -> bool:
    """Whether a value is a whole number of at least `least` that can be counted up to."""
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= LARGEST


def is_number(value: Any) -> bool:
    """Whether a value is a number of sensible size; true and false are none."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return abs(value) <= LARGEST


def as_list(value: Any) -> list[Any]:
    """Return a list as it is and anything else as a list of one."""
    return value if isinstance(value, list) else [value]


def short(value: Any) -> str:
    """Return a value as it is written, cut off if it is long."""
    text = repr(value)
    return text if len(text) < 100 else f"{text[:100]}..."


def read_classes(value: Any, where: str) -> int | None:
    """Return a number of classes; None for "all"."""
    if value == "all":
        return None
    if not is_count(value, 1):
        raise ValueError(f'{where}: n_classes has {value!r}; use numbers from 1 or "all".')
    return value


def read_number(value: Any, low: float, high: float, what: str) -> float:
    """Return a finite number above `low` and at most `high`."""
    if not is_number(value) or not low < value <= high:
        most = "" if high == math.inf else f" and at most {high:g}"
        raise ValueError(f"{what} has {value!r}; use numbers above {low:g}{most}.")
    return float(value)


def read_seeds(value: Any, where: str, most: int) -> list[int]:
    """Return seeds: so many from 0 on, or those of a list."""
    if is_count(value, 1):
        if value > most:
            raise ValueError(f"{where}: seeds = {value} is more than a plan can have; lower it.")
        return list(range(value))
    if not isinstance(value, list) or not value or not all(is_count(s, 0) for s in value):
        raise ValueError(f"{where}: seeds = {short(value)} is neither a count nor a list of them.")
    if max(value) > _LARGEST_SEED:
        raise ValueError(f"{where}: seeds has a number above {_LARGEST_SEED}; use smaller ones.")
    return value


def read_labels(rates: Any, numbers: Any, where: str) -> Iterator[tuple[float | None, int | None]]:
    """Yield shares of labels or numbers of labels per class, with None for the other."""
    if rates is not None and numbers is not None:
        raise ValueError(f"{where}: label_rate and labels_per_class are both given; leave one out.")
    if numbers is None:
        for rate in as_list(rates):
            yield read_number(rate, 0, 1, f"{where}: label_rate"), None
        return
    for number in as_list(numbers):
        if not is_count(number, 1):
            raise ValueError(f"{where}: labels_per_class has {number!r}; use whole numbers from 1.")
        yield None, number


def read_features(value: Any, dataset: str, noises: list[tuple[str, float]], where: str) -> str:
    """Return the network whose features stand for the pictures of a dataset; "" for none."""
    names = value.values() if isinstance(value, dict) else [value]
    if not all(isinstance(name, str) for name in names):
        raise ValueError(
            f"{where}: features = {value!r} is neither the name of a network nor a table of them."
        )
    name = value.get(dataset, "") if isinstance(value, dict) else value
    wrong = [kind for kind, _ in noises if kind not in ("none", "label_flips")]
    if name and wrong:
        raise ValueError(
            f"{where}: {wrong[0]} noise is for pixels, but {dataset} has features = {name!r};"
            " leave out one of them."
        )
    return name


def read_noises(entries: Any, where: str) -> Iterator[tuple[str, float]]:
    """Yield kinds and levels of noise."""
    for entry in as_list(entries):
        if not isinstance(entry, dict) or "kind" not in entry:
            raise ValueError(
                f'{where}: noise must be tables such as {{ kind = "gaussian", level = 0.3 }}.'
            )
        check_keys(entry, {"kind", "level"}, f"{where}: noise")
        kind = entry["kind"]
        if kind == "none":
            yield "none", 0.0
            continue
        if not isinstance(kind, str) or kind not in NOISES:
            raise ValueError(
                f"{where}: noise kind {kind!r} is not known; use none, {_list(NOISES)}."
            )
        if entry.get("level") == []:
            raise ValueError(f"{where}: level of {kind} is an empty list; leave it out or fill it.")
        for level in as_list(entry.get("level")):
            yield kind, read_number(level, 0, NOISES[kind], f"{where}: level of {kind}")


def read_variants(variants: Any, grid: Any, where: str, most: int) -> Iterator[tuple[str, str]]:
    """Yield labels and JSON texts of changed parameters: named variants times a grid."""
    if not isinstance(grid, dict):
        raise ValueError(f"{where}: grid must be a table of lists.")
    empty = [name for name, values in grid.items() if values == []]
    if empty:
        raise ValueError(f"{where}: {empty[0]} in grid is an empty list; leave it out or fill it.")
    lists = as_list(variants), *map(as_list, grid.values())
    check_count(*lists, where=f"{where}: grid", most=most)
    for variant in as_list(variants):
        if not isinstance(variant, dict) or not isinstance(variant.get("label"), str):
            raise ValueError(f"{where}: every variant is a table with a label and parameters.")
        check_text(variant["label"], f"{where}: the label of a variant")
        named = {k: v for k, v in variant.items() if k != "label"}
        for values in product(*map(as_list, grid.values())):
            params = {**named, **dict(zip(grid, values, strict=True))}
            try:
                text = json.dumps(params, sort_keys=True)
            except TypeError:
                raise ValueError(
                    f"{where}: {params!r} has a value that is no number, text or list of them."
                ) from None
            if len(text) > LONGEST:
                raise ValueError(f"{where}: a variant has too long parameters; shorten them.")
            yield variant["label"], text
