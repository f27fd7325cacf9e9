"""RONMF beside what it should beat: printed cells, propagation on pixels, classifiers, its graph.

Every verdict is decided by the digits that the table shows.
"""

import math
from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from published import METRICS_PRINTED, printed
from scipy import stats

from ronmf.bench.reporting.captions import caption
from ronmf.bench.reporting.grid import Grid, heading_of, summarise
from ronmf.bench.reporting.opponents import CHOSEN_GRAPH, is_own
from ronmf.bench.reporting.ranking import holm, signed_rank
from ronmf.bench.reporting.selection import clean, few_labels, noisy
from ronmf.bench.reporting.summary import Summary
from ronmf.bench.reporting.table import Cell, Table
from ronmf.bench.reporting.tables import MISSING, line_of
from ronmf.bench.running.settings import SETTINGS
from ronmf.metrics import METRICS

_PIXEL_GRAPH = "HarmonicLabelPropagation"
_SCOPES = ("all", "unlabelled")
# What is asked of RONMF under noise: so much more than propagation, unless that is nearly perfect.
_DEMAND, _NEARLY_PERFECT = 0.02, 0.95
_NOISES = ["noise", "dataset", "noise_level"]
_LEVEL = 0.05


def best_printed_table(rows: pd.DataFrame, method: str = "RONMF-M") -> Table:
    """Return every clean cell of the paper beside the best that it prints of any method.

    A row for each dataset and metric; the difference is that on all samples, as the paper scores
    them or does not say.
    """
    kept = _of_methods(clean(rows), [method])
    cells = printed()
    cells = cells[cells["noise"] == "none"]
    kept = kept[kept["dataset"].isin(cells["dataset"])]
    if kept.empty:
        raise ValueError(
            f"{method} has no rows on a dataset of the paper; run plans/accuracy.toml."
        )
    grids = summarise(kept, ["dataset"], ["method"], [*product(METRICS_PRINTED, _SCOPES)])
    body: list[list[str]] = []
    above: dict[tuple[str, str], list[bool]] = {cell: [] for cell in grids}
    doubts: dict[str, None] = {}
    for (dataset,), metric in product(grids["acc", "all"].rows, METRICS_PRINTED):
        same = cells[(cells["dataset"] == dataset) & (cells["metric"] == metric)]
        best = same[same["mean"] == same["mean"].max()]
        theirs = best.iloc[0]
        ours = {scope: grids[metric, scope].cells[(dataset,), (method,)] for scope in _SCOPES}
        gains = {scope: _gain(cell, theirs["mean"]) for scope, cell in ours.items()}
        for scope, gain in gains.items():
            above[metric, scope].append(gain is not None and gain > 0)
        if theirs["doubt"]:
            doubts[f" † Doubtful: {theirs['doubt']}."] = None
        value = f"{theirs['mean']:.3f} ± {theirs['std']:.3f}{'†' * bool(theirs['doubt'])}"
        body.append([
            *(dataset, METRICS[metric].short, *(cell.text() for cell in ours.values()), value),
            *(", ".join(best["method"]), _signed(gains["all"]), _word(above[metric, "all"][-1])),
        ])  # fmt: skip
    footer = []
    for scope in _SCOPES:
        every = [verdict for metric in METRICS_PRINTED for verdict in above[metric, scope]]
        accuracy = above["acc", scope]
        text = f"{sum(every)} of {len(every)}, ACC {sum(accuracy)} of {len(accuracy)}"
        footer.append([f"Above on {scope} samples", *[""] * 6, text])
    shown = {
        (key, (scope,)): grids["acc", scope].cells[key, (method,)]
        for key, scope in product(grids["acc", "all"].rows, _SCOPES)
    }
    shown_grid = Grid(grids["acc", "all"].rows, [(scope,) for scope in _SCOPES], shown)
    text = (
        f"{caption(kept, shown_grid, rank=False)} Best printed: of any method in the"
        " paper, whose graph knows every label. Difference and verdict: on all samples."
        f"{''.join(doubts)}"
    )
    header = (
        *("dataset", "metric", "all samples", "unlabelled samples", "best printed"),
        *("printed for", "difference", "above"),
    )
    return _table(f"{method} and the best printed cells", text, header, 2, body, footer)


