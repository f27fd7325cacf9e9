"""Labels of any type: kept apart, or refused."""

import numpy as np
import pytest
from sklearn.base import clone

from ronmf import ADMM, RONMF
from ronmf.labels.encoding import encode_labels

X = np.random.RandomState(0).rand(60, 20)

LABELS = {
    "far floats": ([1e300, 2e300, -1.0], [1e300, 2e300]),
    "close floats": ([1.0, 1.0000000001, -1.0], [1.0, 1.0000000001]),
    "large numbers": ([2**63 + 1, 2**63 + 2, -1], [2**63 + 1, 2**63 + 2]),
    "huge numbers": ([10**40, 10**40 + 1, -1], [10**40, 10**40 + 1]),
    "booleans": ([True, False, -1], [False, True]),
    "empty texts": (["", "a", "b"], ["a", "b"]),
    "blank texts": ([" ", "a", "b", "-1"], ["a", "b"]),
    "numbers as text": (["01", "1", None], ["01", "1"]),
    "tuples": ([(1, 2), (1, 3), -1], [(1, 2), (1, 3)]),
}
UNFIT = {
    "sets": [frozenset([1]), frozenset([2]), frozenset([1, 2]), -1],
    "booleans and numbers": [True, 1, 2, -1],
    "infinite": [float("inf"), 1.0, -1.0],
    "lists": [[1], [1, 2], [3]],
    "dicts": [{}, {"a": 1}, -1],
    "complex": [1j, 2j, -1],
    "texts and numbers": ["a", 1, -1],
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("names", "classes"), LABELS.values(), ids=LABELS)
def test_labels_are_kept_apart(names, classes):
    for as_array in (False, True):
        y = [names[i % len(names)] for i in range(60)]
        if as_array:
            array = np.empty(60, dtype=object)
            array[:] = y
            y = array
        short = RONMF(graph="plain", solver=ADMM(max_iter=2), random_state=0, check_labels=False)
        model = clone(short).fit(X, y)
        assert model.classes_.tolist() == classes
        more = short.set_params(n_clusters=len(classes) + 1).fit(X, y)
        assert more.classes_.tolist()[: len(classes)] == classes
        assert len(set(more.classes_.tolist())) == len(classes) + 1


@pytest.mark.parametrize("names", UNFIT.values(), ids=UNFIT)
def test_labels_that_cannot_be_kept_apart_are_refused(names):
    y = [names[i % len(names)] for i in range(60)]
    with pytest.raises(ValueError, match=r"^y "):
        RONMF(solver=ADMM(max_iter=2)).fit(X, y)


def test_unsigned_labels_are_no_floats():
    y = np.where(np.arange(60) < 30, np.uint64(2**63 + 1), np.uint64(2**63 + 2))
    known = encode_labels(y, n_samples=60, n_clusters=3)
    assert known.classes.tolist() == [2**63 + 1, 2**63 + 2, 0]
    assert np.bincount(known.codes).tolist() == [30, 30]
