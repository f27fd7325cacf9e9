"""The estimator on degenerate data, wrong input, failed fits and odd scales."""

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

from ronmf import ADMM, MCP, RONMF, neighbor_graph
from ronmf.graph import GraphRecipe
from support.marks import slow
from support.settings import PLAIN

RANDOM = ADMM(max_iter=10, init="random")


@pytest.fixture(scope="module")
def fitted(digits):
    X, y, _ = digits
    return RONMF(**PLAIN, random_state=0).fit(X, y)


def hard_cases():
    rng = np.random.default_rng(0)
    X = rng.random((40, 8))
    y = np.full(40, -1)
    y[:6] = [0, 0, 1, 1, 2, 2]
    zero_rows = X.copy()
    zero_rows[10:14] = 0
    copies = X.copy()
    copies[20:30] = copies[20]
    constant = X.copy()
    constant[:, 3], constant[:, 4] = 1.0, 0.0
    islands = X.copy()
    islands[30:, 0] += 100  # a component that no label reaches
    return {
        "zero rows": (zero_rows, y),
        "duplicate samples": (copies, y),
        "all samples equal": (np.ones((40, 8)), y),
        "all zero": (np.zeros((40, 8)), y),
        "constant and dead features": (constant, y),
        "component without labels": (islands, y),
        "one feature": (X[:, :1], y),
        "every sample labelled": (X, np.arange(40) % 3),
        "one class": (X, np.where(y >= 0, 0, -1)),
        "one label per class": (X, np.where(np.arange(40) % 2, -1, y)),
        "two labels": (X, np.where(np.arange(40) < 2, 0, -1)),
        "one class with a single label": (X, np.where(np.arange(40) == 5, -1, y)),
    }


@pytest.mark.parametrize("case", hard_cases())
@pytest.mark.parametrize("groups", ["features", *slow("samples")])
def test_hard_cases_give_finite_feasible_answers(case, groups):
    X, y = hard_cases()[case]
    model = RONMF(groups=groups, random_state=0, solver=ADMM(max_iter=50)).fit(X, y)
    assert np.isfinite(model.membership_).all()
    assert np.isfinite(model.prototypes_).all()
    assert all(np.isfinite(series).all() for series in vars(model.history_).values())
    gram = model.components_ @ model.components_.T
    np.testing.assert_allclose(gram, np.eye(len(gram)), atol=1e-10)
    assert (model.transduction_[y >= 0] == y[y >= 0]).all()
    for probabilities in (model.predict_proba(X), model.label_distributions_):
        np.testing.assert_allclose(probabilities.sum(axis=1), 1.0)
        assert (probabilities >= 0).all()
    assert np.isfinite(model.outlier_score_).all()
    assert len(model.query(100)) == (y < 0).sum()
    W = model.graph_.affinity
    assert W.sum() / len(X) == pytest.approx(1.0)
    assert abs(W - W.T).max() < 1e-12
    assert str(model.graph_report_)


@pytest.mark.parametrize("labels", [[0, 1, -1, -1], [0, 0, 1, 1], [-1, -1, -1, -1], [0, -1, 0, 1]])
@pytest.mark.parametrize("image_shape", [None, pytest.param((2, 2), marks=pytest.mark.slow)])
def test_a_handful_of_samples(labels, image_shape):
    for n_samples in (2, 3, 4):
        X, y = np.random.default_rng(0).random((n_samples, 4)), np.array(labels[:n_samples])
        n_clusters = 2 if (y < 0).all() else None
        for mass in ("labels", None):
            settings = {"n_neighbors": 1, "image_shape": image_shape, "class_prior": mass}
            model = RONMF(n_clusters, **settings, solver=ADMM(max_iter=20), random_state=0).fit(
                X, y
            )
            assert np.isfinite(model.membership_).all()
            assert np.isfinite(model.label_distributions_).all()
            assert np.isfinite(model.outlier_score_).all()
            assert np.isfinite(model.predict_proba(X)).all()
        # The mass of one or two samples is no ground to go by, but without it labels stay.
        assert (model.transduction_[y >= 0] == y[y >= 0]).all()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_colour_pictures(dtype):
    rng = np.random.default_rng(0)
    truth = np.arange(60) % 2
    pictures = 0.2 * rng.random((60, 6, 5, 3))
    pictures[truth == 0, :, 2, 0] += 1  # a red line down
    pictures[truth == 1, 3, :, 2] += 1  # a blue one across
    X, y = pictures.reshape(60, -1).astype(dtype), np.where(np.arange(60) < 12, truth, -1)
    model = RONMF(image_shape=(6, 5, 3), random_state=0).fit(X, y)
    assert (model.transduction_ == truth).all()
    assert (model.predict(X) == truth).all()
    assert model.membership_.dtype == model.label_distributions_.dtype == dtype
    assert model.predict_proba(X).dtype == dtype
    assert any("HOG" in str(candidate.recipe) for candidate in model.graph_report_.candidates)


