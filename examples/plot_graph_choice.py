"""
Which graph, and why
====================

The neighbour graph decides nearly everything. RONMF makes many, hides part of the labels it was
given, sees which graphs predict them, and blends the best. ``graph_report_`` tells how that went.
"""

# %%
# 900 noisy digits, 100 of them labelled.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits

from ronmf import RONMF
from ronmf.bench import salt_pepper

digits = load_digits()
rng = np.random.default_rng(0)
chosen = rng.permutation(len(digits.data))[:900]
X, truth = salt_pepper(digits.data[chosen] / 16, 0.1, rng), digits.target[chosen]
y = np.where(np.arange(len(X)) % 9 == 0, truth, -1)

model = RONMF(image_shape=(8, 8), random_state=0).fit(X, y)
report = model.graph_report_
print(report)

# %%
# ``accuracy`` is the share of hidden labels that a graph predicted. No label that ``y`` does not
# give takes part in it, so the report is there for your own data too.
#
# Here we do have the true classes. Does what the report says agree with them? We fit RONMF once
# more on each candidate with principal axes alone, and count what is right on the pictures without
# a label. (These labels are right, so there is no need to check them.)


def on_its_own(recipe):
    """Return the accuracy on unlabelled pictures with one graph."""
    alone = RONMF(graph=recipe, image_shape=(8, 8), check_labels=False, random_state=0)
    return (alone.fit(X, y).transduction_ == truth)[y == -1].mean()


pca = [c for c in report.candidates if c.recipe.axes == "pca"]
predicted = [c.accuracy for c in pca]
true = [on_its_own(c.recipe) for c in pca]
blend = (model.transduction_ == truth)[y == -1].mean()

# %%
# Left, what the report says. Right, a dot for each of those candidates, and the blend. Graphs that
# predict hidden labels better are mostly better on the unlabelled pictures too; the dotted line is
# where both numbers agree.

figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
for place, candidate in enumerate(report.candidates[:10]):
    colour = "tab:orange" if candidate.share else "lightblue"
    left.barh(place, candidate.accuracy, color=colour)
    left.text(0.02, place, candidate.recipe, size=8, va="center")
left.invert_yaxis()
left.set(xlabel="hidden labels predicted", yticks=[], xlim=(0, 1.15))
left.set_title("the first ten; orange: in the blend")
right.plot(predicted, true, "o", label="one graph")
right.plot(report.accuracy, blend, "*", markersize=14, label="the blend")
right.axline((0.9, 0.9), slope=1, color="gray", linestyle=":")
right.set(xlabel="hidden labels predicted", ylabel="accuracy, unlabelled pictures")
right.set_title("does it hold?")
right.legend(loc="upper left")
plt.show()
