"""What people have at hand goes in: pictures, bytes, labels with gaps; names come out."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_digits

from ronmf import RONMF, GraphChoice, HarmonicLabelPropagation
from ronmf.baselines import GNMF, LNP, LpCNMF
from ronmf.features import HOG, UnitNorm
from support.marks import slow

WORDS = np.array(["zero", "one", "two"])
ALL = [HarmonicLabelPropagation, GNMF, LNP, LpCNMF, *slow(RONMF)]


@pytest.fixture(scope="module")
def pictures():
    """Pictures of three digits as bytes, their true names, and labels with gaps."""
    data, truth = load_digits(n_class=3, return_X_y=True)
    images = (data[:150].reshape(-1, 8, 8) * 15).astype(np.uint8)
    names = WORDS[truth[:150]]
    given = [name if i % 10 == 0 else None for i, name in enumerate(names)]
    return images, names, given


@pytest.mark.parametrize("kind", ALL)
def test_pictures_are_rows_and_bring_their_shape(pictures, kind):
    images, _, given = pictures
    rows = images.reshape(len(images), -1).astype(float)
    model = kind(3, random_state=0).fit(images, given)
    assert model.image_shape_ == (8, 8)
    shape = {"image_shape": (8, 8)} if "image_shape" in model.get_params() else {}
    same = kind(3, random_state=0, **shape).fit(rows, given)
    np.testing.assert_array_equal(model.labels_, same.labels_)
    np.testing.assert_array_equal(model.transform(images[:5]), same.transform(rows[:5]))
    np.testing.assert_array_equal(model.predict(images[:5]), same.predict(rows[:5]))
    channels = kind(3, random_state=0).fit(images[..., None], given)
    assert channels.image_shape_ == (8, 8, 1)
    np.testing.assert_array_equal(channels.labels_, same.labels_)


def test_contradictory_shapes_are_refused(pictures):
    images, _, given = pictures
    with pytest.raises(ValueError, match="image_shape is 4 x 16"):
        RONMF(image_shape=(4, 16)).fit(images, given)
    model = HarmonicLabelPropagation().fit(images, given)
    with pytest.raises(ValueError, match="pictures of 4 x 16"):
        model.predict(images.reshape(-1, 4, 16))
    assert model.predict(images[:2].reshape(2, -1)).shape == (2,)


def missing_in_all_ways(names):
    """Labels of every tenth sample, the gaps marked in every way that people mark them."""
    keep = np.arange(len(names)) % 10 == 0
    listed = [name if k else None for name, k in zip(names, keep, strict=True)]
    yield listed
    yield [name if k else -1 for name, k in zip(names, keep, strict=True)]
    yield [name if k else float("nan") for name, k in zip(names, keep, strict=True)]
    yield np.where(keep, names, "-1")
    yield np.array(listed, dtype=object)
    yield pd.Series(listed)
    yield pd.Series(listed, dtype="category")
    yield pd.Series(listed, dtype="string")
    yield pd.Series(listed, index=np.arange(len(names))[::-1])  # the index does not matter


def test_labels_with_gaps_of_any_kind_mean_the_same(pictures):
    images, names, _ = pictures
    expected = None
    for y in missing_in_all_ways(names):
        model = HarmonicLabelPropagation().fit(images, y)
        assert model.classes_.tolist() == ["one", "two", "zero"]
        assert model.transduction_.dtype == object
        assert repr(model.transduction_[0]) == repr(str(names[0]))  # no np.str_
        expected = model.membership_ if expected is None else expected
        np.testing.assert_array_equal(model.membership_, expected)


@pytest.mark.parametrize(
    "y",
    [
        [7, None, 3, 7],
        [7.0, float("nan"), 3.0, 7.0],
        np.array([7.0, np.nan, 3.0, 7.0]),
        pd.Series([7, None, 3, 7], dtype="Int64"),
        pd.array([7, None, 3, 7], dtype="Int64"),
        pd.Series([7, -1, 3, 7]),
    ],
    ids=repr,
)
def test_numbers_with_gaps_stay_numbers(y):
    X = np.array([[0.0, 1.0], [0.1, 1.0], [9.0, 1.0], [0.2, 1.0]])
    model = HarmonicLabelPropagation(n_neighbors=1).fit(X, y)
    assert model.classes_.tolist() == [3, 7]
    whole = all(isinstance(v, int) or v is None for v in y) or str(getattr(y, "dtype", "")) in (
        "Int64",
        "int64",
    )
    assert model.classes_.dtype.kind == ("i" if whole else "f")
    assert model.transduction_[1] == 7


@pytest.mark.parametrize("kind", ALL)
def test_fit_predict_and_predict_speak_of_class_names(pictures, kind):
    images, names, given = pictures
    images = images / 255
    found = kind(3, random_state=0).fit_predict(images, given)
    assert set(found) <= set(WORDS)
    model = kind(3, random_state=0).fit(images, given)
    np.testing.assert_array_equal(found, model.transduction_)
    np.testing.assert_array_equal(found, model.classes_[model.labels_])
    assert set(model.predict(images[:9])) <= set(WORDS)
    assert model.score(images, names) > 0.6


def test_score_counts_labelled_samples_only_and_matches_clusters_without_names(pictures):
    images, names, given = pictures
    model = HarmonicLabelPropagation().fit(images, given)
    right = model.predict(images) == names
    some = [name if i < 40 else None for i, name in enumerate(names)]
    assert model.score(images, some) == pytest.approx(right[:40].mean())
    unnamed = HarmonicLabelPropagation(3, random_state=0).fit(images)
    assert unnamed.score(images, names) > 0.8
    with pytest.raises(ValueError, match="y has no labelled sample"):
        model.score(images, [None] * len(names))


def test_score_matches_discovered_clusters_with_classes_that_no_label_named(pictures):
    images, names, _ = pictures
    one = [name if name == "one" and i % 5 == 0 else None for i, name in enumerate(names)]
    model = RONMF(3, graph="plain", random_state=0).fit(images, one)
    assert model.score(images, names) > 0.6
    with pytest.raises(ValueError, match="none of which is in classes_"):
        HarmonicLabelPropagation().fit(images, names).score(images, np.arange(len(names)) % 3)


def test_lists_of_pictures_are_pictures(pictures):
    images, _, given = pictures
    model = HarmonicLabelPropagation().fit(list(images), given)
    assert model.image_shape_ == (8, 8)
    with pytest.raises(ValueError, match="list of pictures of several shapes"):
        model.fit([*images[:-1], np.zeros((4, 4))], given)


def test_columns_carry_class_names(pictures):
    images, _, given = pictures
    frame = HarmonicLabelPropagation().set_output(transform="pandas").fit(images, given)
    columns = frame.transform(images[:3]).columns.tolist()
    prefix = "harmoniclabelpropagation_"
    assert columns == [prefix + name for name in ("one", "two", "zero")]


def test_nothing_given_is_ignored_in_silence(pictures):
    images, _, given = pictures
    with pytest.raises(ValueError, match=r"heat_width=1\.0 is for edge_weights='heat'"):
        RONMF(graph=GraphChoice("plain", heat_width=1.0)).fit(images, given)
    with pytest.raises(ValueError, match=r"edge_weights='cosine'; set edge_weights='heat' or"):
        GNMF(3, edge_weights="cosine", heat_width=1.0).fit(images, given)
    with pytest.raises(ValueError, match="set graph='precomputed' to use it"):
        GNMF(3).fit(images, given, affinity=np.eye(150))
    with pytest.raises(ValueError, match="graph='precomputed' needs the graph"):
        RONMF(graph="precomputed").fit(images, given)


def test_a_label_weight_of_zero_is_refused(pictures):
    images, _, given = pictures
    with pytest.raises(ValueError, match="'label_weight' parameter of RONMF must be a float"):
        RONMF(label_weight=0.0).fit(images, given)


def test_rescaling_changes_nothing_though_distances_tie():
    """Integer pictures have many neighbours at equal distances; no unit may decide among them."""
    X, truth = load_digits(return_X_y=True)
    X, y = X[:300], np.where(np.arange(300) % 10 == 0, truth[:300], -1)
    plain = RONMF(random_state=0).fit(X, y)
    for unit in (1000.0, 1e-3):
        scaled = RONMF(random_state=0).fit(X * unit, y)
        np.testing.assert_allclose(scaled.membership_, plain.membership_, atol=1e-10)


def test_a_graph_of_hardly_any_weight_does_not_take_for_ever():
    """More clusters than the data can tell apart made the A-step cycle: 2000 solves, not 300."""
    from ronmf.numerics import nonnegative_quadratic as solver

    calls, original = [], solver.conjugate_gradients
    X = np.random.default_rng(0).random((200, 6))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            solver, "conjugate_gradients", lambda *a, **k: calls.append(1) or original(*a, **k)
        )
        model = RONMF(8, graph_weight=1e-6, random_state=0).fit(X)
    assert model.converged_
    assert len(calls) < 300


@pytest.mark.parametrize(
    ("values", "what"),
    [
        (pd.Categorical(["a", "b"] * 6), "categories"),
        (pd.Categorical([1, 2] * 6), "categories"),  # numbers, but only in name
        (["red", "blue"] * 6, "text"),
        (pd.array(["red", "blue"] * 6, dtype="string"), "text"),
        (pd.array(["red", 1] * 6, dtype="object"), "text"),
    ],
    ids=["text", "numbers", "words", "string", "mixed"],
)
@pytest.mark.parametrize("kind", [RONMF, HarmonicLabelPropagation, GNMF, HOG, UnitNorm])
def test_columns_that_are_no_numbers_are_refused_by_name(kind, values, what):
    table = pd.DataFrame({"gray": np.arange(12.0), "colour": values, "size": np.arange(12)})
    said = f"^X passed to {kind.__name__} has {what} in its column 'colour'; leave it out, or make"
    with pytest.raises(ValueError, match=said) as caught:
        kind().fit(table, [0, 1] * 6)
    assert "\n" not in str(caught.value)
    fitted = HarmonicLabelPropagation().fit(table[["gray", "size"]], [0, 1] * 6)
    with pytest.raises(ValueError, match="column 'colour'"):
        fitted.predict(table)


def test_columns_of_objects_that_are_numbers_are_taken():
    table = pd.DataFrame({"a": np.arange(12.0), "b": pd.Series(range(12), dtype=object)})
    assert len(HarmonicLabelPropagation().fit(table, [0, 1] * 6).predict(table)) == 12
