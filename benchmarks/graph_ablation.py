"""What each part of the choice of a graph brings: parts left out, numbers turned off or changed.

    python benchmarks/graph_ablation.py [--data DIR] [--seeds 3] [--only KINDS] [--part "1 label"]

Every variant is fitted to the same draws as the default: the settings of ``paired.py`` with one
label per class up to 30 %, noisy and covered pictures, and more than a thousand samples, of seeds
100, 101, ..., which no published table has. Printed are mean differences of the accuracy on
unlabelled samples from that of the default, in thousandths. ``--only`` keeps to the variants, and
``--part`` to the draws, whose name has that text in it.
"""

import argparse
import warnings
from collections.abc import Callable
from unittest.mock import patch

import numpy as np
import paired
from protocol import data_directory

from ronmf import RONMF, neighbor_graph
from ronmf.bench import Case
from ronmf.features import UnitNorm
from ronmf.graph import GraphRecipe, default_recipes
from ronmf.graph.selection import tuning

FIRST_SEED = 100
# By what is difficult about them; names as in paired.py
CASES = {
    "1 label": ("yale, 1 label", "coil20, 1 label", "usps, 1 label"),
    "few": ("umist, 2 labels", "orl10p, 2 labels", "mnist, 5 labels"),
    "30 %": ("yale, 30 %", "umist, 30 %", "coil100, 30 %"),
    "noise": ("yale, salt and pepper 0.3", "coil20, salt and pepper 0.3", "usps, Gaussian 0.5"),
    "cover": ("yale, covered 0.3", "orl10p, covered 0.3"),
    "large": ("usps, large, 1 label", "mnist, large, 10 %", "coil20, large, 5 labels"),
}
# Numbers of the choice, off (where that means something), half and double
NUMBERS: dict[str, tuple] = {
    "COMPARED": (500, 2000),
    "COMPARED_UNTESTED": (1000, 2000),
    "PER_CLUSTER": (10, 40),
    "ENOUGH_HIDDEN": (75, 300),
    "AXES_SAMPLES": (500, 2000),
    "LASTING": (0.0, 0.15, 0.6),
    "CUTS": ((0.01, 0.035), (0.04, 0.14), (0.001, 1.0)),
    "TILT": (0.0, 0.5, 2.0),
    "TILT_UNLABELLED": (0.0, 2.5, 10.0),
    "LABELS_APART": (0.0, 0.25, 1.0),
    "GIVEN": (0.0, 0.05, 0.2),
    "PROPAGATED": (0.0, 1.5, 6.0),
    "SHRINKAGE": (0.1, 0.15, 0.6),
    "SHRINKAGES": ((0.1,), (0.5,), (0.05, 0.25), (0.2, 1.0)),
    "DOUBT": (0.01, 0.04),
    "SHARPNESS": (0.0, 4.0, 16.0),
    "KINDS": (0, 1, 4),
    "BLENDED": (1, 2, 8),
    "SMALLEST": (0.0, 0.01, 0.04),
    "TENTATIVE": (0.0, 0.375, 1.0),
    "FEW": ((0.0, 0.0), (0.05, 5), (0.2, 20)),
    "POOR_GUESS": (0, 2.5, 10),
    "CONFIDENT": ((1.0,), (0.3, 0.6, 0.9, 1.0)),
    "SHARPENED": (1.0, 1.5, 6.0),
    "BALANCED": (0.0, 0.25, 1.0),
}


def fit(case: Case, **settings: object) -> RONMF:
    view = case.view
    model = RONMF(view.n_clusters, image_shape=view.image_shape, random_state=0)
    return model.set_params(**settings).fit(view.X, view.y)


def with_number(name: str, value: object) -> Callable[[Case], RONMF]:
    """Return a fit with another number of the choice."""

    def variant(case: Case) -> RONMF:
        with patch.object(tuning, name, value):
            return fit(case)

    return variant


def some(keep: Callable[[GraphRecipe], bool]) -> Callable[[Case], RONMF]:
    """Return a fit with those of the default candidates only."""

    def variant(case: Case) -> RONMF:
        recipes = default_recipes(case.view.X, case.view.image_shape)
        return fit(case, graph=[recipe for recipe in recipes if keep(recipe)])

    return variant


def on_reconstruction(case: Case) -> RONMF:
    """Blend the chosen graph with that of the model's own low-rank reconstruction."""
    model = fit(case)
    rebuilt = neighbor_graph(model.membership_ @ model.prototypes_).affinity
    W = model.graph_.affinity + rebuilt * (rebuilt.shape[0] / rebuilt.sum())
    return again(case, W)


