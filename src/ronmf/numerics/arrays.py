"""What the array API standard leaves to each library: host copies, sparse products, block sizes."""

import warnings
from collections.abc import Callable
from threading import Lock
from typing import Any, TypeVar

import numpy as np
import scipy.sparse as sp
from array_api_compat import (
    array_namespace,
    device,
    is_array_api_obj,
    is_numpy_array,
    is_torch_array,
)

from .threads import in_threads, n_threads

__all__ = [
    "block_rows",
    "each_block",
    "few_blocks",
    "frobenius_norm",
    "from_numpy",
    "is_foreign",
    "linked_sums",
    "on_cpu",
    "over_median",
    "row_blocks",
    "sparse_product",
    "to_numpy",
    "weighted_means",
]

# Blocks that stay in a core's cache beat larger ones on a CPU; a GPU wants few launches.
_CPU_BLOCK, _ACCELERATOR_BLOCK = 2**18, 2**26

_filters = Lock()
_T = TypeVar("_T")
_R = TypeVar("_R")
_ENTRIES_FOR_THREADS = 2**20  # of a pass over the data


def to_numpy(array: Any) -> np.ndarray:
    """Return a host NumPy copy (or view) of an array of any library."""
    if is_torch_array(array):
        return array.detach().cpu().numpy()
    return np.asarray(array)


def from_numpy(values: np.ndarray, like: Any, *, dtype: Any = None) -> Any:
    """Return `values` in the library and on the device of `like` (and its dtype, unless given)."""
    xp = array_namespace(like)
    return xp.asarray(values, dtype=like.dtype if dtype is None else dtype, device=device(like))


def is_foreign(X: Any) -> bool:
    """Whether X is an array of an array API library other than NumPy."""
    return is_array_api_obj(X) and not is_numpy_array(X)


def on_cpu(array: Any) -> bool:
    """Whether an array lies in the host's memory."""
    return str(device(array)).lower().startswith("cpu")


def block_rows(array: Any) -> int:
    """Return how many rows of an n x d array to treat at once."""
    entries = _CPU_BLOCK if on_cpu(array) else _ACCELERATOR_BLOCK
    return max(1, entries // max(1, array.shape[1]))


def row_blocks(
    array: Any, rows: int | None = None, *, within: slice = slice(0, None)
) -> list[slice]:
    """Return slices that cut an array into blocks of so many rows, by default `block_rows`.

    `within` is the part of the rows to cut, by default all.
    """
    start, stop, _ = within.indices(array.shape[0])
    rows = rows or block_rows(array)
    return [slice(i, min(i + rows, stop)) for i in range(start, stop, rows)]


def few_blocks(array: Any) -> list[slice]:
    """Return one block of rows for each thread, or a single one where threads would not pay."""
    n = array.shape[0]
    count = n_threads() if n * array.shape[1] >= _ENTRIES_FOR_THREADS else 1
    return row_blocks(array, max(1, -(-n // count)))


def each_block(work: Callable[[_T], _R], blocks: list[_T], array: Any) -> list[_R]:
    """Return ``work(block)`` for blocks or other parts of an array: NumPy's in several threads.

    Other libraries have threads, or a device, of their own.
    """
    return in_threads(work, blocks) if is_numpy_array(array) else [work(b) for b in blocks]


def frobenius_norm(array: Any) -> float:
    """Return the root of the sum of squares, by blocks, without a copy of the array."""
    xp = array_namespace(array)
    blocks = (xp.reshape(array[block, :], (-1,)) for block in row_blocks(array))
    return sum(float(xp.vecdot(block, block)) for block in blocks) ** 0.5


def sparse_product(matrix: sp.csr_array, like: Any) -> Any:
    """Return a function ``B -> matrix @ B`` for arrays B of the library and dtype of `like`.

    The standard has no sparse arrays: NumPy goes through SciPy, torch through its own CSR tensors,
    and any other library through the host.
    """
    if is_torch_array(like):
        import torch

        # The filters are one for all threads: who changes them must undo it before another does.
        with _filters, warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="Sparse CSR tensor support is in beta")
            warnings.filterwarnings("ignore", message="Sparse invariant checks are implicitly")
            tensor = torch.sparse_csr_tensor(
                torch.as_tensor(matrix.indptr.astype(np.int64)),
                torch.as_tensor(matrix.indices.astype(np.int64)),
                torch.as_tensor(matrix.data),
                size=matrix.shape,
                check_invariants=False,
            ).to(dtype=like.dtype, device=like.device)
        return lambda B: tensor @ B
    host = matrix.astype(to_numpy(like[:1, :1]).dtype)
    if is_numpy_array(like):
        return lambda B: host @ B
    return lambda B: from_numpy(host @ to_numpy(B), like)


def weighted_means(A: Any, X: Any) -> Any:
    """Return, for each column of non-negative weights A, the mean of the rows of X."""
    xp = array_namespace(X)
    total = xp.sum(A, axis=0)
    return (A.T @ X) / xp.where(total > 0, total, 1.0)[:, None]


def linked_sums(A: Any, indices: np.ndarray, weights: Any) -> Any:
    """Return ``Σ_j weights_ij A[indices_ij]`` for each row i of the links, in A's library."""
    xp = array_namespace(A)
    total = xp.zeros((indices.shape[0], A.shape[1]), dtype=A.dtype, device=device(A))
    for j in range(indices.shape[1]):
        rows = xp.take(A, from_numpy(indices[:, j], A, dtype=xp.int64), axis=0)
        total = total + weights[:, j][:, None] * rows
    return total


def over_median(values: np.ndarray) -> np.ndarray:
    """Return non-negative values in units of their median (of their mean, if that is zero)."""
    return values / (float(np.median(values)) or float(values.mean()) or 1.0)
