"""Finite data of any kind: a result without NaN, or one sentence."""

import numpy as np
import pytest

from ronmf import ADMM, RONMF, HarmonicLabelPropagation
from ronmf.baselines import GNMF

X = np.random.RandomState(0).rand(60, 20)
Y = np.where(np.arange(60) < 12, np.arange(60) % 3, -1)


def with_rows(rows, values):
    changed = X.copy()
    changed[rows] = values
    return changed


ODD = {
    "labelled samples are one": with_rows(slice(12), X[0]),
    "labelled samples are nearly one": with_rows(slice(12), X[0] * (1 + 1e-15 * X[:12])),
    "all samples are one": np.repeat(X[:1], 60, axis=0),
    "one row is far off": with_rows(59, 1e10 * X[59]),
    "one labelled row is far off": with_rows(0, 1e10 * X[0]),
    "one column is far off": X * np.where(np.arange(20) == 3, 1e12, 1.0),
    "nothing but zeros": np.zeros((60, 20)),
    "one column": X[:, :1],
    "two values": (X > 0.5).astype(float),
    "tiny": 1e-300 * X,
    "huge": 1e150 * X,
}


def fitted(data):
    try:
        return RONMF(solver=ADMM(max_iter=5), random_state=0).fit(data, Y), None
    except ValueError as error:
        return None, error


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("data", ODD.values(), ids=ODD)
def test_odd_data_have_a_finite_result_or_a_sentence(data, dtype):
    with np.errstate(all="ignore"):
        data = data.astype(dtype)
    model, error = fitted(data)
    if model is None:
        assert type(error) is ValueError  # LinAlgError is one too, and says nothing to a user
        assert "X" in str(error)
        return
    for found in (model.label_distributions_, model.outlier_score_, model.predict_proba(data)):
        assert np.isfinite(found).all()
    assert set(model.transduction_) <= {0, 1, 2}


@pytest.mark.parametrize(
    "parameters",
    [
        {"n_components": True},
        {"n_components": 10**9},
        {"n_clusters": True},
        {"n_clusters": 10**9},
        {"n_neighbors": 10**9},
        {"solver": ADMM(1e-300)},
        {"solver": ADMM(True)},
        {"solver": "admm"},
        {"solver": ADMM},
        {"label_weight": 1e300},
        {"graph_weight": float("inf")},
        {"solver": ADMM(tol=float("nan"))},
        {"solver": ADMM(max_iter=2.5)},
        {"solver": ADMM(basis="none")},
        {"solver": ADMM(exact=1)},
        {"graph": []},
        {"graph": [3]},
        {"image_shape": (10**9, 10**9)},
        {"image_shape": ("a", "b")},
        {"image_shape": (4,)},
    ],
    ids=str,
)
def test_parameters_out_of_range_get_a_sentence(parameters):
    with pytest.raises(ValueError, match=next(iter(parameters))) as caught:
        RONMF(**parameters).fit(X, Y)
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize("kind", ["complex", "sparse", "meta", "compressed"])
def test_tensors_without_plain_values_get_a_sentence(kind):
    torch = pytest.importorskip("torch", reason="needs torch")
    tensor = {
        "complex": lambda: torch.tensor(X + 1j),
        "sparse": lambda: torch.tensor(X).to_sparse(),
        "meta": lambda: torch.tensor(X, device="meta"),
        "compressed": lambda: torch.tensor(X).to_sparse_csr(),
    }[kind]()
    for estimator in (RONMF, HarmonicLabelPropagation, GNMF):
        with pytest.raises(ValueError, match="needs"):
            estimator(3).fit(tensor, Y)


def test_complex_arrays_are_refused_without_being_printed():
    with pytest.raises(ValueError, match="Complex data not supported: RONMF needs real numbers"):
        RONMF().fit(X + 1j, Y)
