"""The clusters of a folder: their names, and all that is known of them in a few numbers."""

from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from .. import __version__
from ..datasets import PictureFolder, Skipped
from ..estimators.ronmf import RONMF
from ..estimators.trouble import Trouble
from ..labels.uncertainty import certainty_of
from ..system.plain_text import counted, short_name, shown_name
from ._recipes import FeatureRecipe

__all__ = ["SENTENCES", "ClusteredFolder", "cluster_names"]

# What `diagnose()` and `hints()` find, in words for who runs ``ronmf cluster``, by the kind of a
# `Trouble`, which says what stands in braces.
SENTENCES: dict[str, str] = {
    "one class": "only the class {cluster!r} has labels, so every picture is put into it; label"
    " pictures of others, or give --clusters.",
    "one cluster": "all pictures but labelled ones are in the cluster {cluster!r}; try other"
    " --features, or label more.",
    "empty clusters": "{empty} of {clusters} clusters have no pictures; lower --clusters, or label"
    " pictures of them.",
    "unclear count": "the number of clusters, {clusters}, is a guess: no number parts the pictures"
    " clearly (modularity {modularity:.2f}); give --clusters if you know it, or label some"
    " pictures.",
    "doubted labels": "{count} picture{s} ({names}) seem to have wrong labels, which were set"
    " aside: look again.",
    "overruled labels": "{count} picture{s} ({names}) ended up in another cluster than labelled:"
    " look again.",
    "chance": "of {hidden} labels that were hidden {right} were predicted, about what guessing"
    " would do: try other --features, or label more.",
    "unreached": "{count} picture{s} ({names}) are like no labelled one, so their clusters are"
    " guesses: label some of them.",
    "no labels": "there are no labels, so nothing tells whether these are the clusters you want;"
    " label two or more pictures of each class.",
    "no evidence": "no label could be hidden, so nothing tells whether the clusters suit the"
    " classes; label two or more pictures of each class.",
    "little evidence": "of {hidden} labels that could be hidden {right} were predicted, too few to"
    " tell whether the clusters suit the classes; label two or more pictures of each class.",
    "not converged": "the fit {reason}: the clusters may still change a little.",
    "class of two": "the class {cluster!r} looks like two clusters, one of {count} picture{s}"
    " ({names}); should it be two classes?",
    "unnamed class": "{count} picture{s} without a label ({names}) look like a class of their own;"
    " label some, or raise --clusters.",
}


def cluster_names(model: Any) -> list[str]:
    """Return the names of the classes, and ``cluster 1`` and so on for clusters without a label.

    The attributes of the model have other names for those: numbers, or ``cluster_5``, which are
    made to be told from classes of any type.

    Parameters
    ----------
    model : estimator
        A fitted one.

    Examples
    --------
    >>> from ronmf import RONMF
    >>> X = [[1.0, 0.0], [0.9, 0.1], [0.1, 0.9], [0.0, 1.0]]
    >>> model = RONMF(2, n_neighbors=1, random_state=0)
    >>> cluster_names(model.fit(X, ["owl", "", "", ""])), cluster_names(model.fit(X))
    (['owl', 'cluster 1'], ['cluster 1', 'cluster 2'])
    """
    n_labelled = int(np.max(model._known.given, initial=-1)) + 1  # they come first
    names = [str(name) for name in model.classes_[:n_labelled]]
    for number in range(1, len(model.classes_) - n_labelled + 1):
        name = f"cluster {number}"
        while name in names:
            name += "'"
        names.append(name)
    return names


@dataclass(frozen=True, eq=False, repr=False)
class ClusteredFolder:
    """What came of a folder of pictures.

    Attributes
    ----------
    model : RONMF
        The fit.
    folder : PictureFolder
        The pictures, in the order of the model's samples.
    recipe : FeatureRecipe or None
        How they became features; None for features from a file.
    out : Path
        Where the results are: ``clusters.csv``, ``model.ronmf``, ``report.html``, ``ronmf.json``,
        and ``clusters/`` with the sorted pictures if these were asked for.
    advice : tuple of str
        Sentences that the user should read.
    hints : tuple of Trouble
        What :meth:`ronmf.RONMF.hints` finds; nothing if classes are many.
    seconds : dict
        Time of every stage.
    """

    model: RONMF
    folder: PictureFolder
    recipe: FeatureRecipe | None
    out: Path
    advice: tuple[str, ...] = ()
    hints: tuple[Trouble, ...] = ()
    seconds: dict[str, float] = field(default_factory=dict)

    def __repr__(self) -> str:
        pictures = counted(len(self.folder.files), "picture")
        clusters = counted(len(self.model.classes_), "cluster")
        return f"ClusteredFolder({pictures} in {clusters}, out={shown_name(self.out)!r})"

    @property
    def skipped(self) -> tuple[Skipped, ...]:
        """Files that were passed over, and why."""
        return self.folder.skipped

    def summary(self) -> dict[str, Any]:
        """Return the result in a few numbers, as JSON can hold them."""
        clusters, certainty = [], certainty_of(self.model)
        for j, name in enumerate(cluster_names(self.model)):
            own = certainty[self.model.labels_ == j]
            mean = round(float(own.mean()), 4) if len(own) else None
            clusters.append({"class": name, "pictures": len(own), "certainty": mean})
        return {
            "ronmf": __version__,
            "made": datetime.now(UTC).isoformat(timespec="seconds"),
            "pictures": len(self.folder.files),
            "features": "a file" if self.recipe is None else self.recipe.describe(),
            "labels": int((self.model._known.given >= 0).sum()),
            "clusters": clusters,
            "troubles": list(map(self._sentence, self.model.diagnose())),
            "hints": list(map(self._sentence, self.hints)),
            "advice": list(self.advice),
            "skipped": list(map(asdict, self.skipped)),
            "seconds": {name: round(value, 2) for name, value in self.seconds.items()},
        }

    def _sentence(self, trouble: Trouble) -> str:
        return trouble.sentence(SENTENCES, lambda i: short_name(self.folder.files[i]))
