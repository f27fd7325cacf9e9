"""What is done with a downloaded table before it is the dataset of the catalog."""

import numpy as np

__all__ = ["block_means", "count_from_zero", "first_of_each"]

Table = tuple[np.ndarray, np.ndarray]


def first_of_each(X: np.ndarray, labels: np.ndarray, *, rows: int, n: int) -> Table:
    """Take the first `n` samples of each class among the first `rows`, in their order.

    Examples
    --------
    >>> X, labels = np.arange(5)[:, None], np.array([1, 0, 1, 0, 1])
    >>> first_of_each(X, labels, rows=4, n=1)[1].tolist()
    [1, 0]
    """
    labels = labels[:rows]
    chosen = np.sort(
        np.concatenate([np.flatnonzero(labels == value)[:n] for value in np.unique(labels)])
    )
    return X[chosen], labels[chosen]


def count_from_zero(X: np.ndarray, labels: np.ndarray) -> Table:
    """Count the classes from 0 instead of 1.

    Examples
    --------
    >>> count_from_zero(np.eye(2), np.array([1.0, 10.0]))[1].tolist()
    [0.0, 9.0]
    """
    return X, labels.astype(float) - 1


def block_means(
    X: np.ndarray, labels: np.ndarray, *, full: tuple[int, int], small: tuple[int, int]
) -> Table:
    """Shrink pictures of `full` size to `small`, by means over blocks of pixels.

    Whether pixels go by rows or by columns shows in the pictures: read in the wrong order, a
    picture that is not square falls into stripes, so the smoother reading is the right one.

    Examples
    --------
    >>> X = np.array([[0.0, 0.2, 0.4, 0.6, 0.1, 0.3, 0.5, 0.7]])
    >>> block_means(X, np.array([0]), full=(2, 4), small=(1, 2))[0].round(2).tolist()
    [[0.15, 0.55]]
    """
    height, width = full
    if X.shape[1] != height * width:
        raise ValueError(f"the pictures have {X.shape[1]} pixels, not {height} x {width}")
    by_rows = X.reshape(-1, height, width)
    by_columns = X.reshape(-1, width, height).transpose(0, 2, 1)

    def roughness(pictures: np.ndarray) -> float:
        return float(sum(np.abs(np.diff(pictures, axis=axis)).mean() for axis in (1, 2)))

    upright = min(by_rows, by_columns, key=roughness)
    rows, columns = small
    blocks = upright.reshape(-1, rows, height // rows, columns, width // columns)
    return blocks.mean(axis=(2, 4)).reshape(len(X), -1), labels
