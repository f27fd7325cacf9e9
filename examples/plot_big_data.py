"""
Data on disk
============

``fit`` and ``predict`` take an array in a file and read it by blocks, so the pictures need not fit
into memory. A million go the same way as the few thousand here.
"""

# %%
# A file of pictures, written block by block as bytes: digits, enlarged to 16 x 16, moved and
# dimmed. Copies of the first 1200 are for the fit, copies of the others are new pictures.

import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits

from ronmf import RONMF
from ronmf.storage import open_rows, write_rows

digits = load_digits()
rng = np.random.default_rng(0)
folder = tempfile.TemporaryDirectory()
place = Path(folder.name)


def write_pictures(path, sources, block=1000):
    """Write one picture of every source digit to a file ``.npy``."""
    shape = (len(sources), 16, 16)
    out = np.lib.format.open_memmap(path, mode="w+", dtype=np.uint8, shape=shape)
    for start in range(0, len(sources), block):
        for i in range(start, min(start + block, len(sources))):
            large = np.kron(digits.images[sources[i]], np.ones((2, 2)))
            moved = np.roll(large, rng.integers(-1, 2, size=2), axis=(0, 1))
            out[i] = rng.uniform(0.6, 1) * 15.9 * moved
    out.flush()


fitted, new = rng.integers(0, 1200, size=5000), rng.integers(1200, 1797, size=2000)
write_pictures(place / "pictures.npy", fitted)
write_pictures(place / "new.npy", new)

# %%
# One picture in fifty has a label. ``max_memory`` limits the whole process, and is checked before
# the work begins.

X = open_rows(place / "pictures.npy")
print(type(X).__name__, X.shape, X.dtype)
y = np.where(np.arange(len(X)) % 50 == 0, digits.target[fitted], -1)
try:
    RONMF(max_memory="10MiB").fit(X, y)
except ValueError as error:
    print(error)

# %%
# ``checkpoint`` names a folder from which a fit goes on if it was killed. Predictions too are
# written to a file, block by block.

model = RONMF(max_memory="8GiB", checkpoint=place / "state", random_state=0).fit(X, y)
P = write_rows(place / "probabilities.npy", open_rows(place / "new.npy"), model.predict_proba)
certainty, found = P.max(axis=1), model.classes_[P.argmax(axis=1)]
right = found == digits.target[new]
print(f"{right.mean():.1%} of {len(right)} new pictures are right")

# %%
# The new pictures by how sure the model is of them, and those it is least sure of.

figure, (left, axis) = plt.subplots(1, 2, figsize=(9, 3.4), layout="constrained")
bins = np.linspace(0, 1, 26)
left.hist([certainty[right], certainty[~right]], bins, label=["right", "wrong"])
left.set(yscale="log", xlabel="certainty", ylabel="new pictures")
left.legend(loc="upper left")
least = certainty.argsort()[:32]
tiles = np.pad(open_rows(place / "new.npy")[least], ((0, 0), (1, 1), (1, 1)))
axis.imshow(tiles.reshape(4, 8, 18, 18).swapaxes(1, 2).reshape(72, 144), cmap="gray_r")
axis.set_title("the least sure")
axis.set_axis_off()
plt.show()
folder.cleanup()
