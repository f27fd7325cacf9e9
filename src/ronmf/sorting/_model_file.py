"""The file of a model: the fit, how pictures became its features, and which run it was of."""

import hashlib
import json
import os
import shutil
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from ..estimators.ronmf import RONMF
from ..features._networks import identity
from ..saving import load_model, read_extra, save_model
from ..system.plain_text import shown_name
from ._recipes import FeatureRecipe

__all__ = ["MODEL", "checkpoint_folder", "finished_fit", "recipe_of_model", "run_key", "save_fit"]

MODEL = "model.ronmf"


def run_key(digest: str, labels: Sequence[str], n_clusters: int | str | None, seed: int) -> str:
    """Return what tells this fit from one of other pictures, labels, options or versions."""
    versions = [version(name) for name in ("ronmf", "numpy", "scipy", "scikit-learn")]
    run = json.dumps([digest, labels, n_clusters, seed, versions])
    return hashlib.sha256(run.encode("utf-8", "backslashreplace")).hexdigest()[:16]


def save_fit(model: RONMF, recipe: FeatureRecipe | None, work: Path, key: str) -> None:
    """Write the model, with how its pictures became features and which fit this was."""
    made_by = None if recipe is None else recipe.to_json()
    if made_by and recipe and recipe.own_network:
        made_by["model"] = identity(recipe.own_network)  # its digest, not its place
    model.set_params(checkpoint=None)  # a path of this machine, and gone soon
    save_model(model, work / MODEL, extra={"pictures": made_by, "fit": key})


def finished_fit(work: Path, key: str) -> RONMF | None:
    """Return the fit of an earlier run that was stopped later; None if there is no such fit."""
    try:
        same = read_extra(work / MODEL).get("fit") == key
        return load_model(work / MODEL) if same else None
    except (ValueError, OSError):
        return None


def checkpoint_folder(work: Path, key: str) -> Path:
    """Return the folder for the state of a fit; what other fits left is removed."""
    own = work / f"fit-{key}"
    for folder in work.glob("fit-*"):
        if folder != own:
            shutil.rmtree(folder, ignore_errors=True)
    return own


def recipe_of_model(file: Path, features: str | os.PathLike | None) -> FeatureRecipe | None:
    """Return how the pictures of a model became features; None if a table of numbers brought them.

    No file is opened because a model names it: a network of the user's own must be given again.

    Parameters
    ----------
    file : Path
        The model.
    features : path or None
        The network in an ``.onnx`` file, if the model was made with one.
    """
    made_by = read_extra(file).get("pictures", "")
    if made_by is None:
        return None
    try:
        recipe = FeatureRecipe.from_json(made_by)
    except ValueError as error:
        raise ValueError(
            f"model is {shown_name(file)}, which does not say how pictures become features"
            f" ({error}); it was not made by ronmf cluster."
        ) from error
    given = "" if features is None else os.fspath(features)
    if not recipe.own_network:
        if given:
            raise ValueError(
                f"features is {shown_name(given)}, but the model makes its own from pictures"
                f" ({recipe.describe()}); leave it out."
            )
        return recipe
    if not given.lower().endswith(".onnx"):
        raise ValueError(
            "features is not given, and the model was made with a network in a file; give that"
            " .onnx file."
        )
    if identity(given) != recipe.own_network:
        raise ValueError(
            f"features is {shown_name(given)}, which is another network than the model was made"
            " with."
        )
    return FeatureRecipe("deep", model=given)
