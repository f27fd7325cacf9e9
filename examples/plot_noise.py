"""
Noise and covered pictures
==========================

Noise harms the neighbour graph first: noisy pictures are near to other noisy pictures. By default
RONMF looks for a graph that withstands it. Here that graph stands beside the one of raw pixels.
"""

# %%
# 600 digits with six labels of each, clean and spoilt in three ways.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits

from ronmf import RONMF
from ronmf.bench import gaussian, occlusion, salt_pepper

rng = np.random.default_rng(0)
chosen = rng.permutation(1797)[:600]
truth = load_digits().target[chosen]
clean = load_digits().data[chosen] / 16
y = np.full(len(truth), -1)
for digit in range(10):
    y[np.flatnonzero(truth == digit)[:6]] = digit

spoilt = {
    "clean": clean,
    "Gaussian": gaussian(clean, 0.7, rng),
    "salt and pepper": salt_pepper(clean, 0.2, rng),
    "covered": occlusion(clean, 0.2, rng, (8, 8)),
}

# %%
# ``image_shape`` says how the 64 numbers of a row lie in the picture. Then graphs of filtered
# pictures take part in the choice, and the given labels decide among them. These labels are right,
# so they need no check.

accuracy = {}
for kind, X in spoilt.items():
    for name, graph in (("graph of pixels", "plain"), ("chosen graph", "auto")):
        model = RONMF(graph=graph, image_shape=(8, 8), check_labels=False, random_state=0)
        model.fit(X, y)
        accuracy[kind, name] = (model.transduction_ == truth)[y == -1].mean()
    best = model.graph_report_.candidates[0]
    print(f"{kind}: largest share {best.share:.2f}, {best.recipe}")

# %%
# Above, five digits as each fit saw them; below, how many of the unlabelled ones were right.

figure = plt.figure(figsize=(9, 4.2), layout="constrained")
top, bottom = figure.subfigures(2, 1, height_ratios=(1, 2.4))
for ax, X in zip(top.subplots(1, 4), spoilt.values(), strict=True):
    ax.imshow(np.hstack(X[:5].reshape(-1, 8, 8)), cmap="gray_r", vmin=0, vmax=1)
    ax.set_axis_off()
ax = bottom.subplots()
for shift, name in ((-0.2, "graph of pixels"), (0.2, "chosen graph")):
    values = [accuracy[kind, name] for kind in spoilt]
    bars = ax.bar(np.arange(4) + shift, values, width=0.38, label=name)
    ax.bar_label(bars, fmt="%.2f", padding=2)
ax.set(xticks=range(4), xticklabels=spoilt, ylim=(0, 1.15), ylabel="accuracy, unlabelled")
ax.legend(loc="upper right")
plt.show()
