import numpy as np
import pytest

from ronmf.bench import NOISES, add_noise


@pytest.fixture(scope="module")
def pictures():
    return np.random.default_rng(0).uniform(0.3, 0.7, (400, 64)), np.tile([0, 1, 2, -1], 100)


def test_gaussian_has_the_stated_share_of_the_variance(pictures):
    X, y = pictures
    for share in (0.1, 0.7):
        noisy, _ = add_noise(X, y, "gaussian", share, seed=1)
        assert (noisy - X).var() == pytest.approx(share * X.var(), rel=0.05)
    bright = np.ones((50, 10))
    bright[:, ::2] = 0
    noisy, _ = add_noise(bright, y[:50], "gaussian", 0.5, seed=1)
    assert noisy.min() == 0.0
    assert noisy.max() == 1.0


def test_poisson_has_the_variance_of_counts(pictures):
    X, y = pictures
    noisy, _ = add_noise(X, y, "poisson", 100.0, seed=1)
    assert (noisy - X).mean() == pytest.approx(0.0, abs=2e-3)
    assert ((noisy - X) ** 2).mean() == pytest.approx(X.mean() / 100, rel=0.05)


def test_salt_and_pepper_in_equal_parts(pictures):
    X, y = pictures
    noisy, _ = add_noise(X, y, "salt_pepper", 0.3, seed=1)
    assert (noisy == 0).mean() == pytest.approx(0.15, abs=0.01)
    assert (noisy == 1).mean() == pytest.approx(0.15, abs=0.01)
    untouched = (noisy > 0) & (noisy < 1)
    np.testing.assert_array_equal(noisy[untouched], X[untouched])


def test_occlusion_is_one_black_rectangle(pictures):
    X, y = pictures
    noisy, _ = add_noise(X, y, "occlusion", 0.25, seed=1, image_shape=(8, 8))
    black = (noisy == 0).reshape(-1, 8, 8)
    assert (black.sum(axis=(1, 2)) == 16).all()
    assert (black.any(axis=1).sum(axis=1) == 4).all()
    assert (black.any(axis=2).sum(axis=1) == 4).all()
    assert len({tuple(b.ravel()) for b in black}) > 10
    with pytest.raises(ValueError, match="occlusion needs the height and width"):
        add_noise(X, y, "occlusion", 0.25, seed=1)


@pytest.mark.parametrize("cover", ["random", "picture"])
def test_covers_lie_within_one_rectangle(pictures, cover):
    X, y = pictures
    noisy, same = add_noise(X, y, f"occlusion_{cover}", 0.25, seed=1, image_shape=(8, 8))
    assert same is y
    changed = (noisy != X).reshape(-1, 8, 8)
    rows, columns = changed.any(axis=2), changed.any(axis=1)
    assert rows.sum(axis=1).max() == columns.sum(axis=1).max() == 4
    assert changed.mean() == pytest.approx(0.25, abs=0.01)
    covered = noisy.reshape(-1, 8, 8)[changed]
    low, high = (0.0, 1.0) if cover == "random" else (0.3, 0.7)  # the range of other pictures
    assert covered.min() == pytest.approx(low, abs=0.01)
    assert covered.max() == pytest.approx(high, abs=0.01)


def test_flips_change_given_labels_only(pictures):
    X, y = pictures
    same, flipped = add_noise(X, y, "label_flips", 0.2, seed=1)
    assert same is X
    assert (flipped != y).sum() == 60
    assert (flipped[y < 0] == -1).all()
    assert set(flipped[y >= 0]) == {0, 1, 2}


@pytest.mark.parametrize("kind", sorted(NOISES))
def test_a_seed_repeats_itself(pictures, kind):
    X, y = pictures
    first, again, other = (add_noise(X, y, kind, 0.2, s, (8, 8)) for s in (3, 3, 4))
    for a, b in zip(first, again, strict=True):
        np.testing.assert_array_equal(a, b)
    assert any((a != b).any() for a, b in zip(first, other, strict=True))


@pytest.mark.parametrize(
    ("kind", "level", "message"),
    [
        ("rain", 0.1, "noise kind 'rain' is not known"),
        ("salt_pepper", 1.5, "at most 1"),
        ("gaussian", 0.0, "a number above 0"),
        ("label_flips", float("nan"), "out of range"),
    ],
)
def test_bad_noise_is_one_sentence(pictures, kind, level, message):
    with pytest.raises(ValueError, match=message):
        add_noise(*pictures, kind, level, seed=0)
