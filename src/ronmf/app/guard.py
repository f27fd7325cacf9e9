"""Who may ask: only the page itself, in the browser of whoever started the program."""

import hmac
import secrets
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.responses import HTMLResponse, JSONResponse, Response

__all__ = ["Guard", "Keys"]

_Message = MutableMapping[str, Any]
_Receive = Callable[[], Awaitable[_Message]]
_Send = Callable[[_Message], Awaitable[None]]

MOST_BYTES = 2**21  # of a request
_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self';"
    " img-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none';"
    " base-uri 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
_ENTER = """<!doctype html><html lang="en"><meta charset="utf-8"><title>ronmf</title>
<link rel="icon" href="/static/icon.svg">
<meta http-equiv="refresh" content="0;url=/{0}/"><a href="/{0}/">Go to the pictures</a></html>"""
_STAY_OUT = """<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>ronmf: not open to you</title>
<link rel="icon" href="/static/icon.svg"><link rel="stylesheet" href="/static/page.css">
<main class="alone"><h1>This page needs its key</h1>
<p>Open the address that the terminal shows after <code>ronmf app</code>, with the token in it.
After a restart it is a new one.</p></main></html>"""


class Keys:
    """Random secrets of one run of the program.

    Attributes
    ----------
    token : str
        In the address that the terminal shows.
    once : str
        In the address that the browser is opened with, which other users of the machine may see in
        the list of processes: it is good for one use.
    place : str
        Name of the folder, in addresses, that everything lies in. Browsers send cookies to all
        ports of a machine; this one is for addresses in that folder only, whose name another server
        does not know.
    cookie, page : str
        What a browser that came with a token holds, and what its page sends beside it.
    """

    def __init__(self) -> None:
        self.token, self.once, self.cookie, self.page, self.place = (
            secrets.token_urlsafe(24) for _ in range(5)
        )

    def enter(self, token: str) -> bool:
        """Whether a token lets its bearer in."""
        if hmac.compare_digest(token.encode(), self.once.encode()):
            self.once = secrets.token_urlsafe(24)
            return True
        return hmac.compare_digest(token.encode(), self.token.encode())


class Guard:
    """Stands before the application: no request passes that breaks one of the rules below.

    Host
        Only this machine's own names, so that no foreign name can be made to mean this machine.
    Origin, Sec-Fetch-Site
        Nothing that another site, or another port of this machine, has the browser ask for.
    Cookie
        From a browser that once came with the token.
    X-Ronmf-Page, Content-Type
        Whatever changes something is JSON, from our own page, and of limited size.

    Parameters
    ----------
    app : ASGI application
        What is guarded.
    port : int
        The port that is served.
    keys : Keys
        The secrets.
    """

    def __init__(self, app: Any, port: int, keys: Keys) -> None:
        self.app, self.keys = app, keys
        self.hosts = (f"127.0.0.1:{port}", f"localhost:{port}")
        self.cookie = f"ronmf-{port}"

    async def __call__(self, scope: Any, receive: _Receive, send: _Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] != "http":
            return

        async def send_guarded(message: _Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers[name] = value
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        answer = self._answer(scope)
        if answer is None and scope["method"] == "POST":
            body = await _body(receive)
            if body is None:
                answer = _refusal(413, f"a request may have {MOST_BYTES} bytes at most.")
            else:
                receive = _once(body, receive)
        inside = {**scope, "path": self._inside(scope["path"]), "root_path": ""}
        await (answer or self.app)(inside, receive, send_guarded)

    def _inside(self, path: str) -> str:
        """Return an address as the application knows it."""
        return path.removeprefix(f"/{self.keys.place}")

    def _answer(self, scope: Any) -> Response | None:
        """Return the answer to a request that must not pass; None lets it pass."""
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if host not in self.hosts or len(headers.getlist("host")) != 1:
            return _refusal(400, "this server answers to 127.0.0.1 and localhost only.")
        if scope["method"] not in ("GET", "HEAD", "POST"):
            return _refusal(405, "only GET and POST are understood.")
        reading = scope["method"] != "POST"
        token = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        if reading and scope["path"] == "/" and token:
            if not self.keys.enter(token):
                return HTMLResponse(_STAY_OUT, 403)
            entered = HTMLResponse(_ENTER.format(self.keys.place))
            entered.set_cookie(
                self.cookie,
                self.keys.cookie,
                httponly=True,
                samesite="strict",
                path=f"/{self.keys.place}/",
            )
            return entered
        if headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
            return _refusal(403, "this was asked for by another page.")
        if reading and self._inside(scope["path"]).startswith("/static/"):
            return None  # the same for everybody, and the refusal wears it too
        cookie = cookie_parser(headers.get("cookie", "")).get(self.cookie, "")
        inside = scope["path"].startswith(f"/{self.keys.place}/")
        if not inside or not hmac.compare_digest(cookie.encode(), self.keys.cookie.encode()):
            if self._inside(scope["path"]) == "/":
                return HTMLResponse(_STAY_OUT, 403)
            return _refusal(403, "the key is missing: open the address that the terminal shows.")
        return None if reading else self._changing(headers, host)

    def _changing(self, headers: Headers, host: str) -> Response | None:
        """Return why a request may not change anything; None if it may."""
        if headers.get("origin") != f"http://{host}":
            return _refusal(403, "this was asked for by another page.")
        if not hmac.compare_digest(
            headers.get("x-ronmf-page", "").encode(), self.keys.page.encode()
        ):
            return _refusal(403, "the key of the page is missing: load the page again.")
        if headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            return _refusal(415, "only JSON is understood.")
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > MOST_BYTES:
            return _refusal(413, f"a request may have {MOST_BYTES} bytes at most.")
        return None


def _refusal(status: int, why: str) -> Response:
    return JSONResponse({"error": f"Refused: {why}"}, status)


async def _body(receive: _Receive) -> bytes | None:
    """Return the body of a request; None if it is too large, or its sender gone."""
    body = b""
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return None
        body += message.get("body", b"")
        if len(body) > MOST_BYTES:
            return None
        if not message.get("more_body", False):
            return body


def _once(body: bytes, receive: _Receive) -> _Receive:
    """Return what gives the body again, and then what else there is to hear."""
    waiting = [body]

    async def again() -> _Message:
        if waiting:
            return {"type": "http.request", "body": waiting.pop(), "more_body": False}
        return await receive()

    return again
