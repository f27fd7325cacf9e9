"""Pictures, and a quick network in place of a real one."""

import numpy as np
import pytest

from ronmf.features import _deep as deep


@pytest.fixture(scope="module")
def gray():
    """Forty pictures of 6 x 5 pixels in [0, 1]."""
    return np.random.default_rng(0).random((40, 6 * 5))


@pytest.fixture(scope="module")
def pictures():
    """Six different pictures of 9 x 7 pixels in [0, 1]."""
    return np.random.default_rng(0).random((6, 63))


class StandIn:
    """A network that returns sums of rows and counts what it is asked for."""

    width = 9

    def __init__(self):
        self.seen, self.stop_at = 0, None

    def embed(self, pictures):
        if self.stop_at is not None and self.seen >= self.stop_at:
            raise KeyboardInterrupt
        self.seen += len(pictures)
        return pictures.sum(axis=(2, 3))


@pytest.fixture
def stand_in(monkeypatch, tmp_path):
    network = StandIn()
    monkeypatch.setattr(deep, "load_network", lambda *settings: network)
    monkeypatch.setattr(deep, "require_packages", lambda *settings: None)
    monkeypatch.setattr(deep, "identity", lambda model, normalization=None: model)
    monkeypatch.setenv("RONMF_CACHE", str(tmp_path))
    return network
