"""
Comparing methods
=================

Every method that RONMF is compared with has the same interface, and ``make_method`` finds it by
name, set up as its paper says.
"""

# %%
# Three draws of 400 digits, with five labels of each digit. The factorisations are meant for
# samples of unit length.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits
from sklearn.preprocessing import normalize

from ronmf.bench import METHODS, make_method
from ronmf.metrics import clustering_accuracy

NAMES = ["k-means", "NMF", "GNMF", "CNMF", "LpCNMF", "LabelSpreading"]
NAMES += ["HarmonicLabelPropagation", "Propagation, chosen graph", "RONMF-M"]
data, classes = load_digits(return_X_y=True)
print(len(METHODS), "methods:", " | ".join(METHODS))

# %%
# Some methods use no labels. Their clusters have no names, so for every method the best one-to-one
# match of clusters and classes is taken before counting. Two methods choose a graph from the
# labels, and are told how the pixels lie in the picture; the others take the graph of pixels, if
# they have one.

accuracy = {name: [] for name in NAMES}
for seed in range(3):
    chosen = np.random.default_rng(seed).permutation(len(data))[:400]
    X, truth = normalize(data[chosen]), classes[chosen]
    y = np.full(len(X), -1)
    for digit in range(10):
        y[np.flatnonzero(truth == digit)[:5]] = digit
    for name in NAMES:
        shape = {"image_shape": (8, 8)} if name in NAMES[-2:] else {}
        found = make_method(name, 10, random_state=seed, **shape).fit_predict(X, y)
        accuracy[name].append(clustering_accuracy(truth, found))

# %%
# A dot is a draw, a bar their mean, over all samples. Most of what RONMF is ahead of the others it
# owes to its graph: label propagation on that graph is about as good.

order = sorted(NAMES, key=lambda name: np.mean(accuracy[name]))
figure, ax = plt.subplots(figsize=(7, 3.8), layout="constrained")
for place, name in enumerate(order):
    colour = "tab:blue" if METHODS[name].uses_labels else "silver"
    ax.barh(place, np.mean(accuracy[name]), color=colour, alpha=0.6)
    ax.plot(accuracy[name], [place] * 3, ".", color="black")
    print(f"{name}: {np.mean(accuracy[name]):.3f}")
ax.set(yticks=range(len(order)), yticklabels=order, xlabel="accuracy, all samples", xlim=(0, 1))
ax.set_title("blue: uses labels; gray: does not")
plt.show()
