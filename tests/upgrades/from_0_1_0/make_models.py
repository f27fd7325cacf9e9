"""Model files of every kind that ronmf 0.1.0 saves, and what each model said.

    python tests/upgrades/from_0_1_0/make_models.py

It ran with version 0.1.0, commit 2934ad1, and calls everything as it was then. It is kept to show
where the files come from, and need not run with later versions.

The archives have the model files, ``KIND.ronmf``, those of tables and those of pictures together
since they have much in common. ``answers.json.xz`` has the samples that models were fitted to,
their labels, and new samples; and what each model said, by the names of attributes and of methods,
which are asked about the new samples.
"""

import json
import lzma
import tempfile
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from packing import pack
from sklearn.datasets import load_digits
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import Normalizer

from ronmf import RONMF, GraphRecipe, HarmonicLabelPropagation, baselines, neighbor_graph
from ronmf.features import (
    HOG,
    DeepFeatures,
    GaussianBlur,
    LocalContrast,
    MedianFilter,
    SoftBins,
    UnitNorm,
)
from ronmf.penalties import ETP, MCP, PENALTIES, SCAD
from ronmf.saving import save_model

HERE = Path(__file__).parent
N, NEW, SHAPE = 18, 6, (8, 8)
MOST = 1000  # numbers of an answer
NAMES = ("predict", "classes_", "transduction_", "feature_names_in_")
METHODS = ("predict", "predict_proba", "transform")
ASKED = (
    *METHODS,
    *("classes_", "labels_", "transduction_", "membership_", "label_distributions_"),
    *("outlier_score_", "prototypes_", "components_", "amplitudes_", "group_weights_"),
    *("doubted_labels_", "n_iter_", "converged_", "graph_weight_", "n_features_in_"),
    *("feature_names_in_", "image_shape_"),
)


