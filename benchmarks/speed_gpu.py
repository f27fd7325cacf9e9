"""A fit on a GPU: 70,000 pictures, to convergence, on the plain graph and with the default.

    python benchmarks/speed_gpu.py --data DIR [--samples 70000] [--profile]

mnist, filled up with copies that are moved by a pixel and dimmed (``growth.py``), 5 % labels,
float32, on CUDA. The first fit, on few samples, is not counted: it loads the device's libraries.
"""

import argparse
import cProfile
import pstats
import time

import numpy as np
import torch
from growth import jittered, labelled
from protocol import data_directory

from ronmf import RONMF
from ronmf.datasets import load


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", help="folder of the real sets (default: $RONMF_DATA)")
    parser.add_argument("--samples", type=int, default=70000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--profile", action="store_true", help="print where a fit spends its time")
    options = parser.parse_args()
    dataset = load("mnist", data_directory(options.data))
    order = np.random.RandomState(0).permutation(len(dataset.X))
    pixels, shape = np.asarray(dataset.X, dtype=np.float32)[order], dataset.image_shape
    source, rows = jittered(pixels, shape, options.samples, seed=0)
    truth = dataset.y[order][source]
    y, X = labelled(truth, 0.05, 0), torch.asarray(rows, device="cuda")
    print(torch.cuda.get_device_name(), torch.__version__, tuple(X.shape))
    for graph in ("plain", "auto"):
        model = RONMF(graph=graph, image_shape=shape, random_state=0)
        model.fit(X[:3000], y[:3000])
        seconds = []
        for _ in range(options.repeats):
            start = time.perf_counter()
            model.fit(X, y)
            torch.cuda.synchronize()
            seconds.append(time.perf_counter() - start)
        right = (model.transduction_ == truth)[y == -1].mean()
        print(
            f"{graph}: median {np.median(seconds):.2f} s of {options.repeats}, {model.n_iter_}"
            f" sweeps ({model.stop_reason_}), unlabelled ACC {right:.4f}",
            flush=True,
        )
        if options.profile:
            profile = cProfile.Profile()
            profile.runcall(model.fit, X, y)
            pstats.Stats(profile).sort_stats("cumtime").print_stats(45)


if __name__ == "__main__":
    main()
