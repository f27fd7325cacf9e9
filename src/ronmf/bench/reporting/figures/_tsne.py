"""Embeddings in the plane."""

from collections.abc import Sequence

import numpy as np
from sklearn.manifold import TSNE

from ._sheet import Sheet, drawn_apart, panels, styled

__all__ = ["embed", "tsne"]

_COLOURS = ["#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#000000", "#8A7500"]
_MARKERS = ["o", "^", "s", "X", "D"]
_STEPS = 500  # of 1000, the second half moves points by hardly a pixel


def embed(features: np.ndarray, seed: int) -> np.ndarray:
    """Return t-SNE coordinates in the plane.

    Parameters
    ----------
    features : ndarray of shape (n_samples, n_features)
        One row per sample: data, or the memberships of a method.
    seed : int
        Seed.

    Returns
    -------
    ndarray of shape (n_samples, 2)

    References
    ----------
    .. [1] van der Maaten and Hinton (2008). Visualizing data using t-SNE. JMLR 9.

    Examples
    --------
    >>> embed(np.eye(12), seed=0).shape
    (12, 2)
    """
    features = np.asarray(features, dtype=float)
    if features.ndim != 2 or len(features) < 4:
        raise ValueError(
            f"features has shape {features.shape}; give at least 4 samples, one per row."
        )
    # A perplexity is a number of neighbours: 30 is usual, and a third of the samples the most.
    perplexity = min(30.0, (len(features) - 1) / 3)
    start = "pca" if min(features.shape) >= 2 else "random"
    model = TSNE(2, perplexity=perplexity, init=start, max_iter=_STEPS, random_state=seed)
    return model.fit_transform(features)


@styled
def tsne(embeddings: Sequence[tuple[str, np.ndarray, np.ndarray]]) -> Sheet:
    """Draw embeddings side by side, coloured by the true class.

    Parameters
    ----------
    embeddings : sequence of (title, ndarray of shape (n, 2), ndarray of int of shape (n,))
        Title, coordinates and true class of every panel. Classes are colours and markers, the
        same in every panel.
    """
    if not embeddings:
        raise ValueError("embeddings is empty; give a (title, coordinates, classes) a panel.")
    for title, points, truth in embeddings:
        if np.ndim(points) != 2 or np.shape(points) != (len(truth), 2):
            raise ValueError(
                f"the embedding {title!r} has shape {np.shape(points)}; it must be"
                f" ({len(truth)}, 2), a point for each class."
            )
    size = (1.8, 1.8) if drawn_apart() else (2.9, 2.9)  # two beside each other on a phone
    sheet = panels(len(embeddings), size)
    for ax, (title, points, truth) in zip(sheet.axes, embeddings, strict=True):
        points, truth = np.asarray(points), np.asarray(truth)
        for code in np.unique(truth):
            own = points[truth == code]
            turn = int(code) // len(_COLOURS)
            ax.scatter(
                own[:, 0],
                own[:, 1],
                s=float(np.clip(6000 / len(points), 5, 22)),
                color=_COLOURS[int(code) % len(_COLOURS)],
                marker=_MARKERS[turn % len(_MARKERS)],
                linewidths=0,
                alpha=0.85,
                label=str(code),
            )
        ax.set_title(title)
        ax.set_xticks([])
        ax.set_yticks([])
        ax.set_aspect("equal", adjustable="datalim")
        for side in ax.spines.values():
            side.set(visible=True, color="#bbbbbb")
    return sheet