def make_samples():
    """Return 18 samples of three classes, nine of them labelled, and six new ones, of two kinds."""
    rng = np.random.default_rng(28)
    digits, classes = load_digits(n_class=3, return_X_y=True)
    chosen = np.concatenate([np.flatnonzero(classes == c)[: (N + NEW) // 3] for c in range(3)])
    chosen = chosen.reshape(3, -1).T.ravel()
    # No two distances are the same
    pictures = ((digits[chosen] + rng.random((N + NEW, 64))) / 17).round(4).astype(np.float32)
    truth = np.arange(N + NEW) % 3
    table = (3 * np.eye(3, 5)[truth] + 1.5 * rng.random((N + NEW, 5))).round(3)
    return {
        "y": np.where(np.arange(N) < 9, truth[:N], -1),
        **{"table": table[:N], "table_new": table[N:]},
        **{"pictures": pictures[:N], "pictures_new": pictures[N:]},
    }


def models_of_tables(X, y, folder):
    """Yield the kind and the model, fitted to a table of numbers."""
    short = {"tol": 0.05, "random_state": 0}
    plain = {"graph": "plain", **short}
    yield "chosen_graph", RONMF(random_state=0).fit(X, y)
    yield "plain", RONMF(graph="plain", random_state=0).fit(X, y)
    W = neighbor_graph(X, 4).affinity
    yield "precomputed", RONMF(graph="precomputed", **short).fit(X, y, affinity=W)
    unit = Normalizer().transform(X)
    for variant in "MSE":
        yield f"printed_{variant}", RONMF.printed(variant, random_state=0).fit(unit, y)
    released = RONMF.printed("E", assign="kmeans", max_iter=2, random_state=0)
    yield "as_released", released.fit(unit, y)

    # Every parameter of the solver and of the graph otherwise than by default, in some model
    solver = {"beta": 30.0, "balance": True, "init": "random", "basis": "unconstrained"}
    solver |= {"exact": False, "max_iter": 12, "tol": 1e-6, "random_state": 3}
    yield "solver", RONMF(graph="plain", **solver).fit(X, y)
    yield "exact_penalty", RONMF(basis="penalty", init="random", **plain).fit(X, y)
    weights = {"graph_weight": 0.5, "label_weight": 3.0, "relative": False, "class_prior": None}
    weights |= {"check_labels": False, "groups": "samples", "n_components": 4}
    yield "weights", RONMF(**weights, **plain).fit(X, y)
    edges = {"edge_weights": "heat", "heat_width": 0.7, "label_edges": True, "n_neighbors": 4}
    yield "edges", RONMF(**edges, **plain).fit(X, y)
    yield "edges_of_chosen_graph", RONMF(**edges, **short).fit(X, y)
    yield "cosine_edges", RONMF(edge_weights="cosine", **plain).fit(X, y)
    yield "binary_edges", RONMF(edge_weights="binary", **plain).fit(X, y)
    recipe = GraphRecipe(n_components=4, n_neighbors=4, whitening=0.5, prior=0.7)
    yield "recipe", RONMF(graph=recipe, **short).fit(X, y)
    changed = {"mcp": MCP(2.0, 4.0), "scad": SCAD(tau=3.0), "etp": ETP(gamma=2.0, rule="exact")}
    for name, cls in PENALTIES.items():
        yield f"penalty_{name}", RONMF(penalty=changed.get(name, cls()), **plain).fit(X, y)

    # Labels: none, too few, wrong ones, of other types
    yield "no_labels", RONMF(3, **plain).fit(X)
    yield "estimated_number", RONMF("auto", **short).fit(X)
    yield "more_clusters", RONMF(3, **plain).fit(X, np.where(y == 2, -1, y))
    wrong = np.arange(N) % 3
    wrong[[0, 4]] = (1, 2)
    yield "wrong_label", RONMF(**plain).fit(X, wrong)
    for kind, names in {
        "text": ["gull", "wren", "ördek"],
        "days": np.array(["2024-02-28", "2024-02-29", "2024-03-01"], dtype="M8[D]").tolist(),
        "numbers": [1, 2.5, 3],
    }.items():
        named = [None if code < 0 else names[code] for code in y]
        given = np.array(named, dtype="M8[D]") if kind == "days" else named
        yield f"names_{kind}", RONMF(**plain).fit(X, given)

    # How data come, and how a fit is run
    frame = pd.DataFrame(X, columns=[f"length {i}" for i in range(5)])
    yield "data_frame", RONMF(**plain).set_output(transform="pandas").fit(frame, y)
    yield "float32", RONMF(**plain).fit(X.astype(np.float32), y)
    np.save(folder / "X.npy", X)
    stored = np.load(folder / "X.npy", mmap_mode="r")
    yield "stored_rows", RONMF(checkpoint=folder / "state", **plain).fit(stored, y)
    warm = RONMF(warm_start=True, max_memory="4GiB", **plain)
    yield "warm_start", warm.fit(X, np.where(np.arange(N) < 6, y, -1)).fit(X, y)
    seeded = RONMF(graph="plain", tol=0.05, random_state=np.random.RandomState(7))
    yield "random_state", seeded.fit(X, y)
    yield "pipeline", make_pipeline(Normalizer(), RONMF(**plain)).fit(X, y)

    # The other methods
    yield "Harmonic", HarmonicLabelPropagation().fit(X, y)
    yield (
        "Harmonic_precomputed",
        HarmonicLabelPropagation(graph="precomputed").fit(X, y, affinity=W),
    )
    chosen = {"graph": "auto", "class_prior": "labels", "check_labels": True, "random_state": 0}
    yield "Harmonic_chosen_graph", HarmonicLabelPropagation(**chosen).fit(X, y)
    yield "Harmonic_edges", HarmonicLabelPropagation(label_weight=3.0, **edges).fit(X, y)
    for name in baselines.__all__:
        if name != "HarmonicLabelPropagation":
            settings = {"n_clusters": 3, "max_iter": 40, "n_init": 2, "random_state": 0}
            model = getattr(baselines, name)()
            known = {k: v for k, v in settings.items() if k in model.get_params()}
            yield name, model.set_params(**known).fit(X, y)
    other = {"edge_weights": "heat", "heat_width": 0.7, "n_neighbors": 4, "random_state": 0}
    yield "GNMF_edges", baselines.GNMF(3, max_iter=40, **other).fit(X, y)
    read = {"assign": "kmeans", "label_weight": 0.0, "n_init": 2, "random_state": 0}
    yield "LpCNMF_by_k_means", baselines.LpCNMF(3, max_iter=40, **read).fit(X, y)


def models_of_pictures(X, y):
    """Yield the kind and the model, fitted to pictures."""
    short = {"tol": 0.05, "random_state": 0}
    yield "pictures", RONMF(image_shape=SHAPE, **short).fit(X, y)
    yield "array_of_pictures", RONMF(graph="plain", **short).fit(X.reshape(-1, *SHAPE), y)
    hog, bins = make_pipeline(HOG(image_shape=SHAPE), UnitNorm()), make_pipeline(SoftBins(3))
    recipes = [
        GraphRecipe(),
        GraphRecipe(hog, axes="lda", shrinkage=0.1),
        GraphRecipe(bins, axes="propagated lda", n_components=9),
    ]
    yield "recipes", RONMF(graph=recipes, **short).fit(X, y)
    for kind, features in {
        "HOG": hog,
        "SoftBins": bins,
        "LocalContrast": LocalContrast(image_shape=SHAPE),
        "MedianFilter": make_pipeline(MedianFilter(image_shape=SHAPE), UnitNorm()),
        "GaussianBlur": GaussianBlur(0.5, image_shape=SHAPE),
    }.items():
        recipe = GraphRecipe(features, n_components=6)
        yield f"recipe_{kind}", HarmonicLabelPropagation(graph=recipe).fit(X, y)
    for kind, transformer in {
        "pipeline_of_pictures": HOG(image_shape=SHAPE),
        "deep_features": DeepFeatures(image_shape=SHAPE, white=1.0, cache=False),
    }.items():
        yield kind, make_pipeline(transformer, baselines.CNMF(3, random_state=0)).fit(X, y)


def told(model, new):
    """Return what a model says; names of classes as texts with their types."""
    fitted, answers = model.steps[-1][-1] if hasattr(model, "steps") else model, {}
    for name in ASKED:
        value = getattr(model, name, getattr(fitted, name, None))
        if name in METHODS and fitted.get_params(deep=False).get("graph") == "precomputed":
            value = value if isinstance(model, RONMF) else None  # it says nothing of new samples
        if value is None or np.size(value) > MOST:
            continue
        value = value(new) if callable(value) else value
        if name in NAMES:
            value = [f"{type(each).__name__} {each}" for each in np.asarray(value).tolist()]
        value = np.asarray(value)
        answers[name] = (value.round(7) if value.dtype.kind == "f" else value).tolist()
    return answers


def main() -> None:
    warnings.simplefilter("ignore")  # most fits are cut short
    samples, answers = make_samples(), {}
    with tempfile.TemporaryDirectory() as place:
        folder, y = Path(place), samples["y"]
        made = {
            "table": models_of_tables(samples["table"], y, folder),
            "pictures": models_of_pictures(samples["pictures"], y),
        }
        for data, models in made.items():
            (folder / data).mkdir()
            for kind, model in models:
                save_model(model, folder / data / f"{kind}.ronmf", extra={"kind": kind})
                answers[kind] = {"data": data, **told(model, samples[f"{data}_new"])}
            pack(folder / data, HERE / f"models_of_{data}.tar.xz")
    listed = {
        name: np.asarray(each, dtype=float).round(4).tolist() for name, each in samples.items()
    }
    with lzma.open(HERE / "answers.json.xz", "wt", encoding="utf-8") as file:
        json.dump({"samples": listed, "models": answers}, file)


if __name__ == "__main__":
    main()
