"""Image datasets: those of the experiments by name, and your own from files and folders.

Examples
--------
>>> from ronmf.datasets import load
>>> load("digits")
Dataset(name='digits', image_shape=(8, 8))
"""

from ._arrays import from_mat, from_npz
from ._catalog import CATALOG, Entry, Source, entry_of
from ._dataset import Dataset, to_unit
from ._fetching import fetch
from ._folders import from_folder
from ._label_tables import read_label_table
from ._listing import PictureFolder, list_pictures
from ._loading import load
from ._locations import find
from ._verification import verify

__all__ = [
    "CATALOG",
    "Dataset",
    "Entry",
    "PictureFolder",
    "Source",
    "entry_of",
    "fetch",
    "find",
    "from_folder",
    "from_mat",
    "from_npz",
    "list_pictures",
    "load",
    "read_label_table",
    "to_unit",
    "verify",
]
