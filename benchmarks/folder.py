"""``ronmf cluster`` on all 8,677 photographs of Caltech-101, from files to a report.

    python benchmarks/folder.py --data DIR [--seeds 3] [--features pixels] [--kill]

The pictures of ``cal101.zip`` are unpacked into a temporary folder, ten labels per class are
written to a table, and the command runs in a process of its own with an empty cache. Printed are
the accuracy on the pictures without a label (and on all), time by stage, and the largest memory.
With ``--kill`` the process is killed (SIGKILL) when half of the features are made, and the command
is given again: what was kept is not made again, so that at most the batch in work, of 32, is lost.
"""

import argparse
import csv
import json
import os
import resource
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

import numpy as np
from protocol import data_directory

PER_CLASS = 10


def unpack(data: Path, root: Path) -> tuple[list[str], np.ndarray]:
    """Write the pictures; return their names in order, and their classes."""
    with zipfile.ZipFile(data / "cal101.zip") as archive:
        archive.extractall(root)
    names = sorted(path.relative_to(root).as_posix() for path in root.rglob("*.jpg"))
    return names, np.array([name.split("/")[0] for name in names])


def write_labels(path: Path, names: list[str], truth: np.ndarray, seed: int) -> np.ndarray:
    """Write ten labels per class; return which pictures have one."""
    rng = np.random.default_rng(seed)
    told = np.concatenate(
        [rng.choice(np.flatnonzero(truth == c), PER_CLASS, replace=False) for c in np.unique(truth)]
    )
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([("file", "label"), *((names[i], truth[i]) for i in told)])
    return told


def start(place: Path, features: str) -> subprocess.Popen:
    """Start the command as a user would, with a cache of its own."""
    command = [sys.executable, "-m", "ronmf", "cluster", "pictures", "--labels", "labels.csv"]
    options = ["--features", features, "--json", "--force", "-o", "out"]
    return subprocess.Popen(
        [*command, *options],
        cwd=place,
        env={**os.environ, "RONMF_CACHE": str(place / "cache")},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )


def kept(place: Path) -> int:
    """Return how many pictures have features on disk."""
    count = 0
    for file in (place / "cache" / "features").glob("*.sqlite"):
        with sqlite3.connect(f"file:{file}?mode=ro", uri=True) as connection:
            count += connection.execute("SELECT count(*) FROM vectors").fetchone()[0]
    return count


def kill_half_way(place: Path, features: str, total: int) -> int:
    """Kill the command when half of the features are kept; return how many are."""
    process = start(place, features)
    while process.poll() is None:
        time.sleep(0.5)
        try:
            if kept(place) >= total // 2:
                process.send_signal(signal.SIGKILL)
                process.wait()
        except sqlite3.Error:  # it is being made
            continue
    if process.returncode != -signal.SIGKILL:
        sys.exit("The command ended before it could be killed.")
    return kept(place)


def run(place: Path, names: list[str], truth: np.ndarray, told: np.ndarray, features: str) -> dict:
    """Run the command to its end, and say how it went."""
    began = time.perf_counter()
    process = start(place, features)
    out, _ = process.communicate()
    seconds = time.perf_counter() - began
    if process.returncode:
        sys.exit(f"The command ended with {process.returncode}.")
    summary = json.loads(out)
    with open(place / "out" / "clusters.csv", newline="", encoding="utf-8") as file:
        found = {row["path"]: row["class"] for row in csv.DictReader(file)}
    right = np.array([found[name] == c for name, c in zip(names, truth, strict=True)])
    free = np.ones(len(names), dtype=bool)
    free[told] = False
    return {
        "accuracy": float(right[free].mean()),
        "accuracy_all": float(right.mean()),
        "seconds": round(seconds, 1),
        "peak_gib": round(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 2**20, 2),
        "stages": summary["seconds"],
        "report_mb": round((place / "out" / "report.html").stat().st_size / 1e6, 1),
        "model_mb": round((place / "out" / "model.ronmf").stat().st_size / 1e6, 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, help="folder of datasets")
    parser.add_argument("--seeds", type=int, default=1, help="draws of the labels")
    parser.add_argument("--features", default="deep", help="deep or pixels")
    parser.add_argument("--kill", action="store_true", help="kill it half-way first")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        names, truth = unpack(data_directory(options.data), place / "pictures")
        results = []
        for seed in range(options.seeds):
            told = write_labels(place / "labels.csv", names, truth, seed)
            if options.kill and not seed:
                half = kill_half_way(place, options.features, len(names))
                print(f"Killed with the features of {half} of {len(names)} pictures kept.")
            found = run(place, names, truth, told, options.features)
            results.append(found)
            print(json.dumps({"seed": seed, "features": options.features, **found}), flush=True)
        for score in ("accuracy", "accuracy_all"):
            values = np.array([each[score] for each in results])
            print(f"{score}: {values.mean():.4f} ± {values.std():.4f} over {len(values)} draws")


if __name__ == "__main__":
    main()
