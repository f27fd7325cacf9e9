"""One server for all tests that do not end it."""

import pytest
from app_server import Client, serving_app, write_digits


@pytest.fixture(scope="session")
def feature_cache(tmp_path_factory):
    """A cache that all servers share."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def served(tmp_path_factory, feature_cache):
    """A server of 60 digits, and of files that should never be shown."""
    folder = tmp_path_factory.mktemp("served") / "pictures <b>"
    write_digits(folder, 60)
    (folder / "secret.txt").write_text("secret")
    (folder.parent / "outside.png").write_bytes((folder / "0000.png").read_bytes())
    with serving_app(folder, feature_cache) as server:
        server.folder = folder
        yield server


@pytest.fixture
def client(served):
    """Somebody who may use the server."""
    return Client(served)
