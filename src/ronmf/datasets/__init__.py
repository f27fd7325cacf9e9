"""Image datasets: those of the experiments by name, and your own from files and folders.

Examples
--------
>>> from ronmf.datasets import load
>>> load("digits")
Dataset(name='digits', image_shape=(8, 8))
"""

from .anything import load_any
from .catalog import CATALOG, Entry, Source, entry_of
from .dataset import Dataset, to_unit
from .fetching import fetch
from .folders import from_folder
from .loading import load
from .measuring import Verdict, measure, verify
from .places import cache_folder, find
from .readers import from_mat, from_npz

__all__ = [
    "CATALOG",
    "Dataset",
    "Entry",
    "Source",
    "Verdict",
    "cache_folder",
    "entry_of",
    "fetch",
    "find",
    "from_folder",
    "from_mat",
    "from_npz",
    "load",
    "load_any",
    "measure",
    "to_unit",
    "verify",
]
