"""``ronmf data`` as a user runs it: a process, its output, its exit code."""

import os
import subprocess
import sys
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest

from ronmf.datasets import CATALOG
from support.marks import slow


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, *args):
        pass


@pytest.fixture
def ronmf(tmp_path):
    """Run ``ronmf data`` with an empty cache and no way to the internet."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("RONMF_")}
    environment |= {
        "RONMF_CACHE": str(tmp_path / "cache"),
        "http_proxy": "http://127.0.0.1:9",
        "https_proxy": "http://127.0.0.1:9",
        "no_proxy": "127.0.0.1",
    }

    def run(*arguments, **variables):
        return subprocess.run(
            [sys.executable, "-m", "ronmf", "data", *map(str, arguments)],
            capture_output=True,
            text=True,
            env=environment | {name: str(value) for name, value in variables.items()},
        )

    return run


@pytest.fixture
def mirror():
    """Serve a folder; returns a function from the folder to its address."""
    servers = []

    def serve(folder):
        handler = partial(QuietHandler, directory=str(folder))
        server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        servers.append((server, thread))
        return f"http://127.0.0.1:{server.server_port}"

    yield serve
    for server, thread in servers:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def folder(tmp_path):
    """A data folder whose yale.npz has the right sizes and other pictures."""
    folder = tmp_path / "data"
    folder.mkdir()
    X = np.random.default_rng(0).integers(0, 256, size=(165, 1024), dtype=np.uint8)
    np.savez(folder / "yale.npz", X=X, y=np.repeat(np.arange(15), 11), shape=(32, 32))
    return folder


def test_list_says_what_is_where(ronmf, folder):
    result = ronmf("list", "--data", folder)
    assert result.returncode == 0
    table = result.stdout.partition("\n\n")[0]
    lines = {line.split()[0]: line for line in table.splitlines()}
    assert lines["name"].split() == ["name", "samples", "features", "classes", "where"]
    assert lines["yale"].split() == ["yale", "165", "1024", "15", str(folder / "yale.npz")]
    assert lines["digits"].endswith("inside scikit-learn")
    assert len([line for line in lines.values() if line.endswith("not here")]) == 7
    assert "\x1b" not in result.stdout  # plain where there is no terminal


def test_list_tells_where_missing_sets_come_from(ronmf, folder):
    table, _, rest = ronmf("list", "--data", folder).stdout.partition("\n\n")
    assert "mnist    https://www.openml.org/d/554\n" in rest
    assert "yale" not in rest  # it is here
    command = rest.strip().splitlines()[-1].split()
    assert command[:5] == ["ronmf", "data", "fetch", "umist", "coil20"]
    assert command[-2:] == ["--data", str(folder)]
    assert all(len(line) <= 100 for line in (table + rest).splitlines() if str(folder) not in line)
    for entry in CATALOG.values():
        if entry.file:
            (folder / entry.file).touch()
    assert "fetch" not in ronmf("list", "--data", folder).stdout  # all are here


@pytest.mark.slow
def test_list_follows_the_variable_and_refuses_a_wrong_folder(ronmf, folder):
    assert str(folder / "yale.npz") in ronmf("list", RONMF_DATA=folder).stdout
    result = ronmf("list", "--data", folder / "absent")
    assert result.returncode == 2
    assert result.stderr.count("\n") == 1
    assert "absent" in result.stderr


@pytest.mark.slow
def test_info_describes_a_dataset(ronmf, folder):
    result = ronmf("info", "yale", "--data", folder)
    assert result.returncode == 0
    assert "1024 (32 x 32 pixels)" in result.stdout
    assert "per class 11 to 11" in result.stdout
    assert "raw.githubusercontent.com" in result.stdout
    assert "not here" in ronmf("info", "mnist").stdout
    assert "inside scikit-learn" in ronmf("info", "digits").stdout


@pytest.mark.parametrize("command", ["info", *slow("verify", "fetch")])
def test_a_name_that_is_none_is_one_sentence(ronmf, command):
    result = ronmf(command, "yalee")
    assert result.returncode == 2
    assert result.stderr.startswith("Error: name is 'yalee'")
    assert result.stderr.endswith("; did you mean 'yale'?\n")
    assert result.stderr.count("\n") == 1


@pytest.mark.slow
def test_verify_finds_what_differs(ronmf, folder):
    result = ronmf("verify", "--data", folder)
    assert result.returncode == 2
    lines = {line.split()[0]: line for line in result.stdout.splitlines()}
    assert lines["yale"].split()[1] == "WRONG"
    assert "not 5a0f818f" in lines["yale"]
    assert lines["mnist"].split()[1] == "-"  # absent, but nobody asked for it
    (folder / "yale.npz").write_bytes(b"broken")
    assert "no readable .npz" in ronmf("verify", "yale", "--data", folder).stdout
    (folder / "yale.npz").unlink()
    assert ronmf("verify", "--data", folder).returncode == 0
    assert ronmf("verify", "yale", "--data", folder).returncode == 2


@pytest.mark.slow
def test_verify_passes_the_real_sets(ronmf, data_folder):
    result = ronmf("verify", "yale", "umist", "orl10p", "--data", data_folder)
    assert result.returncode == 0
    assert result.stdout.count("the reference copy") == 3


@pytest.mark.slow
def test_fetch_from_a_mirror_then_again(ronmf, data_folder, mirror, tmp_path):
    address = mirror(data_folder)
    first = ronmf("fetch", "yale", "digits", RONMF_MIRROR=address)
    assert first.returncode == 0
    stored = tmp_path / "cache" / "yale.npz"
    assert first.stdout.splitlines() == [
        f"yale: fetched, {stored} (the reference copy)",
        "digits: inside scikit-learn, nothing to fetch",
    ]
    assert first.stderr == ""
    assert stored.read_bytes() == (data_folder / "yale.npz").read_bytes()
    again = ronmf("fetch", "yale")
    assert again.stdout == f"yale: already here, {stored}\n"
    assert ronmf("verify", "yale").returncode == 0
    new = tmp_path / "new"
    assert ronmf("fetch", "orl10p", "--data", new, RONMF_MIRROR=address).returncode == 0
    assert (new / "orl10p.npz").is_file()


def test_fetch_refuses_a_file_with_another_checksum(ronmf, folder, mirror, tmp_path):
    result = ronmf("fetch", "yale", RONMF_MIRROR=mirror(folder))
    assert result.returncode == 2
    assert "its sha256 is" in result.stderr
    assert list((tmp_path / "cache").iterdir()) == []


def test_fetch_offline_is_one_sentence(ronmf, tmp_path):
    result = ronmf("fetch", "coil20")
    assert result.returncode == 2
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    wanted = f"put coil20.npz or COIL20.mat into {tmp_path / 'cache'}, or set RONMF_DATA"
    assert wanted in result.stderr
