"""Names of what goes in and comes out, for signatures that users read."""

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

__all__ = ["Affinity", "Array", "Labels", "Seed"]

# An array of NumPy, torch or another array API library; the standard has no base class to name.
Array: TypeAlias = Any
# Class names, with -1, None or NaN where a sample has none.
Labels: TypeAlias = npt.ArrayLike | None
# Weights between samples, dense or sparse.
Affinity: TypeAlias = npt.ArrayLike | sp.sparray | sp.spmatrix
Seed: TypeAlias = int | np.random.RandomState | None
