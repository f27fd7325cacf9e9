"""Downloads: over https, to a temporary file, limited in size and time, checked."""

import hashlib
import http.client
import ipaddress
import math
import os
import shutil
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from ..system.platform import exclusive
from ..system.writing import open_to_write
from . import _limits as limits

__all__ = ["Progress", "downloaded", "file_digest"]

Progress = Callable[[int, int | None], None]
"""Called with the bytes received and the bytes to come in all (None if the server does not say)."""

_BLOCK = 2**16  # bytes


@contextmanager
def downloaded(
    url: str,
    digest: str,
    target: Path,
    progress: Progress | None = None,
    *,
    named_by: str = "",
    most_bytes: float = math.inf,
) -> Iterator[Path]:
    """Download `url` to a file beside `target` that is gone when the block ends.

    Parameters
    ----------
    url : str
        Address.
    digest : str
        Checksum as in :class:`~ronmf.datasets.Source`; empty for no check.
    target : path
        What the download is for.
    progress : callable, optional
        See :data:`Progress`.
    named_by : str, optional
        The address whose answer named this one.
    most_bytes : float, optional
        Largest size, unless that of all downloads is smaller.

    Raises
    ------
    OSError
        If it fails or is not what it should be; the text names the address.
    """
    path = target.with_name(f"{target.name}-download")
    try:
        with exclusive(path):  # so that others can tell it from what a killed process left
            try:
                _check_address(url, named_by)
                _receive(url, path, progress, min(most_bytes, limits.DOWNLOAD_BYTES))
                _check_digest(path, digest)
            except (OSError, http.client.HTTPException, ValueError) as error:
                # URLError wraps the reason; the others are the reason.
                raise OSError(f"{url}: {getattr(error, 'reason', None) or error}") from error
            yield path
    finally:
        path.unlink(missing_ok=True)


def _check_address(url: str, named_by: str) -> None:
    """Refuse what is not https; plain http may lead to this machine, if not sent there by others.

    Parameters
    ----------
    url : str
        The address.
    named_by : str
        The address that sent us there; empty if it is the user's or the catalog's.
    """
    scheme = urlsplit(url).scheme
    ours = _is_here(url) and (not named_by or _is_here(named_by))
    if scheme != "https" and not (scheme == "http" and ours):
        raise ValueError(f"{scheme or 'it'} is not https, the only way of downloading")


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
    request = urllib.request.Request(url, headers={"User-Agent": "ronmf"})
    answer: Future[Any] = Future()

    def ask() -> None:
        try:
            opener = urllib.request.build_opener(_Redirects)
            answer.set_result(opener.open(request, timeout=limits.SILENT_SECONDS))
        except Exception as error:
            answer.set_exception(error)

    threading.Thread(target=ask, daemon=True).start()
    try:
        return answer.result(2 * limits.SILENT_SECONDS)
    except TimeoutError:
        raise TimeoutError("the server does not answer") from None


def _receive(url: str, path: Path, progress: Progress | None, most_bytes: float) -> None:
    """Write what a server sends to a file."""
    end, received = time.monotonic() + limits.DOWNLOAD_SECONDS, 0
    with _answer(url) as answer, open_to_write(path, "wb") as file:
        length = answer.headers.get("Content-Length") or ""
        total = int(length) if length.isdigit() and len(length) < 20 else None
        if (total or 0) > most_bytes:
            raise ValueError(f"{total} bytes, more than the {most_bytes} of anything here")
        if (total or 0) > shutil.disk_usage(path.parent).free:
            raise ValueError(f"{total} bytes, more than the disk has room for")
        while block := answer.read1(_BLOCK):  # what has come: `read` would wait for all of it
            file.write(block)
            received += len(block)
            if received > most_bytes:
                raise ValueError(f"more than {most_bytes} bytes")
            if time.monotonic() > end:
                raise TimeoutError(f"not done after {limits.DOWNLOAD_SECONDS:g} seconds")
            if progress is not None:
                progress(received, total)
    if total is not None and received != total:
        raise ConnectionError(f"the connection broke after {received} of {total} bytes")


def _check_digest(path: Path, digest: str) -> None:
    algorithm, _, expected = digest.partition(":")
    if expected and (actual := file_digest(path, algorithm)) != expected:
        raise ValueError(f"its {algorithm} is {actual}, not the expected {expected}")


def file_digest(path: str | os.PathLike, algorithm: str = "sha256") -> str:
    """Return the digest of a file, in hexadecimal digits."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, algorithm).hexdigest()
