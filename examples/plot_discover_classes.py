"""
Classes nobody labelled
=======================

Labels name some classes, and the data hold more. ``n_clusters`` above the number of labelled
classes finds others; ``n_clusters="auto"`` also estimates how many clusters there are.
"""

# %%
# Seven digits have ten labels each. Once nobody labelled 0, 1 and 2, once nobody 7, 8 and 9. In
# both cases we ask for ten clusters.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits

from ronmf import RONMF

digits = load_digits()
X, truth = digits.images, digits.target


def discover(unlabelled):
    """Return a model of ten clusters, of which three have no label."""
    y = np.full(len(X), -1)
    for digit in set(range(10)) - set(unlabelled):
        y[np.flatnonzero(truth == digit)[:10]] = digit
    return RONMF(n_clusters=10, random_state=0).fit(X, y)


models = {missing: discover(missing) for missing in ((0, 1, 2), (7, 8, 9))}

# %%
# New clusters get the numbers that are free; which of them is which digit nobody knows. The true
# classes, used only now, tell what is inside.

for missing, model in models.items():
    for cluster in missing:
        inside = np.bincount(truth[model.transduction_ == cluster], minlength=10)
        most = ", ".join(f"{inside[d]} x {d}" for d in inside.argsort()[::-1] if inside[d])
        print(f"without labels of {missing}, new cluster {cluster}: {most}")

# %%
# Discovery is a guess. In the first case each new cluster is mostly one digit. In the second, one
# holds both 8 and 9, and another only some of the 1s. Look before you rely on it.
#
# How many clusters are there? Without any label, ``"auto"`` takes the largest gap in the spectrum
# of the graph, among numbers whose clusters hold together. It is an estimate as well.

free = RONMF(n_clusters="auto", random_state=0).fit(X)
print(free.cluster_count_)

# %%
# Which digits are in which cluster, new clusters in orange, and the gaps.

figure, (*maps, gaps) = plt.subplots(1, 3, figsize=(10, 3.4), layout="constrained")
for ax, (missing, model) in zip(maps, models.items(), strict=True):
    counts = np.zeros((10, 10))
    np.add.at(counts, (truth, model.transduction_), 1)
    ax.imshow(counts, cmap="Blues")
    ax.set(xticks=range(10), yticks=range(10), xlabel="cluster", ylabel="true digit")
    for new in missing:
        ax.get_xticklabels()[new].set(color="tab:orange", weight="bold")
    ax.set_title("no label of " + ", ".join(map(str, missing)))
count = free.cluster_count_
chosen = count.counts == count.n_clusters
gaps.bar(count.counts, count.gaps, color=np.where(chosen, "tab:orange", "lightgray"))
gaps.set(xlabel="number of clusters", ylabel="gap in the spectrum", xlim=(1, 25))
gaps.set_title(f"no labels: {count.n_clusters} clusters")
plt.show()
