"""
How sure, and what to label next
================================

``label_distributions_`` says how sure the class of every picture is. ``query(n)`` suggests what to
label next: uncertain pictures, typical of other uncertain ones, and not two of the same kind.
"""

# %%
# 900 digits, two labels of each.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits

from ronmf import RONMF
from ronmf.displays import MembershipDisplay

digits = load_digits()
X, truth = digits.images[:900], digits.target[:900]
y = np.full(len(X), -1)
for digit in range(10):
    y[np.flatnonzero(truth == digit)[:2]] = digit
model = RONMF(check_labels=False, random_state=0).fit(X, y)

# %%
# Can the certainty be trusted? Sort the unlabelled pictures by it, and count in each group how many
# are right. The true digits are used for this only.

unlabelled = np.flatnonzero(y == -1)
certainty = model.label_distributions_.max(axis=1)
right = model.transduction_ == truth
for low, high in ((0.0, 0.5), (0.5, 0.9), (0.9, 1.0)):
    group = unlabelled[(certainty[unlabelled] > low) & (certainty[unlabelled] <= high)]
    print(
        f"certainty {low} to {high}: {len(group)} pictures, mean certainty"
        f" {certainty[group].mean():.2f}, {right[group].mean():.2f} of them right"
    )

# %%
# Ask for ten labels, look up these ten digits, and fit again.

asked = model.query(10)
more = y.copy()
more[asked] = truth[asked]
again = RONMF(check_labels=False, random_state=0).fit(X, more)
both = more == -1
print(f"right before: {right[both].mean():.3f}, after ten more labels:", end=" ")
print(f"{(again.transduction_ == truth)[both].mean():.3f}")

# %%
# On the left every picture of the first fit. Classes are on a circle; a doubtful picture lies
# towards the classes it may be of. Crosses mark the ten that were asked for, and on the right they
# are, with the class that was found and how sure it was.

figure = plt.figure(figsize=(10, 4.2), layout="constrained")
left, tiles = figure.subfigures(1, 2, width_ratios=(1.1, 1))
display = MembershipDisplay.from_estimator(model, ax=left.subplots(), size=8)
display.ax_.plot(*display.coordinates[asked].T, "x", color="black", markersize=8)
for ax, i in zip(tiles.subplots(2, 5).flat, asked, strict=True):
    ax.imshow(X[i], cmap="gray_r")
    ax.set_title(f"{model.transduction_[i]}: {certainty[i]:.0%}", size=10)
    ax.set_axis_off()
tiles.suptitle("asked for")
plt.show()
