"""Cluster handwritten digits from a few labels and show the result as one web page.

``python examples/demo.py`` needs no network: the 1797 digits come with scikit-learn. It prints the
scores and writes ``demo/index.html``, a single file that any browser opens.
"""

import argparse
import io
import os
import sys
import time
from base64 import b64encode
from dataclasses import dataclass
from html import escape
from pathlib import Path
from string import Template
from typing import Any

import numpy as np
from matplotlib import colormaps, colors, image, rcParams
from matplotlib.figure import Figure
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from sklearn.semi_supervised import LabelSpreading

from ronmf import RONMF

LABEL_RATE = 0.03
N_SHOWN = 24  # pictures of a cluster, and doubtful ones
rcParams["font.size"] = 13


@dataclass(frozen=True)
class Run:
    """Data and fits; `truth` is for scores and marks, no method saw it."""

    X: np.ndarray
    truth: np.ndarray
    y: np.ndarray
    model: RONMF
    rival: LabelSpreading
    certainty: np.ndarray  # probability of a sample's own cluster
    facts: dict[str, str]

    def accuracy(self, fitted: Any) -> tuple[float, float]:
        """Return the accuracy on the unlabelled samples, and on all."""
        right = fitted.transduction_ == self.truth
        return float(right[self.y == -1].mean()), float(right.mean())


class SweepDots:
    """A scikit-learn callback that prints a dot for each sweep."""

    def on_fit_task_begin(self, estimator: Any, context: Any) -> None:
        """Do nothing: a sweep counts when it is done."""

    setup = teardown = on_fit_task_begin

    def on_fit_task_end(self, estimator: Any, context: Any) -> None:
        """Print a dot; the fit as a whole, which has no parent, ends the line."""
        print(end="\n" if context.parent is None else ".", flush=True)


def show_progress(model: RONMF) -> None:
    """Set scikit-learn's progress bar, or plain dots where its package rich is missing."""
    try:
        from sklearn.callback import ProgressBar

        model.set_callbacks(ProgressBar())
    except ImportError:
        if hasattr(model, "set_callbacks"):  # not before scikit-learn 1.9: phase lines must do
            model.set_callbacks(SweepDots())


def fit_both(seed: int) -> Run:
    """Fit both methods to the same pictures and the same labels."""
    X, truth = load_digits(return_X_y=True)
    y, samples = np.full(len(X), -1), np.arange(len(X))  # -1: not labelled
    told, _ = train_test_split(samples, train_size=LABEL_RATE, stratify=truth, random_state=seed)
    y[told] = truth[told]
    model = RONMF(image_shape=(8, 8), random_state=seed)
    show_progress(model)
    print(f"Clustering {len(X)} digits, {len(told)} of them labelled, with RONMF", flush=True)
    start = time.perf_counter()
    model.fit(X, y)
    seconds = time.perf_counter() - start
    print("Comparing with LabelSpreading on the same labels", flush=True)
    rival = LabelSpreading(kernel="knn", n_neighbors=7).fit(X, y)
    graph, unreached = model.graph_summary_, "{unreached_components} ({unreached_samples} samples)"
    facts = {
        "Graph chosen": str(model.graph_report_.candidates[0].recipe),
        "Neighbour graph": "{edges} edges, {components} connected components".format_map(graph),
        "Components without a label": unreached.format_map(graph),
        "Sweeps": str(model.n_iter_),
        "Stopped because": model.stop_reason_,
        "Time of the RONMF fit": f"{seconds:.1f} s",
        "Seed": str(seed),
    }
    certainty = model.label_distributions_.max(axis=1)
    return Run(X, truth, y, model, rival, certainty, facts)


def print_report(run: Run) -> None:
    """Print scores and facts."""
    print(f"\n{'Accuracy':<28}unlabelled      all")
    for name, fitted in (("RONMF", run.model), ("LabelSpreading", run.rival)):
        unlabelled, total = run.accuracy(fitted)
        print(f"{name:<28}{unlabelled:>10.2%}{total:>9.2%}")
    print("", *(f"{name:<28}{value}" for name, value in run.facts.items()), sep="\n")


