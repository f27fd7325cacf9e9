"""Plant each trouble that a fit should tell of, and print the words that a user sees.

``python benchmarks/troubles.py`` prints the table of docs/trust.md.
"""

import warnings

import numpy as np

from ronmf import ADMM, RONMF, HarmonicLabelPropagation


def groups(n_groups=3, size=30, seed=0):
    """Return samples around a few centres, and which is whose."""
    rng = np.random.default_rng(seed)
    centres = 8 * np.eye(n_groups, 6)
    truth = np.repeat(np.arange(n_groups), size)
    return centres[truth] + rng.random((len(truth), 6)), truth


def some_labels(truth, every):
    return np.where(np.arange(len(truth)) % every == 0, truth, -1)


def one_class():
    X, truth = groups()
    return RONMF(random_state=0).fit(X, np.where(truth == 1, some_labels(truth, 3), -1))


def one_cluster():
    y = np.where(np.arange(90) < 3, [0, 1, 1] * 30, -1)
    return RONMF(random_state=0).fit(np.ones((90, 6)), y)


def empty_clusters():
    X, _ = groups()
    return RONMF.printed("E", n_clusters=5, random_state=0).fit(X)


def no_structure():
    X = np.random.default_rng(0).random((90, 12, 12))
    return RONMF(4, random_state=0).fit(X)


def strangers():
    X, truth = groups(4, 60)
    return RONMF(random_state=0).fit(X, np.where(truth < 3, some_labels(truth, 6), -1))


def doubted_labels():
    X, truth = groups()
    y = some_labels(truth, 3)
    y[[3, 36, 66]] = 2, 0, 1
    return RONMF(random_state=0).fit(X, y)


def overruled_labels():
    X, truth = groups()
    y = some_labels(truth, 3)
    y[3] = 2
    return RONMF(random_state=0, check_labels=False, label_weight=0.01).fit(X, y)


def chance():
    X, _ = groups(1, 90)
    y = np.where(np.arange(90) < 40, np.random.default_rng(1).integers(2, size=90), -1)
    return RONMF(random_state=0).fit(X, y)


def unreached():
    X, truth = groups(3)
    y = np.where(truth < 2, some_labels(truth, 5), -1)
    return RONMF(random_state=0, graph="plain").fit(X, y)


def no_evidence():
    X, truth = groups()
    return RONMF(random_state=0).fit(X, some_labels(truth, 30))


def no_labels():
    return RONMF(3, random_state=0).fit(groups()[0])


def little_evidence():
    X, _ = groups(1, 90)
    y = np.where(np.arange(90) < 10, np.random.default_rng(1).integers(2, size=90), -1)
    return HarmonicLabelPropagation(random_state=0).fit(X, y)


def not_converged():
    X, truth = groups()
    return RONMF(random_state=0, solver=ADMM(max_iter=1)).fit(X, some_labels(truth, 3))


PLANTED = {
    "one class": one_class,
    "one cluster": one_cluster,
    "empty clusters": empty_clusters,
    "no structure": no_structure,
    "strangers": strangers,
    "doubted labels": doubted_labels,
    "overruled labels": overruled_labels,
    "chance": chance,
    "unreached": unreached,
    "no evidence": no_evidence,
    "no labels": no_labels,
    "little evidence": little_evidence,
    "not converged": not_converged,
}
"""What makes each kind of trouble."""


def words(kind):
    """Return what a fit in which a trouble was planted says of it; None if it does not."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = PLANTED[kind]().diagnose()
    return next((str(each) for each in found if each.kind == kind), None)


def table():
    """Return the table, in Markdown."""
    lines = [f"| `{kind}` | {words(kind)} |" for kind in PLANTED]
    return "\n".join(["| kind | words |", "|---|---|", *lines])


if __name__ == "__main__":
    print(table())
