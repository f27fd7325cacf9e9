"""Pretrained networks by name or file, behind one call: pixels in, non-negative vectors out.

What runs them, and the packages that bring the weights, are imported when a network is loaded.
"""

import hashlib
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path

from ..system.files import user_path
from ._backends import LITE0, WEIGHTS, choose_backend, deep_available, is_file, require_packages
from ._network import Network
from ._preparing import Channels, Normalization, mean_and_deviation

__all__ = ["LITE0", "Network", "deep_available", "identity", "load_network", "require_packages"]

# Raise it when pictures are prepared differently: vectors kept on disk are then made again.
_RECIPE = 1


def identity(model: str, normalization: Normalization = None) -> str:
    """Return what decides the features of a picture: model, weights, preparation.

    What runs the network does not: onnxruntime and torch agree but for rounding.
    """
    if is_file(model):
        return f"onnx {_digest(model)}|{mean_and_deviation(normalization)}|{_RECIPE}"
    package = WEIGHTS if model == LITE0 else "timm"
    return f"{model}|{package} {version(package)}|{_RECIPE}"


def load_network(
    model: str = LITE0,
    device: str | None = None,
    backend: str = "auto",
    normalization: Normalization = None,
) -> Network:
    """Load a network, unless it is the one that was loaded last.

    Parameters
    ----------
    model, device, backend, normalization
        As those of `DeepFeatures`.
    """
    require_packages(model, device, backend, normalization)
    numbers = mean_and_deviation(normalization)
    # A file may have changed since it was loaded.
    digest = _digest(model) if is_file(model) else ""
    return _load(model, device, choose_backend(model, device, backend), numbers, digest)


# One network in memory: clones of an estimator, as searches make them, need not load it again.
@lru_cache(maxsize=1)
def _load(
    model: str,
    device: str | None,
    backend: str,
    numbers: tuple[Channels, Channels],
    digest: str,
) -> Network:
    if backend == "torch":
        from ._torch_networks import lite0_by_torch, network_of_timm

        return lite0_by_torch(device) if model == LITE0 else network_of_timm(model, device)
    from ._onnx_networks import lite0_by_onnx, network_of_file

    return lite0_by_onnx() if model == LITE0 else network_of_file(user_path(model), *numbers)


def _digest(model: str) -> str:
    path = user_path(model).resolve()
    status = path.stat()
    return _digest_of(path, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=8)
def _digest_of(path: Path, changed: int, size: int) -> str:
    """Return the digest of a file, which is large, once for each of its states."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
