"""What each part of the model brings on one set.

    python benchmarks/ablation.py [--data DIR] [--set coil20] [--seeds 10]

k = 6 classes, 30 % labels; mean ± standard deviation over seeds on the unlabelled samples. Rows
without labels are scored after the best one-to-one naming of the clusters (Hungarian), which
flatters them; rows without the graph have no graph term, but still start from it.
"""

import argparse
import warnings

import numpy as np
from protocol import available, data_directory, draw
from scipy.optimize import linear_sum_assignment
from sklearn.exceptions import ConvergenceWarning

from ronmf import ADMM, RONMF, GraphChoice
from ronmf.penalties import PENALTIES

VARIANTS = {
    "default (mcp)": {},
    "without graph": {"graph_weight": 0.0},
    "without graph, random start": {"graph_weight": 0.0, "solver": ADMM(init="random")},
    "without labels": {"n_clusters": 6},
    "without graph and labels": {"n_clusters": 6, "graph_weight": 0.0},
    "without orthogonality": {"solver": ADMM(basis="unconstrained")},
    "paper's exact penalty for U": {"solver": ADMM(basis="penalty")},
    "groups = samples": {"groups": "samples"},
    "clipped A- and Z-steps": {"solver": ADMM(exact=False)},
    "label edges in the graph": {"graph": GraphChoice("plain", label_edges=True)},
} | {f"penalty {name}": {"penalty": name} for name in PENALTIES if name != "mcp"}


def named(labels: np.ndarray, truth: np.ndarray) -> np.ndarray:
    """Rename clusters by the best one-to-one match with the true classes."""
    n = int(max(labels.max(), truth.max())) + 1
    counts = np.zeros((n, n))
    np.add.at(counts, (labels, truth), 1)
    return linear_sum_assignment(counts, maximize=True)[1][labels]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", help="folder of the real sets (default: $RONMF_DATA)")
    parser.add_argument("--set", default="coil20", dest="name")
    parser.add_argument("--seeds", type=int, default=10)
    options = parser.parse_args()
    folder = data_directory(options.data)
    if not available(options.name, folder):
        parser.error(f"{options.name} is not in the data directory; give --data or RONMF_DATA.")

    warnings.simplefilter("ignore", ConvergenceWarning)  # the table counts them
    print(f"{options.name}, {options.seeds} seeds: accuracy on unlabelled samples, and on all")
    for title, settings in VARIANTS.items():
        scores, sweeps, converged = [], [], 0
        for seed in range(options.seeds):
            data = draw(options.name, seed, folder)
            plain = {"graph": "plain", "class_prior": None, "random_state": 0}
            model = RONMF(**plain | settings)
            if model.n_clusters is None:
                predicted = model.fit(data.X, data.y).transduction_
            else:  # no labels given
                predicted = named(model.fit(data.X).labels_, data.truth)
            scores.append(data.score(predicted))
            sweeps.append(model.n_iter_)
            converged += model.converged_
        mean, std = np.mean(scores, axis=0), np.std(scores, axis=0)
        print(
            f"{title:28} {mean[0]:.4f} ± {std[0]:.4f}   all {mean[1]:.4f}"
            f"   {np.mean(sweeps):5.1f} sweeps, {converged} of {options.seeds} converged",
            flush=True,
        )


if __name__ == "__main__":
    main()
