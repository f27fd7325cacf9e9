"""New pictures sorted by a model that was kept."""

import math
import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from ..datasets import PictureFolder
from ..labels.uncertainty import are_strangers, certainty_of
from ..saving import load_model
from ..system.files import user_path, whole_file, writable
from ..system.plain_text import counted, shown_name
from ._exports import check_how, copy_pictures, write_table
from ._features import features_of, read_features
from ._fitting import StageReport
from ._listing import list_some_pictures
from ._model_file import MODEL, recipe_of_model
from ._results import cluster_names
from ._results_folder import results_folder

__all__ = ["PredictedFolder", "predict_folder"]

_COLUMNS = ("path", "class", "certainty", "novelty")


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
        Probability of that class; of a named one, times one minus the novelty.
    novelty : ndarray of shape (n_pictures,)
        How likely each belongs to no labelled class.
    """

    folder: PictureFolder
    classes: list[str]
    certainty: np.ndarray
    novelty: np.ndarray

    def __repr__(self) -> str:
        return f"PredictedFolder({counted(len(self.classes), 'picture')})"

    def rows(self) -> list[dict[str, Any]]:
        """Return path, class, certainty and novelty of each picture."""
        numbers = self.certainty.tolist(), self.novelty.tolist()
        pictures = zip(self.folder.files, self.classes, *numbers, strict=True)
        return [dict(zip(_COLUMNS, picture, strict=True)) for picture in pictures]

    def save_table(self, path: str | os.PathLike) -> None:
        """Write the rows to a CSV file, whole or not at all."""
        with whole_file(writable(user_path(path))) as part:
            write_table(part, self.rows())

    def sort_into(
        self,
        out: str | os.PathLike,
        how: str,
        report: Callable[[int, int], Any] = lambda done, total: None,
    ) -> None:
        """Sort the pictures into ``out/clusters/CLASS``; `out` appears whole.

        Parameters
        ----------
        out : path
            The folder to make. It must not exist, nor lie in the folder of pictures.
        how : {"copy", "link"}
            Copies, or symbolic links to the pictures where they are.
        report : callable
            ``report(done, total)`` is called after every picture.
        """
        check_how("how", how)
        with results_folder(out, self.folder.root) as (work, _):
            target = work / "clusters"
            shutil.rmtree(target, ignore_errors=True)  # of a process that was stopped here
            copy_pictures(self.folder, self.classes, target, how, report)


def predict_folder(
    model: str | os.PathLike,
    folder: str | os.PathLike,
    *,
    features: str | os.PathLike | None = None,
    unknown: str | None = None,
    report: StageReport = lambda stage, done, most: None,
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
    unknown : str, default=None
        The class of pictures that look like no labelled one, as `unknown` of
        :meth:`ronmf.RONMF.predict`; None: they are not told apart.
    report : callable
        ``report(stage, done, most)`` is called after every step.

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
    recipe, fitted = recipe_of_model(file, features), load_model(file)
    pictures, expected = list_some_pictures(folder), fitted.n_features_in_
    if recipe is not None and recipe.image_shape and math.prod(recipe.image_shape) != expected:
        # Before any picture is brought to that size, which may be beyond all measure
        raise ValueError(f"model is {shown_name(file)}, which contradicts itself; make it again.")
    if recipe is not None:
        rows = features_of(pictures, recipe, callback=partial(report, "features"))
    elif features is not None:
        rows = read_features(features, pictures)
    else:
        raise ValueError(
            "features is not given, and the model was made of features from a file; make those of"
            " the new pictures in the same way, and give their .npy file."
        )
    width = math.prod(rows.X.shape[1:])
    if width != expected:
        raise ValueError(
            f"the pictures have {width} features, and the model was made of {expected}; give the"
            " features that it was made of."
        )
    report("predicting", 0, 1)
    try:
        probabilities = np.asarray(fitted.predict_proba(rows.X))
        novelty = np.asarray(fitted.novelty(rows.X))
    except (AttributeError, IndexError, KeyError, TypeError) as error:
        # Each part of a model is checked when it is opened, not whether all of them fit together.
        raise ValueError(
            f"model is {shown_name(file)}, whose parts do not fit together; make it again."
        ) from error
    report("predicting", 1, 1)
    names = cluster_names(fitted)
    codes, n_named = probabilities.argmax(axis=1), fitted._known.n_named
    if unknown is not None and not n_named:
        raise ValueError(
            f"unknown is {unknown!r}, and the model has no labelled class that a picture could be"
            " unlike; leave it out."
        )
    if unknown in names[:n_named]:
        raise ValueError(f"unknown is {unknown!r}, a labelled class; give another name.")
    novelty = np.where(codes < n_named, novelty, 0.0)  # a cluster without a name has no strangers
    classes = np.array(names, dtype=object)[codes]
    if unknown is not None:
        classes[are_strangers(fitted, codes, novelty)] = unknown
    certainty = certainty_of(fitted, codes, probabilities, novelty)
    return PredictedFolder(rows.folder, classes.tolist(), certainty, novelty)
