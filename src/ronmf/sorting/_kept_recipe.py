"""How pictures became features, as it is kept beside a model, and found again."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from ..datasets._listing import shown_name
from ..features._networks import LITE0, identity
from ..saving import read_extra
from ._recipes import FeatureRecipe

__all__ = ["kept_recipe", "recipe_of_model"]


def kept_recipe(recipe: FeatureRecipe | None) -> dict[str, Any] | None:
    """Return a recipe as JSON can hold it; of a network in a file its digest, not its place."""
    if recipe is None or recipe.model in (None, LITE0):
        return None if recipe is None else recipe.to_json()
    assert recipe.model is not None
    return {**recipe.to_json(), "model": identity(recipe.model)}


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
    kept = read_extra(file).get("pictures", "")
    if kept is None:
        return None
    given = None if features is None else os.fspath(features)
    try:
        recipe = FeatureRecipe.from_json(kept)
    except ValueError as error:
        raise ValueError(
            f"model is {shown_name(file)}, which does not say how pictures become features"
            f" ({error}); it was not made by ronmf cluster."
        ) from error
    if recipe.model in (None, LITE0):
        if given is not None:
            raise ValueError(
                f"features is {shown_name(given)}, but the model makes its own from pictures"
                f" ({recipe.describe()}); leave it out."
            )
        return recipe
    if given is None or not given.lower().endswith(".onnx"):
        raise ValueError(
            "features is not given, and the model was made with a network in a file; give that"
            " .onnx file."
        )
    if identity(given) != recipe.model:
        raise ValueError(
            f"features is {shown_name(given)}, which is another network than the model was made"
            " with."
        )
    return FeatureRecipe("deep", model=given)
