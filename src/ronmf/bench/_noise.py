"""Noise for pictures in [0, 1] and for labels, seeded and stated properly."""

from typing import Any

import numpy as np

from ..system.suggestions import did_you_mean

__all__ = ["NOISES", "add_noise", "check_noise", "flip_labels"]
__all__ += ["gaussian", "occlusion", "poisson", "salt_pepper"]


def gaussian(X: np.ndarray, share: float, rng: np.random.Generator) -> np.ndarray:
    """Add normal noise whose variance is a share of the variance of all pixels; clip to [0, 1]."""
    return np.clip(X + rng.normal(0.0, np.sqrt(share * X.var()), X.shape), 0.0, 1.0)


def poisson(X: np.ndarray, peak: float, rng: np.random.Generator) -> np.ndarray:
    """Count photons, `peak` of them where a pixel is 1, and scale back; clip to [0, 1].

    A smaller peak is more noise; 255 is that of 8-bit pictures read as counts.
    """
    return np.clip(rng.poisson(X * peak) / peak, 0.0, 1.0)


def salt_pepper(X: np.ndarray, density: float, rng: np.random.Generator) -> np.ndarray:
    """Set a share of the pixels to 0 or 1, half each."""
    u = rng.random(X.shape)
    return np.where(u < density / 2, 0.0, np.where(u < density, 1.0, X))


def occlusion(
    X: np.ndarray,
    area: float,
    rng: np.random.Generator,
    image_shape: tuple[int, ...],
    cover: str = "black",
) -> np.ndarray:
    """Cover a rectangle of a share of each picture, of its proportions, at a random position.

    The cover is "black", pixels at "random" between 0 and 1, or the same place of another
    "picture", drawn from all of them.

    Examples
    --------
    >>> X = np.full((2, 9), 0.5)
    >>> covered = occlusion(X, 0.25, np.random.default_rng(0), (3, 3))
    >>> (covered == 0).sum(axis=1).tolist()  # 2 x 2 of 3 x 3 pixels
    [4, 4]
    """
    height, width = image_shape
    h, w = (max(1, round(side * np.sqrt(area))) for side in image_shape)
    pictures = X.reshape(len(X), height, width)
    out = pictures.copy()
    tops = rng.integers(height - h + 1, size=len(X))
    lefts = rng.integers(width - w + 1, size=len(X))
    others = (np.arange(len(X)) + rng.integers(1, max(2, len(X)), size=len(X))) % len(X)
    for i, (top, left) in enumerate(zip(tops, lefts, strict=True)):
        place = slice(top, top + h), slice(left, left + w)
        if cover == "random":
            out[i][place] = rng.random((h, w))
        else:
            out[i][place] = pictures[others[i]][place] if cover == "picture" else 0.0
    return out.reshape(X.shape)


def flip_labels(y: np.ndarray, share: float, rng: np.random.Generator) -> np.ndarray:
    """Replace a share of the given labels by another class at random; -1 stays.

    Examples
    --------
    >>> y = np.array([0, 1, 2, -1, 0, 1])
    >>> int((flip_labels(y, 0.4, np.random.default_rng(0)) != y).sum())
    2
    """
    given = np.flatnonzero(y >= 0)
    classes = np.unique(y[given])
    if len(classes) < 2:
        return y.copy()
    flipped = y.copy()
    for i in rng.choice(given, round(share * len(given)), replace=False):
        flipped[i] = rng.choice(classes[classes != y[i]])
    return flipped


# Largest sensible level of each kind; the smallest is above 0.
NOISES: dict[str, float] = {
    "gaussian": np.inf,
    "poisson": np.inf,
    "salt_pepper": 1.0,
    "occlusion": 1.0,
    "occlusion_random": 1.0,
    "occlusion_picture": 1.0,
    "label_flips": 1.0,
}


def check_noise(kind: str, level: float | None) -> None:
    """Refuse a kind that is not known, and a level that it cannot have."""
    if kind == "none":
        return
    if kind not in NOISES:
        raise ValueError(
            f"noise kind {kind!r} is not known; use one of none, {', '.join(NOISES)}"
            f"{did_you_mean(kind, NOISES) or '.'}"
        )
    if level is None or not 0 < level <= NOISES[kind]:
        raise ValueError(
            f"noise level {level} of {kind!r} is out of range; use a number above 0"
            + ("." if NOISES[kind] == np.inf else f" and at most {NOISES[kind]:g}.")
        )


def add_noise(
    X: np.ndarray,
    y: np.ndarray,
    kind: str,
    level: float,
    seed: Any,
    image_shape: tuple[int, ...] | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Return pictures and given labels with noise.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Pixels in [0, 1].
    y : ndarray of int, shape (n_samples,)
        Given labels, -1 elsewhere.
    kind : str
        The noise: "none", "gaussian", "poisson", "salt_pepper", "label_flips", or an occlusion by
        black ("occlusion"), random pixels ("occlusion_random") or other pictures
        ("occlusion_picture").
    level : float
        Share of the variance, peak, density, area or share of labels.
    seed : int or sequence of int
        Seed.
    image_shape : (int, int), optional
        Height and width, for occlusion.

    Examples
    --------
    >>> X = np.full((2, 4), 0.5)
    >>> noisy, _ = add_noise(X, np.array([0, -1]), "salt_pepper", 0.5, seed=0)
    >>> sorted(set(noisy.ravel().tolist()))
    [0.0, 0.5, 1.0]
    """
    if kind == "none":
        return X, y
    check_noise(kind, level)
    rng = np.random.default_rng(seed)
    if kind == "label_flips":
        return X, flip_labels(y, level, rng)
    if kind.startswith("occlusion"):
        if image_shape is None or image_shape[0] * image_shape[1] != X.shape[1]:
            raise ValueError(
                f"occlusion needs the height and width of pictures of {X.shape[1]} pixels, but"
                f" image_shape is {image_shape}; give it with the dataset."
            )
        cover = kind.removeprefix("occlusion").lstrip("_") or "black"
        return occlusion(X, level, rng, image_shape, cover), y
    functions = {"gaussian": gaussian, "poisson": poisson, "salt_pepper": salt_pepper}
    return functions[kind](X, level, rng), y
