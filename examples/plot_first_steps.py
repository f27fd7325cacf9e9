"""
First steps
===========

A pile of handwritten digits, of which a few carry a label: which digit is each of the others?
"""

# %%
# The data
# --------
# 1797 pictures of 8 x 8 pixels come with scikit-learn. We keep ten labels of each digit and hide
# all others: ``-1`` means "not labelled", as in ``sklearn.semi_supervised``.

# sphinx_gallery_thumbnail_number = 2
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits

from ronmf import RONMF

digits = load_digits()
X, truth = digits.images, digits.target
rng = np.random.default_rng(0)
y = np.full(len(X), -1)
for digit in range(10):
    y[rng.choice(np.flatnonzero(truth == digit), size=10, replace=False)] = digit
print(f"{len(X)} pictures, {(y >= 0).sum()} of them labelled")

# %%
# The fit
# -------
# Nothing needs to be set. ``transduction_`` is the class of every picture, ``label_distributions_``
# says how sure that is.

model = RONMF(random_state=0).fit(X, y)
certainty = model.label_distributions_.max(axis=1)

# %%
# The true classes were not used so far. Now they tell how many of the hidden ones were found.

hidden = y == -1
right = model.transduction_ == truth
print(f"{right[hidden].mean():.1%} of the pictures without a label are right")
print(f"{right[hidden & (certainty > 0.9)].mean():.1%} of those that the model is 90 % sure of")

# %%
# Before and after
# ----------------
# Some of the pile, with the labels that were given, and then each cluster: its eleven surest
# pictures and its five least sure ones. Mistakes have a frame and the true digit.


def draw(pictures, tags, title):
    """Draw pictures in rows of 16; `tags` has a text and a colour for those that get a frame."""
    ax = plt.figure(figsize=(6, 3.8), layout="constrained").subplots()
    tiles = np.pad(16 - pictures, ((0, 0), (1, 1), (1, 1)), constant_values=16)
    rows = tiles.reshape(-1, 16, 10, 10).swapaxes(1, 2)
    ax.imshow(rows.reshape(-1, 160), cmap="gray")
    for i, (text, colour) in tags.items():
        left, top = 10 * (i % 16) - 0.5, 10 * (i // 16) - 0.5
        ax.add_patch(plt.Rectangle((left, top), 10, 10, fill=False, color=colour, lw=2))
        badge = {"facecolor": colour, "edgecolor": "none", "pad": 1.5}
        ax.text(left + 9.5, top + 1, text, color="white", size=9, ha="center", bbox=badge)
    ax.set_title(title)
    ax.set_axis_off()
    ax.set_xlim(-10, 161)
    return ax


colours = plt.get_cmap("tab10")
pile = rng.permutation(len(X))[:160]
given = {i: (y[j], colours(y[j])) for i, j in enumerate(pile) if y[j] >= 0}
draw(X[pile], given, f"{len(X)} pictures, {(y >= 0).sum()} of them labelled")

shown = []
for digit in range(10):
    members = np.flatnonzero(model.labels_ == digit)
    ranked = members[np.argsort(-certainty[members])]
    shown += [*ranked[:11], *ranked[-5:]]
wrong = {i: (truth[j], "black") for i, j in enumerate(shown) if not right[j]}
ax = draw(X[shown], wrong, "clusters, from the surest picture to the least sure")
for digit in range(10):
    badge = {"facecolor": colours(digit), "edgecolor": "none", "pad": 3}
    ax.text(-5, 10 * digit + 4.5, digit, color="white", va="center", ha="center", bbox=badge)
plt.show()