def test_components_without_labels_are_reported():
    X, y = hard_cases()["component without labels"]
    summary = RONMF(**PLAIN, random_state=0).fit(X, y).graph_summary_
    assert summary["unreached_components"] == 1
    assert summary["unreached_samples"] == 10
    far = np.concatenate([X[:30], 1000 * X[:10] ** 4 + 1e5])  # in any coordinates
    recipes = [GraphRecipe(), GraphRecipe(axes="lda")]
    model = RONMF(graph=recipes, random_state=0).fit(far, y)
    assert model.graph_summary_["unreached_samples"] == 10


def bad_inputs():
    X = np.random.default_rng(0).random((20, 5))
    y = np.where(np.arange(20) % 4 == 0, np.arange(20) % 3, -1)
    nan, infinite = X.copy(), X.copy()
    nan[0, 0], infinite[0, 0] = np.nan, np.inf
    ring = np.roll(np.eye(20), 1, axis=1)
    graph = {"graph": "precomputed"}
    return {
        "NaN": ({}, (nan, y), {}, "contains NaN"),
        "infinity": ({}, (infinite, y), {}, "contains infinity"),
        "y too short": ({}, (X, y[:9]), {}, r"y has shape \(9,\) but X has 20 samples"),
        "no labels": ({}, (X, np.full(20, -1)), {}, "give n_clusters or label"),
        "few clusters": ({"n_clusters": 2}, (X, y), {}, "y has 3 labelled classes"),
        "one sample": ({}, (X[:1], y[:1]), {}, "1 sample"),
        "k >= n": ({"n_neighbors": 20}, (X, y), {}, "n_neighbors=20"),
        "too many parts": ({"n_components": 6}, (X, y), {}, "n_components=6 is more than"),
        "asymmetric graph": (graph, (X, y), {"affinity": ring}, "not symmetric"),
        "negative graph": (graph, (X, y), {"affinity": -ring - ring.T}, "has negative"),
        "graph of wrong size": (graph, (X, y), {"affinity": np.eye(3)}, r"shape \(3, 3\)"),
        "graph of words": (
            graph,
            (X, y),
            {"affinity": "cosine"},
            "not a two-dimensional array",
        ),
        "masked data": ({}, (np.ma.masked_array(X), y), {}, "X is a masked array"),
        "graph missing": (graph, (X, y), {}, r"call fit\(X, y, affinity=W\)"),
        "graph not asked for": ({}, (X, y), {"affinity": ring + ring.T}, "set graph='prec"),
        "unknown penalty": ({"penalty": "huber"}, (X, y), {}, "'penalty' parameter"),
        "auto without scale": (
            {"solver": ADMM(relative=False)},
            (X, y),
            {},
            r"give a number with ADMM\(relative=F",
        ),
        "k >= n of a recipe": (
            {"graph": GraphRecipe(n_neighbors=20)},
            (X, y),
            {},
            "n_neighbors=20",
        ),
        "k >= n of a plain graph": ({**PLAIN, "n_neighbors": 20}, (X, y), {}, "n_neighbors=20"),
        "picture of another size": (
            {"image_shape": (2, 3)},
            (X, y),
            {},
            "image_shape 2 x 3 does not fit 5 features",
        ),
        "no picture": ({"image_shape": (5,)}, (X, y), {}, r"image_shape is \(5,\): give"),
        "no recipes": ({"graph": []}, (X, y), {}, "graph is a list that is empty"),
        "no recipe": ({"graph": ["auto"]}, (X, y), {}, "something else than GraphRecipe"),
        "only labels": (
            {"graph": GraphRecipe(axes="lda")},
            (X, y),
            {},
            "none that needs no labels",
        ),
        "unknown graph": ({"graph": "best"}, (X, y), {}, "'graph' parameter"),
        "unknown mass": ({"class_prior": "equal"}, (X, y), {}, "'class_prior' parameter"),
        "unknown option": ({"groups": "pixels"}, (X, y), {}, "'groups' parameter"),
    }


