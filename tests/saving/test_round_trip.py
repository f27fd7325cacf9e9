"""A model that was saved and loaded is the same model."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import Normalizer

from ronmf import (
    ADMM,
    L21,
    MCP,
    RONMF,
    GraphChoice,
    GraphRecipe,
    HarmonicLabelPropagation,
    baselines,
    neighbor_graph,
)
from ronmf.features import HOG, GaussianBlur, SoftBins, UnitNorm
from ronmf.saving import load_model, save_model
from support.models import differences

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
RECIPES = [
    GraphRecipe(),
    GraphRecipe(make_pipeline(HOG(image_shape=(8, 8)), UnitNorm()), axes="lda", shrinkage=0.1),
    GraphRecipe(make_pipeline(SoftBins(3), UnitNorm()), axes="propagated lda"),
    GraphRecipe(GaussianBlur(np.float64(0.5), image_shape=(8, 8)), n_neighbors=np.int64(4)),
]
SETTINGS = {
    "auto": RONMF(random_state=0),
    "pictures": RONMF(image_shape=(8, 8), random_state=0),
    "plain": RONMF(graph="plain", penalty=L21(), groups="samples", random_state=0),
    "heat": RONMF(
        graph=GraphChoice("plain", edge_weights="heat", label_edges=True), penalty=MCP(tau=3.0)
    ),
    "recipe": RONMF(graph=RECIPES[3], random_state=np.int64(1)),
    "recipes": RONMF(graph=RECIPES, random_state=np.random.RandomState(2)),
    "printed": RONMF(
        solver=ADMM(basis="penalty", exact=False, max_iter=5), graph="plain", random_state=0
    ),
    "warm": RONMF(warm_start=True, graph="plain", max_memory="2GiB", random_state=0),
    "harmonic": HarmonicLabelPropagation(random_state=0),
}


@pytest.fixture(scope="module")
def some(digits):
    X, _, truth = digits
    X, truth = X[:150], truth[:150]
    return X, np.where(np.arange(150) % 5 == 0, truth, -1), truth


def there_and_back(model, folder):
    save_model(model, folder / "model.ronmf")
    assert [path.name for path in folder.iterdir()] == ["model.ronmf"]
    return load_model(folder / "model.ronmf")


def answers(model, X, truth):
    """Return what the methods of a model say."""
    found = {"text": repr(model.get_params(deep=False).get("graph"))}
    for name in ("predict", "predict_proba", "transform"):
        if hasattr(model, name):
            found[name] = getattr(model, name)(X)
    found["back"] = model.inverse_transform(found["transform"])
    found["score"] = model.score(X, truth)
    if hasattr(model, "query"):
        found["query"] = model.query(5)
    if hasattr(model, "diagnose"):
        found["diagnosis"] = [str(each) for each in model.diagnose()]
    if hasattr(model, "hints"):
        found["hints"] = [str(each) for each in model.hints()]
    found["report"] = str(getattr(model, "graph_report_", None))
    found["names"] = model.get_feature_names_out()
    return found


@pytest.mark.parametrize("name", SETTINGS)
def test_every_attribute_and_every_answer_is_the_same(name, some, tmp_path):
    X, y, truth = some
    model = SETTINGS[name].fit(X, y)
    again = there_and_back(model, tmp_path)
    assert not list(differences(model, again))
    assert not hasattr(again, "_previous")
    before, after = (answers(each, X[:40], truth[:40]) for each in (model, again))
    assert not list(differences(before, after))
    if name != "recipes":  # whose random state prints its address
        assert repr(again) == repr(model)


@pytest.mark.parametrize("name", [n for n in baselines.__all__ if n != "HarmonicLabelPropagation"])
def test_the_other_methods(name, some, tmp_path):
    X, y, truth = some
    settings = {"n_clusters": 10, "random_state": 0, "max_iter": 10, "n_init": 1}
    model = getattr(baselines, name)()
    model.set_params(**{k: v for k, v in settings.items() if k in model.get_params()}).fit(X, y)
    again = there_and_back(model, tmp_path)
    assert not list(differences(model, again))
    assert not list(differences(*(answers(m, X[:40], truth[:40]) for m in (model, again))))


NAMES = {
    "text": lambda codes: [None if c < 0 else f"é{c}" for c in codes],
    "fixed text": lambda codes: np.array(["" if c < 0 else f"é{c}" for c in codes]),
    "bytes": lambda codes: np.array([b"" if c < 0 else b"x%d" % c for c in codes]),
    "whole": lambda codes: codes * (1 + (codes > 0)),
    "fractions": lambda codes: np.where(codes < 0, np.nan, codes + 0.5),
    "truth": lambda codes: [None if c < 0 else bool(c % 2) for c in codes],
    "mixed": lambda codes: [None if c < 0 else (c if c % 2 else c + 0.5) for c in codes.tolist()],
    "days": lambda codes: np.where(codes < 0, np.datetime64("NaT"), codes.astype("M8[D]")),
    "none": lambda codes: None,
}


@pytest.mark.parametrize("kind", NAMES)
def test_class_names_of_any_type(kind, some, tmp_path):
    X, y, _ = some
    clusters = {"none": 4}.get(kind)
    model = RONMF(clusters, graph="plain", random_state=0).fit(X, NAMES[kind](y))
    again = there_and_back(model, tmp_path)
    assert not list(differences(model, again))
    assert not list(differences(model.predict(X), again.predict(X)))


def test_other_kinds_of_input(some, tmp_path):
    pd = pytest.importorskip("pandas")
    X, y, _ = some
    W = neighbor_graph(X).affinity
    table = pd.DataFrame(X, columns=[f"pixel {i}" for i in range(64)])
    for model, data, graph in (
        (RONMF(graph="precomputed", random_state=0), X, {"affinity": sp.csr_array(W)}),
        (RONMF(random_state=0), X.astype(np.float32), {}),
        (RONMF(random_state=0), X.reshape(-1, 8, 8), {}),
        (RONMF(n_clusters="auto", random_state=0), X, {}),
        (RONMF(n_clusters=12, graph="plain", random_state=0), table, {}),
        (RONMF(graph="plain").set_output(transform="pandas"), table, {}),
    ):
        labels = None if model.n_clusters == "auto" else y
        again = there_and_back(model.fit(data, labels, **graph), tmp_path)
        assert not list(differences(model, again))
        if model.layers_ is not None:
            finer, other = (each.at_layer(-1) for each in (model, again))
            np.testing.assert_array_equal(finer.transform(data), other.transform(data))
        assert type(again.transform(data)) is type(model.transform(data))
        np.testing.assert_array_equal(again.transform(data), model.transform(data))


def test_a_pipeline(some, tmp_path):
    X, y, _ = some
    pipe = make_pipeline(Normalizer(), RONMF(graph="plain", random_state=0)).fit(X, y)
    again = there_and_back(pipe, tmp_path)
    assert not list(differences(pipe, again))
    np.testing.assert_array_equal(again.predict(X), pipe.predict(X))


def test_arrays_of_other_libraries_come_back_as_those_of_numpy(some, tmp_path):
    strict = pytest.importorskip("array_api_strict")
    X, y, _ = some
    for graph in ("auto", "plain"):
        model = RONMF(graph=graph, random_state=0).fit(strict.asarray(X), y)
        again = there_and_back(model, tmp_path)
        assert type(again.membership_) is np.ndarray
        np.testing.assert_array_equal(again.predict(X), model.predict(X))


@pytest.mark.parametrize("graph", ["auto", "plain"])
def test_stored_rows_are_not_needed_any_more(graph, some, tmp_path):
    X, y, _ = some
    np.save(tmp_path / "X.npy", X)
    stored = np.load(tmp_path / "X.npy", mmap_mode="r")
    state = tmp_path / "state"
    model = RONMF(graph=graph, random_state=0, checkpoint=state).fit(stored, y)
    expected = model.predict_proba(X)
    save_model(model, tmp_path / "m")
    del model, stored
    (tmp_path / "X.npy").unlink()
    again = load_model(tmp_path / "m")
    np.testing.assert_array_equal(again.predict_proba(X), expected)
    assert again.checkpoint is None  # a folder of this machine
    assert again.fit(X, y).predict(X).shape == (150,)


def test_what_parts_share_they_share_again(some, tmp_path):
    X, y, _ = some
    model = RONMF(image_shape=(8, 8), random_state=0).fit(X, y)
    again = there_and_back(model, tmp_path)
    before, after = ([id(part.features) for part in m.graph_.parts] for m in (model, again))
    assert [before.index(kind) for kind in before] == [after.index(kind) for kind in after]
    assert np.shares_memory(again.components_, again._new_samples.U)
    size = (tmp_path / "model.ronmf").stat().st_size
    save_model(again, tmp_path / "model.ronmf")
    assert (tmp_path / "model.ronmf").stat().st_size == size


def test_the_same_model_makes_the_same_file(some, tmp_path):
    X, y, _ = some
    model = RONMF(graph="plain", random_state=0).fit(X, y)
    for name in "ab":
        save_model(model, tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
