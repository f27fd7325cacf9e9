"""From a fitted model to what the page shows of it."""

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..displays import array_thumbnail
from ..sorting import FolderFeatures, cluster_names
from .map_places import map_places
from .results import Result

__all__ = ["judged", "read_out"]

_LABEL_NEXT = 200  # pictures that are suggested
_SUSPECT_QUALITY = 0.5  # probability of the given label below which it is worth a look
_PARTS_SHOWN = 4  # of a cluster
# What `diagnose` and `hints` find, in the words of the page; "" where it says nothing
_SENTENCES = {
    "one class": "Only one class has labels: label some pictures of another one.",
    "one cluster": "Nearly all pictures are in one cluster: label more, or try other features.",
    "empty clusters": "Some clusters are empty: ask for fewer, or label pictures of them.",
    "no structure": "Looking again finds other clusters, so there may be none: label some pictures,"
    " or try other features.",
    "strangers": "About {count} pictures look like no class that has a name: see “Strangers” in"
    " each cluster, or ask for more clusters.",
    "doubted labels": "Some labels contradict all others and were set aside: see “Look wrong”.",
    "overruled labels": "Some pictures are in another cluster than labelled: see “Look wrong”.",
    "chance": "Hidden labels were predicted no better than by guessing: label more, or try other"
    " features.",
    "unreached": "Some pictures are like no labelled one, so their cluster is a guess: label some"
    " of “Label next”.",
    "no labels": "",  # usual at the beginning
    "no evidence": "",
    "little evidence": "",
    "class of two": "Class {cluster} looks like two clusters: should it be two classes?",
    "unnamed class": "{count} picture{s} look like a class that has no name yet: label some, or ask"
    " for more clusters.",
    "not converged": "The clustering was cut short: press Re-cluster to go on.",
}


def read_out(
    model: Any,
    features: FolderFeatures,
    labels: Sequence[str],
    *,
    number: int,
    seed: int,
    started: float,
) -> Result:
    """Return the result of a fit, as far as it is quickly told.

    Parameters
    ----------
    model : RONMF
        The fitted model.
    features : FolderFeatures
        What it was fitted on.
    labels : sequence of str
        The label of each picture that it was given; "" for none.
    number
        As in :class:`Result`.
    seed : int
        Seed of the map.
    started : float
        When the fit began, by ``time.monotonic``.
    """
    named = len({label for label in labels if label})
    shares = np.asarray(model.label_distributions_)
    cluster = np.asarray(model.labels_).astype(np.int32)
    next_ones = model.query(_LABEL_NEXT) if "" in labels else np.zeros(0)
    nothing = np.zeros(0, dtype=np.int32)
    pictures, parts = _pictures(model)
    return Result(
        number=number,
        complete=False,
        files=list(features.folder.files),
        classes=cluster_names(model),
        named=named,
        seconds=round(time.monotonic() - started, 3),
        notes=[],
        features="" if features.recipe is None else features.recipe.describe(),
        cluster=cluster,
        certainty=np.asarray(model.certainty_, dtype=np.float32),
        novelty=np.where(cluster < named, model.novelty_, 0).astype(np.float32),
        outlier=np.asarray(model.outlier_score_, dtype=np.float32),
        next=np.asarray(next_ones, dtype=np.int32),
        wrong=nothing,
        suggested=nothing,
        quality=nothing.astype(np.float32),
        xy=map_places(features.X, cluster, shares, seed),
        parts=parts,
        pictures=pictures,
    )


def judged(result: Result, model: Any, advice: str) -> Result:
    """Return a result with what takes longer: labels that look wrong, and notes.

    Parameters
    ----------
    result : Result
        What :func:`read_out` returned.
    model : RONMF
        The fitted model.
    advice : str
        A sentence about the features; "" if there is nothing to say.
    """
    result = replace(result, notes=_notes(model, advice), complete=True)
    if not result.named:
        return result
    issues = model.label_issues()
    chosen = (issues.quality < _SUSPECT_QUALITY) & (issues.given != issues.suggested)
    codes = {name: code for code, name in enumerate(map(str, model.classes_.tolist()))}
    suggested = [codes[str(name)] for name in issues.suggested[chosen].tolist()]
    return replace(
        result,
        wrong=issues.samples[chosen].astype(np.int32),
        suggested=np.array(suggested, dtype=np.int32),
        quality=issues.quality[chosen].astype(np.float32),
    )


def _pictures(model: Any) -> tuple[dict[str, bytes], np.ndarray]:
    """Return prototypes and parts as pictures, and the strongest parts of each cluster."""
    shape = model.image_shape_
    strength = np.asarray(model.amplitudes_)
    count = min(_PARTS_SHOWN, strength.shape[1])
    parts = np.argsort(-strength, axis=1, kind="stable")[:, :count].astype(np.int32)
    parts[np.take_along_axis(strength, parts, axis=1) <= 0] = -1
    if shape is None:
        return {}, np.full((len(strength), 0), -1, dtype=np.int32)
    pictures = {}
    for name, rows in (("prototype", model.prototypes_), ("part", model.components_)):
        for number, row in enumerate(np.asarray(rows)):
            pictures[f"{name}-{number}"] = bytes(array_thumbnail(row.astype(np.float64), shape))
    return pictures, parts


def _notes(model: Any, advice: str) -> list[str]:
    troubles = [*model.diagnose(), *model.hints()]
    return [note for note in (advice, *(each.sentence(_SENTENCES) for each in troubles)) if note]
