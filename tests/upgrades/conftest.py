"""What earlier versions left on disk, unpacked in a place of the test's own.

``from_0_1_0`` has such files, and the scripts that made them with that version. No test changes
when a parameter is renamed: a file must go on to serve its user, whatever it is called today.
"""

import json
import lzma
import tarfile
from pathlib import Path

import numpy as np
import pytest

collect_ignore = ["from_0_1_0"]  # scripts for that version alone
HERE = Path(__file__).parent / "from_0_1_0"


def unpacked(name, place):
    with tarfile.open(HERE / name) as archive:
        archive.extractall(place, filter="data")
    return place


@pytest.fixture(scope="session")
def models(tmp_path_factory):
    """The folder of model files, what each model said, and the samples of all."""
    place = tmp_path_factory.mktemp("models")
    for data in ("table", "pictures"):
        unpacked(f"models_of_{data}.tar.xz", place)
    with lzma.open(HERE / "answers.json.xz", "rt", encoding="utf-8") as file:
        told = json.load(file)
    types = {"y": int, "pictures": np.float32, "pictures_new": np.float32}
    samples = {k: np.array(v, dtype=types.get(k, float)) for k, v in told["samples"].items()}
    return place, told["models"], samples


@pytest.fixture(scope="module")
def home_of_all(tmp_path_factory):
    """The same pictures with their project, for several tests one after the other."""
    return unpacked("folders.tar.xz", tmp_path_factory.mktemp("home"))


@pytest.fixture
def home(tmp_path, monkeypatch):
    """Pictures with a project of the page, results of ``ronmf cluster``, and the cache in use."""
    place = unpacked("folders.tar.xz", tmp_path / "home")
    monkeypatch.setenv("RONMF_CACHE", str(place / "cache"))
    return place


@pytest.fixture
def runs(tmp_path):
    """The state of an interrupted fit with its data, and rows with their plans."""
    return unpacked("runs.tar.xz", tmp_path / "runs")
