"""A folder of pictures in; clusters, a report and a model out.

What ``ronmf cluster``, ``ronmf predict`` and the page of ``ronmf app`` do, as functions.

:func:`cluster_folder` does all of it. Its steps are functions too:
:func:`ronmf.datasets.list_pictures` lists a folder, :func:`choose_recipe` looks at a few pictures
and says which features suit them, :func:`features_of` makes these, batch by batch, and keeps them,
and :func:`fit_pictures` clusters.

Examples
--------
>>> from ronmf.sorting import cluster_folder, predict_folder
>>> result = cluster_folder("holidays", "sorted", labels="labels.csv")  # doctest: +SKIP
>>> result.summary()["clusters"][0]  # doctest: +SKIP
{'class': 'beach', 'pictures': 212, 'certainty': 0.97}
>>> predict_folder("sorted", "more holidays").classes[:2]  # doctest: +SKIP
['beach', 'town']
"""

from ._clustering import cluster_folder
from ._exports import folder_names
from ._features import FolderFeatures, features_of
from ._fitting import fit_pictures
from ._new_pictures import PredictedFolder, predict_folder
from ._recipes import FeatureRecipe, choose_recipe
from ._results import ClusteredFolder, cluster_names

__all__ = ["ClusteredFolder", "FeatureRecipe", "FolderFeatures", "PredictedFolder", "choose_recipe"]
__all__ += ["cluster_folder", "cluster_names", "features_of", "fit_pictures", "folder_names"]
__all__ += ["predict_folder"]
