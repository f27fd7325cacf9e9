"""RONMF on the pixel graph beside label propagation on it and scikit-learn's LabelSpreading.

    python benchmarks/accuracy.py [--data DIR] [--seeds 10] [--sets digits yale ...]

Digits have 3 % labels; every other set 6 classes drawn at random, 30 % labels and at most 2000
samples. Mean ± standard deviation over seeds of the accuracy on the unlabelled samples ("all": on
all samples, as papers print it). Samples are scaled to unit length, digits are taken as they are.
"""

import argparse

import numpy as np
from protocol import available, data_directory, draw
from sklearn.semi_supervised import LabelSpreading

from ronmf import RONMF
from ronmf.baselines import HarmonicLabelPropagation

SETS = ("digits", "yale", "umist", "coil20", "orl10p", "usps", "mnist")


METHODS = {
    "RONMF": lambda X, y: (
        RONMF(graph="plain", class_prior=None, random_state=0).fit(X, y).transduction_
    ),
    "propagation": lambda X, y: HarmonicLabelPropagation().fit(X, y).transduction_,
    "LabelSpreading": lambda X, y: (
        LabelSpreading(kernel="knn", n_neighbors=7).fit(X, y).transduction_
    ),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", help="folder of the real sets (default: $RONMF_DATA)")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--sets", nargs="+", default=SETS, choices=SETS)
    options = parser.parse_args()
    folder = data_directory(options.data)

    print("set      " + "".join(f"{name:>24}" for name in METHODS) + "   RONMF - propagation")
    gains = []
    for name in options.sets:
        if not available(name, folder):
            print(f"{name:9}skipped: not in the data directory (--data or RONMF_DATA)")
            continue
        settings = (
            {"n_classes": None, "label_rate": 0.03, "unit": False} if name == "digits" else {}
        )
        scores = np.array(
            [
                [data.score(method(data.X, data.y)) for method in METHODS.values()]
                for data in (draw(name, seed, folder, **settings) for seed in range(options.seeds))
            ]
        )  # seeds x methods x (unlabelled, all)
        mean, std = scores.mean(axis=0), scores.std(axis=0)
        cells = (f"{m[0]:.4f}±{s[0]:.4f} all {m[1]:.3f}" for m, s in zip(mean, std, strict=True))
        gain = mean[0, 0] - mean[1, 0]
        print(
            f"{name:9}" + "".join(f"{cell:>24}" for cell in cells) + f"   {gain:+.4f}", flush=True
        )
        if name != "digits":
            gains.append(gain)
    if gains:
        print(f"mean gain over propagation on the real sets: {np.mean(gains):+.4f}")


if __name__ == "__main__":
    main()
