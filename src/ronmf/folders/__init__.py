"""Whole folders: pictures in, clusters out.

What ``ronmf cluster``, ``ronmf predict`` and the page of ``ronmf app`` do, as functions.

Examples
--------
>>> from ronmf.folders import cluster_folder, predict_folder
>>> result = cluster_folder("holidays", "sorted", labels="labels.csv")  # doctest: +SKIP
>>> result.summary()["clusters"][0]  # doctest: +SKIP
{'class': 'beach', 'pictures': 212, 'certainty': 0.97}
>>> predict_folder("sorted", "more holidays").classes[:2]  # doctest: +SKIP
['beach', 'town']
"""

from ._cluster import ClusteredFolder, cluster_folder
from ._fitting import fit_pictures
from ._predict import PredictedFolder, predict_folder, sort_new_pictures
from ._sorting import folder_names, write_table

__all__ = ["ClusteredFolder", "PredictedFolder", "cluster_folder", "fit_pictures", "folder_names"]
__all__ += ["predict_folder", "sort_new_pictures", "write_table"]
