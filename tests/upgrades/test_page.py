"""A project that an earlier version of the page left opens with its labels, and goes on."""

import csv
import json

import pytest
from app_server import Client, serving_app


@pytest.fixture(scope="module")
def served(home_of_all):
    """Somebody at the page, and what it should show: the first test only looks."""
    home = home_of_all
    with serving_app(home / "pictures", home / "cache", "--features", "pixels") as server:
        yield Client(server), json.loads((home / "page.json").read_text(encoding="utf-8"))


def names_of(client):
    return client.json("/api/pictures")["files"]


def labels_of(client):
    told, files = client.json("/api/labels"), names_of(client)
    return {files[i]: name for i, name in zip(told["pictures"], told["labels"], strict=True)}


def clusters_of(client):
    found, files = client.json("/api/result"), names_of(client)
    return {
        files[i]: found["classes"][cluster]
        for i, cluster in zip(found["pictures"], found["cluster"], strict=True)
    }


def test_labels_and_clusters_are_there(served):
    client, told = served
    labels = client.json("/api/labels")
    assert labels_of(client) == told["labels"]
    for name in ("classes", "undo", "redo"):
        assert labels[name] == told[name]
    status = client.wait_for_fit()
    assert not status["fit"]["failed"]
    assert clusters_of(client) == told["clusters"]  # kept, or found again
    rows = list(csv.DictReader(client.get("/export.csv")[1].decode().splitlines()))
    found = {row["path"]: (row["class"], row["label"]) for row in rows}
    found.pop("broken.png", None)  # in the table until it was found to be unreadable
    assert found == {row["path"]: (row["class"], row["label"]) for row in told["table"]}
    for number in range(3):
        assert client.get(f"/picture/{number}")[0] == 200


def test_work_goes_on(served):
    client, told = served
    client.wait_for_fit()
    status, labels = client.post("/api/redo", {})
    assert status == 200
    assert labels["said"] == told["redo"]
    assert labels_of(client) == told["labels"] | {"03b.png": "zero"}
    assert client.post("/api/undo", {})[1]["said"] == told["redo"]
    assert client.post("/api/undo", {})[1]["said"] == told["undo"]
    assert "03c.png" not in labels_of(client)
    version = client.json("/api/status")["result"]
    assert client.post("/api/cluster", {"clusters": "classes"})[0] == 200
    status = client.wait_for_fit()
    assert not status["fit"]["failed"]
    assert status["result"] > version
    agree = [name == told["clusters"][file] for file, name in clusters_of(client).items()]
    assert sum(agree) >= 16  # of 18