def noise_gain_table(rows: pd.DataFrame, method: str = "RONMF-M") -> Table:
    """Return accuracy under noise beside label propagation on the graph of the noisy pixels.

    Asked for is never to be below, and 0.02 above where propagation is below 0.95.
    """
    kept = noisy(rows)
    kept = _of_methods(kept[kept["noise"] != "none"], [method, _PIXEL_GRAPH])
    grid, heads = _accuracy(kept, _NOISES), [(method,), (_PIXEL_GRAPH,)]
    body, met = [], []
    for key in grid.rows:
        ours, theirs = (grid.cells.get((key, head)) for head in heads)
        mean = math.nan if theirs is None or theirs.failed else theirs.mean
        gain = _gain(ours, mean)
        least = _DEMAND if round(mean, 3) < _NEARLY_PERFECT else 0.0
        met.append(gain is not None and gain >= least)
        shown = [MISSING if cell is None else cell.text() for cell in (ours, theirs)]
        body.append([*_labels(key), *shown, _signed(gain), _word(met[-1])])
    ((_, means),) = grid.averaged(lambda _: ()).values()
    shown = [f"{means[head].mean:.3f}" if head in means else MISSING for head in heads]
    total = _gain(means.get(heads[0]), means[heads[1]].mean if heads[1] in means else math.nan)
    footer = [["Mean", "", "", *shown, _signed(total), f"{sum(met)} of {len(met)}"]]
    text = (
        f"{caption(kept, grid, 'unlabelled', rank=False)} Asked for: not below, and {_DEMAND:g}"
        f" above where propagation is below {_NEARLY_PERFECT:g}."
    )
    header = (*_headings(_NOISES), *map(heading_of, heads), "difference", "met")
    return _table(f"ACC of {method} and of propagation under noise", text, header, 3, body, footer)


def few_labels_table(rows: pd.DataFrame, method: str = "RONMF-M") -> Table:
    """Return accuracy by dataset and number of labels of each class, for all methods.

    Ours is compared with all methods but other penalties of RONMF and propagation on the graph that
    RONMF chose.
    """
    kept, index = few_labels(rows), ["dataset", "labels_per_class"]
    _of_methods(kept, [method])
    grid = _accuracy(kept, index)
    others = [head for head in grid.columns if not is_own(head[0]) and head[0] != CHOSEN_GRAPH]
    body, won = [], []
    for key in grid.rows:
        cells = grid.row(key)
        means = [cells[other].mean for other in others if other in cells and cells[other].n]
        gain = _gain(cells.get((method,)), max(means, default=math.nan))
        won.append(gain is not None and gain > 0)
        body.append([*line_of(_labels(key), cells, grid.columns, "acc"), _word(won[-1])])
    text = (
        f"{caption(kept, grid, 'unlabelled')} Above: {method} is above"
        f" {', '.join(heading_of(other) for other in others)}."
    )
    header = (*_headings(index), *map(heading_of, grid.columns), "above")
    footer = [["Above", "", *[""] * len(grid.columns), f"{sum(won)} of {len(won)}"]]
    return _table("ACC with few labels", text, header, 2, body, footer)


