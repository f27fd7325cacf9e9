"""Photographs for the benchmarks, as a zip file with a folder per class, and their embeddings.

Found by ``--photos DIR`` or the variable ``RONMF_PHOTOS``. Embeddings are those of
``ronmf.features.DeepFeatures``, which keeps them on disk: a second run takes seconds.
"""

import io
import os
import zipfile
from functools import lru_cache
from pathlib import Path

import numpy as np
from PIL import Image

from ronmf.features import DeepFeatures

PHOTOS = ("trash", "grocery")
_SIDE = 224  # of the network
_HELD = 256  # pictures at a time


def photo_directory(option: str | None) -> Path | None:
    """Return the folder of photographs, or None where none is set or it does not exist."""
    folder = option or os.environ.get("RONMF_PHOTOS")
    return Path(folder) if folder and Path(folder).is_dir() else None


@lru_cache(maxsize=2)
def embeddings(name: str, folder: Path) -> tuple[np.ndarray, np.ndarray]:
    """Return the embedding of each photograph, and the number of its class."""
    features, places = [], []
    with zipfile.ZipFile(folder / f"{name}.zip") as archive:
        files = sorted(f for f in archive.namelist() if f.lower().endswith((".jpg", ".png")))
        for first in range(0, len(files), _HELD):
            pictures = []
            for file in files[first : first + _HELD]:
                with Image.open(io.BytesIO(archive.read(file))) as picture:
                    small = picture.convert("RGB").resize((_SIDE, _SIDE), Image.BILINEAR)
                pictures.append(np.asarray(small))
                places.append(Path(file).parent.name)
            deep = DeepFeatures(image_shape=(_SIDE, _SIDE, 3), white=255.0)
            features.append(deep.fit_transform(np.stack(pictures).reshape(len(pictures), -1)))
    return np.concatenate(features), np.unique(places, return_inverse=True)[1]
