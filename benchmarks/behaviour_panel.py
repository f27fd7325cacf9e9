"""The panel: small fits, draws and scores that show together how the program behaves.

Every fit goes the way of a run of a plan: the protocol draws and hides, the worker's estimator
fits. All data are scikit-learn's digits. Where neighbours decide, pixels are noisy: of clean
digits, with 17 shades of grey, many samples are equally near, and rounding chooses among them.

What only larger data, other files or an accelerator go through is not in here.
"""

import json
import warnings
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from ronmf.bench import METHODS, NOISES, Case, draw_case, flip_labels
from ronmf.bench.running.worker import Task, prepare
from ronmf.datasets import load
from ronmf.features import DeepFeatures
from ronmf.metrics import score

__all__ = ["PANEL", "Outcome"]

Outcome = dict[str, str | float]
"""Texts are labels, one sign for each sample; the rest are numbers."""

_SIGNS = "-0123456789abcdefghijklmnopqrstuvwxyz"  # the first is for "no label"
_NOISY = {"noise": "gaussian", "noise_level": 0.3, "seed": 1}
_METHODS = {"n_classes": 5, "samples_per_class": 20, "label_rate": 0.2, **_NOISY}


def _draw(zoom: int = 1, **settings: Any) -> Case:
    """Draw digits, every pixel of which becomes `zoom` x `zoom` pixels."""
    digits = load("digits")
    pictures = np.kron(digits.X.reshape(-1, *digits.image_shape), np.ones((1, zoom, zoom)))
    larger = replace(digits, X=pictures.reshape(len(pictures), -1), image_shape=pictures.shape[1:])
    return draw_case(larger, **{"samples_per_class": 20, **settings})


def _labels(labels: Any) -> str:
    return "".join(_SIGNS[label + 1] for label in labels)


def _shown(**settings: Any) -> Outcome:
    """Return what is drawn and shown to methods."""
    view = _draw(n_classes=3, **settings).view
    place = np.cos(np.arange(view.X.size)).reshape(view.X.shape)
    edges = {} if view.affinity is None else {"edges": view.affinity.nnz}
    shown = {"pixels": view.X.sum(), "pixels by place": (view.X * place).sum(), **edges}
    return {"given labels": _labels(view.y)} | {k: float(v) for k, v in shown.items()}


def _scores() -> Outcome:
    """Return all metrics of a clustering that is partly wrong."""
    truth = np.repeat([0, 1, 2], 20)
    return score(truth, (truth + (np.arange(60) % 7 == 0)) % 4, np.arange(60) % 3 > 0)


def _embedding() -> Outcome:
    """Return what a network makes of pictures."""
    digits = load("digits")
    network = DeepFeatures("efficientnet_lite0", image_shape=digits.image_shape, white=1.0)
    found = network.fit_transform(digits.X[:4])
    return {"mean": float(found.mean()), "deviation": float(found.std())}


def _fit(
    method: str = "RONMF",
    *,
    given: bool = True,
    shape: bool = True,
    wrong: float = 0.0,
    more_labels: bool = False,
    stored: bool = False,
    auto: bool = False,
    named: int | None = None,
    params: dict[str, Any] | None = None,
    **draw: Any,
) -> Outcome:
    """Return what a method finds.

    `given` and `shape` say whether it sees labels and the shape of pictures, `wrong` what share of
    the labels is another class, `more_labels` whether it is fitted again with one more of each
    class, and `stored` whether the data are on a disk; `auto` whether the number of clusters is
    asked for, and `named` how many classes have labels, if not all.
    """
    case = _draw(**{**_NOISY, **draw})
    view = case.view if shape else replace(case.view, image_shape=None)
    model, arguments = prepare(Task(view, method, json.dumps(params or {}), 1))
    if auto:
        model.set_params(n_clusters="auto")
    y = flip_labels(view.y, wrong, np.random.default_rng(1)) if given else np.full(len(view.y), -1)
    if named is not None:
        y = np.where(y < named, y, -1)
    with TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # whether it converged shows in the iterations
        X = _on_disk(view.X, Path(folder)) if stored else view.X
        labels = model.fit_predict(X, y, **arguments)
        if more_labels:
            y = _with_one_more(y, case.truth_for_pictures)
            labels = model.fit_predict(X, y, **arguments)
        del X  # some systems do not remove the folder of a file that is in use
    labels = labels if labels.dtype.kind in "iu" else model.labels_
    numbers = {"right": case.score(labels)["acc_unlabelled"], **_numbers(model)}
    return {"labels": _labels(labels), **numbers}


