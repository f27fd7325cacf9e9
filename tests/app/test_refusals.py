"""Requests that do not come from the page are refused by the real server."""

import http.client
import os
import shutil
import socket
import sys

import pytest

CHANGES = ("/api/label", "/api/undo", "/api/redo", "/api/cluster", "/api/cancel", "/api/export")
CHANGES += ("/api/add_class",)
READINGS = ("/api/pictures", "/api/labels", "/api/result", "/api/status", "/thumbnail/0")
READINGS += ("/picture/0", "/export.csv", "/made/1/part-0")
HOSTS = ("evil.example", "evil.example:{port}", "127.0.0.1", "localhost:1", "127.0.0.1.evil:{port}")
HOSTS += ("127.0.0.1:{port}@evil.example", "[::1]:{port}", "0.0.0.0:{port}", "", None)
ELSEWHERE = [
    ("Origin", None, 403),
    ("Origin", "null", 403),
    ("Origin", "http://evil.example", 403),
    ("Origin", "http://127.0.0.1:1", 403),
    ("Origin", "https://127.0.0.1:{port}", 403),
    ("X-Ronmf-Page", None, 403),
    ("X-Ronmf-Page", "wrong", 403),
    ("Cookie", None, 403),
    ("Sec-Fetch-Site", "cross-site", 403),
    ("Sec-Fetch-Site", "same-site", 403),
    ("Content-Type", "text/plain", 415),
    ("Content-Type", "application/x-www-form-urlencoded", 415),
    ("Content-Type", None, 415),
]
CHANGE = {"pictures": [0], "label": "owl", "name": "owl", "clusters": "auto"}
CLIMBS = (
    "/../secret.txt",
    "/static/../answers.py",
    "/static/..%2fanswers.py",
    "/static/%2e%2e/answers.py",
    "/static/..\\answers.py",
    "/static/%2fetc/passwd",
    "/static//etc/passwd",
    "/static/",
    "/static",
    "/thumbnail/../../outside.png",
    "/thumbnail/..%2f..%2foutside.png",
    "/thumbnail/%2e%2e%2foutside.png",
    "/thumbnail/-1",
    "/thumbnail/60",
    "/thumbnail/99999999999999999999999999",
    "/thumbnail/0000.png",
    "/picture/%2fetc%2fpasswd",
    "/picture//etc/passwd",
    "/picture/0%00",
    "/made/1/../../labels.sqlite",
    "/made/1/..%2flabels.sqlite",
    "/made/1/%2fetc%2fpasswd",
    "/.ronmf/labels.sqlite",
    "/secret.txt",
    "/0000.png",
    "//etc/passwd",
)


@pytest.mark.parametrize("cookie", [None, "ronmf-{port}=wrong", "ronmf-1={value}", "{token}"])
def test_nothing_is_read_without_the_key(served, client, cookie):
    value = client.cookie.partition("=")[2]
    if cookie is not None:
        cookie = cookie.format(port=served.port, value=value, token=f"ronmf-{served.port}=")
    answers = {path: client.get(path, Cookie=cookie) for path in ("/", *READINGS)}
    assert {path: status for path, (status, _) in answers.items() if status != 403} == {}
    assert not [path for path, (_, content) in answers.items() if client.key.encode() in content]


def test_the_cookie_does_not_open_the_page_to_who_gets_it_on_another_port(served, client):
    """Browsers send cookies to every port of a machine, but this one only inside its folder."""
    assert len(client.place) > 20  # what the cookie is for, as the server said
    for path in ("/", "/api/labels", "/picture/0", "/wrong/api/labels", f"{client.place}x/"):
        assert client.ask("GET", path, client.headers())[0].status == 403
    assert client.ask("POST", "/api/undo", client.headers(), b"{}")[0].status == 403


def test_a_wrong_token_does_not_open(client):
    for token in ("wrong", "", "%C3%A4", "%00", "a" * 5000):
        answer, _ = client.ask("GET", f"/?token={token}")
        assert answer.status == 403, token
        assert answer.getheader("set-cookie") is None, token


def test_the_key_of_the_address_is_no_cookie_and_no_key_of_the_page(served, client):
    mine = f"ronmf-{served.port}={served.token}"
    assert client.get("/api/labels", Cookie=mine)[0] == 403
    assert client.post("/api/undo", {}, X_Ronmf_Page=served.token)[0] == 403
    assert client.post("/api/undo", {}, X_Ronmf_Page=client.cookie.partition("=")[2])[0] == 403


def test_foreign_hosts_are_refused(served, client):
    for host in HOSTS:
        host = None if host is None else host.format(port=served.port)
        assert client.get("/api/labels", Host=host)[0] == 400, host
        assert client.get("/static/page.css", Host=host)[0] == 400, host
        assert client.get(f"/?token={served.token}", Host=host)[0] == 400, host
        headers = client.headers(Host=host, Origin=f"http://{host}")
        assert client.ask("POST", "/api/undo", headers, b"{}")[0].status == 400, host


@pytest.mark.parametrize(("header", "value", "status"), ELSEWHERE)
def test_nothing_is_changed_from_elsewhere(served, client, header, value, status):
    before = client.json("/api/labels")
    value = None if value is None else value.format(port=served.port)
    got, answer = client.post("/api/label", CHANGE, **{header.replace("-", "_"): value})
    assert got == status
    assert answer["error"].startswith("Refused: ")
    assert client.json("/api/labels") == before


