"""What ronmf 0.1.0 leaves of work that is not done: the state of a long fit, and rows of a plan.

    python tests/upgrades/from_0_1_0/make_runs.py

It ran with version 0.1.0, commit 2934ad1, and is kept to show where the files come from; it need
not run with later versions. ``runs.tar.xz`` has

- ``state``: the checkpoint of a fit that was interrupted in its third sweep; ``X.npy``, ``y.npy``:
  its data and labels; ``labels.npy``: what the fit finds if nothing interrupts it.
- ``rows``: the rows of ``plan.toml``, packed, and those of ``older_names.toml``, which changes
  parameters by the names that they had then, and has a variant that fails.
- ``rows.json``: what tables were made of.
"""

import gzip
import json
import tempfile
import warnings
from pathlib import Path

import numpy as np
from packing import pack

from ronmf import RONMF
from ronmf.bench import read_plan, read_rows, run_plan
from ronmf.estimators.progress import fit_listener

DRAW = """
[defaults]
datasets = ["digits"]
n_classes = 3
samples_per_class = 10
seeds = 2

[[experiment]]
"""
PLAN = """name = "clean"
methods = ["k-means", "RONMF-M"]
"""
OLDER_NAMES = """name = "ablation"
methods = ["RONMF-M"]
variants = [
    { label = "without orthogonality", basis = "unconstrained", beta = 6.0 },
    { label = "no graph at all", n_neighbors = 0 },
]
"""
TOLD = ("experiment", "dataset", "method", "variant", "seed", "status", "acc_unlabelled", "n_iter")


def interrupt_fit(place):
    """Begin a fit of data on disk, and stop it as Ctrl-C does."""
    rng = np.random.default_rng(0)
    truth = np.arange(30) % 3
    np.save(place / "X.npy", 3 * np.eye(3, 5)[truth] + 1.5 * rng.random((30, 5)))
    np.save(place / "y.npy", np.where(np.arange(30) < 12, truth, -1))
    X, y = np.load(place / "X.npy", mmap_mode="r"), np.load(place / "y.npy")
    np.save(place / "labels.npy", RONMF(random_state=0).fit(X, y).labels_)

    def stop(stage, done, most):
        if stage == "sweeps" and done == 3:
            raise KeyboardInterrupt

    try:
        with fit_listener(stop):
            RONMF(random_state=0, checkpoint=place / "state").fit(X, y)
    except KeyboardInterrupt:
        return
    raise AssertionError("the fit was not interrupted")


def run_plans(place):
    """Run two plans into one folder; return what it then has."""
    rows = place / "rows"
    for name, text in (("plan", PLAN), ("older_names", OLDER_NAMES)):
        path = place / f"{name}.toml"
        path.write_text(DRAW + text)
        run_plan(read_plan(path), rows)
        if name == "plan":
            packed = gzip.compress((rows / "rows.jsonl").read_bytes())
            (rows / "rows.jsonl.gz").write_bytes(packed)
            (rows / "rows.jsonl").unlink()
    found = read_rows(rows)[list(TOLD)]
    return json.loads(found.to_json(orient="records"))


def main() -> None:
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        interrupt_fit(place)
        (place / "rows.json").write_text(json.dumps(run_plans(place)))
        pack(place, Path(__file__).parent / "runs.tar.xz")


if __name__ == "__main__":
    main()
