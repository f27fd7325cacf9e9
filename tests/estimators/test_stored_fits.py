"""RONMF on data in memory, on disk and of Dask: the same answers."""

import numpy as np
import pytest
from sklearn.datasets import load_digits

from ronmf import ADMM, RONMF, GraphRecipe
from ronmf.estimators import graph_search, sampled_evidence
from ronmf.estimators.graph_search import GraphSearch
from ronmf.estimators.long_fits import memory_needed
from ronmf.system.platform import resident_memory

pytestmark = pytest.mark.filterwarnings("ignore:RONMF")
X, TRUTH = load_digits(return_X_y=True)
X = X.astype(np.uint8)
Y = np.where(np.arange(len(TRUTH)) % 20 == 0, TRUTH, -1)


def on_disk(folder, values=X):
    np.save(folder / "X.npy", values)
    return np.load(folder / "X.npy", mmap_mode="r")


def fitted(data, y=Y, **settings):
    defaults = {"image_shape": (8, 8), "random_state": 0, "solver": ADMM(max_iter=12)}
    return RONMF(**(defaults | settings)).fit(data, y)


def assert_same(found, wanted, rtol=1e-6):
    np.testing.assert_array_equal(found.labels_, wanted.labels_)
    np.testing.assert_allclose(found.history_.objective, wanted.history_.objective, rtol=rtol)
    np.testing.assert_allclose(found.membership_, wanted.membership_, atol=1e-3)
    np.testing.assert_allclose(found.outlier_score_, wanted.outlier_score_, rtol=1e-3)
    assert found.image_shape_ == wanted.image_shape_
    assert found.stop_reason_ == wanted.stop_reason_


@pytest.mark.parametrize(
    "settings",
    [{}, {"groups": "samples"}, {"solver": ADMM(basis="penalty", max_iter=12)}],
)
def test_disk_gives_what_memory_gives(settings, tmp_path):
    settings = {"graph": "plain", **settings}  # which says nothing of what follows
    assert_same(fitted(on_disk(tmp_path), **settings), fitted(X.astype(np.float32), **settings))


@pytest.fixture(scope="module")
def in_memory():
    return fitted(X.astype(np.float32))


def test_a_graph_is_chosen_on_disk_as_in_memory(in_memory, tmp_path):
    assert_same(fitted(on_disk(tmp_path)), in_memory)


def test_dask_gives_what_memory_gives(in_memory):
    da = pytest.importorskip("dask.array")
    pictures = da.from_array(X.reshape(-1, 8, 8), chunks=(400, 8, 8))
    assert_same(fitted(pictures, image_shape=None), in_memory)


@pytest.mark.slow
def test_a_limit_and_a_checkpoint_change_nothing(in_memory, tmp_path):
    assert_same(fitted(X.astype(np.float32), max_memory="4GiB"), in_memory)
    assert_same(fitted(on_disk(tmp_path), checkpoint=tmp_path / "state"), in_memory)
    assert list((tmp_path / "state").iterdir()) == []


def test_a_fit_without_labels(tmp_path):
    settings = {"n_clusters": 10, "solver": ADMM(max_iter=3)}
    assert_same(
        fitted(on_disk(tmp_path, X[:600].astype(float)), None, **settings),
        fitted(X[:600].astype(float), None, **settings),
    )


def test_rows_that_are_no_pictures(tmp_path):
    settings = {"image_shape": None, "solver": ADMM(max_iter=3)}
    found = fitted(on_disk(tmp_path, X[:600].astype(float)), Y[:600], **settings)
    assert_same(found, fitted(X[:600].astype(float), Y[:600], **settings))


@pytest.fixture(scope="module")
def of_half():
    return fitted(X[:900].astype(np.float32), Y[:900], solver=ADMM(max_iter=3))


def test_new_samples_are_looked_at_by_blocks(of_half, tmp_path):
    model = of_half
    stored, new = on_disk(tmp_path, X[900:]), X[900:].astype(np.float32)
    for method in ("transform", "predict", "predict_proba"):
        ask = getattr(model, method)
        np.testing.assert_allclose(ask(stored), ask(new), rtol=1e-6, atol=1e-6)
    assert model.score(stored, TRUTH[900:]) == model.score(new, TRUTH[900:])


def test_predictions_of_dask_wait_until_they_are_asked_for(of_half):
    da = pytest.importorskip("dask.array")
    model, asked = of_half, []

    def note(block):
        asked.append(len(block))
        return block

    new = da.from_array(X[900:], chunks=(300, 64)).map_blocks(note, dtype=X.dtype, meta=X[:0])
    lazy = model.predict(new)
    assert not asked
    assert lazy.shape == (897,)
    np.testing.assert_array_equal(lazy.compute(), model.predict(X[900:].astype(np.float32)))
    assert sum(asked) == 897