def test_every_change_is_guarded(client):
    before = client.json("/api/labels")
    answers = {path: client.post(path, CHANGE, X_Ronmf_Page=None)[0] for path in CHANGES}
    assert {path: status for path, status in answers.items() if status != 403} == {}
    assert client.json("/api/labels") == before


def test_other_methods_are_refused(client):
    for method in ("PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"):
        answer, _ = client.ask(method, "/api/labels", client.headers())
        assert answer.status == 405, method
        assert answer.getheader("access-control-allow-origin") is None, method


def test_no_address_leads_out_of_what_is_shown(client):
    answers = {path: client.get(path) for path in CLIMBS}
    assert {path: got for path, (got, _) in answers.items() if got not in (400, 404)} == {}
    secrets = (b"PNG", b"root:", b"SQLite", b"import")
    assert not [
        path for path, (_, content) in answers.items() if any(s in content for s in secrets)
    ]


PICTURES = (None, [], "0", [-1], [60], [True], [0.0], ["0"], ["../outside.png"], [[0]], {"0": 0})
PICTURES += ([10**30],)
NAMES = (None, 1, ["a"], "-1", " ", "a\0b", "a\x1b[2J", "x" * 101, "\ud800")
COUNTS = (0, -1, 1001, 2.5, True, "many", None, [], "../x")
ODD = [
    ("/api/label", [{"pictures": each, "label": "owl"} for each in PICTURES]),
    ("/api/label", [{"pictures": [0], "label": each} for each in NAMES]),
    ("/api/add_class", [{"name": each} for each in NAMES]),
    ("/api/cluster", [{"clusters": each} for each in COUNTS]),
]


@pytest.mark.parametrize(("path", "changes"), ODD, ids=["pictures", "labels", "classes", "counts"])
def test_values_that_are_none_are_refused_in_a_sentence(client, path, changes):
    for change in changes:
        status, answer = client.post(path, change)
        assert status == 400, change
        assert 0 < len(answer["error"]) < 100, change


def test_a_body_that_is_no_object_is_refused(client):
    for body in (b"", b"[]", b"nonsense", b"\xff", b"1", b'{"a":', b"[" * 100_000):
        answer, content = client.ask("POST", f"{client.place}/api/label", client.headers(), body)
        assert answer.status == 400, body[:10]
        assert b"Traceback" not in content


def test_a_large_body_is_refused_whatever_it_says_of_itself(client):
    answer, _ = client.ask(
        "POST", f"{client.place}/api/label", client.headers(Content_Length="3000000")
    )
    assert answer.status == 413
    connection = http.client.HTTPConnection("127.0.0.1", client.port, timeout=20)
    headers = client.headers()
    del headers["Host"]
    try:  # in pieces whose sum nobody told; the server may hang up while we still send
        connection.request(
            "POST", f"{client.place}/api/label", (b"x" * 2**16 for _ in range(64)), headers
        )
        assert connection.getresponse().status == 413
    except (BrokenPipeError, ConnectionResetError):
        pass
    finally:
        connection.close()
    assert client.get("/api/status")[0] == 200


def test_every_answer_has_the_headers(client):
    for path in ("/", "/api/labels", "/thumbnail/0", "/static/main.js", "/nothing"):
        answer, _ = client.ask("GET", client.place + path, client.headers())
        policy = answer.getheader("content-security-policy")
        for rule in ("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"):
            assert rule in policy, path
        assert "unsafe" not in policy, path
        assert answer.getheader("x-content-type-options") == "nosniff", path
        assert answer.getheader("referrer-policy") == "no-referrer", path
        assert answer.getheader("cache-control"), path
        assert answer.getheader("server") is None, path


def test_names_are_escaped_and_no_script_is_in_the_page(client):
    _, page = client.get("/")
    assert b"pictures &lt;b&gt;" in page
    assert b"pictures <b>" not in page
    for part in (b"<script>", b"onclick", b"style=", b"http:", b"https:"):
        assert part not in page


def test_the_cookie_is_for_this_page_alone(served, client):
    answer, content = client.ask("GET", f"/?token={served.token}")
    cookie = answer.getheader("set-cookie").lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert served.token.encode() not in content


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_a_link_that_is_exchanged_later_is_not_followed(served, client):
    picture, kept = served.folder / "0007.png", served.folder.parent / "kept.png"
    # Another size, so that nothing kept of the old file is taken for it.
    outside = served.folder.parent / "elsewhere.png"
    outside.write_bytes((served.folder / "0008.png").read_bytes() + b"\0")
    assert client.get("/thumbnail/7")[0] == 200
    picture.rename(kept)
    try:
        picture.symlink_to(outside)
        assert client.get("/thumbnail/7")[0] == 404
        assert client.get("/picture/7")[0] == 404
        picture.unlink()
        os.mkfifo(picture)  # must not keep the server waiting
        assert client.get("/thumbnail/7")[0] == 404
        picture.unlink()
        picture.mkdir()
        assert client.get("/picture/7")[0] == 404
        picture.rmdir()
        assert client.get("/picture/7")[0] == 404
    finally:
        shutil.copy(kept, picture)
    assert client.get("/picture/7")[0] == 200


def test_only_this_machine_is_listened_to(served):
    for family, address in ((socket.AF_INET, _own_address()), (socket.AF_INET6, "::1")):
        if address is None:
            continue
        with socket.socket(family) as other:
            other.settimeout(2)
            assert other.connect_ex((address, served.port)) != 0


def _own_address():
    """Return an address of this machine that others could use; None if there is none."""
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(("192.0.2.1", 9))
            address = probe.getsockname()[0]
    except OSError:
        return None
    return None if address.startswith("127.") else address
