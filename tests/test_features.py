"""Transformers of pictures: mathematics by equivalences and invariances, scikit-learn's checks."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.ndimage import gaussian_filter
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

from ronmf.features import HOG, GaussianBlur, LocalContrast, MedianFilter, UnitNorm

PICTURES = [GaussianBlur, MedianFilter, LocalContrast, HOG]


class OneRow:
    """Takes rows of any length for pictures one pixel high, as scikit-learn's checks need."""

    def _shape(self, n_features):
        return 1, n_features, 1


class RowBlur(OneRow, GaussianBlur):
    pass


class RowMedian(OneRow, MedianFilter):
    pass


class RowContrast(OneRow, LocalContrast):
    pass


class RowHOG(OneRow, HOG):
    pass


@parametrize_with_checks([UnitNorm(), RowBlur(), RowMedian(), RowContrast(), RowHOG()])
def test_sklearn_checks(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def pictures():
    return np.random.default_rng(0).random((40, 6 * 5))


def every(image_shape=(6, 5)):
    return [UnitNorm(), *(kind(image_shape=image_shape) for kind in PICTURES)]


def test_unit_norm_has_unit_length_at_any_scale_and_keeps_zero(pictures):
    for scale in (1e-300, 1.0, 1e300):
        unit = UnitNorm().fit_transform(scale * pictures)
        np.testing.assert_allclose(np.linalg.norm(unit, axis=1), 1)
        np.testing.assert_allclose(unit, UnitNorm().fit_transform(pictures))
    assert not UnitNorm().fit_transform(np.zeros((2, 3))).any()


def test_blur_is_scipys_picture_by_picture(pictures):
    blurred = GaussianBlur(1.3, image_shape=(6, 5)).fit_transform(pictures)
    expected = [gaussian_filter(x.reshape(6, 5), 1.3, mode="nearest").ravel() for x in pictures]
    np.testing.assert_allclose(blurred, expected)
    colour = GaussianBlur(1.3, image_shape=(5, 2, 3)).fit_transform(pictures)
    channels = [
        GaussianBlur(1.3, image_shape=(5, 2)).fit_transform(pictures[:, c::3]) for c in range(3)
    ]
    np.testing.assert_allclose(colour.reshape(40, 10, 3), np.stack(channels, axis=2))


def test_one_gray_stays_one_gray():
    gray = np.full((1, 30), 0.7)
    for kind in (GaussianBlur, MedianFilter):
        np.testing.assert_allclose(kind(image_shape=(6, 5)).fit_transform(gray), gray)
    for kind in (LocalContrast, HOG):
        assert not kind(image_shape=(6, 5)).fit_transform(gray).any()


def test_median_removes_salt_and_keeps_an_edge():
    clean = np.repeat([0.2, 0.8], [3, 3])[np.newaxis] * np.ones((6, 1))
    salted = clean.copy()
    salted[2, 1] = salted[4, 4] = 1.0
    out = MedianFilter(3, image_shape=(6, 6)).fit_transform(salted.reshape(1, -1))
    np.testing.assert_array_equal(out.reshape(6, 6), clean)


def test_median_against_sorting(pictures):
    x = pictures[0].reshape(6, 5)
    padded = np.pad(x, 1, mode="edge")
    expected = [np.sort(padded[i : i + 3, j : j + 3], None)[4] for i in range(6) for j in range(5)]
    out = MedianFilter(image_shape=(6, 5)).fit_transform(pictures[:1])
    np.testing.assert_array_equal(out[0], expected)


def test_local_contrast_does_not_see_gain_and_offset(pictures):
    contrast = LocalContrast(1.5, image_shape=(6, 5))
    expected = contrast.fit_transform(pictures)
    np.testing.assert_allclose(contrast.transform(7 * pictures + 3), expected, atol=1e-12)
    np.testing.assert_allclose(contrast.transform(1e200 * pictures), expected, atol=1e-12)
    assert expected.shape == (40, 60)
    assert not (expected[:, :30] * expected[:, 30:]).any()  # brighter or darker, never both


def test_local_contrast_by_weighted_sums(pictures):
    contrast = LocalContrast(0.8, image_shape=(6, 5)).fit_transform(pictures[:1])[0]
    x = pictures[0].reshape(6, 5)
    # The weights of a pixel's surroundings are what the blur makes of single bright pixels.
    points = GaussianBlur(0.8, image_shape=(6, 5)).fit_transform(np.eye(30))
    mean = points.T @ x.ravel()
    deviation = np.sqrt([w @ (x.ravel() - m) ** 2 for w, m in zip(points.T, mean, strict=True)])
    expected = (x.ravel() - mean) / (deviation + 0.1 * x.std())
    np.testing.assert_allclose(contrast[:30] - contrast[30:], expected, atol=1e-12)


def orientations(hog, picture):
    """What a picture activates in each direction, in total."""
    maps = hog.fit_transform(picture.reshape(1, -1)).reshape(hog.n_orientations, -1)
    return maps.sum(axis=1)


@pytest.mark.parametrize("turns", range(4))
def test_an_edge_activates_its_own_direction(turns):
    edge = np.zeros((8, 8))
    edge[:, 4:] = 1  # brighter to the right: direction 0
    found = orientations(HOG(8, image_shape=(8, 8)), np.rot90(edge, -turns))
    own = 2 * turns  # np.rot90 by -1 turns right into down
    cosine = np.maximum(0, np.cos(2 * np.pi * (np.arange(8) - own) / 8))
    np.testing.assert_allclose(found / found[own], cosine**4, atol=1e-12)
    assert (found > 0).sum() == 3


@pytest.mark.parametrize(("cell", "n"), [(1.0, 7), (2.0, 7), (2.5, 8)])
def test_a_turned_picture_has_turned_maps_in_turned_directions(cell, n):
    x = np.random.default_rng(1).random((n, n))
    hog = HOG(8, cell=cell, image_shape=(n, n))
    side = max(1, round(n / cell))
    maps = hog.fit_transform(x.reshape(1, -1)).reshape(8, side, side)
    turned = hog.fit_transform(np.rot90(x, -1).reshape(1, -1)).reshape(8, side, side)
    expected = np.roll(np.rot90(maps, -1, axes=(1, 2)), 2, axis=0)
    np.testing.assert_allclose(turned, expected, atol=1e-12)


def test_hog_against_angles(pictures):
    """Full resolution and a Gaussian too narrow to mix pixels: the maps themselves."""
    x = pictures[0].reshape(6, 5)
    padded = np.pad(x, 1, mode="edge")
    right = (padded[1:-1, 2:] - padded[1:-1, :-2]) / 2
    down = (padded[2:, 1:-1] - padded[:-2, 1:-1]) / 2
    angle, length = np.arctan2(down, right), np.hypot(right, down)
    expected = [
        np.sqrt(length) * np.maximum(0, np.cos(angle - 2 * np.pi * k / 5)) ** 4 for k in range(5)
    ]
    hog = HOG(5, cell=1.0, smoothing=1e-3, image_shape=(6, 5))
    np.testing.assert_allclose(hog.fit_transform(pictures[:1])[0], np.ravel(expected), atol=1e-12)


def test_hog_ignores_an_offset_and_takes_the_root_of_a_gain(pictures):
    hog = HOG(image_shape=(6, 5))
    expected = hog.fit_transform(pictures)
    np.testing.assert_allclose(hog.transform(pictures + 5), expected, atol=1e-7)
    np.testing.assert_allclose(hog.transform(9 * pictures), 3 * expected, atol=1e-12)


def test_hog_blurs_as_the_blur_does_and_takes_the_strongest_channel(pictures):
    blurred = GaussianBlur(0.7, image_shape=(6, 5)).fit_transform(pictures)
    np.testing.assert_allclose(
        HOG(blur=0.7, image_shape=(6, 5)).fit_transform(pictures),
        HOG(image_shape=(6, 5)).fit_transform(blurred),
    )
    colour = np.stack([0.1 * pictures, pictures, 0 * pictures], axis=2).reshape(40, -1)
    np.testing.assert_allclose(
        HOG(image_shape=(6, 5, 3)).fit_transform(colour),
        HOG(image_shape=(6, 5)).fit_transform(pictures),
    )


def test_blocks_change_nothing(pictures, monkeypatch):
    whole = [t.fit_transform(pictures) for t in every()]
    monkeypatch.setattr("ronmf.numerics.arrays._CPU_BLOCK", 7 * 30)
    for transformer, expected in zip(every(), whole, strict=True):
        np.testing.assert_array_equal(transformer.fit_transform(pictures), expected)


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


def test_float32_is_worked_on_as_such_and_agrees(pictures):
    for transformer in every():
        single = transformer.fit_transform(pictures.astype(np.float32))
        assert single.dtype == np.float32
        np.testing.assert_allclose(single, transformer.transform(pictures), rtol=2e-3, atol=2e-5)
    assert HOG(image_shape=(6, 5)).fit_transform(np.ones((2, 30), dtype=int)).dtype == np.float64


@pytest.mark.parametrize("library", ["array_api_strict", "torch"])
def test_arrays_of_other_libraries_come_back_in_theirs(pictures, library):
    xp = pytest.importorskip(library, reason=f"needs {library}")
    for transformer in every():
        for dtype in (np.float32, np.float64):
            X = xp.asarray(pictures.astype(dtype))
            out = transformer.fit_transform(X)
            assert type(out) is type(X)
            assert out.dtype == X.dtype
            np.testing.assert_allclose(
                np.asarray(out), transformer.fit_transform(pictures.astype(dtype))
            )


def test_without_a_fit_names_and_pipelines(pictures):
    for transformer in every():
        np.testing.assert_array_equal(
            clone(transformer).transform(pictures), transformer.fit_transform(pictures)
        )
        with pytest.raises(NotFittedError):
            clone(transformer).get_feature_names_out()
    pipe = make_pipeline(MedianFilter(image_shape=(6, 5)), HOG(image_shape=(6, 5)), UnitNorm())
    out = pipe.fit_transform(pictures)
    np.testing.assert_allclose(np.linalg.norm(out, axis=1), 1)
    assert pipe.get_feature_names_out()[1] == "unitnorm1"
    assert HOG(4, cell=3.0, image_shape=(6, 5)).fit(pictures).get_feature_names_out().size == 16


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
def test_a_bad_image_shape_is_one_sentence(pictures, kind, image_shape, message):
    for call in ("fit", "transform"):
        with pytest.raises(ValueError, match=message):
            getattr(kind(image_shape=image_shape), call)(pictures)


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
def test_bad_parameters(pictures, transformer, message):
    with pytest.raises(ValueError, match=message):
        transformer.fit(pictures)


def test_bad_data(pictures):
    for transformer in every():
        with pytest.raises(ValueError, match="X must be non-negative"):
            transformer.fit(-pictures)
        with pytest.raises(ValueError, match="NaN"):
            transformer.fit(np.full((2, 30), np.nan))
