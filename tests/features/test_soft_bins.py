"""Soft bins: a robust loss on the distance, checked against that loss."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ronmf.features import SoftBins

inner = st.floats(0.3, 0.7)


@given(st.lists(st.tuples(inner, inner), min_size=1, max_size=6), st.sampled_from([0.12, 0.14]))
def test_squared_distance_is_the_loss_of_welsch(pairs, width):
    """Away from the ends of the range; there half of the bins of a pixel are missing."""
    x, y = np.array(pairs).T
    ends = np.array([np.zeros_like(x), np.ones_like(x)])
    model = SoftBins(scale="value", width=width).fit(ends)
    a, b = model.transform(np.array([x, y]))
    loss = 2 * (1 - np.exp(-((x - y) ** 2) / (4 * width**2))).sum()
    assert ((a - b) ** 2).sum() == pytest.approx(loss, abs=0.02 * len(x) + 0.01)


def test_a_wrong_pixel_counts_a_fixed_amount():
    rng = np.random.default_rng(0)
    X = rng.uniform(0.3, 0.7, (2, 50))
    clean = SoftBins(scale="value").fit(np.array([np.zeros(50), np.ones(50)]))
    distances = []
    for wrong in (0.05, 0.95):  # one pixel in fifty, dark or bright
        Y = X.copy()
        Y[1, 0] = wrong
        a, b = clean.transform(Y)
        distances.append(((a - b) ** 2).sum())
    assert abs(distances[0] - distances[1]) < 0.5
    assert max(distances) < ((np.subtract(*clean.transform(X))) ** 2).sum() + 2.1


def test_ranks_do_not_mind_how_brightness_is_measured():
    X = np.random.default_rng(0).random((20, 30))
    ranks = SoftBins().fit_transform(X)
    np.testing.assert_allclose(SoftBins().fit_transform(X**3), ranks, atol=1e-12)
    values = SoftBins(scale="value").fit_transform(X)
    assert abs(SoftBins(scale="value").fit_transform(X**3) - values).max() > 0.1
    np.testing.assert_allclose(SoftBins(scale="value").fit_transform(7 * X), values, atol=1e-12)


def test_equal_values_share_the_middle_of_their_ranks():
    X = np.array([[0.0, 0.0, 1.0, 2.0]])
    model = SoftBins().fit(X)
    assert model.values_.tolist() == [0.0, 1.0, 2.0]
    assert model.positions_.tolist() == [0.25, 0.625, 0.875]


def test_new_samples_are_measured_on_the_fitted_scale():
    X = np.random.default_rng(0).random((30, 9))
    model = SoftBins().fit(X)
    np.testing.assert_array_equal(model.transform(X[:3]), model.transform(X)[:3])
    beyond = model.transform(np.full((1, 9), 5.0))
    np.testing.assert_allclose(beyond, model.transform(np.full((1, 9), X.max())))


def test_cells_average_codes_not_pixels():
    """Half black and half white is no gray."""
    X = np.tile([0.0, 1.0], 8)[None, :].repeat(2, axis=0)
    pooled = SoftBins(scale="value", cell=4.0, image_shape=(4, 4)).fit_transform(X)
    assert pooled.shape == (2, 8)  # one cell
    codes = SoftBins(scale="value").fit_transform(X).reshape(2, 8, 16)
    np.testing.assert_allclose(pooled, codes.mean(axis=2), rtol=0.05)
    assert pooled[0, 3] < 0.1 * pooled[0, 0]
    rng = np.random.default_rng(0).random((3, 8, 6, 3))
    assert SoftBins(cell=2.0).fit_transform(rng).shape == (3, 8 * 4 * 3 * 3)


def test_one_value_everywhere():
    codes = SoftBins().fit_transform(np.full((3, 4), 0.7))
    assert np.isfinite(codes).all()
    assert (codes == codes[0]).all()


def test_bad_parameters():
    with pytest.raises(ValueError, match="scale"):
        SoftBins(scale="log").fit(np.eye(3))
    with pytest.raises(ValueError, match="image_shape"):
        SoftBins(cell=2.0).fit(np.eye(4))


def test_the_scale_is_learned_from_all_columns():
    X = np.random.default_rng(0).random((25_000, 16))
    X[:, 0] = 0  # every sixteenth value in a row
    assert len(SoftBins().fit(X).values_) > 1000
