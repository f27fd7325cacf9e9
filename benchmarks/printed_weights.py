"""What the printed weights, λ = 1000 and μ = 1, do on a graph that knows no hidden label.

    python benchmarks/printed_weights.py [--data DIR]

Six classes, 30 % labels, one draw; the printed method with three weights of the graph, after two
sweeps and until it settles. Prints in how many pieces the graph falls, how much memberships vary
inside a piece (their squared distance from its mean, over their squared norm), how many clusters
get samples, and accuracy on the unlabelled samples.
"""

import argparse
import warnings

import numpy as np
from protocol import available, data_directory, draw
from scipy.sparse.csgraph import connected_components

from ronmf import RONMF

NAMES = ("digits", "yale", "coil20", "usps")


def variation_within(memberships: np.ndarray, piece: np.ndarray) -> float:
    """Return the share of the squared norm that is not the mean of a sample's piece."""
    counts = np.bincount(piece)[:, None]
    sums = np.zeros((len(counts), memberships.shape[1]))
    np.add.at(sums, piece, memberships)
    rest = memberships - (sums / counts)[piece]
    return float(np.sum(rest**2) / np.sum(memberships**2))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", help="folder of the real sets (default: $RONMF_DATA)")
    folder = data_directory(parser.parse_args().data)
    warnings.simplefilter("ignore")  # that clusters are empty is what is shown here
    print("set          λ  sweeps  pieces  variation inside  clusters  unlabelled")
    for name in NAMES:
        if not available(name, folder):
            print(f"{name:8} skipped: not in the data directory (--data or RONMF_DATA)")
            continue
        data = draw(name, 0, folder, max_samples=600)
        for weight in (1000.0, 1.0, 0.01):
            for most in (2, 200):
                model = RONMF.printed("M", graph_weight=weight, solver__max_iter=most)
                model.set_params(random_state=0).fit(data.X, data.y)
                count, piece = connected_components(model.graph_.affinity)
                inside = variation_within(model.membership_, piece)
                used = len(np.unique(model.labels_))
                score = data.score(model.transduction_)[0]
                print(
                    f"{name:8}{weight:6g}{model.n_iter_:8}{count:8}{inside:18.1e}{used:10}"
                    f"{score:12.3f}"
                )


if __name__ == "__main__":
    main()
