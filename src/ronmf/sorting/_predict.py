"""New pictures sorted by a model that was kept."""

from __future__ import annotations

import math
import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..datasets import PictureFolder
from ..datasets._listing import shown_name
from ..saving import load_model
from ..system.plain_text import counted
from ._features import FolderFeatures, features_of
from ._given_features import given_features
from ._going_on import MODEL
from ._kept_recipe import recipe_of_model
from ._listed import some_pictures
from ._naming import cluster_names
from ._recipes import FeatureRecipe
from ._results import results_folder
from ._sorting import sort_pictures

__all__ = ["PredictedFolder", "predict_folder", "sort_new_pictures"]


@dataclass(frozen=True, eq=False, repr=False)
class PredictedFolder:
    """New pictures and their classes.

    Attributes
    ----------
    folder : PictureFolder
        The pictures.
    classes : list of str
        Class of each.
    certainty : ndarray of shape (n_pictures,)
        Probability of that class.
    """

    folder: PictureFolder
    classes: list[str]
    certainty: np.ndarray

    def __repr__(self) -> str:
        return f"PredictedFolder({counted(len(self.classes), 'picture')})"


def predict_folder(
    model: str | os.PathLike,
    folder: str | os.PathLike,
    *,
    features: str | os.PathLike | None = None,
    report: Callable[[str, int, int], Any] = lambda stage, done, most: None,
) -> PredictedFolder:
    """Sort the pictures of a folder with a model that :func:`cluster_folder` wrote.

    Parameters
    ----------
    model : path
        The file ``model.ronmf``, or the folder that it lies in.
    folder : path
        New pictures, at any depth.
    features : path, default=None
        For models that were made of such files: a ``.npy`` file with a row per picture, or the
        network in an ``.onnx`` file.
    report : callable
        ``report(stage, done, most)`` is told of every step.

    Returns
    -------
    PredictedFolder
    """
    file = Path(model)
    file = file / MODEL if file.is_dir() else file
    if not file.is_file():
        raise FileNotFoundError(
            f"model is {shown_name(file)}, which is not there; name a folder of ronmf cluster, or"
            " the model.ronmf in it."
        )
    recipe = recipe_of_model(file, features)
    fitted = load_model(file)
    listed = some_pictures(folder)
    expected = fitted.n_features_in_
    if recipe is not None and recipe.image_shape and math.prod(recipe.image_shape) != expected:
        # Before any picture is brought to that size, which may be beyond all measure
        raise ValueError(f"model is {shown_name(file)}, which contradicts itself; make it again.")
    found = _features(listed, recipe, features, report)
    if math.prod(found.X.shape[1:]) != expected:
        raise ValueError(
            f"the pictures have {math.prod(found.X.shape[1:])} features, and the model was made of"
            f" {expected}; give the features that it was made of."
        )
    report("predicting", 0, 1)
    try:
        probabilities = np.asarray(fitted.predict_proba(found.X))
    except (AttributeError, IndexError, KeyError, TypeError) as error:
        # Each part of a model is checked when it is opened, not whether all of them fit together.
        raise ValueError(
            f"model is {shown_name(file)}, whose parts do not fit together; make it again."
        ) from error
    best = probabilities.argmax(axis=1)
    report("predicting", 1, 1)
    names = cluster_names(fitted)
    return PredictedFolder(
        found.folder,
        [names[j] for j in best],
        probabilities[np.arange(len(best)), best],
    )


def _features(
    listed: PictureFolder,
    recipe: FeatureRecipe | None,
    features: str | os.PathLike | None,
    report: Callable[[str, int, int], Any],
) -> FolderFeatures:
    if recipe is None and features is not None:
        return given_features(features, listed)
    if recipe is None:
        raise ValueError(
            "features is not given, and the model was made of features from a file; make those of"
            " the new pictures in the same way, and give their .npy file."
        )
    return features_of(listed, recipe, callback=lambda done, total: report("features", done, total))


def sort_new_pictures(
    found: PredictedFolder,
    out: str | os.PathLike,
    how: str,
    report: Callable[[int, int], Any] = lambda done, total: None,
) -> None:
    """Sort predicted pictures into ``out/clusters/CLASS``; `out` appears whole.

    Parameters
    ----------
    found : PredictedFolder
        The pictures.
    out : path
        The folder to make. It must not exist, nor lie in the folder of pictures.
    how : {"copy", "link"}
        Copies, or symbolic links to the pictures where they are.
    report : callable
        ``report(done, total)`` is told of every picture.
    """
    with results_folder(out, found.folder.root) as work:
        target = work / "clusters"
        shutil.rmtree(target, ignore_errors=True)  # of a process that was stopped here
        sort_pictures(found.folder, found.classes, target, how, report)
