"""What is in the report and where: in the order of the paper, with the numbers it has there.

What the rows cannot show is left out, and listed once with what to run.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd

from ....metrics import METRICS
from ..clean_ranking import clean_ranking, left_out_sentences
from ..figures import FIGURES, tsne
from ..met_tables import met_tables
from . import accounts
from . import switched_tables as tables
from .blocks import Block, Content, Missing, Section, as_texts
from .pictures import pictures_of

__all__ = ["Embeddings", "make_sections"]

Embeddings = Sequence[tuple[str, Any, Any]]
"""Title, coordinates and true classes of every panel of t-SNE."""

_NO_EMBEDDINGS = "rows hold no embeddings; run ronmf bench report with --data."


@dataclass(frozen=True)
class _Part:
    """A block to be made; what stage of the work it belongs to."""

    section: str
    anchor: str
    title: str
    make: Callable[[], Content | None]
    paper: str = ""
    folded: bool = False

    @property
    def stage(self) -> str:
        return "figures" if self.anchor.startswith("figure") else "tables"


_SECTIONS = {
    "clean": "Clean data",
    "classes": "Number of classes",
    "noise": "Noise",
    "labels": "Labels and weights",
    "ranks": "Ranks over datasets",
    "ablation": "What each part is worth",
    "spread": "Spread over draws",
    "found": "What the methods found",
    "printed": "Printed beside measured",
    "runs": "The runs",
}


def make_sections(
    rows: pd.DataFrame,
    embeddings: Embeddings | None,
    report: Callable[[str, int, int], None],
) -> tuple[list[Section], list[Missing]]:
    """Return the sections that rows allow, and what they do not allow.

    Parameters
    ----------
    rows : DataFrame
        Tidy rows, failed runs too.
    embeddings : sequence or None
        What :func:`~ronmf.bench.fit_embeddings` returns.
    report : callable
        Told of ``(stage, done, most)``.
    """
    parts = _parts(rows, embeddings)
    sections = {anchor: Section(anchor, title) for anchor, title in _SECTIONS.items()}
    missing = []
    for part in parts:
        same = [other for other in parts if other.stage == part.stage]
        report(part.stage, same.index(part), len(same))
        try:
            content = part.make()
        except ValueError as error:
            missing.append(Missing(part.title, part.paper, str(error)))
        else:
            if content is not None:
                block = Block(part.anchor, part.title, content, part.paper, part.folded)
                sections[part.section].blocks.append(block)
        report(part.stage, same.index(part) + 1, len(same))
    return [section for section in sections.values() if section.blocks], missing


def _parts(rows: pd.DataFrame, embeddings: Embeddings | None) -> list[_Part]:
    def figure(name: str) -> Callable[[], Content]:
        return partial(pictures_of, name, FIGURES[name], rows)

    def of_rows(make: Callable[..., Content | None], *more: Any) -> Callable[[], Content | None]:
        return partial(make, rows, *more)

    return [
        _Part("clean", "table-clean", "Scores", of_rows(tables.clean_scores), "Tables 4 to 7"),
        _Part("clean", "figure-time", "Accuracy and run time", figure("time"), "Fig. 1"),
        _Part("clean", "table-time", "Run time", of_rows(tables.run_time)),
        _Part("classes", "figure-classes", "Curves", figure("classes"), "Figs. 2 and 3"),
        _Part("classes", "table-classes", "Scores by number of classes",
              of_rows(tables.varied_setting, "n_classes"), "Figs. 2 and 3"),
        _Part("noise", "figure-noise", "Curves by level", figure("noise"), "Fig. 4"),
        _Part("noise", "table-noise", "Scores under noise",
              of_rows(tables.under_noise), "Table 8"),
        _Part("labels", "figure-label_rate_graph_weight", "Share of labels and weight of the graph",
              figure("label_rate_graph_weight"), "Fig. 5"),
        _Part("labels", "figure-weights", "Weights of graph and labels", figure("weights")),
        _Part("labels", "table-label_rate", "Scores by share of labels",
              of_rows(tables.varied_setting, "label_rate")),
        _Part("labels", "table-labels_per_class", "Scores by labels of each class",
              of_rows(tables.few_labels_given)),
        _Part("ranks", "figure-critical_difference", "Critical difference",
              figure("critical_difference"), "Fig. 6"),
        _Part("ranks", "statistics-acc", "What may be concluded", of_rows(_ranks, "acc")),
        *(_Part("ranks", f"statistics-{metric}", f"The same by {METRICS[metric].short}",
                of_rows(_ranks, metric), folded=True)
          for metric in METRICS if metric != "acc" and f"{metric}_unlabelled" in rows),
        _Part("ablation", "table-ablation", "Scores of variants",
              of_rows(tables.ablation), "Table 9"),
        _Part("ablation", "figure-ablation", "Accuracy of variants", figure("ablation"), "Table 9"),
        _Part("spread", "figure-boxes", "Box plots", figure("boxes"), "Fig. 7"),
        _Part("found", "figure-tsne", "t-SNE", partial(_embedded, embeddings), "Fig. 8"),
        *_met_parts(rows),
        _Part("runs", "runs-overview", "Overview", of_rows(accounts.overview)),
        _Part("runs", "runs-failed", "Failed runs", of_rows(accounts.failed_table)),
        _Part("runs", "runs-experiments", "Experiments", of_rows(accounts.experiments_table),
              folded=True),
        _Part("runs", "runs-counts", "Runs by method and dataset", of_rows(accounts.runs_table),
              folded=True),
    ]  # fmt: skip


def _met_parts(rows: pd.DataFrame) -> list[_Part]:
    """Return the counts of printed cells that are met, and the lists of those that are not."""
    try:
        found = met_tables(rows)
    except ValueError as error:
        title = "How many printed cells are met"
        return [_Part("printed", "table-met", title, partial(_refuse, error), "Tables 4 to 8")]
    return [
        _Part("printed", f"table-met{f'-{i}' * bool(i)}", table.title,
              partial(as_texts, table), "Tables 4 to 8" * (not i), folded=bool(i))
        for i, table in enumerate(found)
    ]  # fmt: skip


def _refuse(error: ValueError) -> Content:
    raise error


def _ranks(rows: pd.DataFrame, metric: str) -> str:
    """Return what the tests over datasets say."""
    ranking, left_out = clean_ranking(rows, f"{metric}_unlabelled")
    return " ".join([ranking.describe(), *left_out_sentences(left_out)])


def _embedded(embeddings: Embeddings | None) -> Content:
    if embeddings is None:
        raise ValueError(_NO_EMBEDDINGS)
    return pictures_of("tsne", tsne, embeddings)
