"""Results that an earlier ``ronmf cluster`` wrote serve, and are replaced with the same care."""

import csv
import json
import shutil

import numpy as np
import pytest

from ronmf.datasets import list_pictures, read_label_table
from ronmf.sorting import cluster_folder, predict_folder

pytestmark = pytest.mark.filterwarnings("ignore:.* was saved by ronmf")


def classes_in(out):
    with open(out / "clusters.csv", newline="", encoding="utf-8") as file:
        return {row["path"]: row["class"] for row in csv.DictReader(file)}


def cluster_again(home, out=None, **settings):
    return cluster_folder(
        home / "pictures",
        out or home / "out",
        labels=home / "labels.csv",
        features="pixels",
        **settings,
    )


def test_a_model_sorts_new_pictures_as_it_did(home):
    told = json.loads((home / "predicted.json").read_text(encoding="utf-8"))
    found = predict_folder(home / "out", home / "new_pictures")
    assert list(found.folder.files) == told["files"]
    assert found.classes == told["classes"]
    np.testing.assert_allclose(found.certainty, told["certainty"], atol=1e-3)


def test_the_table_gives_labels(home):
    pictures = list_pictures(home / "pictures")
    table = read_label_table(home / "out" / "clusters.csv", pictures)
    assert table.labels == read_label_table(home / "labels.csv", pictures).labels
    assert len(table.labels) == 6
    assert not table.unknown


def test_results_are_replaced_only_when_asked_and_whole(home):
    before = {path.name: path.read_bytes() for path in (home / "out").iterdir()}
    with pytest.raises(FileExistsError, match="--force"):
        cluster_again(home)
    (home / "out" / "thesis.txt").write_text("mine")
    with pytest.raises(FileExistsError, match=r"thesis\.txt"):
        cluster_again(home, force=True)
    assert (home / "out" / "thesis.txt").read_text() == "mine"
    (home / "out" / "thesis.txt").unlink()
    assert {path.name: path.read_bytes() for path in (home / "out").iterdir()} == before
    classes = classes_in(home / "out")
    cluster_again(home, force=True)
    agree = [classes[file] == name for file, name in classes_in(home / "out").items()]
    assert sum(agree) >= 17  # of 18


def test_a_fit_that_an_earlier_version_had_finished_does_no_harm(home):
    """The model of work that was stopped while results were written: it serves, or is made anew."""
    (home / ".new.unfinished").mkdir()
    shutil.copy(home / "out" / "model.ronmf", home / ".new.unfinished" / "model.ronmf")
    cluster_again(home, home / "new")
    assert {"model.ronmf", "clusters.csv", "report.html"} <= {
        p.name for p in (home / "new").iterdir()
    }
    agree = [
        classes_in(home / "out")[file] == name for file, name in classes_in(home / "new").items()
    ]
    assert sum(agree) >= 17
    assert not (home / ".new.unfinished").exists()
