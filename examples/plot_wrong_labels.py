"""
Labels that are wrong
=====================

Some of the labels you were given may be mistakes. ``label_issues()`` ranks them: every label is
judged by predictions that were made while it was hidden.
"""

# %%
# 200 of the digits have a label, and one label in ten is replaced by another digit at random.

import warnings

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits

from ronmf import RONMF

digits = load_digits()
X, truth = digits.images, digits.target
rng = np.random.default_rng(0)
labelled = rng.choice(len(X), size=200, replace=False)
y = np.full(len(X), -1)
y[labelled] = truth[labelled]
mistaken = labelled[:20]
y[mistaken] = (y[mistaken] + rng.integers(1, 10, size=20)) % 10

# %%
# ``check_labels=False`` keeps every label as it is, so that the fit sets none aside. Which of them
# would you look at first?

model = RONMF(check_labels=False, random_state=0).fit(X, y)
issues = model.label_issues()
print(issues)

# %%
# The next lines know which labels we spoilt; the fit and the ranking did not.

spoilt = np.isin(issues.samples, mistaken)
print(f"{spoilt[:20].sum()} of the first 20 in the ranking are wrong, of 20 wrong ones in all")

# %%
# Somebody looks at the first 24 and corrects what is wrong. Beside it, the default: labels that the
# others confidently contradict are set aside, with a warning, and nobody has to look.

corrected = y.copy()
corrected[issues.samples[:24]] = truth[issues.samples[:24]]
with warnings.catch_warnings(record=True) as said:
    checked = RONMF(random_state=0).fit(X, y)
print("default:", said[0].message)
print((~np.isin(checked.doubted_labels_, mistaken)).sum(), "of these labels were right")
fits = {
    "labels as they are": model,
    "set aside by default": checked,
    "24 looked at": RONMF(random_state=0).fit(X, corrected),
}
for name, fitted in fits.items():
    right = (fitted.transduction_ == truth)[y == -1].mean()
    print(f"{name}: {right:.1%} of the pictures without a label are right")

# %%
# The first 24 of the ranking, with the given label and, after the arrow, what the others suggest.
# Red titles are labels that we spoilt, black ones are right.

figure, axes = plt.subplots(3, 8, figsize=(9, 4.4), layout="constrained")
for ax, sample, given, other, bad in zip(
    axes.flat, issues.samples, issues.given, issues.suggested, spoilt, strict=False
):
    ax.imshow(X[sample], cmap="gray_r")
    ax.set_title(f"{given} → {other}", color="red" if bad else "black", size=11)
    ax.set_axis_off()
plt.show()
