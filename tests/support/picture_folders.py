"""Folders of digits as picture files, and tables of their labels."""

import numpy as np
from PIL import Image
from sklearn.datasets import load_digits

__all__ = ["Stopped", "digit_folder", "label_table", "stop_at"]


def digit_folder(root, n=300, n_class=10):
    """Write digits as PNG files into a folder; return their names and classes."""
    root.mkdir(parents=True, exist_ok=True)
    digits = load_digits(n_class=n_class)
    pixels = (255 - digits.images[:n] * 15.9).astype(np.uint8)
    names = [f"{i:04d}.png" for i in range(len(pixels))]
    for name, picture in zip(names, pixels, strict=True):
        Image.fromarray(picture).save(root / name)
    return names, digits.target[:n].astype(str)


def label_table(path, names, truth, per_class=3):
    """Write the labels of the first few pictures of each class; return which they are."""
    told = np.concatenate([np.flatnonzero(truth == name)[:per_class] for name in np.unique(truth)])
    rows = "".join(f"{names[i]},{truth[i]}\n" for i in told)
    path.write_text(f"file,label\n{rows}", encoding="utf-8")
    return told


class Stopped(Exception):
    """Somebody stopped the work."""


def stop_at(wanted):
    """Return a report that stops the work when it comes to a stage."""

    def report(stage, done, most):
        if stage == wanted:
            raise Stopped

    return report
