"""Downloads: to a temporary file, counted, checked."""

import hashlib
import http.client
import os
import secrets
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["DownloadError", "Progress", "downloaded", "sha256_of"]

Progress = Callable[[int, int | None], None]
"""Called with the bytes received and the bytes to come in all (None if the server does not say)."""

_BLOCK = 1 << 16
_TIMEOUT = 30.0  # seconds without a byte


class DownloadError(OSError):
    """A download that failed or is not what it should be; the text names the address."""


@contextmanager
def downloaded(
    url: str, digest: str, folder: Path, progress: Progress | None = None
) -> Iterator[Path]:
    """Download `url` to a file in `folder` that is gone when the block ends.

    Parameters
    ----------
    url : str
        Address.
    digest : str
        Checksum as in :class:`~ronmf.datasets._catalog.Source`; empty for no check.
    folder : path
        Where the temporary file lies.
    progress : callable, optional
        See :data:`Progress`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f".part-{secrets.token_hex(4)}-download"
    try:
        _receive(url, digest, path, progress)
        yield path
    finally:
        path.unlink(missing_ok=True)


def _receive(url: str, digest: str, path: Path, progress: Progress | None) -> None:
    algorithm, _, expected = digest.partition(":")
    check = hashlib.new(algorithm or "sha256")
    request = urllib.request.Request(url, headers={"User-Agent": "ronmf"})
    try:
        with urllib.request.urlopen(request, timeout=_TIMEOUT) as answer, path.open("wb") as file:
            length = answer.headers.get("Content-Length")
            total = int(length) if length and length.isdigit() else None
            received = 0
            while block := answer.read(_BLOCK):
                file.write(block)
                check.update(block)
                received += len(block)
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


def sha256_of(path: str | os.PathLike) -> str:
    """Return the sha256 of a file, in hexadecimal digits."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
