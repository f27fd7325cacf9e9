"""Fitted models on disk, in files that hold numbers and text but no code.

A model file is a zip file, uncompressed: ``model.json`` says which objects the model is made of,
and every array is a ``.npy`` file. Nothing in it is ever executed. A class is one of a fixed list,
every attribute is one that this class has, and each value is checked.

Examples
--------
>>> import tempfile
>>> from pathlib import Path
>>> import numpy as np
>>> from ronmf import RONMF
>>> from ronmf.saving import load_model, read_extra, save_model
>>> X = np.random.default_rng(0).random((30, 8))
>>> model = RONMF(n_clusters=3, graph="plain", random_state=0).fit(X)
>>> with tempfile.TemporaryDirectory() as folder:
...     save_model(model, Path(folder) / "model.ronmf", extra={"white": 255})
...     again = load_model(Path(folder) / "model.ronmf")
...     read_extra(Path(folder) / "model.ronmf")
{'white': 255}
>>> bool((again.predict(X) == model.predict(X)).all())
True
"""

from ._files import load_model, read_extra, save_model

__all__ = ["load_model", "read_extra", "save_model"]
