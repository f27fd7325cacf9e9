"""
The parts it learns
===================

RONMF writes every picture as a mixture of prototypes, one per cluster, and every prototype as a sum
of parts that share no pixel. This is what they look like.
"""

# %%
# Digits with ten labels of each; one model with ten parts (the default is as many as classes), and
# one with forty.

# sphinx_gallery_thumbnail_number = 2
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits

from ronmf import RONMF
from ronmf.displays import PartsDisplay, PrototypesDisplay

digits = load_digits()
X, truth = digits.images, digits.target
y = np.full(len(X), -1)
for digit in range(10):
    y[np.flatnonzero(truth == digit)[:10]] = digit

few = RONMF(random_state=0).fit(X, y)
model = RONMF(n_components=40, random_state=0).fit(X, y)
print("memberships", model.membership_.shape)
print("amplitudes", model.amplitudes_.shape)
print("parts", model.components_.shape)

# %%
# No two parts share a pixel: their products vanish.

products = model.components_ @ model.components_.T
print(f"largest product of two parts: {np.abs(products - np.diag(np.diag(products))).max():.1e}")

# %%
# The parts of a model with ten of them, each with the pixels that it covers:

display = PartsDisplay.from_estimator(few)

# %%
# One prototype per class, made of 40 parts, of 10 parts, and the mean picture of each cluster for
# comparison. Every pixel of a part has its fixed brightness beside the others, so with few parts a
# prototype is coarse.

means = np.array([X.reshape(len(X), -1)[model.labels_ == j].mean(axis=0) for j in range(10)])
figure, axes = plt.subplots(3, 10, figsize=(10, 3.6), layout="constrained")
PrototypesDisplay.from_estimator(model, axes=axes[0])
PrototypesDisplay.from_estimator(few, axes=axes[1])
PrototypesDisplay(means, list("0123456789"), (8, 8)).plot(axes=axes[2])
for ax, name in zip(axes[:, 0], ("40 parts", "10 parts", "means"), strict=True):
    ax.set_ylabel(name)
plt.show()
