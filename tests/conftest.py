"""Shared data. Real datasets are looked for in $RONMF_DATA, then in ../shared/data."""

import os
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_digits

from support.browser import real_browser
from support.servers import serving


@pytest.fixture(scope="session")
def digits():
    """600 digits in [0, 1] with every tenth labelled: X, y, truth."""
    X, truth = load_digits(return_X_y=True)
    X, truth = X[:600] / 16.0, truth[:600]
    return X, np.where(np.arange(600) % 10 == 0, truth, -1), truth


def data_place():
    """Return where the real datasets would be."""
    beside = Path(__file__).resolve().parents[2] / "shared" / "data"
    return Path(os.environ.get("RONMF_DATA", beside))


@pytest.fixture(scope="session")
def data_folder():
    """The folder of the real datasets, or a skip with the reason."""
    folder = data_place()
    if not (folder / "yale.npz").exists():
        pytest.skip("the real datasets are absent: set RONMF_DATA to a folder with yale.npz etc.")
    return folder


@pytest.fixture(scope="session")
def paper_source():
    """The LaTeX source of the paper, in a folder beside the datasets, or a skip with the reason."""
    file = data_place().parent / "paper" / "ronmf.tex"
    if not file.exists():
        pytest.skip("the paper's source is absent: put it at ../paper/ronmf.tex beside RONMF_DATA")
    return file.read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def browser():
    """A real Chromium; one process can have only one."""
    with real_browser() as found:
        yield found


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """An empty cache, no data folder, and a network that refuses every address but this machine."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("RONMF_CACHE", str(folder))
    for name in ("RONMF_DATA", "RONMF_MIRROR"):
        monkeypatch.delenv(name, raising=False)
    for name in ("http_proxy", "https_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    return folder


@pytest.fixture
def server():
    """Serve `server.files` (path to bytes); `server.cut` breaks off after so many bytes."""
    with serving() as server:
        server.files, server.cut = {}, None

        def answer(handler):
            content = server.files.get(handler.path)
            if content is None:
                handler.send_error(404)
                return
            handler.send_response(200)
            handler.send_header("Content-Length", str(len(content)))
            handler.end_headers()
            handler.wfile.write(content[: server.cut])

        server.answer = answer
        yield server
