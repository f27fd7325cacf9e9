"""Internal room: the command line: ``ronmf cluster``, ``predict``, ``app``, ``data``, ``bench``.

It imports public modules of the package and ``ronmf.system`` only: what it does, a user can do.
"""

from .app import main

__all__ = ["main"]