@pytest.mark.slow
def test_a_warm_start_goes_on_from_stored_data(tmp_path):
    stored, more = on_disk(tmp_path), np.where(np.arange(len(TRUTH)) % 20 == 1, TRUTH, Y)
    model = fitted(stored, warm_start=True, solver=ADMM(max_iter=60))
    report, sweeps = model.graph_report_, model.n_iter_
    model.fit(stored, np.where(np.arange(len(Y)) < 300, more, Y))
    assert model.graph_report_ is report
    assert model.n_iter_ <= sweeps
    model.fit(on_disk(tmp_path, X[::-1].copy()), Y[::-1])
    assert model.graph_report_ is not report


def test_too_little_memory_is_said_with_the_number(tmp_path):
    needed = memory_needed((len(X), 64), 10, 20)
    with pytest.raises(
        ValueError, match=r"max_memory='100MB' is too little: 1797 samples of 64 .* GiB"
    ):
        fitted(on_disk(tmp_path), max_memory="100MB")
    assert needed < memory_needed((2 * len(X), 64), 10, 20)
    with pytest.raises(ValueError, match="max_memory='lots' is no size"):
        fitted(on_disk(tmp_path), max_memory="lots")


@pytest.mark.slow
def test_neighbours_of_own_candidates_take_memory(tmp_path):
    """A thousand neighbours of each sample do not fit, however few the others have."""
    stored = on_disk(tmp_path)
    limit = resident_memory() + 400 * 2**20
    few = [GraphRecipe(n_components=2), GraphRecipe(n_neighbors=6, n_components=2)]
    fitted(stored, graph=few, max_memory=limit)
    many = [*few, GraphRecipe(n_neighbors=1000, n_components=2)]
    with pytest.raises(ValueError, match=r"max_memory=.* is too little"):
        fitted(stored, graph=many, max_memory=limit)


def test_a_checkpoint_needs_a_seed_that_can_be_repeated(tmp_path):
    with pytest.raises(ValueError, match="random_state is a RandomState"):
        fitted(X, checkpoint=tmp_path / "a", random_state=np.random.RandomState(0))
    with pytest.raises(ValueError, match="warm_start=True goes on from the last fit"):
        fitted(X, checkpoint=tmp_path / "a", warm_start=True)
    assert list((tmp_path / "a").iterdir()) == []


def test_a_checkpoint_is_of_one_fit(tmp_path):
    folder = tmp_path / "state"

    class Stop(Exception):
        pass

    class Stopping(RONMF):
        def _keep_fit(self, fit):
            raise Stop

    settings = {"graph": "plain", "solver": ADMM(max_iter=4), "checkpoint": folder}
    with pytest.raises(Stop):
        Stopping(**settings).fit(X[:500], Y[:500])
    with pytest.raises(ValueError, match="state of another fit"):
        RONMF(**settings).fit(X[:500], Y[:500][::-1])
    with pytest.raises(ValueError, match="state of another fit"):
        RONMF(**settings | {"solver": ADMM(4.0, max_iter=4)}).fit(X[:500], Y[:500])
    W = np.ones((500, 500)) - np.eye(500)
    with pytest.raises(ValueError, match="state of another fit"):
        RONMF(**settings | {"graph": "precomputed"}).fit(X[:500], Y[:500], affinity=W)
    RONMF(**settings).fit(X[:500], Y[:500])
    assert list(folder.iterdir()) == []


@pytest.fixture
def few_are_many(monkeypatch):
    """Let the way of very many samples be taken with few."""
    monkeypatch.setattr(graph_search, "MANY", 1000)
    monkeypatch.setattr(sampled_evidence, "SAMPLE", 600)
    monkeypatch.setattr(sampled_evidence, "_LABELS", 150)


def test_the_graph_of_many_is_chosen_on_a_part(few_are_many, tmp_path):
    y = np.where(np.arange(len(TRUTH)) % 4 == 0, TRUTH, -1)
    model = fitted(on_disk(tmp_path), y)
    assert model.graph_report_.reason.startswith("Chosen on 600 of 1797 samples")
    assert model.graph_.affinity.shape == (1797, 1797)
    assert (model.transduction_ == TRUTH)[y == -1].mean() > 0.95
    # Sums of single precision in other blocks: sweeps near the end differ by a little more.
    assert_same(model, fitted(X.astype(np.float32), y), rtol=1e-4)


