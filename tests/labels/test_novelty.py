"""What tells strangers: on numbers whose mixture is known."""

import numpy as np
import pytest

from ronmf.labels.novelty import NamedOdds, death_odds, hidden_walks
from ronmf.labels.novelty_scale import fit_novelty

NAMED = NamedOdds(np.array([-0.5, 0.5]), 0.3, 30.0, "hidden")
HALF = np.array([0.5, 0.5])


def draw(n, n_strange, apart, seed=0):
    rng = np.random.default_rng(seed)
    named = NAMED.centres[rng.integers(2, size=n)] + NAMED.width * rng.normal(size=n)
    return named, apart + 0.6 * rng.normal(size=n_strange)


@pytest.mark.parametrize("n_strange", [60, 600, 3000])
def test_the_share_of_strangers_is_found(n_strange):
    named, strange = draw(600, n_strange, 3.5)
    scale = fit_novelty(np.concatenate([named, strange]), NAMED, HALF)
    of_named, of_strange = map(scale.probability, (named, strange))
    assert (of_named > 0.5).mean() < 0.03
    assert (of_strange > 0.5).mean() > 0.9
    total = of_named.sum() + of_strange.sum()
    assert total == pytest.approx(n_strange, rel=0.15)


def test_probabilities_are_those_of_the_mixture():
    """Among samples of a novelty near one half, about half are strangers."""
    named, strange = draw(20000, 20000, 2.0)
    scale = fit_novelty(np.concatenate([named, strange]), NAMED, HALF)
    of_named, of_strange = map(scale.probability, (named, strange))
    for low in (0.2, 0.4, 0.6):
        inside = [((p >= low) & (p < low + 0.2)).sum() for p in (of_strange, of_named)]
        assert inside[0] / sum(inside) == pytest.approx(low + 0.1, abs=0.12)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("n", [30, 300, 3000])
def test_where_all_classes_are_named_there_are_none(seed, n):
    named, _ = draw(n, 0, 0.0, seed)
    assert fit_novelty(named, NAMED, HALF).values.max() < 0.1


def test_novelty_rises_with_the_odds_and_keeps_their_order():
    named, strange = draw(300, 300, 3.0)
    for t in (named, np.concatenate([named, strange]), np.full(50, 0.25)):
        scale = fit_novelty(t, NAMED, HALF)
        assert (np.diff(scale.values) >= 0).all()
        assert 0 <= scale.values.min() <= scale.values.max() <= 1
    values = fit_novelty(named, NAMED, HALF).probability(np.sort(named))
    assert len(np.unique(values)) > 250


def test_a_large_class_with_few_labels_is_no_stranger():
    """Three labels of a class of 2000 lie further apart than three of a class of 50."""
    rng = np.random.default_rng(0)
    codes = np.repeat([0, 1, 2, 3], 5)
    hidden = np.repeat([0.0, 0.2, -0.2, 2.0], 5) + 0.2 * rng.normal(size=20)
    named = NamedOdds.of_hidden(hidden, codes, np.full(4, 5))
    t = np.concatenate([0.2 * rng.normal(size=150), 2.0 + 0.2 * rng.normal(size=2000)])
    share = np.array([50, 50, 50, 2000]) / 2150
    assert (fit_novelty(t, named, share).probability(t) > 0.5).mean() < 0.05


def test_labels_are_hidden_class_by_class_and_classes_whole():
    codes = np.full(100, -1)
    codes[:20] = np.repeat([0, 1, 2, 3], 5)
    codes[20] = 4  # its only label stays, except where the class is hidden
    walks = hidden_walks(codes, codes >= 0)
    labelled = codes >= 0
    np.testing.assert_array_equal(walks.kept[:, 0], labelled)
    parts = np.concatenate(walks.hidden[1 : 1 + walks.n_parts])
    assert sorted(parts.tolist()) == list(range(20))
    for turn in range(1, 1 + walks.n_parts):
        assert set(codes[walks.kept[:, turn]]) == {0, 1, 2, 3, 4}
    for turn in range(1 + walks.n_parts, walks.kept.shape[1]):
        gone = np.unique(codes[walks.hidden[turn]])
        assert not np.isin(codes[walks.kept[:, turn]], gone).any()
    whole = np.concatenate(walks.hidden[1 + walks.n_parts :])
    assert sorted(whole.tolist()) == list(range(21))
    two = np.where(codes < 2, codes, -1)
    assert hidden_walks(two, two >= 0).kept.shape[1] == 1 + 5  # of two, none can go


def test_a_doubted_label_stops_walks_and_is_no_witness():
    codes, trusted = np.repeat([0, 1, -1], 5), np.ones(15, dtype=bool)
    trusted[3] = False
    walks = hidden_walks(codes, trusted)
    assert walks.kept[3, 0]
    assert 3 not in np.concatenate(walks.hidden)
    assert all(
        len(rows) == len(shift) for rows, shift in zip(walks.hidden, walks.shift, strict=True)
    )


def test_samples_that_are_all_alike_have_a_scale():
    named = NamedOdds(np.zeros(1), 0.3, 30.0, "hidden")
    assert fit_novelty(np.zeros(9), named, np.ones(1)).probability(np.zeros(1))[0] < 0.5


def test_death_odds_are_finite():
    assert np.isfinite(death_odds(np.array([0.0, 1.0]))).all()
    np.testing.assert_allclose(death_odds(np.array([0.25])), np.log(3))
