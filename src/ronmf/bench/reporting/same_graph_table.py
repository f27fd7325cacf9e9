"""What the factorisation adds to propagation on the same chosen graph, tested over seeds."""

import numpy as np
import pandas as pd

from ..running.settings import SETTINGS
from .captions import caption
from .contestants import CHOSEN_GRAPH
from .number_texts import spread
from .pairwise_tests import holm, paired_t, signed_rank
from .reading_order import ordered
from .selection import clean, noisy, rows_of_methods
from .summaries import summarise
from .table_formats import Cell, Table
from .table_lines import Line, heading_of

__all__ = ["same_graph_table"]

_INDEX = ["noise", "dataset", "noise_level"]
_LEVEL = 0.05


def same_graph_table(rows: pd.DataFrame, method: str = "RONMF-M") -> Table:
    """Return, for each clean set and noise, the gain over propagation on the graph RONMF chose.

    Parameters
    ----------
    rows : DataFrame
        Tidy rows; those of the paper's setting and those with noise are taken.
    method : str, default="RONMF-M"
        Ours.

    Returns
    -------
    Table
        Both accuracies on unlabelled samples and the mean gain, over seeds on which both ended
        well, with the p-values of Wilcoxon's signed-rank test and of Student's paired t test, each
        with Holm's correction over all rows. The verdict follows the t test at 0.05.
    """
    if "labels_per_class" in rows:  # few labels have a table of their own
        rows = rows[rows["labels_per_class"].isna()]
    kept = clean(rows)
    if (rows["noise"] != "none").any():
        under = noisy(rows)
        kept = pd.concat([kept, under[under["noise"] != "none"]])
    heads = [(method,), (CHOSEN_GRAPH,)]
    kept = rows_of_methods(kept, [method, CHOSEN_GRAPH])
    cells = summarise(kept, _INDEX, ["method"], "acc", "unlabelled")
    good = kept[kept["status"] == "ok"]
    found = {}
    for key in ordered(_INDEX, [key for key, _ in cells]):
        here = good[np.logical_and.reduce([good[n] == v for n, v in zip(_INDEX, key, strict=True)])]
        pairs = here.pivot(index="seed", columns="method", values="acc_unlabelled")
        pairs = pairs.reindex(columns=[method, CHOSEN_GRAPH]).dropna()
        if len(pairs) > 1:
            found[key] = (pairs[method] - pairs[CHOSEN_GRAPH]).to_numpy()
    if not found:
        raise ValueError(
            f"{method} and {CHOSEN_GRAPH} share no two seeds anywhere; run both on the same draws."
        )
    wilcoxon = holm([signed_rank(gain) for gain in found.values()])
    student = holm([paired_t(gain) for gain in found.values()])
    lines, body, verdicts = [], [], []
    for (key, gain), rank_p, t_p in zip(found.items(), wilcoxon, student, strict=True):
        pair = {head: cells[key, head] for head in heads}
        labels = tuple(heading_of((part,)) for part in key)
        lines.append(Line(labels, heading_of(key), pair, {}))
        verdicts.append("nothing" if t_p >= _LEVEL else "adds" if gain.mean() > 0 else "hurts")
        tests = (f"{rank_p:.2g}", f"{t_p:.2g}", verdicts[-1])
        body.append((*labels, *map(spread, pair.values()), f"{gain.mean():+.4f}", *tests))
    counts = [f"{word} {verdicts.count(word)}" for word in ("adds", "nothing", "hurts")]
    mean = float(np.mean([gain.mean() for gain in found.values()]))
    footer = ("Mean", *[""] * 4, f"{mean:+.4f}", "", "", ", ".join(counts))
    header = (
        *(*(SETTINGS[part].heading for part in _INDEX), *map(heading_of, heads), "gain"),
        *("p, Wilcoxon", "p, t test", "factorisation"),
    )
    said = caption(kept, lines, heads, scope="unlabelled", rank=False, averaged=False)
    text = (
        f"{said} p-values over seeds, paired, with Holm's correction over the {len(body)} rows; the"
        f" last column follows the t test at {_LEVEL:g}. {_least(found, len(body))}Draws of one"
        " dataset share samples, so the p-values are too small rather than too large."
    )
    texts = [tuple(map(Cell, line)) for line in (*body, footer)]
    title = f"What {method} adds to propagation on the same graph"
    return Table(title, text, header, 3, tuple(texts[:-1]), (texts[-1],))


def _least(found: dict[tuple, np.ndarray], tests: int) -> str:
    """Return that Wilcoxon's test could find nothing, where so few seeds leave it no chance."""
    least = 2.0 ** (1 - max(len(gain) for gain in found.values())) * tests
    if least < _LEVEL:
        return ""
    return (
        "With so few seeds Wilcoxon's test could find nothing, whatever the results: its smallest"
        f" possible corrected p-value is {min(least, 1.0):.2g}. "
    )