@pytest.mark.parametrize("case", bad_inputs())
def test_bad_input_gets_one_clear_sentence(case):
    settings, arguments, extra, message = bad_inputs()[case]
    with pytest.raises((ValueError, TypeError), match=message):
        RONMF(**settings).fit(*arguments, **extra)


def test_bad_variant_and_bad_memberships(fitted):
    with pytest.raises(ValueError, match="variant='X' is not known"):
        RONMF.printed("X")
    with pytest.raises(ValueError, match="needs one row of 10 numbers"):
        fitted.inverse_transform(np.ones((2, 3)))


def test_a_failed_fit_leaves_the_estimator_as_it_was(digits, fitted):
    X, y, _ = digits
    fresh = RONMF()
    with pytest.raises(ValueError, match="y has shape"):
        fresh.fit(X, y[:5])
    for method in (fresh.predict, fresh.predict_proba, fresh.transform):
        with pytest.raises(NotFittedError):
            method(X)
    with pytest.raises(NotFittedError):
        fresh.query(1)
    model = RONMF(**PLAIN, random_state=0, solver=ADMM(max_iter=3)).fit(X, y)
    before = model.predict(X[:9])
    with pytest.raises(ValueError, match="y has shape"):
        model.fit(X[:, :30], y[:5])
    np.testing.assert_array_equal(model.predict(X[:9]), before)


def test_later_changes_of_the_penalty_do_not_reach_a_fit(digits):
    X, y, _ = digits
    settings = {**PLAIN, "graph_weight": 0.1, "solver": ADMM(max_iter=5), "random_state": 0}
    model = RONMF(groups="samples", penalty=MCP(), **settings)
    before = model.fit(X, y).transform(X[:5])
    model.set_params(penalty__tau=1.0001)
    np.testing.assert_array_equal(model.transform(X[:5]), before)


@pytest.mark.parametrize("factor", [2.0**-66, *slow(2.0**264)])  # 1e-20, 1e80; roots are exact
@pytest.mark.parametrize(
    "settings",
    [PLAIN, *slow({}, {"image_shape": (8, 8)}, {**PLAIN, "solver": RANDOM})],
    ids=["plain", "default", "pictures", "random"],
)
def test_any_scale_in_double_precision(digits, factor, settings):
    X, y = digits[0][:150], digits[1][:150]
    settings = {"solver": ADMM(max_iter=10), "random_state": 0} | settings
    straight, scaled = RONMF(**settings).fit(X, y), RONMF(**settings).fit(factor * X, y)
    np.testing.assert_allclose(scaled.membership_, straight.membership_, atol=1e-6)
    np.testing.assert_allclose(
        scaled.predict_proba(factor * X[:9]), straight.predict_proba(X[:9]), atol=1e-6
    )
    np.testing.assert_allclose(scaled.outlier_score_, straight.outlier_score_, rtol=1e-6)
    if straight.graph_report_ is not None:
        assert str(scaled.graph_report_) == str(straight.graph_report_)


def test_values_whose_squares_overflow_are_refused(digits):
    X, y, _ = digits
    with pytest.raises(ValueError, match=r"largest value 1.0e\+20; rescale it"):
        RONMF().fit((1e20 * X).astype(np.float32), y)


def test_single_precision_with_hardly_any_label_weight(digits):
    X, y, _ = digits
    settings = {**PLAIN, "label_weight": 1e-30, "solver": ADMM(max_iter=20), "random_state": 0}
    model = RONMF(**settings).fit(X[:200].astype(np.float32), y[:200])
    assert np.isfinite(model.membership_).all()


def test_weights_of_a_precomputed_graph_count_by_ratio(digits, fitted):
    X, y, _ = digits
    W = 1e200 * neighbor_graph(X, 5).affinity
    settings = {"graph": "precomputed", "class_prior": None, "random_state": 0}
    model = RONMF(**settings).fit(X, y, affinity=W)
    np.testing.assert_allclose(model.membership_, fitted.membership_, atol=1e-6)
