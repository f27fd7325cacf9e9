"""The samples on which candidates are compared, and their labels at the density of all."""

import numpy as np

__all__ = ["axis_rows", "compared_rows", "stratified", "thinned"]

_SAMPLES, _FEW_SAMPLES = 2000, 1000  # the latter where many graphs are made several times
_MANY = 20  # candidates
_LABELS = 1500  # labelled samples from which the scatter along a hundred axes is known well
_PER_CLASS = 20  # but so many of every cluster, where clusters are many


def compared_rows(
    codes: np.ndarray, n_clusters: int, n_candidates: int, rng: np.random.RandomState
) -> np.ndarray:
    """Return the samples to compare candidates on: all, or two thousand of them.

    Of many candidates, made anew in every trial, it is one thousand. Thin samples hide how clusters
    hang together, which is all that is known where no label can be hidden. Up to half are labelled
    ones, so that hidden labels are not too few to judge by; every class gives the same share of its
    labels, and two wherever it has them.
    """
    testable = codes.max(initial=-1) > 0 and (np.bincount(codes[codes >= 0]) > 1).any()
    few = testable and n_candidates > _MANY
    count = max(_FEW_SAMPLES if few else _SAMPLES, _PER_CLASS * n_clusters)
    if len(codes) <= count:
        return np.arange(len(codes))
    labelled = stratified(codes, min(1.0, count / 2 / max(1, (codes >= 0).sum())), 2, rng)
    free = rng.permutation(np.flatnonzero(codes < 0))
    others = np.setdiff1d(np.flatnonzero(codes >= 0), labelled)
    filling = np.concatenate([free, rng.permutation(others)])[: max(0, count - len(labelled))]
    return np.sort(np.concatenate([labelled, filling]))


def axis_rows(codes: np.ndarray, rng: np.random.RandomState) -> np.ndarray:
    """Return the labelled samples that shape discriminant axes: all, or about 1500 of them.

    Every class gives the same share of its labels, and twenty wherever it has them.
    """
    count = (codes >= 0).sum()
    most = max(_LABELS, _PER_CLASS * (int(codes.max(initial=-1)) + 1))
    if count <= most:
        return np.flatnonzero(codes >= 0)
    return np.sort(stratified(codes, most / count, _PER_CLASS, rng))


def thinned(codes: np.ndarray, rows: np.ndarray, rng: np.random.RandomState) -> np.ndarray:
    """Return labels of compared samples that are as far apart as those of all samples.

    Every class keeps the same share of its labels as samples are compared, and at least one. The
    others count as unlabelled when labels are propagated.
    """
    known = codes[rows]
    if len(rows) == len(codes):
        return known
    wanted = len(rows) / len(codes) * (codes >= 0).sum()
    kept = stratified(known, min(1.0, wanted / max(1, (known >= 0).sum())), 1, rng)
    thin = np.full(len(rows), -1)
    thin[kept] = known[kept]
    return thin


def stratified(
    codes: np.ndarray, share: float, least: int, rng: np.random.RandomState
) -> np.ndarray:
    """Draw a share of the labelled samples of each class, at least so many where there are."""
    drawn = [
        rng.permutation(members)[: max(least, round(share * len(members)))]
        for members in (np.flatnonzero(codes == j) for j in np.unique(codes[codes >= 0]))
    ]
    return np.concatenate(drawn) if drawn else np.zeros(0, dtype=int)
