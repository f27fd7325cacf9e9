"""
Features of your own
====================

Neighbours are only as good as what they are compared by. If you know what matters in your pictures,
write a transformer for it and let it make the graph.
"""

# %%
# Three kinds of cloth, with 3, 5 or 7 threads across the picture. Each picture shows one at its own
# angle, with its own shift, contrast and noise. Three pictures of each are labelled.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.preprocessing import FunctionTransformer

from ronmf import RONMF, GraphRecipe

SIDE, THREADS = 24, (3, 5, 7)
rng = np.random.default_rng(0)
rows, columns = np.mgrid[:SIDE, :SIDE] / SIDE
truth = rng.integers(3, size=300)


def cloth(kind):
    """Return one picture of a cloth, with pixels in [0, 1]."""
    angle, shift, contrast = rng.uniform(0, np.pi), rng.random(), rng.uniform(0.2, 0.4)
    along = np.cos(angle) * rows + np.sin(angle) * columns
    threads = contrast * np.sin(2 * np.pi * (THREADS[kind] * along + shift))
    return (0.5 + threads + rng.normal(0, 0.2, (SIDE, SIDE))).clip(0, 1)


X = np.array([cloth(kind) for kind in truth])
y = np.full(len(X), -1)
for kind in range(3):
    y[np.flatnonzero(truth == kind)[:3]] = kind

# %%
# The spectrum of a picture says which waves are in it, wherever they begin. Averaged over all
# directions it no longer depends on the angle. A transformer takes rows and returns rows.


def threads_per_picture(rows):
    """Return how strong waves of each length are, in any direction."""
    waves = np.abs(np.fft.fft2(rows.reshape(-1, SIDE, SIDE))).reshape(len(rows), -1)
    frequency = np.fft.fftfreq(SIDE, 1 / SIDE)
    length = np.hypot(*np.meshgrid(frequency, frequency)).round().ravel()
    return np.stack([waves[:, length == n].mean(axis=1) for n in range(1, SIDE // 2)], axis=1)


own = GraphRecipe(FunctionTransformer(threads_per_picture))

# %%
# Three fits on the same labels: neighbours in pixels, the graphs that RONMF tries by itself, and
# neighbours in our features. ``graph=[*recipes]`` would let several compete.

models = {
    "pixels": RONMF(graph="plain", random_state=0).fit(X, y),
    "chosen by RONMF": RONMF(random_state=0).fit(X, y),
    "own features": RONMF(graph=own, random_state=0).fit(X, y),
}
accuracy = {name: (m.transduction_ == truth)[y == -1].mean() for name, m in models.items()}
for name, right in accuracy.items():
    print(f"{name}: {right:.1%} of the unlabelled pictures are right")

# %%
# Four pictures of each cloth, and the result.

figure, (left, bars) = plt.subplots(1, 2, figsize=(9, 3.4), layout="constrained")
shown = [np.pad(X[truth == kind][3:7], 1, constant_values=1) for kind in range(3)]
left.imshow(np.vstack([np.hstack(pictures[1:-1]) for pictures in shown]), cmap="gray")
left.set(xticks=[], yticks=(np.arange(3) + 0.5) * (SIDE + 2))
left.set_yticklabels(f"{count} threads" for count in THREADS)
bars.bar_label(bars.barh(list(accuracy), list(accuracy.values())), fmt="%.2f", padding=3)
bars.set(xlim=(0, 1.15), xlabel="accuracy, unlabelled pictures")
bars.invert_yaxis()
plt.show()
