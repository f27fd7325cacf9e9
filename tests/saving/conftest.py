"""A small model file, and a check of what is said of its changed copies."""

import os

import numpy as np
import pytest

from ronmf import RONMF, load_model, save_model
from support.models import read_members, watched, write_members


@pytest.fixture(scope="session")
def whole(tmp_path_factory):
    """A small model: its file, its JSON, its other members."""
    path = tmp_path_factory.mktemp("saved") / "model.ronmf"
    X, state = np.random.default_rng(0).random((40, 6)), np.random.RandomState(3)
    names = [f"c{i % 3}" if i < 12 else None for i in range(40)]
    model = RONMF(graph="plain", random_state=state)
    save_model(model.fit(X, names), path, {"a": 1})
    return path.read_bytes(), *read_members(path)


@pytest.fixture
def refused(tmp_path):
    """Write a file, and return what loading says of it, which must name the file once."""
    path = tmp_path / "model.ronmf"

    def check(content, members=None, **options):
        if isinstance(content, bytes) and members is None:
            path.write_bytes(content)
        else:
            write_members(path, content, members, **options)
        with watched() as events, pytest.raises(ValueError, match=r"model\.ronmf") as caught:
            load_model(path)
        assert events == []
        assert os.listdir(tmp_path) == ["model.ronmf"]
        said = str(caught.value)
        assert said.startswith(f"{path} is no readable model file: ")
        assert said.count("\n") == 0
        return said

    return check
