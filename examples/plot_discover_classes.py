"""
Classes nobody labelled
=======================

Labels name some classes, and the data hold more. ``n_clusters="auto"`` keeps clusters that no label
names beside the named ones, and without any label it finds clusters in nested layers.
"""

# %%
# Seven digits have ten labels each. Once nobody labelled 0, 1 and 2, once nobody 7, 8 and 9. Nobody
# says how many classes there are.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits

from ronmf import RONMF

digits = load_digits()
X, truth = digits.images, digits.target


def discover(unlabelled):
    """Return a model of the digits, of which three have no label."""
    y = np.full(len(X), -1)
    for digit in set(range(10)) - set(unlabelled):
        y[np.flatnonzero(truth == digit)[:10]] = digit
    return RONMF("auto", random_state=0).fit(X, y)


models = {missing: discover(missing) for missing in ((0, 1, 2), (7, 8, 9))}

# %%
# New clusters get the numbers that are free; which of them is which digit nobody knows. The true
# classes, used only now, tell what is inside.

for missing, model in models.items():
    for cluster in model.classes_[7:]:
        inside = np.bincount(truth[model.transduction_ == cluster], minlength=10)
        most = ", ".join(f"{inside[d]} x {d}" for d in inside.argsort()[::-1] if inside[d])
        print(f"without labels of {missing}, new cluster {cluster}: {most}")

# %%
# Discovery is a guess: a digit that is written in two ways may have two clusters. Look before you
# rely on it.
#
# Without any label there are layers: from few large clusters to many small ones, each inside one of
# the layer before. One of them is in use, and ``at_layer`` reads the model at another.

free = RONMF("auto", random_state=0).fit(X)
for i, layer in enumerate(free.layers_):
    mark = "  <- in use" if i == free.layer_ else ""
    print(f"layer {i}: {layer.n_clusters:3d} clusters, stability {layer.stability:.2f}{mark}")

# %%
# Which digits are in which cluster, in the layer in use and in the next coarser one.

figure, maps = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
for ax, model in zip(maps, (free, free.at_layer(free.layer_ - 1)), strict=True):
    counts = np.zeros((10, len(model.classes_)))
    np.add.at(counts, (truth, model.labels_), 1)
    order = np.lexsort((-counts.max(axis=0), counts.argmax(axis=0)))
    ax.imshow(counts[:, order], cmap="Blues", aspect="auto")
    ax.set(yticks=range(10), xlabel="cluster", ylabel="true digit")
    ax.set_title(f"{len(model.classes_)} clusters")
plt.show()
