"""What the choice of the graph costs: a fit with graph="auto" over one with graph="plain".

    python benchmarks/auto_cost.py [--data DIR] [--repeats 5]

All of usps (9298 samples, 10 classes) with 30 % labels; without it, scikit-learn's digits.
Medians of alternating fits in one process.
"""

import argparse
import time

import numpy as np
from protocol import available, data_directory

from ronmf import RONMF
from ronmf.datasets import load
from ronmf.experiments import draw_case


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", help="folder of the real sets (default: $RONMF_DATA)")
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    folder = data_directory(options.data)
    name = "usps" if available("usps", folder) else "digits"
    case = draw_case(load(name, folder), label_rate=0.3, seed=0)
    view = case.view
    seconds: dict[str, list[float]] = {"plain": [], "auto": []}
    accuracy = {}
    for _ in range(options.repeats):
        for graph, times in seconds.items():
            model = RONMF(graph=graph, image_shape=view.image_shape, random_state=0)
            start = time.perf_counter()
            model.fit(view.X, view.y)
            times.append(time.perf_counter() - start)
            accuracy[graph] = case.score(model.labels_)["acc_unlabelled"]
    plain, auto = (float(np.median(times)) for times in seconds.values())
    print(f"{name}, {len(view.X)} samples, median of {options.repeats} fits")
    print(f"plain {plain:.2f} s, unlabelled ACC {accuracy['plain']:.3f}")
    print(f"auto  {auto:.2f} s, unlabelled ACC {accuracy['auto']:.3f}")
    print(f"ratio {auto / plain:.2f}")


if __name__ == "__main__":
    main()