def img(kind: str, data: bytes, alt: str) -> str:
    """Return an image element that carries its own data."""
    return f'<img src="data:image/{kind};base64,{b64encode(data).decode()}" alt="{escape(alt)}">'


def tile(pixels: np.ndarray, alt: str, caption: str = "", css: str = "") -> str:
    """Return a small picture, dark on light; its description is also the tooltip."""
    file = io.BytesIO()
    image.imsave(file, pixels.reshape(8, 8), vmin=0, cmap="gray_r", metadata={"Software": None})
    inside = img("png", file.getvalue(), alt) + f"<figcaption>{caption}</figcaption>"
    return f'<figure class="tile {css}" title="{escape(alt)}">{inside}</figure>'


def sample_tiles(run: Run, samples: np.ndarray, *, say_cluster: bool = False) -> str:
    """Return the tiles of samples in a strip, framed by what is known of them."""
    sure, tiles = run.certainty, []
    for i in samples:
        cluster = run.model.transduction_[i]
        alt, css = f"Picture {i}, put in cluster {cluster}, {sure[i]:.0%} sure", ""
        caption = f"{cluster}? {sure[i]:.0%}<br>" if say_cluster else ""
        if run.y[i] != -1:
            alt, css = f"{alt}; its label {run.y[i]} was given", "labelled"
        if cluster != run.truth[i]:
            alt, css = f"{alt}; wrong, it is a {run.truth[i]}", f"{css} wrong"
            caption += f"<b>is {run.truth[i]}</b>"
        tiles.append(tile(run.X[i], alt, caption, css))
    return f'<div class="strip">{"".join(tiles)}</div>'


def cluster_html(run: Run, j: int) -> str:
    """Return one cluster: prototype, size, and members from certain to doubtful."""
    name, members = run.model.classes_[j], np.flatnonzero(run.model.labels_ == j)
    members = members[np.argsort(-run.certainty[members], kind="stable")]
    steps = np.linspace(0, len(members) - 1, min(N_SHOWN, len(members))).round().astype(int)
    hidden = members[run.y[members] == -1]
    wrong = f"{(run.truth[hidden] != name).sum()} of the other {len(hidden)} are wrong"
    prototype = tile(run.model.prototypes_[j], f"Prototype of cluster {name}", "prototype")
    return f"""<section class="cluster" id="cluster-{j}">{prototype}<div>
<h3>Cluster {name}: {len(members)} pictures</h3>
<p class="note">{len(members) - len(hidden)} labelled; {wrong}</p>
{sample_tiles(run, members[steps])}</div></section>"""


def pixel_map(texts: list[str], colours: Any) -> str:
    """Return a map of the pixels, with text in each so that nothing hangs on colour alone."""
    cells = zip(texts, map(colors.to_hex, colours), strict=True)
    spans = "".join(f'<span style="background:{colour}">{text}</span>' for text, colour in cells)
    label = f"Map of the pixels, row by row: {' '.join(texts)}"
    return f'<div class="map" role="img" aria-label="{label}">{spans}</div>'


def parts_map(components: np.ndarray) -> str:
    """Show which pixel belongs to which part, in colours light enough for dark text."""
    owner = np.where(components.max(axis=0) > 0, components.argmax(axis=0), -1)
    light = colormaps["tab20"].colors[1::2]
    colours = ["white" if k < 0 else light[k % len(light)] for k in owner]
    return pixel_map(["–" if k < 0 else str(k + 1) for k in owner], colours)


