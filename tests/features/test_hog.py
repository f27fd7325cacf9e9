"""Histograms of gradients against angles, turns, offsets and gains."""

import numpy as np
import pytest

from ronmf.features import HOG, GaussianBlur


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


def test_hog_against_angles(gray):
    """Full resolution and a Gaussian too narrow to mix pixels: the maps themselves."""
    x = gray[0].reshape(6, 5)
    padded = np.pad(x, 1, mode="edge")
    right = (padded[1:-1, 2:] - padded[1:-1, :-2]) / 2
    down = (padded[2:, 1:-1] - padded[:-2, 1:-1]) / 2
    angle, length = np.arctan2(down, right), np.hypot(right, down)
    expected = [
        np.sqrt(length) * np.maximum(0, np.cos(angle - 2 * np.pi * k / 5)) ** 4 for k in range(5)
    ]
    hog = HOG(5, cell=1.0, smoothing=1e-3, image_shape=(6, 5))
    np.testing.assert_allclose(hog.fit_transform(gray[:1])[0], np.ravel(expected), atol=1e-12)


def test_roots_are_taken_of_averages(gray):
    """A Gaussian as wide as the world: the plain mean over pixels, then its root."""
    pixels = HOG(cell=1.0, smoothing=1e-3, image_shape=(6, 5)).fit_transform(gray)
    wide = HOG(cell=6.0, smoothing=1e6, image_shape=(6, 5)).fit_transform(gray)
    mean = (pixels.reshape(len(gray), 8, -1) ** 2).mean(axis=2)
    np.testing.assert_allclose(wide, np.sqrt(mean), rtol=1e-6)


def test_hog_ignores_an_offset_and_takes_the_root_of_a_gain(gray):
    hog = HOG(image_shape=(6, 5))
    expected = hog.fit_transform(gray)
    np.testing.assert_allclose(hog.transform(gray + 5), expected, atol=1e-7)
    np.testing.assert_allclose(hog.transform(9 * gray), 3 * expected, atol=1e-12)


def test_hog_blurs_as_the_blur_does_and_takes_the_strongest_channel(gray):
    blurred = GaussianBlur(0.7, image_shape=(6, 5)).fit_transform(gray)
    np.testing.assert_allclose(
        HOG(blur=0.7, image_shape=(6, 5)).fit_transform(gray),
        HOG(image_shape=(6, 5)).fit_transform(blurred),
    )
    colour = np.stack([0.1 * gray, gray, 0 * gray], axis=2).reshape(40, -1)
    np.testing.assert_allclose(
        HOG(image_shape=(6, 5, 3)).fit_transform(colour),
        HOG(image_shape=(6, 5)).fit_transform(gray),
    )


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_flat_areas_have_no_gradient_and_other_pictures_no_say(dtype):
    """The blur is a matrix product, and what it rounds must not pass for an edge."""
    picture = np.full((24, 24), 0.7, dtype=dtype)
    picture[:6, :6] = 0.1
    hog = HOG(cell=3.0, smoothing=0.5, blur=0.8, image_shape=(24, 24))
    batch = np.stack([picture, picture.T * 0.5, np.ones_like(picture)]).reshape(3, -1)
    alone, together = hog.fit_transform(batch[:1]), hog.fit_transform(batch)
    np.testing.assert_allclose(together[0], alone[0], atol=1e-6)
    maps = together.reshape(3, 8, 8, 8)
    assert maps[0, :, 4:, 4:].max() < 1e-9  # the tails of the averages
    assert maps[0].max() > 0.1
    assert (maps[2] == 0).all()
