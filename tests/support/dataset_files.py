"""Files like those of the datasets, made up."""

import io

import numpy as np
from PIL import Image
from scipy.io import savemat


def yale_pictures():
    """Values and labels with the sizes of Yale, and pictures that are not symmetric."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 256, size=(165, 32, 32), dtype=np.uint8)
    X[0, 0, 0] = 255
    return X, np.repeat(np.arange(15), 11)


def as_mat(X, y, keys=("X", "Y")):
    file = io.BytesIO()
    columns = X.transpose(0, 2, 1).reshape(len(X), -1)
    savemat(file, {keys[0]: columns.astype(float), keys[1]: y[:, None] + 1})
    return file.getvalue()


def leftovers(folder):
    return sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []


def save_png(path, value, size=(10, 8)):
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new("L", size, value).save(path)
