"""Pictures per second through EfficientNet-Lite0, by onnxruntime and by torch on the CPU.

Both are warmed up, and measured in turn so that what else the machine does meets both alike:

    python benchmarks/deep_speed.py
"""

import argparse
import os
import time

import numpy as np
from threadpoolctl import threadpool_limits

from ronmf.features._networks import LITE0, load_network
from ronmf.system.platform import cores

BACKENDS = ("onnxruntime", "torch")
SIZES = (224, 32)


def pictures_of(count: int, side: int) -> np.ndarray:
    """Return smooth pictures of random colours: noise would not be resized any faster."""
    rng = np.random.default_rng(0)
    rows, columns = np.indices((side, side)) / side
    phases = rng.uniform(0, 6, (4, count, 1, 1, 3))
    waves = np.sin(phases[0] * rows[..., None] + phases[1] * columns[..., None] + phases[2])
    return (127 + 127 * waves * np.cos(phases[3])).astype(np.uint8)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--repeats", type=int, default=9)
    told = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: told.cores])
    import torch  # after that: it has as many threads as cores

    torch.set_num_threads(told.cores)
    # Each is held: `load_network` keeps only the last one.
    networks = {backend: load_network(LITE0, "cpu", backend) for backend in BACKENDS}
    load = f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"
    print(f"{cores()} cores, batch of {told.batch}, {told.repeats} repeats; load before: {load}\n")
    print("| pictures | " + " | ".join(f"{name}, per second" for name in BACKENDS) + " | ratio |")
    print("|---|---|---|---|")
    with threadpool_limits(told.cores, user_api="blas"):
        for side in SIZES:
            pictures = pictures_of(told.batch, side)
            rates: dict[str, list[float]] = {backend: [] for backend in BACKENDS}
            vectors = {backend: networks[backend].embed(pictures) for backend in BACKENDS}
            for _ in range(told.repeats):
                for backend, network in networks.items():
                    start = time.perf_counter()
                    network.embed(pictures)
                    rates[backend].append(told.batch / (time.perf_counter() - start))
            # The median of ratios of neighbours in time: both then met the same load.
            ratio = np.median(np.divide(rates["onnxruntime"], rates["torch"]))
            cells = [
                f"{np.median(rate):.0f} ({min(rate):.0f} to {max(rate):.0f})"
                for rate in rates.values()
            ]
            print(f"| {side} x {side} | {' | '.join(cells)} | {ratio:.2f} |")
            apart = np.abs(vectors["onnxruntime"] - vectors["torch"]).max()
            assert apart < 1e-3, apart
    print(f"\nLargest difference of a feature: {apart:.1e}, of features up to 6.")


if __name__ == "__main__":
    main()
