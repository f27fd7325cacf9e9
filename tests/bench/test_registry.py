import warnings

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.preprocessing import normalize

from ronmf.bench import METHODS, make_method
from ronmf.penalties import MCP
from support.marks import slow

LONG = ("RONMF-S, printed", "RONMF-E, printed")


@pytest.fixture(scope="module")
def small(digits):
    X, y, truth = digits
    keep = truth < 3
    return normalize(X[keep]), y[keep], truth[keep]


@pytest.mark.parametrize("name", [name for name in METHODS if name not in LONG] + slow(*LONG))
def test_every_method_clusters_by_its_name(small, name):
    X, y, truth = small
    model = make_method(name, 3, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        labels = model.fit_predict(X, y)
    assert labels.shape == truth.shape
    if name.endswith(("printed", "as released")):
        return  # with the printed weights most samples end up in one cluster
    assert set(labels) == {0, 1, 2}
    majority = sum(np.bincount(truth[labels == j]).max() for j in range(3))
    assert majority / len(truth) > 0.85
    if METHODS[name].uses_labels:
        assert (labels == truth).mean() > 0.85


def test_settings_can_be_changed():
    assert make_method("GNMF", 4, graph_weight=7.0).graph_weight == 7.0
    assert make_method("NMF", 4, n_components=9)["nmf"].n_components == 9
    assert make_method("k-means", 4, n_init=1).n_init == 1
    assert make_method("LpCNMF").n_clusters is None


def test_parameters_of_parameters_can_be_changed():
    model = make_method("RONMF-S", 4, penalty__tau=2.5, graph_weight=1.0)  # by name in the registry
    assert (str(model.penalty), model.graph_weight) == ("SCAD(tau=2.5)", 1.0)
    assert make_method("RONMF-S").penalty == "scad"
    printed = make_method("RONMF-M, printed", penalty__tau=9.0).penalty
    assert (printed.tau, printed.rule) == (9.0, "printed")
    assert make_method("NMF", 4, nmf__max_iter=7)["nmf"].max_iter == 7
    mine = MCP(tau=3.0)
    assert make_method("RONMF-M", penalty=mine, penalty__tau=4.0).penalty.tau == 4.0
    assert mine.tau == 3.0
    with pytest.raises(ValueError, match="Invalid parameter 'nothing'"):
        make_method("RONMF-M", penalty__nothing=1)


def test_unknown_names_and_missing_counts():
    with pytest.raises(ValueError, match="name='PCA' is not known; use one of k-means, NMF"):
        make_method("PCA")
    with pytest.raises(ValueError, match=r"did you mean 'LpCNMF'\?$"):
        make_method("LPCNFM")
    for name in ("k-means", "NMF"):
        with pytest.raises(ValueError, match="n_clusters is None"):
            make_method(name)
