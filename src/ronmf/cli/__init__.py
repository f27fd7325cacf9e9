"""The command line: ``ronmf data`` and ``ronmf bench``."""

from .app import main

__all__ = ["main"]
