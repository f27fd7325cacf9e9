"""Downloads: over https, to a temporary file, counted, limited in size and time, checked."""

import hashlib
import http.client
import ipaddress
import os
import shutil
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from ..system.plain_text import one_line
from ..system.platform import exclusive
from ..system.writing import open_to_write

__all__ = ["DownloadError", "Progress", "downloaded", "sha256_of"]

Progress = Callable[[int, int | None], None]
"""Called with the bytes received and the bytes to come in all (None if the server does not say)."""

_BLOCK = 1 << 16
_SILENCE = 30.0  # seconds without a byte
_MOST_SECONDS = 3600.0  # in all, however steadily a server drips
_MOST_BYTES = 1 << 30  # the largest of the catalog has 140 million


class DownloadError(OSError):
    """A download that failed or is not what it should be; the text names the address."""

    def __init__(self, text: str) -> None:
        super().__init__(one_line(text))  # servers have a say in it


@contextmanager
def downloaded(
    url: str,
    digest: str,
    target: Path,
    progress: Progress | None = None,
    *,
    named_by: str = "",
    most_bytes: int | None = None,
) -> Iterator[Path]:
    """Download `url` to a file beside `target` that is gone when the block ends.

    Parameters
    ----------
    url : str
        Address.
    digest : str
        Checksum as in :class:`~ronmf.datasets._catalog.Source`; empty for no check.
    target : path
        What the download is for.
    progress : callable, optional
        See :data:`Progress`.
    named_by : str, optional
        The address whose answer named this one.
    most_bytes : int, optional
        Largest size; None: a gigabyte.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    path = target.with_name(f"{target.name}-download")
    try:
        with exclusive(path):  # so that others can tell it from what a killed process left
            _receive(url, digest, path, progress, named_by, most_bytes or _MOST_BYTES)
            yield path
    finally:
        path.unlink(missing_ok=True)


def _receive(
    url: str, digest: str, path: Path, progress: Progress | None, named_by: str, most_bytes: int
) -> None:
    algorithm, _, expected = digest.partition(":")
    check = hashlib.new(algorithm or "sha256")
    end = time.monotonic() + _MOST_SECONDS
    received, total = 0, None
    try:
        _check_address(url, named_by)
        with _answer(url) as answer, open_to_write(path, "wb") as file:
            length = answer.headers.get("Content-Length")
            total = int(length) if length and length.isdigit() and len(length) < 20 else None
            if (total or 0) > most_bytes:
                raise DownloadError(f"{total} bytes, more than the {most_bytes} of anything here")
            if (total or 0) > shutil.disk_usage(path.parent).free:
                raise DownloadError(f"{total} bytes, more than the disk has room for")
            while block := answer.read1(_BLOCK):  # what has come: `read` would wait for all of it
                file.write(block)
                check.update(block)
                received += len(block)
                if received > most_bytes:
                    raise DownloadError(f"more than {most_bytes} bytes")
                if time.monotonic() > end:
                    raise DownloadError(f"not done after {_MOST_SECONDS:g} seconds")
                if progress is not None:
                    progress(received, total)
    except (OSError, http.client.HTTPException, ValueError) as error:
        # URLError wraps the reason; the others are the reason.
        raise DownloadError(f"{url}: {getattr(error, 'reason', None) or error}") from error
    if total is not None and received != total:
        raise DownloadError(f"{url}: the connection broke after {received} of {total} bytes")
    if expected and check.hexdigest() != expected:
        raise DownloadError(
            f"{url}: its {algorithm} is {check.hexdigest()}, not the expected {expected}"
        )


def _check_address(url: str, named_by: str) -> None:
    """Refuse what is not https; plain http may lead to this machine, if not sent there by others.

    Parameters
    ----------
    url : str
        The address.
    named_by : str
        The address that sent us there; empty if it is the user's or the catalog's.
    """
    parts = urlsplit(url)
    ours = _is_here(url) and (not named_by or _is_here(named_by))
    if parts.scheme != "https" and not (parts.scheme == "http" and ours):
        raise DownloadError(f"{parts.scheme or 'it'} is not https, the only way of downloading")


def _is_here(url: str) -> bool:
    """Whether an address is on this machine."""
    host = urlsplit(url).hostname or ""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


class _Redirects(urllib.request.HTTPRedirectHandler):
    """Follow redirects to addresses that could have been asked for at first."""

    def redirect_request(
        self, request: Any, file: Any, code: int, message: str, headers: Any, url: str
    ) -> Any:
        _check_address(url, request.full_url)
        return super().redirect_request(request, file, code, message, headers, url)


def _answer(url: str) -> Any:
    """Return a server's answer, once its head is there; a head that drips in is given up."""
    # None of urllib's handlers of files, data and ftp, which a redirect could lead to
    opener = urllib.request.OpenerDirector()
    handlers = (
        *(urllib.request.ProxyHandler(), urllib.request.HTTPHandler(), _Redirects()),
        *(urllib.request.HTTPSHandler(), urllib.request.HTTPErrorProcessor()),
        *(urllib.request.HTTPDefaultErrorHandler(), urllib.request.UnknownHandler()),
    )
    for handler in handlers:
        opener.add_handler(handler)
    request = urllib.request.Request(url, headers={"User-Agent": "ronmf"})
    outcome: list[Any] = []

    def ask() -> None:
        try:
            outcome.append(opener.open(request, timeout=_SILENCE))
        except Exception as error:
            outcome.append(error)

    asking = threading.Thread(target=ask, daemon=True)
    asking.start()
    asking.join(2 * _SILENCE)
    if not outcome:
        raise DownloadError(f"no answer after {2 * _SILENCE:g} seconds")
    if isinstance(outcome[0], Exception):
        raise outcome[0]
    return outcome[0]


def sha256_of(path: str | os.PathLike) -> str:
    """Return the sha256 of a file, in hexadecimal digits."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