def curve(title: str, yscale: str, **series: list[float]) -> str:
    """Plot series over sweeps."""
    figure = Figure(figsize=(5, 3.6), layout="constrained")
    axes = figure.add_subplot(yscale=yscale, xlabel="sweep", title=title)
    for (name, values), style in zip(series.items(), ("-", "--"), strict=False):
        axes.plot(range(1, len(values) + 1), values, style, label=name, linewidth=2.2)
    axes.grid(alpha=0.4)
    axes.legend()
    file = io.BytesIO()
    figure.savefig(file, format="svg", metadata={"Date": None})
    ends = ", ".join(f"{name} from {v[0]:.4g} to {v[-1]:.4g}" for name, v in series.items())
    return img("svg+xml", file.getvalue(), f"{title} over the sweeps: {ends}")


def page(run: Run) -> str:
    """Fill the template."""
    model, history = run.model, run.model.history_
    hidden, wrong = np.flatnonzero(run.y == -1), run.model.transduction_ != run.truth
    doubtful = hidden[np.argsort(run.certainty[hidden], kind="stable")][:N_SHOWN]
    weights = np.asarray(model.group_weights_)
    reds = colormaps["YlOrRd"](0.6 * (1 - weights))  # dark text must stay legible on them
    given = [(name, sample_tiles(run, np.flatnonzero(run.y == name))) for name in model.classes_]
    parts = [tile(u, f"Part {k}", f"part {k}") for k, u in enumerate(model.components_, start=1)]
    values = {
        "n_samples": len(run.X),
        "n_labels": len(run.X) - len(hidden),
        "n_shown": N_SHOWN,
        "accuracy": f"{run.accuracy(model)[0]:.1%}",
        "rival_accuracy": f"{run.accuracy(run.rival)[0]:.1%}",
        "seconds": run.facts["Time of the RONMF fit"],
        "rate": f"{LABEL_RATE:.0%}",
        "given": "\n".join(f"<div><h3>{name}</h3>{tiles}</div>" for name, tiles in given),
        "doubtful": sample_tiles(run, doubtful, say_cluster=True),
        "doubtful_wrong": f"{wrong[doubtful].sum()} of {len(doubtful)}",
        "hidden_wrong": f"{wrong[hidden].sum()} of {len(hidden)}",
        "clusters": "\n".join(cluster_html(run, j) for j in range(len(model.classes_))),
        "parts": "".join(parts),
        "parts_map": parts_map(model.components_),
        "weights": pixel_map([f"{w:.2f}" for w in weights], reds),
        "lowest_weight": f"{weights.min():.2f}",
        "set_aside": f"{(weights <= 0).sum()} of {len(weights)}",
        "objective": curve("Objective", "linear", objective=history.objective),
        "residuals": curve("Residuals", "log", primal=history.primal, dual=history.dual),
        "facts": "\n".join(f"<tr><th>{k}<td>{escape(v)}" for k, v in run.facts.items()),
    }
    return Template(Path(__file__).with_suffix(".html").read_text("utf-8")).substitute(values)


def write_page(target: Path, text: str) -> None:
    """Write the page whole or not at all."""
    target.parent.mkdir(parents=True, exist_ok=True)
    draft = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        draft.write_text(text, encoding="utf-8")
        os.replace(draft, target)
    finally:
        draft.unlink(missing_ok=True)


def main() -> int:
    """Run the demo; 2 is returned where the page cannot be written."""
    parser = argparse.ArgumentParser(description="Cluster digits from a few labels; write a page.")
    parser.add_argument("--output", type=Path, default=Path("demo"), help="folder of the page")
    parser.add_argument("--seed", type=int, default=0, help="seed of labels and fit")
    options = parser.parse_args()
    if not 0 <= options.seed < 2**32:
        parser.error("--seed must be at least 0 and below 2**32")
    began = time.perf_counter()
    run = fit_both(options.seed)
    print_report(run)
    target, text = options.output / "index.html", page(run)
    try:
        write_page(target, text)
    except OSError as error:
        print(f"demo: cannot write {target}: {error.strerror}.", file=sys.stderr)
        return 2
    print(f"\nDone in {time.perf_counter() - began:.1f} s. Open {target.resolve()} in a browser.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
