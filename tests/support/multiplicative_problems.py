"""Small random problems of every multiplicative method, for tests of the loop and its terms."""

import numpy as np

from ronmf.baselines import CDCF, CNMF, GNMF, GSNMF, LPNMF, RNMF, RSNMF, SNMFDSR, SNMFSP, LpCNMF
from ronmf.baselines._multiplicative.cauchy_fit import TruncatedCauchyFit
from ronmf.baselines._multiplicative.loop import Problem
from ronmf.graph import neighbor_graph
from ronmf.labels.encoding import encode_labels

METHODS = {
    "RNMF": RNMF(),
    "RNMF-features": RNMF(groups="features"),
    "GNMF": GNMF(),
    "GSNMF": GSNMF(),
    "GSNMF-p1": GSNMF(p=1.0, graph_weight=1.0),
    "GSNMF-p2": GSNMF(p=2.0, basis_weight=0.1),
    "RSNMF": RSNMF(),
    "RSNMF-p05": RSNMF(p=0.5, components_per_class=1),
    "RSNMF-p2": RSNMF(p=2.0),
    "SNMFDSR": SNMFDSR(),
    "SNMFDSR-heavy": SNMFDSR(graph_weight=10.0, dissimilarity_weight=5.0),
    "CNMF": CNMF(),
    "CDCF": CDCF(),
    "CDCF-light": CDCF(label_weight=0.1),
    "LPNMF": LPNMF(),
    "LPNMF-relaxed": LPNMF(label_weight=3.0),
    "LpCNMF": LpCNMF(),
    "LpCNMF-unequal": LpCNMF(label_weight=0.5, n_components=5),
    "SNMFSP": SNMFSP(),
    "SNMFSP-other": SNMFSP(label_weight=0.3, basis_weight=20.0, n_components=4),
    "TruncatedCauchyNMF": "cauchy",
    "TruncatedCauchyNMF-whole": "cauchy without truncation",
}


def random_data(seed, n_samples=24, n_features=15, density=1.0, n_classes=3, label_rate=0.5):
    """Return non-negative X, y with -1, in which not every class need have a label."""
    rng = np.random.default_rng(seed)
    truth = np.arange(n_samples) % n_classes
    X = rng.random((n_classes, n_features))[truth] + 0.3 * rng.random((n_samples, n_features))
    X = X * (rng.random(X.shape) < density)
    return X, np.where(rng.random(n_samples) < label_rate, truth, -1)


def problem_of(name, X, y, n_clusters=3):
    """Return the problem that an estimator would solve."""
    model = METHODS[name]
    if isinstance(model, str):
        start = RNMF()._problem(X, encode_labels(y, len(X), n_clusters), None).start
        threshold = 0.6 if model == "cauchy" else np.inf
        return Problem(TruncatedCauchyFit(X, 0.3, threshold), (), start)
    W = neighbor_graph(X, 4, weights="heat").affinity
    return model._problem(X, encode_labels(y, len(X), n_clusters), W)
