"""Data that lie elsewhere than in memory: in a file, or on the workers of Dask.

Everything above this room reaches them through :class:`~ronmf.storage._rows.StoredRows`: a function
is applied to every block of rows, with the same rows of other arrays beside it. Where `X` is an
array in memory, the functions of :mod:`ronmf.storage._products` do the same on it directly.
"""

from ._open import open_rows
from ._writing import write_rows

__all__ = ["open_rows", "write_rows"]
