"""Figures of this paper: heat maps over two settings, and t-SNE of what methods found.

    python benchmarks/paper/figures.py RESULTS FIGURE [-o FILE] [-d DATASET] [--data DIR]

RESULTS is a folder of rows, such as results/paper. FIGURE is one of

label_rate_graph_weight  over the share of labels and the weight of the graph
weights                  over the weights of graph and labels
tsne                     one draw of DATASET, by default the commonest that is here, fitted anew
"""

import argparse
from pathlib import Path

from embeddings import dataset_of, fit_embeddings, tsne
from heat_maps import HEAT_MAPS

from ronmf.bench import read_rows, save_figure

CAPTIONS = {
    "label_rate_graph_weight": (
        "Over the share of labels and the weight of the graph: mean over seeds, best in bold."
    ),
    "weights": "Over the weights of graph and labels: mean over seeds, best in bold.",
    "tsne": "t-SNE in the plane of what each method found; colour and marker are the true class.",
}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("results", type=Path, help="folder of rows")
    parser.add_argument("figure", choices=CAPTIONS)
    parser.add_argument("-o", "--out", type=Path, help="a png, svg or pdf file to write")
    parser.add_argument("-d", "--dataset", help="of t-SNE")
    parser.add_argument("--data", type=Path, metavar="DIR", help="data directory, for t-SNE")
    asked = parser.parse_args()
    path = asked.out or Path(f"{asked.figure}.png")
    try:
        rows = read_rows(asked.results)
        if asked.figure == "tsne":
            drawn = tsne(fit_embeddings(dataset_of(rows, asked.dataset, asked.data)))
        else:
            drawn = HEAT_MAPS[asked.figure](rows)
        save_figure(drawn, path)
    except (ValueError, OSError) as error:
        parser.exit(2, f"Error: {error}\n")
    print(f"Wrote {path}.")


if __name__ == "__main__":
    main()
