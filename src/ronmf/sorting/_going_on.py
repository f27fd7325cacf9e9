"""What stopped work goes on from: the fit, if it was finished, or its checkpoint."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..saving import load_model, read_extra, save_model
from ._kept_recipe import kept_recipe
from ._recipes import FeatureRecipe

if TYPE_CHECKING:
    from ..estimators.ronmf import RONMF

__all__ = ["MODEL", "checkpoint_of", "keep_fit", "kept_fit", "run_key"]

MODEL = "model.ronmf"


def run_key(
    digest: str, labels: Sequence[str] | None, n_clusters: int | str | None, seed: int
) -> str:
    """Return what tells this fit from one of other pictures, labels, options or versions."""
    versions = [version(name) for name in ("ronmf", "numpy", "scipy", "scikit-learn")]
    told = json.dumps([digest, labels, n_clusters, seed, versions])
    return hashlib.sha256(told.encode("utf-8", "backslashreplace")).hexdigest()[:16]


def keep_fit(model: RONMF, recipe: FeatureRecipe | None, work: Path, key: str) -> None:
    """Write the model, with how its pictures became features and which fit this was."""
    model.set_params(checkpoint=None)  # a path of this machine, and gone soon
    save_model(model, work / MODEL, extra={"pictures": kept_recipe(recipe), "fit": key})


def kept_fit(work: Path, key: str) -> Any:
    """Return the finished fit of an earlier run; None if there is none, or another."""
    try:
        same = read_extra(work / MODEL).get("fit") == key
        return load_model(work / MODEL) if same else None
    except (ValueError, OSError):
        return None


def checkpoint_of(work: Path, key: str) -> Path:
    """Return the folder for the state of a fit; what other fits left is removed."""
    own = work / f"fit-{key}"
    for folder in work.glob("fit-*"):
        if folder != own:
            shutil.rmtree(folder, ignore_errors=True)
    return own
