"""The report of ``ronmf bench report``, with what serves this paper alone.

    python benchmarks/paper/report.py RESULTS [-o FILE] [-d DATASET] [--data DIR]

The printed cells can be shown beside ours, parts have the numbers of the paper, and there are heat
maps over the weights, t-SNE of what methods found, and which printed cells are met. t-SNE fits one
draw of DATASET, by default the commonest that is here.
"""

import argparse
from functools import partial
from pathlib import Path

import pandas as pd
from embeddings import dataset_of, fit_embeddings, tsne
from figures import CAPTIONS
from heat_maps import HEAT_MAPS
from met import met_tables
from published import as_reference

from ronmf.bench import build_report, read_rows
from ronmf.bench.reporting.figures import Pictures, pictures_of
from ronmf.bench.reporting.report import Part
from ronmf.system.writing import own_place

TITLES = {
    "label_rate_graph_weight": "Share of labels and weight of the graph",
    "weights": "Weights of graph and labels",
}


def parts(rows: pd.DataFrame, dataset: str | None, data: Path | None) -> list[Part]:
    """Return what the report has beside that of any plan."""

    def embedded() -> Pictures:
        try:
            found = fit_embeddings(dataset_of(rows, dataset, data))
            return pictures_of(tsne(found), CAPTIONS["tsne"])
        except OSError as error:
            raise ValueError(f"{error}; choose a folder with --data.") from None

    found = [
        Part("Labels and weights", f"figure-{name}", TITLES[name],
             partial(_drawn, name, rows))
        for name in HEAT_MAPS
    ]  # fmt: skip
    found.append(Part("What the methods found", "figure-tsne", "t-SNE", embedded))
    section = "Printed beside measured"
    try:
        tables = met_tables(rows)
    except ValueError as error:
        reason = error

        def refuse() -> None:
            raise reason

        return [*found, Part(section, "table-met", "How many printed cells are met", refuse)]
    for i, table in enumerate(tables):
        anchor = f"table-met{f'-{i}' * bool(i)}"
        found.append(Part(section, anchor, table.title, lambda shown=table: shown, bool(i)))
    return found


def _drawn(name: str, rows: pd.DataFrame) -> Pictures:
    return pictures_of(HEAT_MAPS[name](rows), CAPTIONS[name])


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("results", type=Path, help="folder of rows")
    parser.add_argument("-o", "--out", type=Path, help="by default report.html beside the rows")
    parser.add_argument("-d", "--dataset", help="of t-SNE")
    parser.add_argument("--data", type=Path, metavar="DIR", help="data directory, for t-SNE")
    asked = parser.parse_args()
    try:
        path = asked.out or own_place(asked.results / "report.html")
        rows = read_rows(asked.results)
        more = parts(rows, asked.dataset, asked.data)
        title = f"Results of {asked.results.name}"
        build_report(rows, path, title, reference=as_reference(), more=more)
    except (ValueError, OSError) as error:
        parser.exit(2, f"Error: {error}\n")
    print(f"Wrote {path}.")


if __name__ == "__main__":
    main()
