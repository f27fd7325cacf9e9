"""Filters of pictures and unit length, by equivalences and invariances."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.ndimage import gaussian_filter, median_filter

from ronmf.features import HOG, GaussianBlur, LocalContrast, MedianFilter, UnitNorm


def test_unit_norm_has_unit_length_at_any_scale_and_keeps_zero(gray):
    for scale in (1e-300, 1.0, 1e300):
        unit = UnitNorm().fit_transform(scale * gray)
        np.testing.assert_allclose(np.linalg.norm(unit, axis=1), 1)
        np.testing.assert_allclose(unit, UnitNorm().fit_transform(gray))
    assert not UnitNorm().fit_transform(np.zeros((2, 3))).any()


def test_blur_is_scipys_picture_by_picture(gray):
    blurred = GaussianBlur(1.3, image_shape=(6, 5)).fit_transform(gray)
    expected = [gaussian_filter(x.reshape(6, 5), 1.3, mode="nearest").ravel() for x in gray]
    np.testing.assert_allclose(blurred, expected)
    colour = GaussianBlur(1.3, image_shape=(5, 2, 3)).fit_transform(gray)
    channels = [
        GaussianBlur(1.3, image_shape=(5, 2)).fit_transform(gray[:, c::3]) for c in range(3)
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


def test_median_against_sorting(gray):
    x = gray[0].reshape(6, 5)
    padded = np.pad(x, 1, mode="edge")
    expected = [np.sort(padded[i : i + 3, j : j + 3], None)[4] for i in range(6) for j in range(5)]
    out = MedianFilter(image_shape=(6, 5)).fit_transform(gray[:1])
    np.testing.assert_array_equal(out[0], expected)


@given(
    arrays(
        np.float32,
        st.tuples(*(st.integers(1, most) for most in (3, 6, 6, 3))),
        elements=st.integers(0, 5),  # many ties
    ),
    st.sampled_from([1, 3, 5]),
)
def test_median_is_scipys(pictures, size):
    n, *shape = pictures.shape
    out = MedianFilter(size, image_shape=tuple(shape)).fit_transform(pictures.reshape(n, -1))
    expected = median_filter(pictures, size, mode="nearest", axes=(1, 2))
    np.testing.assert_array_equal(out.reshape(pictures.shape), expected)


def test_local_contrast_does_not_see_gain_and_offset(gray):
    contrast = LocalContrast(1.5, image_shape=(6, 5))
    expected = contrast.fit_transform(gray)
    np.testing.assert_allclose(contrast.transform(7 * gray + 3), expected, atol=1e-12)
    np.testing.assert_allclose(contrast.transform(1e200 * gray), expected, atol=1e-12)
    assert expected.shape == (40, 60)
    assert not (expected[:, :30] * expected[:, 30:]).any()  # brighter or darker, never both


def test_local_contrast_by_weighted_sums(gray):
    contrast = LocalContrast(0.8, image_shape=(6, 5)).fit_transform(gray[:1])[0]
    x = gray[0].reshape(6, 5)
    # The weights of a pixel's surroundings are what the blur makes of single bright pixels.
    points = GaussianBlur(0.8, image_shape=(6, 5)).fit_transform(np.eye(30))
    mean = points.T @ x.ravel()
    deviation = np.sqrt([w @ (x.ravel() - m) ** 2 for w, m in zip(points.T, mean, strict=True)])
    expected = (x.ravel() - mean) / (deviation + 0.1 * x.std())
    np.testing.assert_allclose(contrast[:30] - contrast[30:], expected, atol=1e-12)
