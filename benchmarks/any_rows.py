"""Rows that are no pictures: signed, of different units, or sparse.

    python benchmarks/any_rows.py [--seeds 10] [--first-seed 1000] [--labels 1 2 5 10]

- digits, scores: 20 principal coordinates of scikit-learn's digits, some of them negative;
- digits, all scores: all 64 of them;
- wine, cancer, iris: columns of scikit-learn's sets as they are, in their units;
- docstrings: tf-idf rows of the docstrings of scikit-learn and SciPy, one class for each of twelve
  of their modules: what is installed makes the set, so another version may have other figures;
- topics: tf-idf rows of words drawn from ten overlapping topics.

A number of labels per class, drawn at random, and all classes. The method is RONMF with its
defaults. Its rivals propagate labels (`HarmonicLabelPropagation` with the class prior, on five
neighbours; scikit-learn's `LabelSpreading` on seven) over rows as they are, standardised, and
scaled to unit length, whose neighbours are those by cosine. Accuracy on unlabelled samples, mean
over draws.

The seeds are others than those with which the method was made (0 to 4).
"""

import argparse
import inspect
import pydoc
import warnings
from functools import cache
from importlib import import_module

import numpy as np
import scipy.sparse as sp
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.decomposition import PCA
from sklearn.feature_extraction.text import TfidfTransformer, TfidfVectorizer
from sklearn.preprocessing import StandardScaler, normalize
from sklearn.semi_supervised import LabelSpreading

from ronmf import RONMF, HarmonicLabelPropagation

SETS = ("digits, scores", "digits, all scores", "wine", "cancer", "iris", "docstrings", "topics")
MODULES = (
    *("scipy.stats", "scipy.signal", "scipy.linalg", "scipy.optimize", "scipy.ndimage"),
    *("scipy.special", "scipy.spatial", "sklearn.metrics", "sklearn.linear_model"),
    *("sklearn.datasets", "sklearn.preprocessing", "sklearn.ensemble"),
)
_PER_MODULE = 60  # docstrings


@cache
def rows_of(name: str) -> tuple:
    """Return rows, dense or sparse, and their classes."""
    if name.startswith("digits"):
        X, truth = load_digits(return_X_y=True)
        return PCA(None if "all" in name else 20).fit_transform(X), truth
    if name == "docstrings":
        texts, truth = docstrings()
        return TfidfVectorizer(sublinear_tf=True, stop_words="english").fit_transform(texts), truth
    if name == "topics":
        return topics()
    load = {"wine": load_wine, "cancer": load_breast_cancer, "iris": load_iris}[name]
    return load(return_X_y=True)


def docstrings() -> tuple[list[str], np.ndarray]:
    """Return docstrings without the names of modules, and which module each is from."""
    texts, truth = [], []
    for place, name in enumerate(MODULES):
        module = import_module(name)
        found = {
            pydoc.getdoc(thing)
            for key, thing in sorted(vars(module).items())
            if not key.startswith("_") and (inspect.isclass(thing) or callable(thing))
        }
        long = sorted(text for text in found if len(text) > 300)
        chosen = np.random.RandomState(0).permutation(len(long))[:_PER_MODULE]
        texts += [long[i].replace(name, "").replace(name.split(".")[1], "") for i in chosen]
        truth += [place] * len(chosen)
    return texts, np.array(truth)


def topics(n: int = 1500, n_words: int = 8000, n_topics: int = 10) -> tuple:
    """Return tf-idf rows of texts that mix a topic with words of all, and their topics."""
    rng = np.random.default_rng(7)
    common = rng.dirichlet(np.full(n_words, 0.05))
    own = rng.dirichlet(np.full(n_words, 0.02), n_topics)
    truth = rng.integers(n_topics, size=n)
    share = rng.beta(2, 5, n)[:, None]
    words = [
        rng.multinomial(rng.integers(30, 150), p) for p in share * own[truth] + (1 - share) * common
    ]
    return TfidfTransformer().fit_transform(sp.csr_array(np.array(words))), truth


def forms(X: object) -> dict[str, object]:
    """Return the rows as they are, standardised, and of unit length."""
    if sp.issparse(X):
        return {"unit": normalize(X)}
    return {"as is": X, "standardised": StandardScaler().fit_transform(X), "unit": normalize(X)}


def measure(name: str, labels: int, seed: int) -> dict[str, float]:
    """Return the accuracy of every method on one draw."""
    X, truth = rows_of(name)
    rng = np.random.default_rng((seed, 60))
    y = np.full(len(truth), -1)
    for j in np.unique(truth):
        y[rng.permutation(np.flatnonzero(truth == j))[:labels]] = j
    free, found = y < 0, {}
    methods = {("RONMF", ""): (RONMF(random_state=seed), X)}
    for form, rows in forms(X).items():
        dense = rows.toarray() if sp.issparse(rows) else rows
        harmonic = HarmonicLabelPropagation(class_prior="labels", random_state=seed)
        methods["harmonic", form] = harmonic, dense
        methods["spreading", form] = LabelSpreading(kernel="knn", n_neighbors=7), dense
    for (method, form), (model, rows) in methods.items():
        predicted = model.fit(rows, y).transduction_
        found[f"{method} {form}".strip()] = float((predicted == truth)[free].mean())
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--first-seed", type=int, default=1000)
    parser.add_argument("--labels", type=int, nargs="+", default=[1, 2, 5, 10])
    parser.add_argument("--sets", nargs="+", default=SETS, choices=SETS)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    columns = ["RONMF"]
    columns += [f"{m} {f}" for m in ("harmonic", "spreading") for f in forms(np.eye(2))]
    print("| set | labels | " + " | ".join(columns) + " |\n|" + "---|" * (2 + len(columns)))
    for name in options.sets:
        for labels in options.labels:
            seeds = range(options.first_seed, options.first_seed + options.seeds)
            found = [measure(name, labels, seed) for seed in seeds]
            means = [np.mean([row[c] for row in found]) if c in found[0] else None for c in columns]
            values = " | ".join("-" if v is None else f"{v:.3f}" for v in means)
            print(f"| {name} | {labels} | {values} |", flush=True)


if __name__ == "__main__":
    main()
