"""Networks that onnxruntime runs on the CPU: EfficientNet-Lite0, and any embedding in a file."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..numerics.threads import in_threads
from ._lite0 import LITE0_NETWORK, lite0_model, lite0_weights
from ._network import Network
from ._onnx_format import check_self_contained
from ._preparing import Channels, prepare

__all__ = ["OnnxNetwork", "lite0_by_onnx", "network_of_file"]

_DTYPES = {"tensor(float)": np.float32, "tensor(float16)": np.float16}
# The side of pictures, where a model takes them in any size
_USUAL = 224


@dataclass(frozen=True, eq=False, kw_only=True)
class OnnxNetwork(Network):
    """A network in a session of onnxruntime.

    Attributes
    ----------
    session : onnxruntime.InferenceSession
        It works in one thread. Pictures pass through it in several, each on its own: that is
        faster than several threads for one picture, and a vector depends on nothing but it.
    source, result : str
        The input and the output that are used.
    dtype : dtype
        Of what it takes.
    batch : int
        How many pictures it takes at once.
    channels_first : bool
        Whether it takes pictures as (channels, height, width), and gives maps so.
    """

    session: Any
    source: str
    result: str
    dtype: Any = np.float32
    batch: int = 1
    channels_first: bool = True

    def _vectors(self, pictures: np.ndarray) -> np.ndarray:
        starts = range(0, len(pictures), self.batch)
        parts = in_threads(lambda i: self._run(pictures[i : i + self.batch]), starts)
        return np.concatenate([np.empty((0, self.length), dtype=np.float32), *parts])

    def _run(self, pictures: np.ndarray) -> np.ndarray:
        x = np.zeros((self.batch, *self.size, 3), dtype=self.dtype)
        for row, picture in zip(x, pictures, strict=False):  # the last batch may not be full
            row[:] = prepare(picture, self.size, self.mean, self.deviation)
        if self.channels_first:
            x = np.ascontiguousarray(x.transpose(0, 3, 1, 2))
        (found,) = self.session.run([self.result], {self.source: x})
        return _vectors(found, self.channels_first)[: len(pictures)]


def lite0_by_onnx() -> OnnxNetwork:
    """Load the network whose weights a package brings."""
    session = _session(lite0_model(lite0_weights()))
    return OnnxNetwork(session=session, source="pictures", result="features", **LITE0_NETWORK)


def network_of_file(path: Path, mean: Channels, deviation: Channels) -> OnnxNetwork:
    """Load an embedding from an ONNX file; of any other file, one sentence says what is wrong.

    Parameters
    ----------
    path : Path
    mean, deviation : tuple of float
        Of the pixel values 0..255 the network was trained on, one number per channel.
    """
    try:
        session = _session(path.read_bytes())
        source = _source(session)
        # Where nothing is said, channels come first, as torch writes models.
        first = source.shape[1] == 3 or source.shape[3] != 3
        height, width = source.shape[2:] if first else source.shape[1:3]
        size = (_known(height, _USUAL), _known(width, _USUAL))
        batch, dtype = _known(source.shape[0], 1), _DTYPES[source.type]
        empty = np.zeros((batch, 3, *size) if first else (batch, *size, 3), dtype)
        result, length = _result(session, source.name, empty, first)
    except ValueError as error:
        raise ValueError(f"the model {path.name} {error}.") from error
    return OnnxNetwork(
        size=size,
        length=length,
        mean=mean,
        deviation=deviation,
        halves=True,
        session=session,
        source=source.name,
        result=result,
        dtype=dtype,
        batch=batch,
        channels_first=first,
    )


def _session(content: bytes) -> Any:
    import onnxruntime

    check_self_contained(content)
    onnxruntime.disable_telemetry_events()
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4  # errors are raised, and need not be printed too
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    # The other format it knows is one that we did not look into.
    options.add_session_config_entry("session.load_model_format", "ONNX")
    try:
        return onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # it has a kind of its own for each of many reasons
        raise ValueError(f"cannot be loaded by onnxruntime ({_first_line(error)})") from error


def _source(session: Any) -> Any:
    """Return the only input of a model that takes pictures."""
    inputs = session.get_inputs()
    if len(inputs) != 1:
        names = ", ".join(source.name for source in inputs)
        raise ValueError(
            f"takes {len(inputs)} inputs ({names}); export the part for pictures alone"
        )
    (source,) = inputs
    shape = source.shape
    colours = len(shape) == 4 and (3 in (shape[1], shape[3]) or not isinstance(shape[1], int))
    if not colours or source.type not in _DTYPES:
        raise ValueError(
            f"takes {source.type} of shape {shape}; it must take float pictures of three colours"
        )
    return source


def _result(session: Any, source: str, x: np.ndarray, channels_first: bool) -> tuple[str, int]:
    """Return the output to use and its number of features, after a run on an empty picture."""
    try:
        found = session.run(None, {source: x})
    except Exception as error:  # as above
        raise ValueError(f"cannot be run by onnxruntime ({_first_line(error)})") from error
    outputs = {
        output.name: value
        for output, value in zip(session.get_outputs(), found, strict=True)
        if isinstance(value, np.ndarray)
        and value.dtype.kind == "f"
        and 2 <= value.ndim <= 4
        and len(value) == len(x)
    }
    if not outputs:
        raise ValueError("gives no vector, maps or tokens for every picture")
    # A vector, as models with several outputs name it image_embeds or pooler_output, or the first.
    name = next((name for name, value in outputs.items() if value.ndim == 2), next(iter(outputs)))
    return name, _vectors(outputs[name], channels_first).shape[1]


def _vectors(found: np.ndarray, channels_first: bool) -> np.ndarray:
    """Return one vector per picture: as it is, or the mean over the places of maps or tokens."""
    found = found.astype(np.float32, copy=False)
    if found.ndim == 4:
        return found.mean(axis=(2, 3) if channels_first else (1, 2))
    # All tokens alike: not every model has one that stands for the whole picture.
    return found.mean(axis=1) if found.ndim == 3 else found


def _known(size: Any, otherwise: int) -> int:
    return size if isinstance(size, int) and size > 0 else otherwise


def _first_line(error: Exception) -> str:
    return str(error).strip().splitlines()[0][:200]