def same_graph_table(rows: pd.DataFrame, method: str = "RONMF-M") -> Table:
    """Return, for each clean set and noise, the gain over propagation on the graph RONMF chose.

    Both accuracies on unlabelled samples and the mean gain, over seeds on which both ended well,
    with the p-values of Wilcoxon's signed-rank test and of Student's paired t test, each with
    Holm's correction over all rows. The verdict follows the t test at 0.05.
    """
    if "labels_per_class" in rows:  # few labels have a table of their own
        rows = rows[rows["labels_per_class"].isna()]
    kept = clean(rows)
    if (rows["noise"] != "none").any():
        under = noisy(rows)
        kept = pd.concat([kept, under[under["noise"] != "none"]])
    kept, heads = _of_methods(kept, [method, CHOSEN_GRAPH]), [(method,), (CHOSEN_GRAPH,)]
    grid = _accuracy(kept, _NOISES)
    good = kept[kept["status"] == "ok"]
    gains = {}
    for key in grid.rows:
        pairs = good[(good[_NOISES] == pd.Series(key, _NOISES)).all(axis=1)]
        pairs = pairs.pivot(index="seed", columns="method", values="acc_unlabelled")
        pairs = pairs.reindex(columns=[method, CHOSEN_GRAPH]).dropna()
        if len(pairs) > 1:
            gains[key] = (pairs[method] - pairs[CHOSEN_GRAPH]).to_numpy()
    if not gains:
        raise ValueError(
            f"{method} and {CHOSEN_GRAPH} share no two seeds anywhere; run both on the same draws."
        )
    wilcoxon = holm([signed_rank(gain) for gain in gains.values()])
    student = holm([paired_t(gain) for gain in gains.values()])
    body, verdicts = [], []
    for (key, gain), rank_p, t_p in zip(gains.items(), wilcoxon, student, strict=True):
        verdicts.append("nothing" if t_p >= _LEVEL else "adds" if gain.mean() > 0 else "hurts")
        tests = (f"{rank_p:.2g}", f"{t_p:.2g}", verdicts[-1])
        texts = [grid.cells[key, head].text() for head in heads]
        body.append([*_labels(key), *texts, f"{gain.mean():+.4f}", *tests])
    counts = [f"{word} {verdicts.count(word)}" for word in ("adds", "nothing", "hurts")]
    mean = float(np.mean([gain.mean() for gain in gains.values()]))
    footer = [["Mean", *[""] * 4, f"{mean:+.4f}", "", "", ", ".join(counts)]]
    header = (
        *(*_headings(_NOISES), *map(heading_of, heads), "gain"),
        *("p, Wilcoxon", "p, t test", "factorisation"),
    )
    shown = Grid(list(gains), heads, grid.cells)
    text = (
        f"{caption(kept, shown, 'unlabelled', rank=False)} p-values over seeds, paired, with Holm's"
        f" correction over the {len(body)} rows; the last column follows the t test at {_LEVEL:g}."
        f" {_least(gains, len(body))}Draws of one dataset share samples, so the p-values are too"
        " small rather than too large."
    )
    title = f"What {method} adds to propagation on the same graph"
    return _table(title, text, header, 3, body, footer)


def paired_t(difference: Sequence[float] | np.ndarray) -> float:
    """Return the two-sided p-value of Student's paired t test."""
    # Means of equal results may differ in the last digit; that is no difference.
    some = np.round(difference, 12)
    if np.ptp(some) == 0:  # where scipy divides by zero
        return float(some[0] == 0)
    return float(stats.ttest_1samp(some, 0.0).pvalue)


def _least(gains: dict[tuple, np.ndarray], tests: int) -> str:
    """Return that Wilcoxon's test could find nothing, where so few seeds leave it no chance."""
    least = 2.0 ** (1 - max(len(gain) for gain in gains.values())) * tests
    if least < _LEVEL:
        return ""
    return (
        "With so few seeds Wilcoxon's test could find nothing, whatever the results: its smallest"
        f" possible corrected p-value is {min(least, 1.0):.2g}. "
    )


def _of_methods(rows: pd.DataFrame, methods: Sequence[str]) -> pd.DataFrame:
    """Return the rows of the named methods, all of which must have some."""
    absent = [method for method in methods if method not in set(rows["method"])]
    if absent:
        raise ValueError(f"{absent[0]} has no rows for this table; run it first.")
    return rows[rows["method"].isin(list(methods))]


def _accuracy(rows: pd.DataFrame, index: Sequence[str]) -> Grid:
    measure = "acc", "unlabelled"
    return summarise(rows, index, ["method"], [measure])[measure]


def _gain(ours: Summary | None, theirs: float) -> float | None:
    """Return how much higher our mean is, in three digits; None where runs failed or are absent."""
    if ours is None or ours.failed or theirs != theirs:
        return None
    return round(round(ours.mean, 3) - round(theirs, 3), 3)


def _signed(gain: float | None) -> str:
    return MISSING if gain is None else f"{gain:+.3f}"


def _word(true: bool) -> str:
    return "yes" if true else "no"


def _labels(key: Sequence[Any]) -> list[str]:
    return [heading_of((part,)) for part in key]


def _headings(index: Sequence[str]) -> list[str]:
    return [SETTINGS[part].heading for part in index]


def _table(
    title: str, text: str, header: tuple[str, ...], n_labels: int, body: list, footer: list
) -> Table:
    """Return a table of texts and cells."""
    rows, last = (
        [[each if isinstance(each, Cell) else Cell(each) for each in line] for line in part]
        for part in (body, footer)
    )
    return Table(title, text, header, n_labels, rows, last)
