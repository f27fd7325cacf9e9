"""Arrays of pictures become rows, in any array library."""

import array_api_strict as xp
import numpy as np
import pytest

from ronmf.numerics.pictures import flatten_pictures, picture_shape


@pytest.mark.parametrize("shape", [(8, 6), (8, 6, 3), (8, 6, 1)])
def test_pictures_become_rows_and_bring_their_shape(shape):
    for dtype in (np.uint8, np.float32, np.float64):
        X = np.random.default_rng(0).integers(255, size=(5, *shape)).astype(dtype)
        rows, found = flatten_pictures(X, None, "HOG")
        assert found == shape
        assert rows.dtype == dtype
        np.testing.assert_array_equal(rows.reshape(X.shape), X)


def test_strict_array_api_arrays_stay_in_their_library():
    X = xp.reshape(xp.arange(24, dtype=xp.uint8), (2, 3, 4))
    rows, found = flatten_pictures(X, None, "HOG")
    assert type(rows) is type(X)
    assert rows.shape == (2, 12)
    assert rows.dtype == xp.uint8
    assert found == (3, 4)


def test_torch_tensors_of_any_stride_stay_tensors():
    torch = pytest.importorskip("torch")
    X = torch.arange(2 * 3 * 4 * 3).reshape(2, 3, 3, 4).permute(0, 2, 3, 1)
    rows, found = flatten_pictures(X, None, "HOG")
    assert isinstance(rows, torch.Tensor)
    assert found == (3, 4, 3)
    np.testing.assert_array_equal(rows.numpy(), X.numpy().reshape(2, -1))


@pytest.mark.parametrize(
    "X",
    [
        np.zeros((3, 4)),
        np.zeros(4),
        np.zeros((2, 2, 2, 2, 2)),
        [[0.0, 1.0], [1.0, 0.0]],
        "no array",
    ],
)
def test_whatever_is_no_array_of_pictures_is_left_alone(X):
    same, shape = flatten_pictures(X, [2, 2], "HOG")
    assert same is X
    assert shape == (2, 2)
    assert flatten_pictures(X, None, "HOG")[1] is None


def test_no_pictures_at_all_keep_their_number_of_features():
    rows, shape = flatten_pictures(np.zeros((0, 8, 8)), None, "HOG")
    assert rows.shape == (0, 64)
    assert shape == (8, 8)


@pytest.mark.parametrize("image_shape", [(8, 8), [8, 8], (8, 8, 1), (np.int64(8), 8)])
def test_one_channel_may_be_named_or_not(image_shape):
    for shape in ((8, 8), (8, 8, 1)):
        rows, found = flatten_pictures(np.zeros((2, *shape)), image_shape, "HOG")
        assert rows.shape == (2, 64)
        assert found == tuple(image_shape)


@pytest.mark.parametrize("image_shape", [(4, 16), (16, 4), (8, 9), (8, 8, 3), (8, 4, 2)])
def test_a_shape_that_contradicts_is_refused(image_shape):
    text = " x ".join(map(str, image_shape))
    with pytest.raises(ValueError, match=f"pictures of 8 x 8, but image_shape is {text}:"):
        flatten_pictures(np.zeros((2, 8, 8)), image_shape, "HOG")


@pytest.mark.parametrize("image_shape", [(8,), (8.0, 8), (0, 8), (8, 8, 1, 1), "ab"])
def test_a_shape_that_is_none_is_refused(image_shape):
    with pytest.raises(ValueError, match=r"image_shape is .*: give \(height, width\)"):
        flatten_pictures(np.zeros((2, 8, 8)), image_shape, "HOG")
    with pytest.raises(ValueError, match=r"image_shape is .*: give \(height, width\)"):
        picture_shape("HOG", image_shape, 64)


@pytest.mark.parametrize("channels", [1, 3, 4])
def test_channels_before_height_and_width_are_refused(channels):
    with pytest.raises(ValueError, match="channels before height and width: move them last"):
        flatten_pictures(np.zeros((2, channels, 32, 32)), None, "HOG")


def test_a_list_of_pictures_is_an_array_of_them():
    rows, shape = flatten_pictures([[[0.0, 1.0], [1.0, 0.5]]], None, "HOG")
    assert rows.tolist() == [[0.0, 1.0, 1.0, 0.5]]
    assert shape == (2, 2)
    with pytest.raises(ValueError, match="list of pictures of several shapes"):
        flatten_pictures([np.zeros((2, 2)), np.zeros((2, 3))], None, "HOG")
