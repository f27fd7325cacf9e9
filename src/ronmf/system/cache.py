"""Where files are kept that can be had again: downloads, arrays, features."""

import os
from pathlib import Path

from .files import user_path

__all__ = ["cache_folder"]


def cache_folder() -> Path:
    """Folder of downloads: ``RONMF_CACHE``, else ``XDG_CACHE_HOME/ronmf``, else ``~/.cache/ronmf``.

    It need not exist yet.
    """
    if own := os.environ.get("RONMF_CACHE"):
        return user_path(own)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "ronmf"
