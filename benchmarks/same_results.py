"""Whether a change of the code changed a result, to the last bit.

    python benchmarks/same_results.py before.npz --data DIR     # before the change
    python benchmarks/same_results.py after.npz --data DIR      # after it
    python benchmarks/same_results.py after.npz --compare before.npz

Every method of the registry on 120 digits, and RONMF in thirteen settings; where umist is found, on
that too. Compared are all numbers that a fit leaves, and what models say of new samples: half a
minute. Run both on one machine with one BLAS thread (``OMP_NUM_THREADS=1``): bits depend on these.
It takes parameters by names that last, so that it runs before and after one is renamed.
"""

import argparse
import sys
import tempfile
import warnings
from numbers import Number
from pathlib import Path

import numpy as np
from sklearn.datasets import load_digits
from sklearn.preprocessing import normalize

from ronmf import RONMF, neighbor_graph
from ronmf.bench import METHODS, make_method
from ronmf.datasets import load

N, NEW, SHAPE = 400, 40, (8, 8)
MANY = 1200  # samples: above 1,000, graphs are compared on some of them


def labels(truth, n_each):
    """Return labels of the first so many samples of each class, -1 elsewhere."""
    y = np.full(len(truth), -1)
    for name in np.unique(truth):
        y[np.flatnonzero(truth == name)[:n_each]] = name
    return y


def methods():
    """Yield every method by name, fitted to 120 digits of four classes, and new samples."""
    X, truth = load_digits(n_class=4, return_X_y=True)
    X, y = normalize(X[: 120 + NEW]), labels(truth[:120], 8)
    for name in METHODS:
        model = make_method(name, 4, random_state=0)
        if "image_shape" in model.get_params():
            model.set_params(image_shape=SHAPE)
        model.fit_predict(X[:120], y)
        yield f"method {name}", model, X[120:]


def settings(folder):
    """Yield the name of a setting of RONMF, a model, and new samples."""
    X, truth = load_digits(return_X_y=True)
    new, many, many_truth = X[MANY : MANY + NEW], X[:MANY], truth[:MANY]
    X, truth = X[:N], truth[:N]
    few, wrong = labels(truth, 3), labels(truth, 12)
    wrong[:6] = (truth[:6] + 1) % 10
    pictures, plain = {"image_shape": SHAPE, "random_state": 0}, {"random_state": 0}
    fits = {
        "one label": lambda: RONMF(**pictures).fit(X, labels(truth, 1)),
        "few labels": lambda: RONMF(**pictures).fit(X, few),
        "30 % of labels": lambda: RONMF(**pictures).fit(X, labels(truth, 12)),
        "wrong labels": lambda: RONMF(**pictures).fit(X, wrong),
        "no labels": lambda: RONMF(10, **pictures).fit(X),
        "without shape": lambda: RONMF(**plain).fit(X, few),
        "above 1,000": lambda: RONMF(**pictures).fit(many, labels(many_truth, 6)),
        "plain": lambda: RONMF(graph="plain", **plain).fit(X, few),
        "precomputed": lambda: RONMF(graph="precomputed", **plain).fit(
            X, few, affinity=neighbor_graph(X, 4).affinity
        ),
        "printed": lambda: RONMF.printed("E", **plain).fit(normalize(X), few),
        "warm start": lambda: (
            RONMF(warm_start=True, **pictures).fit(X, few).fit(X, labels(truth, 4))
        ),
        "stored rows": lambda: RONMF(**pictures).fit(stored(X, folder), few),
        "limited memory": lambda: RONMF(max_memory="4GiB", **pictures).fit(stored(X, folder), few),
    }
    for name, fit in fits.items():
        yield name, fit(), normalize(new) if name == "printed" else new


def stored(X, folder):
    """Return data as they come from a file on disk."""
    np.save(folder / "X.npy", X)
    return np.load(folder / "X.npy", mmap_mode="r")


def real_pictures(data):
    """Yield RONMF on umist."""
    found = load("umist", data)
    model = RONMF(image_shape=found.image_shape, random_state=0)
    yield "umist", model.fit(found.X, labels(found.y, 4)), found.X[:NEW]


def outcomes(model, new):
    """Yield the names and values of all numbers that a model has, or says of new samples."""
    fitted = model.steps[-1][1] if hasattr(model, "steps") else model
    told = {name: value for name, value in vars(fitted).items() if name.endswith("_")}
    told["graph_"] = getattr(getattr(fitted, "graph_", None), "affinity", None)
    for name, values in vars(told.pop("history_", None) or object).items():
        if isinstance(values, list):
            told[f"history_.{name}"] = np.array(values)
    for name in ("predict", "predict_proba", "transform"):
        if hasattr(model, name):
            told[name] = getattr(model, name)(new)
    if hasattr(fitted, "query"):
        told["query"] = fitted.query(10)
    for name, value in told.items():
        value = value.toarray() if hasattr(value, "toarray") else value
        if isinstance(value, np.ndarray | Number) and np.asarray(value).dtype.kind in "biuf":
            yield name, np.asarray(value)


def results(data):
    """Return all outcomes by names."""
    found = {}
    with tempfile.TemporaryDirectory() as place:
        for fits in (methods(), settings(Path(place)), real_pictures(data) if data else ()):
            for setting, model, new in fits:
                found |= {f"{setting}: {name}": value for name, value in outcomes(model, new)}
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
    same = {
        name: name in after.files and bits(before[name]) == bits(after[name])
        for name in before.files
    }
    for name in before.files:
        if not same[name]:
            print(f"{name}: {'different' if name in after.files else 'gone'}")
    print(f"{sum(same.values())} of {len(same)} equal to the last bit")
    sys.exit(not all(same.values()))


def bits(array):
    return array.dtype, array.shape, array.tobytes()


if __name__ == "__main__":
    main()
