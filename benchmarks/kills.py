"""Kill the runner, the feature cache and a download (SIGKILL) at random moments, again and again.

``python benchmarks/kills.py --kills 100`` prints how many kills there were, and that nothing was
lost or left. What is checked: a plan that is resumed after each kill has every row once; vectors
that were kept before a kill are there after it; a fetch after a kill leaves the file alone.
"""

import argparse
import io
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
from scipy.io import savemat

from ronmf.bench.running.rows import RowFile
from ronmf.features._store import FeatureStore

PLAN = """
[[experiment]]
name = "clean"
datasets = ["digits"]
methods = ["k-means", "HarmonicLabelPropagation"]
n_classes = [2, 3, 4]
samples_per_class = 20
seeds = 8
"""
STORE = """
import sys
from pathlib import Path
import numpy as np
from ronmf.features._store import FeatureStore
number = int(sys.argv[2])
with FeatureStore(Path(sys.argv[1])) as store:
    while True:
        vectors = {str(number + i).encode(): np.full(300, number + i, "<f4") for i in range(5)}
        store.put(vectors)
        number += 5
        print(number, flush=True)
"""
FETCH = """
import sys
from ronmf.datasets import Source, fetch
fetch("yale", sources=[Source(sys.argv[1], "mat")])
"""


def kill_runner(folder, kills, rng):
    """Kill a plan's run so many times, or until it is done; return how many kills it took."""
    folder.mkdir()
    (folder / "plan.toml").write_text(PLAN)
    run = [sys.executable, "-m", "ronmf", "bench", "run", "plan.toml", "-o", "out", "-j", "1"]
    options = {"cwd": folder, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    out, done, seen = folder / "out", 0, 0
    for _ in range(kills):
        process = subprocess.Popen(run, **options)
        wanted, end = seen + rng.randint(0, 4), time.monotonic() + 60
        while len(RowFile(out).read()) < wanted and process.poll() is None:
            assert time.monotonic() < end, "the run hangs"
            time.sleep(0.01)
        time.sleep(rng.random() * (0.1 if wanted > seen else 2.0))
        done += process.poll() is None
        process.kill()
        process.wait()
        rows = len(RowFile(out).read())
        assert rows >= seen, "rows were lost"
        seen = rows
    subprocess.run(run, **options, check=True, timeout=300)
    runs = Counter(row["run"] for row in RowFile(out).read())
    assert len(runs) == 48, "runs are missing"
    assert set(runs.values()) == {1}, "runs were made twice"
    assert sorted(path.name for path in out.iterdir()) == ["rows.jsonl"], "files were left"
    assert not workers_of(folder), "processes were left"
    return done


def workers_of(folder):
    """Return the processes that still work in a folder, where the system tells."""
    time.sleep(0.5)  # they watch their parent
    found = []
    for link in Path("/proc").glob("[0-9]*/cwd"):
        try:
            if link.readlink() == folder:
                found.append(int(link.parent.name))
        except OSError:
            continue
    return found


def kill_store(folder, kills, rng):
    """Kill a process that keeps vectors; return how many kills there were."""
    folder.mkdir()
    path, kept = folder / "vectors.sqlite", 0
    for _ in range(kills):
        process = subprocess.Popen(
            [sys.executable, "-c", STORE, str(path), str(kept)], stdout=subprocess.PIPE, text=True
        )
        lines = rng.randint(1, 8)
        for _ in range(lines):
            kept = int(process.stdout.readline())
        time.sleep(0.01 * rng.random())
        process.kill()
        kept = max([kept, *map(int, process.stdout.read().split("\n")[:-1])])
        process.wait()
        with FeatureStore(path) as store:
            found = store.get([str(number).encode() for number in range(kept)])
        assert len(found) == kept, "vectors were lost"
        assert all((vector == float(key)).all() for key, vector in found.items())
    with FeatureStore(path) as store:
        store.put({b"last": np.ones(300, "<f4")})  # which removes the journal of a killed one
    assert [each.name for each in folder.iterdir()] == ["vectors.sqlite"], "files were left"
    return kills


def kill_fetch(folder, kills, rng):
    """Kill downloads; return how many kills there were."""
    folder.mkdir()
    pictures = np.random.default_rng(0).integers(0, 256, size=(165, 1024)).astype(float)
    file = io.BytesIO()
    savemat(file, {"X": pictures, "Y": np.repeat(np.arange(15), 11)[:, None] + 1})
    content, slow = file.getvalue(), threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.end_headers()
            try:
                for start in range(0, len(content), len(content) // 20):
                    self.wfile.write(content[start : start + len(content) // 20])
                    time.sleep(0.02 * slow.is_set())
            except OSError:
                pass

        def log_message(self, *args):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    run = [sys.executable, "-c", FETCH, f"http://127.0.0.1:{server.server_port}/Yale.mat"]
    environment = {k: v for k, v in os.environ.items() if k != "RONMF_DATA"}
    environment |= {"RONMF_CACHE": str(folder), "no_proxy": "127.0.0.1"}
    slow.set()
    for _ in range(kills):
        process = subprocess.Popen(run, env=environment, stderr=subprocess.DEVNULL)
        while not any(folder.glob(".part-*-download")) and process.poll() is None:
            time.sleep(0.005)
        time.sleep(0.5 * rng.random())
        process.kill()
        process.wait()
        for each in folder.glob("yale.npz*"):  # it was done before the kill
            each.unlink()
    slow.clear()
    subprocess.run(run, env=environment, check=True, timeout=60)
    server.shutdown()
    server.server_close()
    left = sorted(each.name for each in folder.iterdir())
    assert left == ["yale.npz", "yale.npz.sha256"], f"files were left: {left}"
    return kills


def kill_all(kills, seed):
    """Share some kills among the three; return how many each had."""
    rng, part = random.Random(seed), max(1, kills // 3)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        return {
            "fetch": kill_fetch(folder / "fetch", part, rng),
            "cache": kill_store(folder / "cache", part, rng),
            "runner": kill_runner(folder / "run", kills - 2 * part, rng),
        }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args()
    counts = kill_all(chosen.kills, chosen.seed)
    print(f"{sum(counts.values())} kills: {counts}; nothing was lost, nothing was left")
