"""``ronmf app`` with 10,000 pictures: first paint, clicks during a fit, memory, fits.

``python benchmarks/app.py`` makes the pictures from scikit-learn's digits (larger, shifted,
noisy) and prints a line per figure, with its target where there is one.
"""

import argparse
import sqlite3
import tempfile
import time
from pathlib import Path

import numpy as np
from app_server import Client, chromium, serving_app
from PIL import Image
from sklearn.datasets import load_digits

from ronmf.metrics import clustering_accuracy


def write_pictures(folder, count, seed=0):
    """Write 28 x 28 pictures of digits; return their classes by name."""
    X, truth = load_digits(return_X_y=True)
    rng = np.random.default_rng(seed)
    folder.mkdir()
    classes = {}
    for i in range(count):
        which = i % len(X)
        digit = Image.fromarray((X[which].reshape(8, 8) * 255 / 16).astype(np.uint8))
        canvas = Image.new("L", (28, 28))
        corner = tuple(int(v) for v in rng.integers(3, 6, 2))
        canvas.paste(digit.resize((20, 20), Image.Resampling.BICUBIC), corner)
        noisy = np.asarray(canvas, dtype=float) + rng.normal(0, 12, (28, 28))
        name = f"{i:05d}.png"
        Image.fromarray(noisy.clip(0, 255).astype(np.uint8)).save(folder / name)
        classes[name] = str(truth[which])
    return classes


def say(what, value, target=""):
    print(f"{what:<52} {value:<24} {target}", flush=True)


def clicks(client, pictures, until=None, most=200):
    """Label pictures one by one; return the seconds that each took."""
    took = []
    for i in range(most):
        if until is not None and until():
            break
        started = time.perf_counter()
        status, _ = client.post("/api/label", {"pictures": [pictures[i]], "label": "owl"})
        took.append(time.perf_counter() - started)
        assert status == 200
    return took


def told(took):
    median, high = (1000 * np.quantile(took, q) for q in (0.5, 0.99))
    return f"{median:.1f} ms, p99 {high:.1f} ms ({len(took)})"


def resident(pid):
    """Return the memory of a process in MiB."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) // 1024
    return 0


def memory(served):
    """Return the memory of the server and of its largest child."""
    pid = served.process.pid
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return resident(pid), max((resident(child) for child in children), default=0)


def undo_all(client):
    while client.post("/api/undo", {})[1]["said"].endswith("owl"):
        pass
    client.post("/api/redo", {})


def fit(client, clusters):
    """Return the seconds until the clusters are shown, and until all is done."""
    before = client.json("/api/status")["result"]
    started = time.perf_counter()
    assert client.post("/api/cluster", {"clusters": clusters})[0] == 200
    while client.json("/api/status")["result"] == before:
        time.sleep(0.05)
    shown = time.perf_counter() - started
    client.wait_for_fit(600)
    return shown, time.perf_counter() - started


def accuracy(client, truth):
    result, files = client.json("/api/result"), client.json("/api/pictures")["files"]
    named = [truth[files[picture]] for picture in result["pictures"]]
    return clustering_accuracy(named, result["cluster"])


def paint(browser, served, cold):
    """Return the seconds from asking for the page to its first text, first and last thumbnail."""
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.goto(served.url)
    page.wait_for_selector("body[data-ready]")
    if not cold:
        page.reload()
    seen = (
        "(() => { const tiles = [...document.querySelectorAll('.tile img')].filter((image) =>"
        " image.getBoundingClientRect().top < innerHeight);"
        " return tiles.length > 0 && tiles.every((image) => image.complete); })()"
    )
    while not page.evaluate(seen):
        page.wait_for_timeout(5)
    took = page.evaluate(
        "(() => { const ends = performance.getEntriesByType('resource').filter((entry) =>"
        " entry.name.includes('/thumbnail/')).map((entry) => entry.responseEnd);"
        " const text = performance.getEntriesByName('first-contentful-paint')[0].startTime;"
        " return [text, Math.min(...ends), Math.max(...ends)]; })()"
    )
    nodes = page.evaluate("document.querySelectorAll('.tile').length")
    page.close()
    return [value / 1000 for value in took], nodes


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pictures", type=int, default=10_000)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch, chromium() as browser:
        folder, project = Path(scratch) / "pictures", Path(scratch) / "project"
        truth = write_pictures(folder, arguments.pictures)
        options = ("--project", project)
        started = time.perf_counter()
        with serving_app(folder, Path(scratch) / "cache", *options) as served:
            client = Client(served)
            files = client.json("/api/pictures")["files"]
            everything = list(range(len(files)))
            during = clicks(client, everything, most=300)
            say("a click during the first fit, median", told(during), "target: under 100 ms")
            undo_all(client)
            client.wait_for_fit(600)
            first = client.json("/api/result")["seconds"]
            say("start to first clusters (features too)", f"{time.perf_counter() - started:.1f} s")
            say("first fit, no labels, number of clusters found", f"{first:.1f} s")
            say("its accuracy", f"{accuracy(client, truth):.3f}")
            count = f"file:{project / 'thumbnails.sqlite'}?mode=ro"
            while True:
                with sqlite3.connect(count, uri=True) as store:
                    made = store.execute("SELECT COUNT(*) FROM thumbnails").fetchone()[0]
                store.close()
                if made >= len(files):
                    break
                time.sleep(0.2)
            say("all thumbnails exist after", f"{time.perf_counter() - started:.1f} s")
            for number in range(10):
                mine = [p for p in everything if truth[files[p]] == str(number)][:5]
                client.post("/api/label", {"pictures": mine, "label": str(number)})
            whole, until_judged = fit(client, "classes")
            found = f"{whole:.1f} s ({until_judged:.1f} s)"
            say("first fit with 50 labels (and labels judged)", found)
            say("its accuracy", f"{accuracy(client, truth):.3f}")
            for picture in client.json("/api/result")["next"][:10]:
                label = truth[files[picture]]
                client.post("/api/label", {"pictures": [picture], "label": label})
            again, until_judged = fit(client, "classes")
            found = f"{again:.1f} s ({until_judged:.1f} s)"
            say("again after 10 more labels", found, f"target: {whole / 3:.1f} s")
            say("its accuracy", f"{accuracy(client, truth):.3f}")
            client.post("/api/cluster", {"clusters": 12})
            busy = lambda: not client.json("/api/status")["fit"]["working"]  # noqa: E731
            told_during = clicks(client, everything[::-1], until=busy, most=300)
            say("a click during a later fit, median", told(told_during), "target: under 100 ms")
            undo_all(client)
            client.wait_for_fit(600)
            say("a click when nothing else is done, median", told(clicks(client, everything)))
            undo_all(client)
            for name, cold in (("first", True), ("again", False)):
                (text, tile, tiles), nodes = paint(browser, served, cold)
                found = f"{text:.2f} s; {tile:.2f} s; {tiles:.2f} s"
                say(f"{name}: grid; first; last thumbnail in sight", found, "target: under 1 s")
            say("tiles in the document", str(nodes))
            server, worker = memory(served)
            say("memory of server; of worker", f"{server} MiB; {worker} MiB")


if __name__ == "__main__":
    main()
