"""Convergence of the default solver on every set.

    python benchmarks/convergence.py [--data DIR] [--sets yale ...]

All classes of a set (cal101: its first 20, as 64 x 64 gray pictures), 30 % of the labels, one
seed. Prints the sweeps needed, the residuals at the end, the feasibility of U and the time.
"""

import argparse
import time

from protocol import SETS, available, data_directory, draw

from ronmf import RONMF

HEADER = f"{'set':9}{'samples':>8}{'features':>9}{'sweeps':>7}  {'primal':>8}  {'dual':>8}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", help="folder of the real sets (default: $RONMF_DATA)")
    parser.add_argument("--sets", nargs="+", default=("digits", *SETS), choices=("digits", *SETS))
    options = parser.parse_args()
    folder = data_directory(options.data)
    print(HEADER + f"  {'U infeasible by':>15}  {'unlabelled':>10}  {'seconds':>7}  stop")
    for name in options.sets:
        if not available(name, folder):
            print(f"{name:9}skipped: not in the data directory (--data or RONMF_DATA)")
            continue
        data = draw(name, 0, folder, n_classes=None, max_samples=20000)
        start = time.perf_counter()
        model = RONMF(graph="plain", random_state=0).fit(data.X, data.y)
        seconds = time.perf_counter() - start
        end = model.history_.last()
        print(
            f"{name:9}{len(data.X):8d}{data.X.shape[1]:9d}{model.n_iter_:7d}  {end['primal']:8.1e}"
            f"  {end['dual']:8.1e}  {end['orthogonality']:15.1e}"
            f"  {data.score(model.transduction_)[0]:10.4f}  {seconds:7.1f}  {model.stop_reason_}",
            flush=True,
        )


if __name__ == "__main__":
    main()
