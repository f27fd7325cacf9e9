"""Folders of pictures as features and thumbnails.

:func:`ronmf.datasets.list_pictures` lists a folder, :func:`choose_recipe` looks at a few pictures
and says which features suit them, :func:`features_of` makes these, batch by batch, and keeps them.

Examples
--------
>>> from ronmf.datasets import list_pictures
>>> from ronmf.pictures import choose_recipe, features_of
>>> folder = list_pictures("holidays")  # doctest: +SKIP
>>> recipe, advice = choose_recipe(folder)  # doctest: +SKIP
>>> found = features_of(folder, recipe)  # doctest: +SKIP
>>> found.X.shape, len(found.folder.files)  # doctest: +SKIP
((8677, 1280), 8677)
"""

from ._features import FolderFeatures, features_of
from ._recipes import FeatureRecipe, choose_recipe
from ._thumbnails import Thumbnail, array_thumbnail, file_thumbnail

__all__ = ["FeatureRecipe", "FolderFeatures", "Thumbnail", "array_thumbnail", "choose_recipe"]
__all__ += ["features_of", "file_thumbnail"]
