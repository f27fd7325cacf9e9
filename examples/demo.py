"""Cluster handwritten digits from a few labels and show the result as one web page.

``python examples/demo.py`` needs no network: the 1797 digits come with scikit-learn. It prints the
scores and writes ``demo/index.html``, a single file that any browser opens, and the digits as
pictures, for the page of ``ronmf app``.
"""

import argparse
import sys
import time
from pathlib import Path

import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from sklearn.semi_supervised import LabelSpreading

from ronmf import RONMF
from ronmf.displays import array_thumbnail

LABEL_RATE = 0.03


def write_pictures(folder: Path, images: np.ndarray) -> None:
    """Write the digits as picture files, dark on light, unless they are there."""
    folder.mkdir(parents=True, exist_ok=True)
    for i, image in enumerate(images):
        file = folder / f"{i:04d}.png"
        if not file.exists():
            file.write_bytes(array_thumbnail((255 - image * 15.9).astype(np.uint8)))


def main() -> int:
    """Run the demo; 2 is returned where the page cannot be written."""
    parser = argparse.ArgumentParser(description="Cluster digits from a few labels; write a page.")
    parser.add_argument("--output", type=Path, default=Path("demo"), help="folder of the page")
    parser.add_argument("--seed", type=int, default=0, help="seed of labels and fit")
    options = parser.parse_args()
    if not 0 <= options.seed < 2**32:
        parser.error("--seed must be at least 0 and below 2**32")
    began = time.perf_counter()

    digits = load_digits()
    X, truth = digits.images, digits.target
    told, _ = train_test_split(
        np.arange(len(X)), train_size=LABEL_RATE, stratify=truth, random_state=options.seed
    )
    y = np.full(len(X), -1)  # -1: not labelled
    y[told] = truth[told]

    print(f"Clustering {len(X)} digits, {len(told)} of them labelled, with RONMF", flush=True)
    model = RONMF(random_state=options.seed, verbose=True).fit(X, y)
    seconds = time.perf_counter() - began
    print("Comparing with LabelSpreading on the same labels", flush=True)
    rival = LabelSpreading(kernel="knn", n_neighbors=7).fit(X.reshape(len(X), -1), y)

    print(f"\n{'Accuracy':<28}unlabelled      all")
    for name, fitted in (("RONMF", model), ("LabelSpreading", rival)):
        right = fitted.transduction_ == truth
        print(f"{name:<28}{right[y == -1].mean():>10.2%}{right.mean():>9.2%}")
    rival_accuracy = (rival.transduction_ == truth)[y == -1].mean()
    facts = {
        "Accuracy of LabelSpreading": f"{rival_accuracy:.1%} on the same unlabelled pictures",
        "Time of the RONMF fit": f"{seconds:.1f} s",
        "Seed": options.seed,
    }
    page = options.output / "index.html"
    try:
        options.output.mkdir(parents=True, exist_ok=True)
        write_pictures(options.output / "pictures", X)
        title = f"Sorting {len(X)} handwritten digits after being told {len(told)} of them"
        model.report(X, truth=truth, title=title, facts=facts).save(page)
    except (OSError, ValueError) as error:
        print(f"demo: cannot write {page}: {error}", file=sys.stderr)
        return 2
    print(f"\nDone in {time.perf_counter() - began:.1f} s. Open {page.resolve()} in a browser.")
    ronmf = Path(sys.executable).with_name("ronmf")
    print(f"To label these digits yourself: {ronmf} app {options.output / 'pictures'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
