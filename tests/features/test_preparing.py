"""Pictures resized as Pillow and torch do it, and normalised."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from ronmf.features._preparing import mean_and_deviation, prepare, resize

SIZES = [
    ((9, 7), (224, 224)),
    ((300, 500), (224, 224)),
    ((224, 131), (224, 50)),
    ((5, 40), (10, 3)),
    ((1, 1), (4, 4)),
    ((8, 8), (1, 1)),
]


def picture_of(shape):
    return np.random.default_rng(0).uniform(0, 255, (*shape, 3)).astype(np.float32)


@pytest.mark.parametrize(("shape", "size"), SIZES)
def test_it_resizes_as_pillow_does(shape, size):
    picture = picture_of(shape)
    for channel, found in zip(picture.T, resize(picture, size).T, strict=True):
        image = Image.fromarray(np.ascontiguousarray(channel.T))
        expected = image.resize(size[::-1], Image.Resampling.BILINEAR)
        np.testing.assert_allclose(found.T, np.asarray(expected), atol=2e-4)


@pytest.mark.parametrize(("shape", "size"), SIZES)
def test_it_resizes_as_torch_does(shape, size):
    torch = pytest.importorskip("torch", reason="needs torch: pip install 'ronmf[torch]'")
    picture = picture_of(shape)
    expected = torch.nn.functional.interpolate(
        torch.tensor(picture).permute(2, 0, 1)[None], size, mode="bilinear", antialias=True
    )
    # torch has weights of float32
    np.testing.assert_allclose(resize(picture, size), expected[0].permute(1, 2, 0), atol=5e-3)


side = st.integers(1, 40)


@given(side, side, side, side, st.integers(0, 2**32 - 1))
def test_means_stay_between_their_pixels(height, width, new_height, new_width, seed):
    picture = np.random.default_rng(seed).integers(0, 256, (height, width, 1), dtype=np.uint8)
    found = resize(picture, (new_height, new_width))
    assert found.shape == (new_height, new_width, 1)
    assert found.dtype == np.float32
    assert picture.min() - 1e-3 <= found.min()
    assert found.max() <= picture.max() + 1e-3
    # Turned and mirrored pictures are resized to turned and mirrored ones.
    np.testing.assert_allclose(
        resize(picture.swapaxes(0, 1), (new_width, new_height)), found.swapaxes(0, 1), atol=1e-3
    )
    np.testing.assert_allclose(
        resize(picture[::-1], (new_height, new_width)), found[::-1], atol=1e-3
    )
    np.testing.assert_array_equal(resize(picture, (height, width)), picture)


def test_shrinking_by_a_whole_number_keeps_the_mean():
    """Except near the border, where the triangle is cut off: so of a picture that repeats."""
    tile = picture_of((4, 4))
    found = resize(np.tile(tile, (8, 8, 1)), (8, 8))
    np.testing.assert_allclose(
        found[2:-2, 2:-2].mean(axis=(0, 1)), tile.mean(axis=(0, 1)), rtol=1e-5
    )


def test_gray_is_normalised_per_colour():
    found = prepare(np.full((2, 2, 1), 255, np.uint8), (2, 2), *mean_and_deviation("clip"))
    assert found.shape == (2, 2, 3)
    np.testing.assert_allclose(found[0, 0], (1 - 0.48145466) / 0.26862954, rtol=0.2)
    assert found[0, 0, 0] == pytest.approx((1 - 0.48145466) / 0.26862954)
    assert found[0, 0, 2] == pytest.approx((1 - 0.40821073) / 0.27577711)


@pytest.mark.parametrize(
    "wrong",
    ["vgg", (0.5,), (0.5, 0.0), (0.5, (0.1, 0.2)), (np.nan, 1.0), ("a", "b"), (None, None), ()],
)
def test_a_wrong_normalization_is_one_sentence(wrong):
    with pytest.raises(ValueError, match=r"^normalization is .*; give 'imagenet', 'clip', 'half'"):
        mean_and_deviation(wrong)


def test_normalizations_by_name_and_number():
    assert mean_and_deviation("half") == mean_and_deviation((0.5, [0.5, 0.5, 0.5]))
    assert mean_and_deviation(None) == mean_and_deviation("imagenet")
    assert mean_and_deviation(None)[0][0] == pytest.approx(0.485 * 255)
