"""Image datasets: those of the experiments by name, and your own from files and folders.

Examples
--------
>>> from ronmf.datasets import load
>>> load("digits")
Dataset(name='digits', image_shape=(8, 8))
"""

from ..system.cache import cache_folder
from ._catalog import CATALOG, Entry, Source, entry_of
from ._dataset import Dataset, to_unit
from ._fetching import fetch
from ._folders import from_folder
from ._label_tables import LabelTable, read_label_table
from ._listing import PictureFolder, Skipped, list_pictures, shown_name
from ._loading import load, load_any
from ._locations import find
from ._naming import dataset_digest, dataset_name
from ._readers import from_mat, from_npz
from ._verification import Verdict, measure, verify

__all__ = [
    "CATALOG",
    "Dataset",
    "Entry",
    "LabelTable",
    "PictureFolder",
    "Skipped",
    "Source",
    "Verdict",
    "cache_folder",
    "dataset_digest",
    "dataset_name",
    "entry_of",
    "fetch",
    "find",
    "from_folder",
    "from_mat",
    "from_npz",
    "list_pictures",
    "load",
    "load_any",
    "measure",
    "read_label_table",
    "shown_name",
    "to_unit",
    "verify",
]