def _on_disk(X: np.ndarray, folder: Path) -> np.ndarray:
    np.save(folder / "X.npy", X)
    return np.load(folder / "X.npy", mmap_mode="r")


def _with_one_more(y: np.ndarray, truth: np.ndarray) -> np.ndarray:
    more = y.copy()
    for j in np.unique(truth):
        more[np.flatnonzero((truth == j) & (y < 0))[0]] = j
    return more


def _numbers(model: Any) -> Outcome:
    """Return numbers that say how the labels of a fit came about."""
    found: Outcome = {}
    for name in ("n_iter_", "inertia_", "graph_weight_"):
        if getattr(model, name, None) is not None:
            found[name.strip("_")] = float(getattr(model, name))
    if getattr(model, "layers_", None) is not None:
        found |= {f"layer {i}": float(each.n_clusters) for i, each in enumerate(model.layers_)}
        found["stability of the layer"] = model.layers_[model.layer_].stability
    if (history := getattr(model, "history_", None)) is not None:
        found["objective"] = float(history.objective[-1])
    if (memberships := getattr(model, "membership_", None)) is not None:
        found["largest memberships"] = float(np.max(memberships, axis=1).mean())
    if (report := getattr(model, "graph_report_", None)) is not None:
        found |= {f"share of {c.recipe}": float(c.share) for c in report.candidates if c.share}
    return found


PANEL: dict[str, Callable[[], Outcome]] = {
    "draw": _shown,
    "draw, not scaled": partial(_shown, scaling="none"),
    "draw, two labels": partial(_shown, labels_per_class=2),
    "draw, leaked graph": partial(_shown, leak="authors"),
    **{
        f"draw, {kind}": partial(_shown, noise=kind, noise_level=min(most, 0.3))
        for kind, most in NOISES.items()
    },
    "scores": _scores,
    "features of a network": _embedding,
    **{method: partial(_fit, method, **_METHODS) for method in METHODS},
    "RONMF, 1 label per class": partial(_fit, labels_per_class=1),
    "RONMF, 2 labels per class": partial(_fit, labels_per_class=2, seed=4),
    "RONMF, few labels of many samples": partial(_fit, labels_per_class=5, samples_per_class=60),
    "RONMF, 30 %": partial(_fit, label_rate=0.3),
    "RONMF, no labels": partial(_fit, given=False),
    "RONMF, number of clusters": partial(_fit, given=False, auto=True),
    "RONMF, classes without labels": partial(_fit, labels_per_class=5, named=6, auto=True),
    "RONMF, labels that arrive": partial(
        _fit, given=False, auto=True, params={"warm_start": True}, more_labels=True
    ),
    "RONMF, linear view": partial(
        _fit, labels_per_class=10, samples_per_class=60, shape=False, n_classes=10
    ),
    "RONMF, without shape": partial(_fit, shape=False),
    "RONMF, above 1,000 samples": partial(_fit, label_rate=0.05, samples_per_class=110),
    "RONMF, 30 % of many samples": partial(_fit, label_rate=0.3, samples_per_class=110),
    "RONMF, larger pictures": partial(_fit, n_classes=5, samples_per_class=30, zoom=3),
    "RONMF, 1 label of many samples": partial(
        _fit, labels_per_class=1, samples_per_class=110, shape=False
    ),
    "RONMF, wrong labels": partial(_fit, label_rate=0.3, wrong=0.2, seed=2),
    "RONMF, plain graph": partial(_fit, params={"graph": "plain"}),
    "RONMF, precomputed graph": partial(_fit, leak="authors"),
    "RONMF, groups are samples": partial(_fit, params={"graph": "plain", "groups": "samples"}),
    "RONMF, weights of the user": partial(_fit, params={"graph_weight": 1.0, "label_weight": 1.0}),
    "RONMF, warm start": partial(_fit, params={"warm_start": True}, more_labels=True),
    "RONMF, stored rows": partial(_fit, stored=True),
}
