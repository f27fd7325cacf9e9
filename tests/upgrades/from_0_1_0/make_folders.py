"""Folders as ronmf 0.1.0 leaves them: a project of the page, results of ``ronmf cluster``, a cache.

    PYTHONPATH=benchmarks python tests/upgrades/from_0_1_0/make_folders.py

It ran with version 0.1.0, commit 2934ad1, and is kept to show where the files come from; it need
not run with later versions. ``folders.tar.xz`` has

- ``pictures`` and ``new_pictures``: digits as PNG files, and a file that is none. ``.ronmf`` in the
  first is what the page kept: labels of eight pictures, a class without any, an action that was
  undone, and two fits; ``page.json``: what it showed then.
- ``labels.csv`` and ``out``: a table of labels, and what ``ronmf cluster pictures`` made with it,
  but for the report. ``predicted.json``: what ``ronmf predict`` said of ``new_pictures``.
- ``cache``: the features of ``pictures``; of a network those of ``new_pictures``, as files and as
  arrays.
"""

import csv
import json
import os
import shutil
import signal
import tempfile
from pathlib import Path

import numpy as np
from app_server import Client, serving_app
from packing import pack
from PIL import Image
from ronmf.folders import cluster_folder, predict_folder
from ronmf.pictures import FeatureRecipe, features_of
from sklearn.datasets import load_digits

from ronmf.datasets import list_pictures
from ronmf.features import DeepFeatures

CLASSES = ("zero", "one", "two")


def write_pictures(folder, start, stop):
    """Write some pictures of each class; return the names of all by class."""
    digits, truth = load_digits(n_class=3, return_X_y=True)
    folder.mkdir()
    names = {name: [] for name in CLASSES}
    for i in range(start, stop):
        for code, name in enumerate(CLASSES):
            pixels = 255 - digits[truth == code][i].reshape(8, 8) * 15.9
            names[name].append(f"{i:02d}{'abc'[code]}.png")
            Image.fromarray(pixels.astype(np.uint8)).save(folder / names[name][-1])
    return names


def use_page(place, names):
    """Label, cluster, label more and cluster again on a real page; return what it shows."""
    with serving_app(place / "pictures", place / "cache", "--features", "pixels") as server:
        client = Client(server)
        client.wait_for_fit()
        files = client.json("/api/pictures")["files"]

        def change(what, asked):
            assert client.post(f"/api/{what}", asked)[0] == 200
            client.wait_for_fit()

        def label(name, chosen):
            change("label", {"pictures": [files.index(f) for f in chosen], "label": name})

        for name in CLASSES:
            label(name, names[name][:2])
        change("add_class", {"name": "thrée"})
        change("cluster", {"clusters": "classes"})
        label("two", names["two"][2:4])
        label("zero", names["one"][3:4])
        change("undo", {})
        change("cluster", {"clusters": "classes"})
        labels, result = client.json("/api/labels"), client.json("/api/result")
        table = client.get("/export.csv")[1].decode()
        server.process.send_signal(signal.SIGINT)  # as Ctrl-C ends it
        server.process.wait(30)
    return {
        "labels": {
            files[i]: name for i, name in zip(labels["pictures"], labels["labels"], strict=True)
        },
        **{name: labels[name] for name in ("classes", "undo", "redo")},
        "clusters": {
            files[i]: result["classes"][cluster]
            for i, cluster in zip(result["pictures"], result["cluster"], strict=True)
        },
        "table": list(csv.DictReader(table.splitlines())),
    }


def make_results(place, names):
    """Cluster the folder from a table of labels; return what is predicted of new pictures."""
    rows = [f"{file},{name}\n" for name, files in names.items() for file in files[:2]]
    (place / "labels.csv").write_text("file,label\n" + "".join(rows))
    out = place / "out"
    cluster_folder(place / "pictures", out, labels=place / "labels.csv", features="pixels")
    (out / "report.html").unlink()  # large, and nothing reads it
    for file in out.iterdir():  # archives round times of files
        time = file.stat().st_mtime_ns // 1000 * 1000 + 500
        os.utime(file, ns=(time, time))
    found = predict_folder(out, place / "new_pictures")
    return {
        "files": list(found.folder.files),
        "classes": found.classes,
        "certainty": found.certainty.round(6).tolist(),
    }


def fill_cache(place):
    """Make the features that the cache is to have."""
    new = list_pictures(place / "new_pictures")
    features_of(list_pictures(place / "pictures"), FeatureRecipe("pixels", (8, 8)))
    features_of(new, FeatureRecipe("deep", model="efficientnet_lite0"))
    DeepFeatures().fit_transform(np.stack([np.asarray(Image.open(path)) for path in new.paths]))
    shutil.rmtree(place / "cache" / "networks")  # large, and made of a package's weights


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        os.environ["RONMF_CACHE"] = str(place / "cache")
        names = write_pictures(place / "pictures", 0, 6)
        (place / "pictures" / "broken.png").write_bytes(b"\x89PNG no more")
        write_pictures(place / "new_pictures", 6, 7)
        told = {"page": use_page(place, names), "predicted": make_results(place, names)}
        fill_cache(place)
        for name, content in told.items():
            (place / f"{name}.json").write_text(json.dumps(content), encoding="utf-8")
        pack(place, Path(__file__).parent / "folders.tar.xz")


if __name__ == "__main__":
    main()
