"""Whole folders: pictures in, clusters out.

What ``ronmf cluster`` and the page of ``ronmf app`` do, as functions.
"""

from ._fitting import fit_pictures

__all__ = ["fit_pictures"]
