"""
One label per class
===================

How many labels does it take? Here digits are clustered from one, two, five and ten labels of each,
beside label spreading on the same labels.
"""

# %%
# Three draws of 400 digits, and of the labels in them. ``LabelSpreading`` is scikit-learn's, on its
# graph of seven neighbours.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits
from sklearn.semi_supervised import LabelSpreading

from ronmf import RONMF

COUNTS, DRAWS = (1, 2, 5, 10), 3
images, classes = load_digits().images, load_digits().target


def draw_case(seed, labels_per_class):
    """Return pictures, labels with -1 where none is given, and the truth."""
    rng = np.random.default_rng(seed)
    chosen = rng.permutation(len(images))[:400]
    X, truth = images[chosen], classes[chosen]
    y = np.full(len(X), -1)
    for digit in range(10):
        y[np.flatnonzero(truth == digit)[:labels_per_class]] = digit
    return X, y, truth


# %%
# Both methods see the same ``X`` and ``y``; these labels are right, so RONMF need not check them.
# The truth is used after the fits, to count how many of the pictures without a label are right.

accuracy = {"RONMF": [], "LabelSpreading": []}
for labels_per_class in COUNTS:
    row = {name: [] for name in accuracy}
    for seed in range(DRAWS):
        X, y, truth = draw_case(seed, labels_per_class)
        rows = X.reshape(len(X), -1)
        fitted = {
            "RONMF": RONMF(check_labels=False, random_state=0).fit(X, y),
            "LabelSpreading": LabelSpreading(kernel="knn", n_neighbors=7).fit(rows, y),
        }
        for name, model in fitted.items():
            row[name].append((model.transduction_ == truth)[y == -1].mean())
    for name in accuracy:
        accuracy[name].append(row[name])
    means = ", ".join(f"{name} {np.mean(row[name]):.3f}" for name in accuracy)
    print(f"{labels_per_class:2} per class: {means}")

# %%
# Each dot is a draw, each line goes through the means.

figure, ax = plt.subplots(figsize=(6, 3.6), layout="constrained")
places = np.arange(len(COUNTS))
for name, marker in (("RONMF", "o"), ("LabelSpreading", "s")):
    values = np.array(accuracy[name])
    (line,) = ax.plot(places, values.mean(axis=1), label=name)
    ax.plot(places, values, marker, color=line.get_color(), alpha=0.5, markersize=4)
ax.set(
    xticks=places,
    xticklabels=COUNTS,
    xlabel="labels per class",
    ylabel="accuracy, unlabelled pictures",
)
ax.legend(loc="lower right")
ax.grid(axis="y", alpha=0.3)
plt.show()
