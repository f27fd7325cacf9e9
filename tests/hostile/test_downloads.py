"""Servers that lie, drip, redirect or never stop: one sentence, and nothing left."""

import json
import os
import subprocess
import sys
import time

import numpy as np
import pytest

from ronmf.datasets import CATALOG, Source, _limits, fetch
from ronmf.datasets import _download as download
from ronmf.system.files import remove_leftovers, whole_file
from support.command_line import assert_one_sentence, command
from support.dataset_files import as_mat, leftovers, yale_pictures
from support.fuzzing import fuzz_seeds, with_changed_bytes
from support.servers import serving

pytestmark = pytest.mark.usefixtures("cache")
KINDS = ("copy", "mat", "openml", "numbered_pictures", "packed_photographs")


@pytest.fixture
def hostile():
    """A server that answers with whatever ``server.answer(handler)`` does."""
    with serving() as server:
        yield server


def refused(cache, url, kind="copy", digest=""):
    """Fetch from one source, which must fail; return the reason. Nothing may be left."""
    with pytest.raises(FileNotFoundError) as caught:
        fetch("yale", sources=[Source(url, kind, digest)])
    assert str(caught.value).isprintable()
    assert leftovers(cache) == []
    return str(caught.value)


def test_every_address_of_the_catalog_is_https_and_every_file_can_be_checked():
    for entry in CATALOG.values():
        for source in entry.sources:
            assert source.url.startswith("https://")
            assert source.digest or entry.content
        assert entry.bundled or entry.sha256


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd",
        "ftp://127.0.0.1/x",
        "data:text/plain,hello",
        "http://example.org/x",
        "http://169.254.169.254/latest",
        "gopher://x/",
        "x",
        "",
        "http://[::1",
        "https://",
    ],
)
def test_only_https_is_opened(cache, url):
    reason = refused(cache, url)
    assert "not https" in reason or url.startswith(("https", "http://["))


@pytest.mark.parametrize("target", ["file:///etc/passwd", "ftp://127.0.0.1/x", "data:,x"])
def test_redirects_lead_nowhere_else(cache, hostile, target):
    def answer(handler):
        handler.send_response(302)
        handler.send_header("Location", target)
        handler.end_headers()

    hostile.answer = answer
    assert "not https" in (said := refused(cache, hostile.url)) or "not allowed" in said


def test_a_redirect_from_elsewhere_does_not_lead_to_this_machine():
    for start in ("https://example.org/a", ""):
        said = []
        for url in ("http://127.0.0.1:80/x", "http://localhost/x", "http://[::1]/x"):
            try:
                download._check_address(url, start)
                said.append("")
            except ValueError as error:
                said.append(str(error))
        if start:
            assert all("not https" in text for text in said)
        else:  # a user may serve files on this machine
            assert said == ["", "", ""]
    download._check_address("https://example.org/b", "https://example.org/a")


def test_a_server_cannot_command_the_terminal(cache, hostile):
    def answer(handler):
        handler.wfile.write(b"HTTP/1.1 500 \x1b[2J\x07gone\r\n\r\n")

    hostile.answer = answer
    assert "gone" in (said := refused(cache, hostile.url))
    assert said.isprintable()


def test_endless_redirects_end(cache, hostile):
    def answer(handler):
        handler.send_response(302)
        handler.send_header("Location", f"{hostile.url}/{time.monotonic_ns()}")
        handler.end_headers()

    hostile.answer = answer
    assert refused(cache, hostile.url)


@pytest.mark.parametrize("kind", KINDS)
def test_downloads_are_limited_in_size(cache, hostile, monkeypatch, kind):
    monkeypatch.setattr(_limits, "DOWNLOAD_BYTES", 2**20)

    def claims(handler):
        handler.send_response(200)
        handler.send_header("Content-Length", str(10**12))
        handler.end_headers()

    def streams(handler):
        handler.send_response(200)
        handler.end_headers()
        try:
            while True:
                handler.wfile.write(b"\0" * 2**16)
        except OSError:
            pass

    hostile.answer = claims
    assert "bytes, more than" in refused(cache, hostile.url, kind)
    hostile.answer = streams
    assert "more than 1048576 bytes" in refused(cache, hostile.url, kind)


def drip(handler):
    handler.send_response(200)
    handler.end_headers()
    try:
        while True:
            handler.wfile.write(b"x")
            time.sleep(0.02)
    except OSError:
        pass