def test_labels_outside_that_part_shape_no_graph_and_are_judged(few_are_many, monkeypatch):
    y = np.where(np.arange(len(TRUTH)) % 4 == 0, TRUTH, -1)
    data, seen, trials = X.astype(np.float32), [], []
    gather, run = GraphSearch.evidence, sampled_evidence.run_trials

    def spied(search, *earlier):
        if len(search.codes) < len(y):
            seen.append((search.X, search.codes))
        return gather(search, *earlier)

    def noted(*args, **options):
        found = run(*args, **options)
        trials.extend(found)
        return found

    monkeypatch.setattr(GraphSearch, "evidence", spied)
    monkeypatch.setattr(sampled_evidence, "run_trials", noted)
    plain = fitted(data, y)
    rows = sampled_evidence.sampled_rows(y, np.random.RandomState(0))
    ((some, known),) = seen
    np.testing.assert_array_equal(some, data[rows])  # it sees the part, and labels of the part
    np.testing.assert_array_equal(known, y[rows])
    assert trials
    assert not np.isin(np.concatenate([trial.hidden for trial in trials]), rows).any()
    # Labels that are swapped outside are found, and the others do not suffer.
    outside = np.setdiff1d(np.flatnonzero(y >= 0), rows)
    wrong, flipped = outside[:: len(outside) // 36], y.copy()
    for i, j in zip(wrong[::2], wrong[1::2], strict=False):
        flipped[[i, j]] = y[[j, i]]
    wrong = np.flatnonzero(flipped != y)
    model = fitted(data, flipped)
    assert len(np.intersect1d(model.doubted_labels_, wrong)) >= 0.5 * len(wrong)
    right, before = ((m.transduction_ == TRUTH)[y == -1].mean() for m in (model, plain))
    assert right > before - 0.02


def test_many_samples_without_a_check_of_labels_or_with_a_graph_of_no_use(few_are_many):
    data, y = X.astype(np.float32), np.where(np.arange(len(TRUTH)) % 4 == 0, TRUTH, -1)
    assert fitted(data, y, check_labels=False, solver=ADMM(max_iter=2)).n_iter_ == 2
    with pytest.raises(ValueError, match="fit was given an affinity matrix but graph='auto'"):
        RONMF().fit(data, y, affinity=np.eye(3))


def test_few_labels_of_many_samples_all_take_part(few_are_many):
    y = np.full(len(TRUTH), -1)
    for j in range(10):
        y[np.flatnonzero(j == TRUTH)[:4]] = j
    model = fitted(X.astype(np.float32), y)
    assert "40 given labels were hidden" in model.graph_report_.reason
    assert (model.transduction_ == TRUTH)[y == -1].mean() > 0.85
    unlabelled = fitted(X.astype(np.float32), None, n_clusters=10, solver=ADMM(max_iter=3))
    assert len(np.unique(unlabelled.labels_)) == 10


def test_a_plain_graph_of_more_than_memory_is_refused(tmp_path):
    # A file of zeros that takes no room on the disk
    stored = np.lib.format.open_memmap(tmp_path / "wide.npy", "w+", np.uint8, (30_000, 20_000))
    with pytest.raises(ValueError, match=r"graph='plain' needs all of X in memory, 2\.2 GiB"):
        RONMF(2, graph="plain", max_memory="4GiB").fit(stored)


def test_stored_pictures_of_another_shape_are_refused(tmp_path):
    model = fitted(X[:300].astype(np.float32), Y[:300], solver=ADMM(max_iter=2))
    odd, first = X[:300].reshape(-1, 4, 16), X[:288].reshape(-1, 3, 8, 8)
    with pytest.raises(ValueError, match="has pictures of 4 x 16, but image_shape is 8 x 8"):
        fitted(on_disk(tmp_path, odd))
    with pytest.raises(ValueError, match="has pictures of 4 x 16, but image_shape is 8 x 8"):
        model.predict(on_disk(tmp_path, odd))
    with pytest.raises(ValueError, match="channels before height and width"):
        fitted(on_disk(tmp_path, first), Y[:96], image_shape=None)


@pytest.mark.slow
def test_large_values_are_no_trouble(tmp_path):
    values = 1e60 * X[:1100].astype(float)
    settings = {"solver": ADMM(max_iter=2)}
    found = fitted(on_disk(tmp_path, values), Y[:1100], **settings)
    assert_same(found, fitted(values, Y[:1100], **settings))
    assert_same(fitted(values, Y[:1100], max_memory="4GiB", **settings), found)


def test_tables_are_for_data_in_memory(tmp_path):
    model = fitted(X[:300].astype(np.float32), Y[:300], solver=ADMM(max_iter=2)).set_output(
        transform="pandas"
    )
    found, table = model.transform(on_disk(tmp_path, X[:300])), model.transform(X[:300])
    assert isinstance(found, np.ndarray)
    np.testing.assert_allclose(found, table.to_numpy(), atol=1e-6)
