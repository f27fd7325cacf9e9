"""Which rows a table or figure may compare: the same settings but for what it shows."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd

from ...metrics import METRICS, SCORE_COLUMNS
from ..running.settings import PAPER, SETTINGS, names_of
from .grid import ordered

__all__ = ["clean", "comparable", "complete", "datasets_of", "few_labels", "in_order"]
__all__ += ["metric_label", "noisy", "succeeded", "typical", "unchanged", "variants", "varied"]

_CONDITIONS = names_of("condition")  # what is drawn, whatever the method
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


def in_order(methods: Iterable[str]) -> list[str]:
    """Return method names once each: those of the registry in its order, then others.

    Examples
    --------
    >>> in_order(["RONMF-E", "mine", "NMF", "NMF"])
    ['NMF', 'RONMF-E', 'mine']
    """
    return [name for (name,) in ordered(["method"], [(name,) for name in methods])]


def datasets_of(rows: pd.DataFrame) -> list[str]:
    """Return the datasets of tidy rows, those of the catalog first and in its order."""
    return [name for (name,) in ordered(["dataset"], [(name,) for name in rows["dataset"]])]


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
    return kept.assign(**filled).drop_duplicates([*names_of("subject", "repeat"), *_CONDITIONS])


def _filled(column: pd.Series, missing: Any) -> pd.Series:
    """Return a column without holes; counts stay whole numbers where they can."""
    if isinstance(missing, str):
        return column.astype(object).fillna(missing)
    numbers = column.astype(float).fillna(missing)
    whole = np.isfinite(numbers).all() and (numbers % 1 == 0).all()
    return numbers.astype(int) if whole else numbers


def unchanged(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the comparable runs of methods as they come, no setting changed."""
    kept = comparable(rows)
    return kept[(kept["variant"] == "") & kept["params"].isin(_NO_CHANGE)]


def succeeded(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the runs that ended well."""
    kept = rows[rows["status"] == "ok"]
    if kept.empty:
        raise ValueError("no rows with status 'ok'; look at the reasons of the failed runs.")
    return kept


def typical(rows: pd.DataFrame, *free: str) -> pd.DataFrame:
    """Return, for each dataset, the comparable rows of its most common setting.

    What is over one setting, a `free` one, must hold the others still. Of equally common settings
    the largest one wins: most classes, most labels.

    Examples
    --------
    >>> frame = pd.DataFrame({"dataset": "a", "n_classes": [2, 2, 5, 5, 9]})
    >>> frame = frame.assign(label_rate=0.1, samples_per_class=np.inf, scaling="unit")
    >>> frame = frame.assign(labels_per_class=np.inf, features="")
    >>> typical(frame, "noise", "noise_level")["n_classes"].unique()
    array([5])
    """
    fixed = [name for name in _CONDITIONS if name not in free]
    kept = []
    for _, part in rows.groupby("dataset", sort=False):
        counts = part.groupby(fixed).size()
        best = pd.Series(max(counts[counts == counts.max()].index), fixed)
        kept.append(part[(part[fixed] == best).all(axis=1)])
    return pd.concat(kept)


def _same_draws(rows: pd.DataFrame, like: pd.DataFrame, *free: str) -> pd.DataFrame:
    """Return the rows that share dataset, method, draw and setting, but for `free`, with others."""
    fixed = ["dataset", "method", "seed", *(name for name in _CONDITIONS if name not in free)]
    return rows.merge(like[fixed].drop_duplicates(), on=fixed)


def clean(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the comparable runs without noise in the paper's setting, where there are such.

    That is pixels, six classes and 30 % labels; of a dataset without them, its most common setting.
    Failed runs are among them, so that tables can tell.
    """
    kept = unchanged(rows)
    kept = kept[kept["noise"] == "none"]
    setting = pd.Series({**PAPER, "features": ""})
    printed = (kept[setting.index] == setting).all(axis=1)
    kept = kept[printed | ~kept["dataset"].isin(kept.loc[printed, "dataset"])]
    if kept.empty:
        raise ValueError("no rows of unchanged methods without noise; run a plan with some.")
    return typical(kept)


def noisy(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the comparable runs under noise, and those without on the same draws."""
    kept, free = unchanged(rows), ("noise", "noise_level")
    under = kept[kept["noise"] != "none"]
    if under.empty:
        raise ValueError("no rows with noise; run a plan with noise kinds and levels.")
    under = typical(under, *free)
    return pd.concat([_same_draws(kept[kept["noise"] == "none"], under, *free), under])


def varied(rows: pd.DataFrame, setting: str) -> pd.DataFrame:
    """Return the comparable runs without noise of draws on which a setting takes many values.

    A method or a draw that met a single value is left out: points of a curve that come from more
    draws than others would not be comparable.
    """
    kept = unchanged(rows)
    kept = kept[(kept["noise"] == "none") & np.isfinite(kept[setting])]
    same_draw = kept.groupby(["dataset", "method", "seed"])
    kept = kept[same_draw[setting].transform("nunique") > 1]
    if kept.empty:
        raise ValueError(
            f"no rows with several {setting} on a dataset; run a plan with {setting} = [...]."
        )
    return typical(kept, setting)


def few_labels(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the comparable runs without noise with a number of labels of each class."""
    kept = unchanged(rows)
    kept = kept[(kept["noise"] == "none") & np.isfinite(kept["labels_per_class"])]
    if kept.empty:
        raise ValueError("no rows with labels_per_class; run a plan with labels_per_class = [...].")
    return typical(kept, "labels_per_class")


def variants(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the comparable runs of variants, and of the unchanged method on the same draws.

    Where a variant changes nothing, it is the plan's own name for the unchanged method.
    """
    kept = comparable(rows)
    changed = kept[kept["variant"] != ""]
    if changed.empty:
        raise ValueError('no rows with a variant; run a plan with variants = [{label = "..."}].')
    changed = typical(changed)
    if changed["params"].isin(_NO_CHANGE).any():
        return changed
    return pd.concat([_same_draws(unchanged(rows), changed), changed])


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
    good = (rows["status"] == "ok").groupby([rows["method"], rows["dataset"]]).any()
    holes, left_out = good.unstack(fill_value=False).eq(False), []
    while holes.to_numpy().any():
        by_method, by_dataset = holes.mean(axis=1), holes.mean(axis=0)
        worst = by_method if by_method.max() >= by_dataset.max() else by_dataset
        left_out.append(str(worst.idxmax()))
        holes = holes.drop(**{"index" if worst is by_method else "columns": left_out[-1]})
    same = rows["method"].isin(holes.index) & rows["dataset"].isin(holes.columns)
    return rows[same], left_out
