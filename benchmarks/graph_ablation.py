"""What each part of the graph's choice brings, and what was tried and left out.

    python benchmarks/graph_ablation.py [--data DIR] [--seeds 3]

Six classes drawn at random, 30 % labels. Mean accuracy on the unlabelled samples over draws that
the published tables do not use (seeds 100, 101, ...), and each variant's mean difference from the
default.
"""

import argparse
import warnings
from collections.abc import Callable

import numpy as np
from protocol import available, data_directory

from ronmf import RONMF, neighbor_graph
from ronmf.datasets import load
from ronmf.experiments import Case, draw_case
from ronmf.features import UnitNorm
from ronmf.graph import GraphRecipe, default_recipes

# dataset, noise, level, samples of a class
CASES = [
    ("yale", "none", 0.0, None),
    ("umist", "none", 0.0, 19),
    ("orl10p", "none", 0.0, None),
    ("coil20", "none", 0.0, None),
    ("yale", "salt_pepper", 0.3, None),
    ("coil20", "salt_pepper", 0.3, None),
    ("usps", "gaussian", 0.7, 100),
]


def fit(case: Case, **settings: object) -> RONMF:
    view = case.view
    model = RONMF(view.n_clusters, image_shape=view.image_shape, random_state=0)
    return model.set_params(**settings).fit(view.X, view.y)


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
    return all(isinstance(step, UnitNorm) for _, step in recipe.features.steps)


VARIANTS: dict[str, Callable[[Case], RONMF]] = {
    "default": fit,
    "plain graph": lambda case: fit(case, graph="plain", class_prior=None),
    "plain graph, class prior": lambda case: fit(case, graph="plain"),
    "no class prior": lambda case: fit(case, class_prior=None),
    "candidates of pixels only": some(is_pixels),
    "candidates without gradients": some(lambda recipe: "HOG" not in str(recipe)),
    "candidates without LDA": some(lambda recipe: recipe.axes == "pca"),
    "candidates without propagated labels": some(lambda recipe: recipe.axes != "propagated lda"),
    "10 neighbours": lambda case: fit(case, n_neighbors=10),
    "edges by labels": lambda case: fit(case, label_edges=True),
    "tried: graph of the reconstruction": on_reconstruction,
    "tried: weights of samples": with_sample_weights,
    "tried: weights of pixels": with_pixel_weights,
    "tried: graph weight / 10": lambda case: fit(case, graph_weight=fit(case).graph_weight_ / 10),
    "tried: 20 parts": lambda case: fit(case, n_components=20),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", help="folder of the real sets (default: $RONMF_DATA)")
    parser.add_argument("--seeds", type=int, default=3)
    options = parser.parse_args()
    folder = data_directory(options.data)
    warnings.simplefilter("ignore")
    cases = [case for case in CASES if available(case[0], folder)]
    if not cases:
        print("skipped: no dataset in the data directory (--data or RONMF_DATA)")
        return
    means = np.empty((len(VARIANTS), len(cases)))
    for j, (name, noise, level, size) in enumerate(cases):
        dataset = load(name, folder)
        draws = [
            draw_case(
                dataset,
                n_classes=6,
                seed=seed,
                noise=noise,
                noise_level=level,
                samples_per_class=size,
            )
            for seed in range(100, 100 + options.seeds)
        ]
        for i, variant in enumerate(VARIANTS.values()):
            scores = [draw.score(variant(draw).labels_)["acc_unlabelled"] for draw in draws]
            means[i, j] = np.mean(scores)
    heads = [
        name if noise == "none" else f"{name} {noise} {level}" for name, noise, level, _ in cases
    ]
    print(f"| variant | {' | '.join(heads)} | mean | difference |")
    print("|---|" + "---|" * (len(heads) + 2))
    for name, row in zip(VARIANTS, means, strict=True):
        cells = " | ".join(f"{value:.3f}" for value in row)
        print(f"| {name} | {cells} | {row.mean():.3f} | {row.mean() - means[0].mean():+.3f} |")


if __name__ == "__main__":
    main()
