"""The same solver on NumPy, torch and the strict reference library of the array API."""

import numpy as np
import pytest

from ronmf import ADMM, RONMF, GraphChoice
from ronmf.graph import neighbor_graph
from ronmf.numerics.arrays import from_numpy, sparse_product, to_numpy
from support.marks import slow


def strict(array):
    return pytest.importorskip("array_api_strict").asarray(array)


def torch(array):
    return pytest.importorskip("torch", reason="needs torch").asarray(array)


LIBRARIES = {"strict": strict, "torch": torch}


@pytest.fixture(scope="module")
def small(digits):
    X, _, truth = digits
    return X[:150], np.where(np.arange(150) % 5 == 0, truth[:150], -1)


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"groups": "samples", "penalty": "etp"},
        *slow(
            {"penalty": "scad", "solver": ADMM(basis="penalty", balance=True, max_iter=6)},
            {"penalty": "l2p", "solver": ADMM(basis="unconstrained", max_iter=6)},
            {
                "graph": GraphChoice(edge_weights="heat"),
                "solver": ADMM(exact=False, init="random", max_iter=6),
            },
            {"n_clusters": 12, "graph": GraphChoice(edge_weights="cosine", label_edges=True)},
        ),
    ],
    ids=lambda s: "-".join(map(str, s.values())) or "default",
)
def test_every_library_gives_the_same_fit(small, library, settings):
    X, y = small
    settings = {"random_state": 0, "solver": ADMM(max_iter=6)} | settings
    expected = RONMF(**settings).fit(X, y)
    Xl = LIBRARIES[library](X)
    model = RONMF(**settings).fit(Xl, y)
    for name in ("membership_", "components_", "amplitudes_", "prototypes_", "group_weights_"):
        value = getattr(model, name)
        assert type(value) is type(Xl), name
        np.testing.assert_allclose(
            to_numpy(value), getattr(expected, name), rtol=1e-5, atol=1e-6, err_msg=name
        )
    assert isinstance(model.labels_, np.ndarray)
    new = model.transform(Xl[:5, :])
    assert type(new) is type(Xl)
    np.testing.assert_allclose(to_numpy(new), expected.transform(X[:5]), rtol=1e-5, atol=1e-6)
    np.testing.assert_array_equal(model.predict(Xl[:9, :]), expected.predict(X[:9]))
    # A query of another library or dtype is brought over
    half = LIBRARIES[library](X[:9].astype(np.float32))
    np.testing.assert_array_equal(model.predict(half), expected.predict(X[:9]))
    np.testing.assert_allclose(
        to_numpy(model.inverse_transform(to_numpy(new))), to_numpy(model.inverse_transform(new))
    )
    np.testing.assert_array_equal(model.predict(X[:9]), expected.predict(X[:9]))
    np.testing.assert_array_equal(expected.predict(Xl[:9, :]), expected.predict(X[:9]))


@pytest.mark.parametrize("library", LIBRARIES)
def test_float32_stays_float32_and_on_its_device(small, library):
    X, y = small
    Xl = LIBRARIES[library](X.astype(np.float32))
    model = RONMF(random_state=0, solver=ADMM(max_iter=5)).fit(Xl, y)
    assert model.membership_.dtype == Xl.dtype
    assert model.membership_.device == Xl.device
    assert model.transform(Xl[:3, :]).dtype == Xl.dtype


@pytest.mark.parametrize("library", LIBRARIES)
def test_bad_arrays_of_other_libraries(small, library):
    X, y = small
    make = LIBRARIES[library]
    nan = X.copy()
    nan[0, 0] = np.nan
    for bad, message in [
        (nan, "NaN or infinity"),
        (X[0], "needs samples x features"),
        (X[:1], "n_samples=1"),
    ]:
        with pytest.raises(ValueError, match=message):
            RONMF().fit(make(bad), y[: len(bad)])
    model = RONMF(random_state=0, solver=ADMM(max_iter=2)).fit(make(X), y)
    with pytest.raises(ValueError, match="63 features, but RONMF is expecting 64"):
        model.predict(make(X[:, :63].copy()))


@pytest.mark.parametrize("library", LIBRARIES)
def test_sparse_product(library, small):
    X, _ = small
    W = neighbor_graph(X, 4).affinity
    like = LIBRARIES[library](X)
    B = np.random.default_rng(0).random((len(X), 3))
    product = sparse_product(W, like)(from_numpy(B, like))
    assert type(product) is type(like)
    np.testing.assert_allclose(to_numpy(product), W @ B)


def test_labels_may_be_a_tensor(small):
    X, y = small
    model = RONMF(random_state=0, solver=ADMM(max_iter=3)).fit(torch(X), torch(y))
    assert model.classes_.tolist() == sorted(set(y.tolist()) - {-1})


def test_on_a_gpu(small):
    cuda = pytest.importorskip("torch", reason="needs torch")
    if not cuda.cuda.is_available():
        pytest.skip("needs a CUDA device")
    X, y = small
    Xg = cuda.asarray(X, device="cuda")
    model = RONMF(random_state=0, solver=ADMM(max_iter=6)).fit(Xg, y)
    expected = RONMF(random_state=0, solver=ADMM(max_iter=6)).fit(X, y)
    assert model.membership_.device.type == "cuda"
    np.testing.assert_allclose(to_numpy(model.membership_), expected.membership_, atol=1e-6)
    np.testing.assert_array_equal(model.predict(Xg[:9]), expected.predict(X[:9]))