def with_sample_weights(case: Case) -> RONMF:
    """Weaken the edges of samples that the robust loss sets aside."""
    model = fit(case, groups="samples")
    weights = 0.1 + 0.9 * model.group_weights_
    return again(case, model.graph_.affinity.multiply(np.outer(weights, weights)).tocsr())


def with_pixel_weights(case: Case) -> RONMF:
    """Choose the graph anew from pixels weighed as the robust loss does."""
    view, model = case.view, fit(case)
    X = view.X * np.sqrt(0.1 + 0.9 * model.group_weights_)
    weighed = RONMF(view.n_clusters, image_shape=view.image_shape, random_state=0)
    return weighed.fit(X, view.y)


def again(case: Case, W: object) -> RONMF:
    view = case.view
    model = RONMF(view.n_clusters, graph="precomputed", random_state=0)
    return model.fit(view.X, view.y, affinity=W)


def is_pixels(recipe: GraphRecipe) -> bool:
    return isinstance(recipe.features, UnitNorm)


PARTS: dict[str, Callable[[Case], RONMF]] = {
    "plain graph": lambda case: fit(case, graph="plain", class_prior=None),
    "plain graph, class prior": lambda case: fit(case, graph="plain"),
    "no class prior": lambda case: fit(case, class_prior=None),
    "candidates of pixels only": some(is_pixels),
    "candidates without gradients": some(lambda recipe: "HOG" not in str(recipe)),
    "candidates without LDA": some(lambda recipe: recipe.axes == "pca"),
    "candidates without propagated labels": some(lambda recipe: recipe.axes != "propagated lda"),
    "10 neighbours": lambda case: fit(case, n_neighbors=10),
    "edges by labels": lambda case: fit(case, graph__label_edges=True),
    "tried: graph of the reconstruction": on_reconstruction,
    "tried: weights of samples": with_sample_weights,
    "tried: weights of pixels": with_pixel_weights,
    "tried: graph weight / 10": lambda case: fit(case, graph_weight=fit(case).graph_weight_ / 10),
    "tried: 20 parts": lambda case: fit(case, n_components=20),
}
VARIANTS = PARTS | {
    f"{name} = {value}": with_number(name, value)
    for name, values in NUMBERS.items()
    for value in values
}


def accuracy(variant: Callable[[Case], RONMF], case: Case) -> float:
    return float(case.score(variant(case).labels_)["acc_unlabelled"])


def row(name: str, differences: dict[str, list[float]]) -> str:
    """Return a line of the table, in thousandths: by kind of case, and all with a 95 % interval."""
    every = np.concatenate(list(differences.values())) * 1000
    means = [f"{np.mean(each) * 1000:+.1f}" for each in differences.values()]
    half = 1.96 * every.std(ddof=1) / len(every) ** 0.5 if len(every) > 1 else float("nan")
    return f"| {name} | {' | '.join(means)} | {every.mean():+.1f} ± {half:.1f} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", help="folder of the real sets (default: $RONMF_DATA)")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--only", default="", help="text in the name of a variant")
    parser.add_argument("--part", default="", help="text in the name of a draw")
    options = parser.parse_args()
    folder = data_directory(options.data)
    warnings.simplefilter("ignore")
    seeds = range(FIRST_SEED, FIRST_SEED + options.seeds)
    cases: dict[str, list[Case]] = {}
    for kind, names in CASES.items():
        for name in names:
            if options.part in f"{kind}, {name},":
                drawn = paired.draws(folder, f"{name},", seeds)
                cases.setdefault(kind, []).extend(case for _, case, shaped in drawn if shaped)
    cases = {kind: each for kind, each in cases.items() if each}
    if not cases:
        print("skipped: no such draw, or no dataset in the data directory (--data or RONMF_DATA)")
        return
    default = {kind: [accuracy(fit, case) for case in each] for kind, each in cases.items()}
    print(f"| variant | {' | '.join(cases)} | all |")
    print("|---|" + "---|" * (len(cases) + 1))
    means = [np.mean(each) for each in (*default.values(), np.concatenate([*default.values()]))]
    print(f"| default, accuracy | {' | '.join(f'{mean:.3f}' for mean in means)} |")
    for name, variant in VARIANTS.items():
        if options.only in name:
            differences = {
                kind: [accuracy(variant, c) - d for c, d in zip(each, default[kind], strict=True)]
                for kind, each in cases.items()
            }
            print(row(name, differences), flush=True)


if __name__ == "__main__":
    main()
