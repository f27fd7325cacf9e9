"""What every transformer of pictures promises: shapes, types, pipelines and one-sentence errors."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline

from ronmf.features import (
    HOG,
    DeepFeatures,
    GaussianBlur,
    LocalContrast,
    MedianFilter,
    SoftBins,
    UnitNorm,
)
from support.features import PICTURES, every


def test_blocks_change_nothing(gray, monkeypatch):
    whole = [t.fit_transform(gray) for t in every()]
    monkeypatch.setattr("ronmf.numerics.arrays._CPU_BLOCK", 7 * 30)
    for transformer, expected in zip(every(), whole, strict=True):
        np.testing.assert_array_equal(transformer.fit_transform(gray), expected)


values = st.floats(0, 1e4, width=32, allow_subnormal=False)


@settings(max_examples=40, deadline=None)
@given(
    arrays(np.float32, (3, 12), elements=values),
    st.sampled_from([(3, 4), (12, 1), (1, 12), (2, 2, 3)]),
    st.sampled_from([np.float32, np.float64]),
)
def test_shape_dtype_sign_and_independence_of_rows(X, image_shape, dtype):
    X = X.astype(dtype)
    for transformer in every(image_shape):
        out = transformer.fit_transform(X)
        assert out.shape == (3, len(transformer.get_feature_names_out()))
        assert out.dtype == dtype
        assert np.isfinite(out).all()
        assert (out >= 0).all()
        alone = transformer.transform(X[1:2])
        np.testing.assert_allclose(alone[0], out[1], rtol=1e-4, atol=1e-5)


def test_float32_is_worked_on_as_such_and_agrees(gray):
    for transformer in every():
        single = transformer.fit_transform(gray.astype(np.float32))
        assert single.dtype == np.float32
        np.testing.assert_allclose(single, transformer.transform(gray), rtol=2e-3, atol=2e-5)
    assert HOG(image_shape=(6, 5)).fit_transform(np.ones((2, 30), dtype=int)).dtype == np.float64


@pytest.mark.parametrize("library", ["array_api_strict", "torch"])
def test_arrays_of_other_libraries_come_back_in_theirs(gray, library):
    xp = pytest.importorskip(library, reason=f"needs {library}")
    for transformer in every():
        for dtype in (np.float32, np.float64):
            X = xp.asarray(gray.astype(dtype))
            out = transformer.fit_transform(X)
            assert type(out) is type(X)
            assert out.dtype == X.dtype
            # Worked on in their own library, whose products round in another order
            exact = 1e-5 if dtype == np.float32 else 1e-12
            expected = transformer.fit_transform(gray.astype(dtype))
            np.testing.assert_allclose(np.asarray(out), expected, rtol=exact, atol=exact)


@pytest.mark.parametrize("library", ["array_api_strict", "torch"])
@pytest.mark.parametrize("scale", ["quantile", "value"])
def test_soft_bins_of_cells_in_other_libraries(library, scale):
    xp = pytest.importorskip(library, reason=f"needs {library}")
    X = np.random.default_rng(0).random((7, 48))
    X[:, :10] = 0.25  # equal values share a rank
    bins = SoftBins(scale=scale, cell=2.0, image_shape=(8, 6)).fit(X)
    beyond = np.concatenate([X, X + 0.5])  # values that the fit has not seen
    out = bins.transform(xp.asarray(beyond))
    np.testing.assert_allclose(np.asarray(out), bins.transform(beyond), rtol=1e-10, atol=1e-12)


def test_other_libraries_get_the_same_errors():
    torch = pytest.importorskip("torch", reason="needs torch")
    for transformer in every():
        fitted = transformer.fit(np.ones((3, 30)))
        signs = isinstance(transformer, UnitNorm)
        for wrong, message in ((-1.0, "non-negative"), (float("nan"), "NaN"))[signs:]:
            with pytest.raises(ValueError, match=message):
                fitted.transform(torch.full((2, 30), wrong))
        with pytest.raises(ValueError, match="features"):
            fitted.transform(torch.ones((2, 29)))


def test_without_a_fit_names_and_pipelines(gray):
    for transformer in every():
        np.testing.assert_array_equal(
            clone(transformer).transform(gray), transformer.fit_transform(gray)
        )
        with pytest.raises(NotFittedError):
            clone(transformer).get_feature_names_out()
    pipe = make_pipeline(MedianFilter(image_shape=(6, 5)), HOG(image_shape=(6, 5)), UnitNorm())
    out = pipe.fit_transform(gray)
    np.testing.assert_allclose(np.linalg.norm(out, axis=1), 1)
    assert pipe.get_feature_names_out()[1] == "unitnorm1"
    assert HOG(4, cell=3.0, image_shape=(6, 5)).fit(gray).get_feature_names_out().size == 16


@pytest.mark.parametrize("kind", PICTURES)
@pytest.mark.parametrize(
    ("image_shape", "message"),
    [
        (None, r"needs image_shape=\(height, width\): X has 30 features"),
        ((6, 6), "image_shape 6 x 6 does not fit 30 features"),
        ((30,), r"image_shape is \(30,\): give \(height, width\)"),
        ((-6, -5), "whole numbers from 1"),
        ((6.0, 5.0), "whole numbers from 1"),
    ],
)
def test_a_bad_image_shape_is_one_sentence(gray, kind, image_shape, message):
    for call in ("fit", "transform"):
        with pytest.raises(ValueError, match=message):
            getattr(kind(image_shape=image_shape), call)(gray)


@pytest.mark.parametrize(
    ("transformer", "message"),
    [
        (MedianFilter(4, image_shape=(6, 5)), "size is 4: give an odd number"),
        (GaussianBlur(-1.0, image_shape=(6, 5)), "'sigma' parameter of GaussianBlur"),
        (HOG(0, image_shape=(6, 5)), "'n_orientations' parameter of HOG"),
        (HOG(cell=0.5, image_shape=(6, 5)), "'cell' parameter of HOG"),
        (LocalContrast(0, image_shape=(6, 5)), "'sigma' parameter of LocalContrast"),
    ],
)
def test_bad_parameters(gray, transformer, message):
    with pytest.raises(ValueError, match=message):
        transformer.fit(gray)


def test_bad_data(gray):
    for transformer in every():
        if isinstance(transformer, UnitNorm):  # a direction may have any signs
            np.testing.assert_allclose(
                transformer.fit_transform(-gray), -transformer.fit_transform(gray)
            )
        else:
            with pytest.raises(ValueError, match="X must be non-negative"):
                transformer.fit(-gray)
        with pytest.raises(ValueError, match="NaN"):
            transformer.fit(np.full((2, 30), np.nan))


@pytest.mark.parametrize(
    ("transformer", "said"),
    [
        (HOG(10**4), "'n_orientations' parameter of HOG must be an int in the range [1, 64]"),
        (SoftBins(10**4), "'n_bins' parameter of SoftBins must be an int in the range [2, 256]"),
        (DeepFeatures(batch_size=10**4), "'batch_size' parameter of DeepFeatures must be"),
        (HOG(blur=1e9), "blur=1000000000.0 of HOG is wider than pictures of 8 x 8 pixels"),
        (GaussianBlur(17), "sigma=17 of GaussianBlur is wider than pictures of 8 x 8 pixels"),
        (LocalContrast(17), "sigma=17 of LocalContrast is wider than pictures of 8 x 8 pixels"),
        (MedianFilter(17), "size=17 of MedianFilter is wider than pictures of 8 x 8 pixels"),
    ],
    ids=repr,
)
def test_numbers_that_would_take_more_memory_than_pictures_justify(transformer, said):
    with pytest.raises(ValueError, match=re.escape(said)) as caught:
        transformer.fit(np.ones((2, 8, 8)))
    assert "\n" not in str(caught.value)


def test_wide_blurs_of_large_pictures_and_sides_that_are_too_long():
    assert MedianFilter(17).fit(np.ones((1, 20, 30))).transform(np.ones((1, 20, 30))).all()
    with pytest.raises(ValueError, match="side of 5000 pixels; scale them"):
        HOG().fit(np.ones((1, 1, 5000)))
