"""Fits of more than fits into memory, or than one likes to repeat: limits, and checkpoints."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from numbers import Integral
from pathlib import Path
from typing import Any

import numpy as np

from ..admm.parameters import check_solver
from ..graph.selection.folds import compared_count, most_parts, one_label_each
from ..labels.encoding import read_labels
from ..numerics.memory import allowed_bytes, read_size
from ..numerics.types import Seed
from ..storage._checkpoint import Checkpoint, content_key, content_name
from ..storage._products import template
from ..storage._rows import StoredRows
from ..storage._scratch import Scratch, room_for
from ..system.platform import resident_memory
from .sampled_evidence import MANY, SAMPLE, sampled_rows

__all__ = ["check_memory", "long_fit", "memory_needed"]

_BLENDS = 4  # of the fit, and of three folds that predict hidden labels. While wrong labels are
# looked for, that of the choice before is there too
_SWEEPS = 30  # whose models are expected to be kept
_COPIES = 3  # of the compared samples, with their features
_PER_EDGE, _PER_MEMBERSHIP, _PER_SAMPLE = 90, 80, 950  # bytes, measured: benchmarks/storage.py;
# 150 of a sample are probabilities of walks, of one for each fold and graph
_NO_MATTER = {"checkpoint", "max_memory", "verbose"}  # parameters that do not change the result


def memory_needed(
    shape: tuple[int, int],
    n_clusters: int,
    n_edges: int,
    itemsize: int = 4,
    one_each: bool = False,
) -> int:
    """Return about how many bytes a fit of stored data takes, however small the blocks.

    The graph and the memberships are in memory, and the samples on which graphs are compared, with
    their features.

    Parameters
    ----------
    shape : tuple (n_samples, n_features)
        Of the data.
    n_clusters : int
        Number of clusters.
    n_edges : int
        Neighbours of each sample, in all graphs that are blended.
    itemsize : int, default=4
        Bytes of the numbers in which the work is done.
    one_each : bool, default=False
        Whether every cluster has one label and no more: more samples are compared then.

    Examples
    --------
    >>> round(memory_needed((10_000_000, 784), 10, 4 * 5) / 2**30)
    33
    """
    n_samples, n_features = shape
    own = _PER_EDGE * n_edges + _PER_MEMBERSHIP * n_clusters + _PER_SAMPLE
    compared = _COPIES * min(n_samples, compared_count(n_clusters, one_each, n_features))
    sample = SAMPLE if n_samples > MANY else 0
    return n_samples * own + itemsize * (compared + sample) * n_features


def check_memory(estimator: Any, X: Any, codes: np.ndarray, n_clusters: int) -> None:
    """Refuse a fit that cannot do with the memory that is allowed, before it starts."""
    if estimator.max_memory is None:
        return
    limit = read_size(estimator.max_memory)
    settings = estimator._graph_settings()
    (n, d), edges = X.shape, settings.most_neighbors
    if settings.chosen:
        if n > MANY:  # such a sample chooses the graph
            codes = codes[sampled_rows(codes, np.random.RandomState(0))]
        blends = 1 if n > MANY else _BLENDS + settings.check_labels
        edges *= most_parts(codes, n_clusters) * blends + 1  # and a graph that no label has shaped
    one_each = one_label_each(codes, n_clusters)
    itemsize = template(X).dtype.itemsize
    needed = memory_needed((n, d), n_clusters, edges, itemsize, one_each)
    if resident_memory() + needed > limit:
        needed += resident_memory()
        raise ValueError(
            f"max_memory={estimator.max_memory!r} is too little: {n} samples of"
            f" {d} features in {n_clusters} clusters take about {needed / 2**30:.2g} GiB,"
            " however small the blocks; raise it, or fit part of the samples and predict the rest."
        )


@contextmanager
def long_fit(
    estimator: Any, X: Any, y: Any, affinity: Any = None
) -> Iterator[tuple[Seed, Scratch]]:
    """Yield the seed of a fit, and where its large arrays go.

    With a checkpoint, they go there, and a seed that was drawn is the same after a new start.
    """
    if estimator.checkpoint is not None:
        checkpoint = Checkpoint(estimator.checkpoint)
        with checkpoint.held(_key(estimator, X, y, affinity)) as drawn:
            given = estimator.random_state
            yield drawn if given is None else given, checkpoint.scratch()
        return
    if not isinstance(X, StoredRows):
        yield estimator.random_state, Scratch()
        return
    # A model of each sweep: as many parts as clusters, unless told otherwise
    n_classes = len(read_labels(np.full(len(X), -1) if y is None else y, len(X))[0])
    wanted = estimator.n_components or estimator.n_clusters
    parts = wanted if isinstance(wanted, Integral) else max(n_classes, 10)
    sweeps = min(check_solver(estimator.solver).max_iter, _SWEEPS)
    size = X.dtype.itemsize * len(X) * int(parts) * sweeps
    if size <= allowed_bytes(0.1, 2**29):
        yield estimator.random_state, Scratch()
        return
    folder = Path(tempfile.gettempdir())
    if shutil.disk_usage(folder).free < size:
        raise OSError(
            f"no room is left in {folder}: this fit needs about {size / 2**30:.2g} GiB there; make"
            " some, or name another folder in the variable TMPDIR."
        )
    with room_for(folder), tempfile.TemporaryDirectory(prefix="ronmf-") as scratch:
        yield estimator.random_state, Scratch(Path(scratch))


def _key(estimator: Any, X: StoredRows, y: Any, affinity: Any) -> str:
    """Return what tells this fit from others."""
    if isinstance(estimator.random_state, np.random.RandomState):
        raise ValueError(
            "random_state is a RandomState, which a fit that starts again cannot wind back; give a"
            " number, or None, with checkpoint."
        )
    if estimator.warm_start:
        raise ValueError(
            "warm_start=True goes on from the last fit, which a fit that starts again after a kill"
            " does not have; leave it or checkpoint out."
        )
    names, codes = read_labels(np.full(len(X), -1) if y is None else y, len(X))
    params = estimator.get_params()
    values = sorted((name, content_name(params[name])) for name in set(params) - _NO_MATTER)
    versions = [version(name) for name in ("ronmf", "numpy", "scipy", "scikit-learn")]
    graph = content_name(affinity)
    return content_key(X.digest(), codes, names.tolist(), values, graph, versions)