def drip_head(handler):
    try:
        handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
        while True:
            handler.wfile.write(b"X")
            time.sleep(0.02)
    except OSError:
        pass


def silent(handler):
    time.sleep(5)


@pytest.mark.parametrize("answer", [drip, drip_head, silent], ids=["body", "head", "silence"])
def test_downloads_are_limited_in_time(cache, hostile, monkeypatch, answer):
    monkeypatch.setattr(_limits, "DOWNLOAD_SECONDS", 0.5)
    monkeypatch.setattr(_limits, "SILENT_SECONDS", 0.4)
    hostile.answer = answer
    start = time.monotonic()
    assert refused(cache, hostile.url)
    assert time.monotonic() - start < 5


def openml_answer(hostile, about):
    content = about if isinstance(about, bytes) else json.dumps(about).encode()

    def answer(handler):
        handler.send_response(200)
        handler.end_headers()
        handler.wfile.write(content)

    hostile.answer = answer


@pytest.mark.parametrize(
    "about",
    [
        {},
        [],
        {"data_set_description": 3},
        {"data_set_description": {"url": "file:///etc/passwd", "default_target_attribute": "c"}},
        {"data_set_description": {"url": "ftp://x/y", "default_target_attribute": "c"}},
        {"data_set_description": {"url": ["a"], "default_target_attribute": None}},
        {"data_set_description": {"url": "http://192.168.0.1/", "default_target_attribute": "c"}},
        {"data_set_description": {"url": "file:///\x1b[2J", "default_target_attribute": "c"}},
        b"[" * 100_000,
        b"\xff",
        b'{"data_set_description": {"url": "\\ud800", "default_target_attribute": 1}}',
    ],
    ids=range(11),
)
def test_registries_that_answer_nonsense_are_refused(cache, hostile, about):
    openml_answer(hostile, about)
    assert refused(cache, hostile.url, "openml")


def test_answers_changed_anywhere_leave_nothing(cache, hostile):
    whole = as_mat(*yale_pictures())
    for seed in fuzz_seeds():
        rng = np.random.RandomState(seed)
        for kind in KINDS:
            content = with_changed_bytes(whole, rng, 30)
            openml_answer(hostile, content[: rng.randint(len(content))])
            assert refused(cache, hostile.url, kind)


def test_leftovers_of_a_killed_fetch_are_removed_by_the_next(cache, hostile):
    hostile.answer = drip
    code = (
        "from ronmf.datasets import Source, fetch\n"
        f"fetch('yale', sources=[Source({hostile.url!r}, 'mat')])"
    )
    process = subprocess.Popen([sys.executable, "-c", code], env={**os.environ})
    while not any(cache.glob(".part-*-download")):
        assert process.poll() is None
        time.sleep(0.02)
    process.kill()
    process.wait()
    assert any(cache.glob(".part-*"))
    openml_answer(hostile, as_mat(*yale_pictures()))
    fetch("yale", sources=[Source(hostile.url, "mat")])
    assert leftovers(cache) == ["yale.npz", "yale.npz.sha256"]


def test_what_another_process_is_writing_is_no_leftover(tmp_path):
    target = tmp_path / "a.npz"
    with whole_file(target) as part:
        part.write_bytes(b"x")
        remove_leftovers(target)
        assert part.exists()
    assert target.read_bytes() == b"x"
    (tmp_path / ".part-12345678-a.npz").write_bytes(b"y")
    (tmp_path / ".part-12345678-b.npz").write_bytes(b"z")
    remove_leftovers(target)
    assert sorted(each.name for each in tmp_path.iterdir()) == [".part-12345678-b.npz", "a.npz"]


def test_the_command_line_says_whether_a_download_is_verified(cache, hostile, monkeypatch):
    monkeypatch.setenv("RONMF_MIRROR", "http://example.org/sets")
    ended = command("data", "fetch", "yale")
    assert_one_sentence(ended, "not https", "put yale.npz or Yale.mat into")
    assert leftovers(cache) == []


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other rights")
def test_the_cache_is_private_to_the_user(cache, hostile):
    openml_answer(hostile, as_mat(*yale_pictures()))
    fetch("yale", sources=[Source(hostile.url, "mat")])
    assert cache.stat().st_mode & 0o077 == 0
