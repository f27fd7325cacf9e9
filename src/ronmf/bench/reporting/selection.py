"""Which rows a table or figure may compare: the same settings but for what it shows."""

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from ...metrics import METRICS, SCORE_COLUMNS
from ..running.settings import PAPER, SETTINGS, names_of

__all__ = [
    "CONDITIONS",
    "clean",
    "comparable",
    "complete",
    "few_labels",
    "metric_label",
    "noisy",
    "parameters",
    "pixels_first",
    "rows_of",
    "rows_of_methods",
    "same_setting",
    "succeeded",
    "typical",
    "unchanged",
    "usable",
    "variants",
    "varied",
]

# What is drawn, whatever the method
CONDITIONS = names_of("condition")
_RUN = names_of("subject", "repeat")
_NO_CHANGE = ("", "{}")


def metric_label(metric: str) -> str:
    """Return a metric column in words.

    Examples
    --------
    >>> metric_label("nmi_unlabelled")
    'NMI (unlabelled samples)'
    """
    if metric not in SCORE_COLUMNS:
        raise ValueError(f"metric={metric!r} is not known; use one of {', '.join(SCORE_COLUMNS)}.")
    name, _, samples = metric.partition("_")
    return f"{METRICS[name].words} ({samples} samples)"


def comparable(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the runs that saw no label they should not, failed ones too, each once.

    Two sections of a plan may share a run; it must not count twice. A missing number of classes
    or of samples means all of them, and becomes infinite; so does a missing share or number of
    labels, where the other one decides.
    """
    needed = [*names_of("subject", "condition", "leak", "repeat", optional=False), "status"]
    missing = [column for column in needed if column not in rows.columns]
    if missing:
        raise ValueError(f"rows lack the columns {', '.join(missing)}; read them with read_rows.")
    if rows.empty:
        raise ValueError("rows is empty; run a plan first.")
    kept = rows[rows["leak"] == "none"]
    filled = {
        name: _filled(kept.get(name, pd.Series(np.nan, kept.index)), setting.missing)
        for name, setting in SETTINGS.items()
        if setting.missing is not None
    }
    return kept.assign(**filled).drop_duplicates([*_RUN, *CONDITIONS])


def _filled(column: pd.Series, missing: Any) -> pd.Series:
    """Return a column without holes; counts stay whole numbers where they can."""
    if isinstance(missing, str):
        return column.astype(object).fillna(missing)
    numbers = column.astype(float).fillna(missing)
    whole = np.isfinite(numbers).all() and (numbers % 1 == 0).all()
    return numbers.astype(int) if whole else numbers


def unchanged(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the comparable runs of methods as they come, no setting changed."""
    return rows[(rows["variant"] == "") & rows["params"].isin(_NO_CHANGE)]


def usable(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the comparable runs that ended well."""
    return succeeded(comparable(rows))


def parameters(text: str) -> dict[str, Any]:
    """Return the changed parameters of a run.

    Examples
    --------
    >>> parameters('{"graph_weight": 10.0}')
    {'graph_weight': 10.0}
    """
    return json.loads(text) if text else {}


def typical(rows: pd.DataFrame, free: tuple[str, ...] = ("noise", "noise_level")) -> pd.DataFrame:
    """Return, for each dataset, the usable rows of its most common setting.

    A figure over one setting, the `free` one, must hold the others still. Of equally common
    settings the largest one wins: most classes, most labels.

    Examples
    --------
    >>> frame = pd.DataFrame({"dataset": "a", "n_classes": [2, 2, 5, 5, 9]})
    >>> frame = frame.assign(label_rate=0.1, samples_per_class=np.inf, scaling="unit")
    >>> frame = frame.assign(labels_per_class=np.inf, features="")
    >>> typical(frame)["n_classes"].unique()
    array([5])
    """
    fixed = [name for name in CONDITIONS if name not in free]
    kept = []
    for _, part in rows.groupby("dataset", sort=False):
        counts = part.groupby(fixed).size()
        best = max(counts[counts == counts.max()].index)
        same = [part[name] == value for name, value in zip(fixed, best, strict=True)]
        kept.append(part[np.logical_and.reduce(same)])
    return pd.concat(kept)


def same_setting(
    rows: pd.DataFrame, like: pd.DataFrame, free: tuple[str, ...] = ()
) -> pd.DataFrame:
    """Return the rows that share dataset, method, draw and setting, but for `free`, with others."""
    fixed = ["dataset", "method", "seed", *(name for name in CONDITIONS if name not in free)]
    return rows.merge(like[fixed].drop_duplicates(), on=fixed)


def rows_of(rows: pd.DataFrame, dataset: str, method: str | None = None) -> pd.DataFrame:
    """Return the rows of a dataset, and of a method."""
    kept = rows[rows["dataset"] == dataset]
    return kept if method is None else kept[kept["method"] == method]


def rows_of_methods(rows: pd.DataFrame, methods: Sequence[str]) -> pd.DataFrame:
    """Return the rows of the named methods, all of which must have some."""
    absent = [method for method in methods if method not in set(rows["method"])]
    if absent:
        raise ValueError(f"{absent[0]} has no rows for this table; run it first.")
    return rows[rows["method"].isin(list(methods))]


def clean(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the comparable runs without noise in the paper's setting, where there are such.

    That is pixels, six classes and 30 % labels; of a dataset without them, its most common setting.
    Failed runs are among them, so that tables can tell.
    """
    kept = unchanged(comparable(rows))
    kept = kept[kept["noise"] == "none"]
    setting = {**PAPER, "features": ""}
    printed = np.logical_and.reduce([kept[name] == value for name, value in setting.items()])
    kept = kept[printed | ~kept["dataset"].isin(kept.loc[printed, "dataset"])]
    if kept.empty:
        raise ValueError("no rows of unchanged methods without noise; run a plan with some.")
    return typical(kept)


def pixels_first(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of pixels; of a dataset without such, those of a network's features.

    Examples
    --------
    >>> frame = pd.DataFrame({"dataset": ["a", "a", "b"], "features": ["", "net", "net"]})
    >>> pixels_first(frame).index.tolist()
    [0, 2]
    """
    pixels = rows["features"] == ""
    return rows[pixels | ~rows["dataset"].isin(rows.loc[pixels, "dataset"])]


def noisy(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the comparable runs under noise, and those without on the same draws."""
    kept = unchanged(comparable(rows))
    under = kept[kept["noise"] != "none"]
    if under.empty:
        raise ValueError("no rows with noise; run a plan with noise kinds and levels.")
    under = typical(under)
    free = ("noise", "noise_level")
    return pd.concat([same_setting(kept[kept["noise"] == "none"], under, free), under])


def varied(rows: pd.DataFrame, setting: str) -> pd.DataFrame:
    """Return the comparable runs without noise of draws on which a setting takes many values.

    A method or a draw that met a single value is left out: points of a curve that come from more
    draws than others would not be comparable.
    """
    kept = unchanged(comparable(rows))
    kept = kept[(kept["noise"] == "none") & np.isfinite(kept[setting])]
    same_draw = kept.groupby(["dataset", "method", "seed"])
    kept = kept[same_draw[setting].transform("nunique") > 1]
    if kept.empty:
        raise ValueError(
            f"no rows with several {setting} on a dataset; run a plan with {setting} = [...]."
        )
    return typical(kept, free=(setting,))


def few_labels(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the comparable runs without noise with a number of labels of each class."""
    kept = unchanged(comparable(rows))
    kept = kept[(kept["noise"] == "none") & np.isfinite(kept["labels_per_class"])]
    if kept.empty:
        raise ValueError("no rows with labels_per_class; run a plan with labels_per_class = [...].")
    return typical(kept, free=("labels_per_class",))


def variants(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the comparable runs of variants, and of the unchanged method on the same draws.

    Where a variant changes nothing, it is the plan's own name for the unchanged method.
    """
    kept = comparable(rows)
    changed = kept[kept["variant"] != ""]
    if changed.empty:
        raise ValueError('no rows with a variant; run a plan with variants = [{label = "..."}].')
    changed = typical(changed, free=())
    if changed["params"].isin(_NO_CHANGE).any():
        return changed
    return pd.concat([same_setting(unchanged(kept), changed), changed])


def succeeded(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the runs that ended well."""
    kept = rows[rows["status"] == "ok"]
    if kept.empty:
        raise ValueError("no rows with status 'ok'; look at the reasons of the failed runs.")
    return kept


def complete(rows: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
    """Return the rows of methods and datasets that all met, and the names of those left out.

    While some method has no good run on some dataset, the method or dataset with the largest
    share of such holes goes.

    Examples
    --------
    >>> frame = pd.DataFrame({"method": ["a", "a", "b"], "dataset": ["u", "v", "u"]})
    >>> complete(frame.assign(status="ok"))[1]
    ['b']
    """
    good = rows[rows["status"] == "ok"]
    met = pd.crosstab(rows["method"], rows["dataset"]) * 0
    met.update(pd.crosstab(good["method"], good["dataset"]))
    holes, left_out = met == 0, []
    while holes.to_numpy().any():
        by_method, by_dataset = holes.mean(axis=1), holes.mean(axis=0)
        worst = by_method if by_method.max() >= by_dataset.max() else by_dataset
        name = str(worst.idxmax())
        left_out.append(name)
        holes = holes.drop(index=name) if worst is by_method else holes.drop(columns=name)
    same = rows["method"].isin(holes.index) & rows["dataset"].isin(holes.columns)
    return rows[same], left_out
