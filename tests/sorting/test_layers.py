"""Clusters without a name survive from one result to the next, as the user fills in the table."""

import csv

import numpy as np
import pytest

from ronmf.metrics import clustering_accuracy
from ronmf.sorting import cluster_folder
from support.picture_folders import digit_folder

pytestmark = pytest.mark.usefixtures("cache")


def table_of(out):
    with open(out / "clusters.csv", newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_naming_one_cluster_in_the_table_keeps_the_others(tmp_path):
    folder, out = tmp_path / "pictures", tmp_path / "out"
    digit_folder(folder, 150)
    cluster_folder(folder, out, n_clusters="auto")
    before = table_of(out)
    n_clusters = len({row["class"] for row in before})
    assert n_clusters > 4
    largest = max({row["class"] for row in before}, key=[r["class"] for r in before].count)
    named = next(row for row in before if row["class"] == largest)
    named["label"] = "owl"
    with open(tmp_path / "filled.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, before[0])
        writer.writeheader()
        writer.writerows(before)
    cluster_folder(folder, out, n_clusters="auto", labels=tmp_path / "filled.csv", force=True)
    after = table_of(out)
    assert len({row["class"] for row in after}) == n_clusters
    old, new = (
        np.unique([row["class"] for row in rows], return_inverse=True)[1]
        for rows in (before, after)
    )
    assert clustering_accuracy(old, new) > 0.97
    owls = [b["class"] for a, b in zip(before, after, strict=True) if a["class"] == largest]
    assert owls.count("owl") > 0.9 * len(owls)
