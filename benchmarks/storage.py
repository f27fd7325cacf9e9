"""Data beyond memory: the same results, time and memory by size, Dask, a limit, kills.

    python benchmarks/storage.py same  --data DIR             # memory, disk and Dask give the same
    python benchmarks/storage.py grow  --data DIR             # 20,000 to 1,000,000 pictures on disk
    python benchmarks/storage.py dask  --data DIR [--kills 1] # on two workers; one is killed
    python benchmarks/storage.py wide  --data DIR             # cal101 as 200 x 300 pixels in 2 GiB
    python benchmarks/storage.py kills --data DIR --kills 10  # kill -9 at random moments

Pictures are written to ``--folder`` (by default ``big`` in the working directory) unless they are
there. Every fit runs in a process of its own, which tells its largest memory. Lines are printed,
and written as JSON to ``--save`` if that is named.
"""

import argparse
import json
import re
import resource
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
from many_pictures import labels, write
from protocol import data_directory

LABELLED = 0.01  # of every class
SIZES = (20_000, 50_000, 200_000, 1_000_000)
SHAPE = (28, 28)
GRAPH = ("graph", "neighbors", "hidden labels")  # stages that make and judge it


def pictures(folder: Path, data: Path | None, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Return so many pictures in a file, made if they are not there, and their classes."""
    path = folder / "pictures.npy"
    if not path.exists() or len(np.load(path, mmap_mode="r")) < count:
        write(folder, count, data)
    return np.load(path, mmap_mode="r")[:count], np.load(folder / "classes.npy")[:count]


def tell(model: object, y: np.ndarray, truth: np.ndarray, seconds: float) -> dict:
    """Return what a fit was like."""
    right = model.transduction_ == truth
    return {
        "samples": len(y),
        "seconds": round(seconds, 1),
        "peak_gib": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20, 2),
        "accuracy": round(float(right[y == -1].mean()), 4),
        "accuracy_all": round(float(right.mean()), 4),
        "sweeps": model.n_iter_,
        "objective": model.history_.objective[-1],
        "labels": int(np.bitwise_xor.reduce(model.labels_ * (1 + np.arange(len(y))))),
        "recall": round(model.graph_.recall, 4),
    }


def fit(options: argparse.Namespace) -> None:
    """Fit the pictures on disk in this process, and print what it was like."""
    from ronmf import RONMF

    X, truth = pictures(options.folder, data_directory(options.data), options.count)
    y = labels(truth, LABELLED, options.seed)
    limit = {"max_memory": options.max_memory, "checkpoint": options.checkpoint}
    model = RONMF(image_shape=SHAPE, random_state=0, verbose=True, **limit)
    began = time.monotonic()
    model.fit(X, y)
    print(json.dumps(tell(model, y, truth, time.monotonic() - began)))


def in_process(command: str, *arguments: str, options: argparse.Namespace) -> dict:
    """Run a command of this script in a process of its own; return what it tells, with stages."""
    line = [sys.executable, __file__, command, "--folder", str(options.folder), *arguments]
    line += ["--data", options.data] if options.data else []
    ended = subprocess.run(line, capture_output=True, text=True, check=False)
    if ended.returncode:
        raise SystemExit(ended.stderr)
    told = json.loads(ended.stdout.splitlines()[-1])
    stages: dict[str, float] = {}
    for name, seconds in re.findall(r"\[RONMF\] ([\w ]+): done \(.*?([\d.]+) s\)", ended.stderr):
        stages[name] = round(stages.get(name, 0.0) + float(seconds), 1)
    told["stages"] = stages
    return told


def say(told: dict, options: argparse.Namespace) -> None:
    """Print a line, and keep it."""
    print(json.dumps(told), flush=True)
    if options.save:
        options.save.mkdir(parents=True, exist_ok=True)
        with open(options.save / f"{options.command}.jsonl", "a", encoding="utf-8") as file:
            file.write(json.dumps(told) + "\n")


def grow(options: argparse.Namespace) -> None:
    """Fit more and more pictures; say by which power of their number the time grows."""
    pictures(options.folder, data_directory(options.data), options.sizes[-1])
    found = []
    for count in options.sizes:
        found.append(in_process("fit", "--count", str(count), options=options))
        say(found[-1], options)
    few, many = found[0], found[-1]
    times = np.log(many["samples"] / few["samples"])
    powers = {"whole": np.log(many["seconds"] / few["seconds"]) / times}
    # The neighbours of few samples are found in the contest of graphs.
    graph = [sum(each["stages"].get(name, 0.0) for name in GRAPH) for each in (few, many)]
    powers["graph"] = np.log(graph[1] / graph[0]) / times
    for stage in ("reading", "start", "sweeps"):
        before, after = (max(each["stages"][stage], 0.05) for each in (few, many))
        powers[stage] = np.log(after / before) / times
    say({"exponents": {name: round(float(power), 2) for name, power in powers.items()}}, options)


if __name__ == "__main__":
    import storage_more as more

    commands = {"fit": fit, "grow": grow, "same": more.same, "dask": more.dask_million}
    commands |= {"wide": more.wide, "fit-wide": more.fit_wide, "kills": more.kills}
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("command", choices=commands)
    parser.add_argument("--data", help="data directory of the real sets")
    parser.add_argument("--folder", type=Path, default=Path("big"))
    parser.add_argument("--save", type=Path, help="folder for the lines, as JSON")
    parser.add_argument("--count", type=int, default=1_000_000)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--max-memory", default=None)
    parser.add_argument("--checkpoint", default=None)
    chosen = parser.parse_args()
    commands[chosen.command](chosen)
