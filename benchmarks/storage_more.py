"""Parts of `storage.py`: equal results, Dask, a limit of memory, and kills."""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from many_pictures import labels
from protocol import available, data_directory

import storage
from ronmf import RONMF
from ronmf.datasets import load
from ronmf.storage._dask_rows import DaskRows

CHUNK = 2**24  # numbers in a block of Zarr


def to_zarr(X: np.ndarray, path: Path) -> Path:
    """Write an array as Zarr, unless it is there."""
    import zarr

    rows = max(1, CHUNK // X[0].size)
    if not path.exists():
        part = path.with_name(f"part-{path.name}")
        shape, chunks = X.shape, (rows, *X.shape[1:])
        out = zarr.create_array(
            str(part), shape=shape, chunks=chunks, dtype=X.dtype, overwrite=True
        )
        for start in range(0, len(X), rows):
            out[start : start + rows] = X[start : start + rows]
        part.rename(path)
    return path


@contextmanager
def two_workers():
    """Give a client of two worker processes with a thread each."""
    from dask.distributed import Client, LocalCluster

    cluster = LocalCluster(2, threads_per_worker=1, dashboard_address=None)
    with cluster, Client(cluster) as client:
        yield client


class CountedRows(DaskRows):
    """Notes what travels in each product with the data."""

    def __init__(self, array: object) -> None:
        self.log: list[tuple[str, int, int, int]] = []
        super().__init__(array)

    def times(self, B: np.ndarray) -> np.ndarray:
        """Return ``X @ B``."""
        return self._noted("X U", super().times, B)

    def transposed_times(self, P: np.ndarray) -> np.ndarray:
        """Return ``X.T @ P``."""
        return self._noted("X'P", super().transposed_times, P)

    def _noted(self, name: str, product: object, B: np.ndarray) -> np.ndarray:
        sent, received = self.sent, self.received
        found = product(B)
        moved = self.sent - sent, self.received - received
        self.log.append((name, B.shape[1], *moved))
        return found

    def by_formula(self, name: str, r: int) -> tuple[int, int]:
        """Return the bytes sent and received for a product of r columns, as the docs have it."""
        n, d = self.shape
        size = self.dtype.itemsize
        return (d * r * size, n * r * size) if name == "X U" else (n * r * size, d * r * 8)


def same(options: argparse.Namespace) -> None:
    """Fit the same data in memory, on disk and on workers of Dask.

    Bytes are worked on in float32, whose rounding can decide between parts that are as good as each
    other; pixels from 0 to 1 are kept and worked on in float64.
    """
    import dask.array as da

    data = data_directory(options.data)
    options.folder.mkdir(parents=True, exist_ok=True)
    sets = ("mnist", "cal101") if available("mnist", data) else ("digits",)
    for name, kind in ((name, kind) for name in sets for kind in ("bytes", "float64")):
        dataset = load(name, data)
        X = np.asarray(dataset.X, dtype=np.float64)
        if kind == "bytes":
            X = np.rint(255 * X / X.max()).astype(np.uint8)
        y = labels(dataset.y, 0.05 if name == "mnist" else 0.3, 0)
        path = options.folder / f"{name}-{kind}.npy"
        np.save(path, X)
        settings = {"image_shape": dataset.image_shape[:2], "random_state": 0}
        in_memory = X.astype(np.float32) if kind == "bytes" else X
        fits = {"memory": RONMF(**settings).fit(in_memory, y)}
        fits["disk"] = RONMF(**settings).fit(np.load(path, mmap_mode="r"), y)
        stored = to_zarr(X, path.with_suffix(".zarr"))
        with two_workers():
            fits["dask"] = RONMF(**settings).fit(da.from_zarr(str(stored)), y)
        expected = fits["memory"]
        for place, model in fits.items():
            right = (model.transduction_ == dataset.y)[y == -1].mean()
            found, wanted = (m.history_.objective[-1] for m in (model, expected))
            told = {"set": f"{name}, {kind}", "samples": len(y), "place": place}
            told["accuracy"] = round(float(right), 4)
            told["other labels"] = int((model.labels_ != expected.labels_).sum())
            told["objective differs by"] = abs(found / wanted - 1)
            storage.say(told, options)


def dask_million(options: argparse.Namespace) -> None:
    """Fit the pictures on two workers; with ``--kills``, kill one in the middle of the sweeps."""
    import dask.array as da
    import psutil

    X, truth = storage.pictures(options.folder, data_directory(options.data), options.count)
    stored = to_zarr(X, options.folder / f"pictures-{len(X)}.zarr")
    y = labels(truth, storage.LABELLED, options.seed)
    with two_workers() as client:
        rows = CountedRows(da.from_zarr(str(stored)))
        if options.kills:
            victim = min(client.run(os.getpid).values())
            threading.Thread(target=_kill_in_sweeps, args=(rows, victim), daemon=True).start()
        model = RONMF(image_shape=storage.SHAPE, random_state=0, verbose=True)
        before, began = psutil.net_io_counters(pernic=True)["lo"].bytes_sent, time.monotonic()
        model.fit(rows, y)
        told = storage.tell(model, y, truth, time.monotonic() - began)
        told["network_gib"] = round(
            (psutil.net_io_counters(pernic=True)["lo"].bytes_sent - before) / 2**30, 2
        )
        told["killed"] = bool(options.kills)
        told["workers"] = len(client.scheduler_info()["workers"])
    wrong = [each for each in rows.log if each[2:] != rows.by_formula(*each[:2])]
    sweep = [rows.by_formula(name, model.components_.shape[0]) for name in ("X U", "X'P")]
    told |= {
        "sent_per_sweep": sum(s for s, _ in sweep),
        "received_per_sweep": sum(r for _, r in sweep),
    }
    told["products that moved other than by formula"] = len(wrong)
    storage.say(told, options)


def _kill_in_sweeps(rows: CountedRows, victim: int) -> None:
    while sum(name == "X U" for name, *_ in rows.log) < 4:
        time.sleep(0.05)
    os.kill(victim, signal.SIGKILL)


def wide(options: argparse.Namespace) -> None:
    """Fit all of cal101 at 200 x 300 pixels in 2 GiB."""
    path = options.folder / "cal101-200x300.npy"
    if not path.exists():
        dataset = load("cal101", data_directory(options.data), image_shape=(200, 300))
        out = np.lib.format.open_memmap(path, "w+", np.uint8, dataset.X.shape)
        for start in range(0, len(out), 500):
            out[start : start + 500] = np.rint(255 * dataset.X[start : start + 500])
        out.flush()
        np.save(options.folder / "cal101-classes.npy", dataset.y)
    storage.say(storage.in_process("fit-wide", "--max-memory", "2GiB", options=options), options)


def fit_wide(options: argparse.Namespace) -> None:
    """Fit it in this process, ten labels per class."""
    X = np.load(options.folder / "cal101-200x300.npy", mmap_mode="r")
    truth = np.load(options.folder / "cal101-classes.npy")
    rng, y = np.random.default_rng(0), np.full(len(truth), -1)
    for j in np.unique(truth):
        members = np.flatnonzero(truth == j)
        y[rng.choice(members, min(10, len(members) - 1), replace=False)] = j
    model = RONMF(
        image_shape=(200, 300), random_state=0, verbose=True, max_memory=options.max_memory
    )
    began = time.monotonic()
    model.fit(X, y)
    print(json.dumps(storage.tell(model, y, truth, time.monotonic() - began)))


def kills(options: argparse.Namespace) -> None:
    """Kill a fit with a checkpoint at random moments, let it go on, and compare."""
    count = min(options.count, 20_000)
    storage.pictures(options.folder, data_directory(options.data), count)
    folder = options.folder / "checkpoint"
    shutil.rmtree(folder, ignore_errors=True)
    line = [sys.executable, storage.__file__, "fit", "--folder", str(options.folder)]
    line += ["--count", str(count), "--checkpoint", str(folder)]
    began = time.monotonic()
    expected = _last_line(line)
    length, rng = time.monotonic() - began, np.random.default_rng(options.seed)
    for moment in rng.uniform(1.0, length, options.kills):
        shutil.rmtree(folder, ignore_errors=True)
        process = subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(moment)
        process.send_signal(signal.SIGKILL)
        process.wait()
        left = sorted({path.name.split("-")[0] for path in folder.glob("*")})
        found = _last_line(line)
        equal = all(found[key] == expected[key] for key in ("labels", "objective", "sweeps"))
        storage.say(
            {
                "killed after": round(float(moment), 1),
                "left": left,
                "equal": equal,
                "went on for": found["seconds"],
                "uninterrupted": expected["seconds"],
                "left at the end": len(list(folder.glob("*"))),
            },
            options,
        )


def _last_line(line: list[str]) -> dict:
    ended = subprocess.run(line, capture_output=True, text=True, check=False)
    if ended.returncode:
        raise SystemExit(ended.stderr)
    return json.loads(ended.stdout.splitlines()[-1])
