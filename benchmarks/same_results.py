"""Whether a change of the code changed a result, to the last bit.

    python benchmarks/same_results.py before.npz --data DIR     # before the change
    python benchmarks/same_results.py after.npz --data DIR      # after it
    python benchmarks/same_results.py after.npz --compare before.npz

RONMF in six settings (auto, plain and given graph, as printed, without labels, warm start) on
digits and, where it is found, umist: memberships, probabilities, outlier scores and queries. Run
both on one machine with one BLAS thread (``OMP_NUM_THREADS=1``): bits depend on these.
"""

import argparse
import warnings

import numpy as np
from sklearn.datasets import load_digits
from sklearn.preprocessing import normalize

from ronmf import RONMF, neighbor_graph
from ronmf.datasets import load
from ronmf.experiments import draw_case


def samples(data):
    """Yield a name, the data, labels with gaps, the truth, and the shape of pictures."""
    X, truth = load_digits(return_X_y=True)
    X, truth = X[:700], truth[:700]
    yield "digits", X, np.where(np.arange(700) % 15 == 0, truth, -1), truth, (8, 8)
    if data is not None:
        case = draw_case(load("umist", data), n_classes=6, label_rate=0.3, seed=3)
        view = case.view
        yield "umist", view.X, view.y, case.truth_for_pictures, view.image_shape


def fits(X, y, truth, shape):
    """Yield the name of a setting and a fitted model."""
    pictures, plain = {"image_shape": shape, "random_state": 0}, {"random_state": 0}
    yield "auto", RONMF(**pictures).fit(X, y)
    yield "plain", RONMF(graph="plain", **plain).fit(X, y)
    W = neighbor_graph(X, 4).affinity
    yield "given", RONMF(graph="precomputed", **plain).fit(X, y, affinity=W)
    yield "printed", RONMF.printed("E", max_iter=30, **plain).fit(normalize(X), y)
    yield "no labels", RONMF(len(np.unique(truth)), **pictures).fit(X)
    more = y.copy()
    added = np.flatnonzero(y < 0)[::97]
    more[added] = truth[added]
    yield "warm start", RONMF(warm_start=True, **pictures).fit(X, y).fit(X, more)


def results(data):
    found = {}
    for name, X, y, truth, shape in samples(data):
        for setting, model in fits(X, y, truth, shape):
            found |= {
                f"{name}, {setting}: memberships": model.membership_,
                f"{name}, {setting}: probabilities": model.label_distributions_,
                f"{name}, {setting}: outlier scores": model.outlier_score_,
                f"{name}, {setting}: queries": model.query(10),
                f"{name}, {setting}: new samples": model.predict_proba(X[:50]),
            }
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", help="file of results, .npz")
    parser.add_argument("--compare", help="file of earlier results, to compare FILE with")
    parser.add_argument("--data", help="data directory, for umist")
    options = parser.parse_args()
    if options.compare is None:
        warnings.simplefilter("ignore")  # the printed method does not converge
        np.savez(options.file, **results(options.data))
        return
    before, after = np.load(options.compare), np.load(options.file)
    for name in before.files:
        same = name in after.files and np.array_equal(before[name], after[name])
        if not same:
            print(f"{name}: different")
    equal = sum(n in after.files and np.array_equal(before[n], after[n]) for n in before.files)
    print(f"{equal} of {len(before.files)} equal to the last bit")


if __name__ == "__main__":
    main()
