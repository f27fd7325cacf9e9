"""Signs that a result should not be trusted, in words, with what to do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.stats import binom
from sklearn.utils.validation import check_is_fitted

from ..graph import component_labels
from ..system.user_warnings import warn_user

if TYPE_CHECKING:
    from .graph_clusterer import GraphClusterer
    from .ronmf import RONMF

__all__ = ["HiddenLabels", "Trouble", "diagnose", "warn_of_troubles"]

_FEWEST, _ENOUGH = 4, 20  # hidden labels that say something, and that tell chance from knowledge
_NAMED = 5  # samples that are called by name
_MOSTLY = 0.9  # share of hidden labels that a sound graph predicts
_CHANCE = 0.1  # probability with which guessing the commonest class may do as well


@dataclass(frozen=True)
class Trouble:
    """A sign that a result should not be trusted; ``print`` it.

    Attributes
    ----------
    kind : str
        ``"one class"``, ``"one cluster"``, ``"empty clusters"``, ``"unclear count"``, ``"doubted
        labels"``, ``"overruled labels"``, ``"chance"``, ``"unreached"``, ``"no evidence"`` or
        ``"not converged"``.
    text : str
        What is the matter, and what to do.
    samples : tuple of int
        The samples that it is about, if it is about some.
    """

    kind: str
    text: str
    samples: tuple[int, ...] = ()

    def __str__(self) -> str:
        return self.text

    def naming(self, name: Callable[[int], str]) -> str:
        """Return the text, and what the first samples that it is about are called.

        Examples
        --------
        >>> Trouble("doubted labels", "1 sample (3) is odd.", (3,)).naming(["a", "b", "c", "d"].pop)
        '1 sample (3) is odd. These are d.'
        """
        if not self.samples:
            return self.text
        more = ", ..." if len(self.samples) > _NAMED else ""
        return f"{self.text} These are {', '.join(map(name, self.samples[:_NAMED]))}{more}."


@dataclass(frozen=True)
class HiddenLabels:
    """How well hidden labels were predicted.

    Attributes
    ----------
    count, right : int
        How many were hidden, each counted once, and how many of them predicted.
    commonest : float
        Share of the commonest class among them, which a guess would get right.
    """

    count: int
    right: int
    commonest: float

    @classmethod
    def of(cls, model: GraphClusterer) -> HiddenLabels:
        """Count what the trials of a fit hid."""
        _, predicted, truth = model._witnesses.tried
        if not len(truth):
            return cls(0, 0, 1.0)
        right = int((predicted.argmax(axis=1) == truth).sum())
        return cls(len(truth), right, np.bincount(truth).max() / len(truth))

    def like_chance(self) -> bool:
        """Whether a guess would often do as well; labels of one class cannot tell."""
        if self.right == self.count:
            return False
        return bool(binom.sf(self.right - 1, self.count, self.commonest) > _CHANCE)

    def sound(self) -> bool:
        """Whether labels of several classes were predicted, and nearly all."""
        return self.count >= _FEWEST and self.commonest < 1 and self.right > _MOSTLY * self.count


def diagnose(model: GraphClusterer) -> list[Trouble]:
    """Return the signs that this result should not be trusted, with what to do.

    Most of them are warned of at the end of ``fit``, too: all but a lack of evidence, which is
    usual where labels are few, and a lack of convergence, which has a warning of its own.

    Returns
    -------
    list of Trouble
        Empty if there is no such sign, which is no proof that all is well.

    Examples
    --------
    >>> import numpy as np
    >>> from ronmf import RONMF
    >>> X = np.random.default_rng(0).random((30, 4))
    >>> model = RONMF(random_state=0).fit(X, np.where(np.arange(30) == 3, 7, -1))
    >>> print(model.diagnose()[0])
    only the class 7 has labels, so every sample is put into it; label samples of others, or ...
    """
    check_is_fitted(model)
    unfinished = _unfinished(model) if hasattr(model, "solver_") else ()
    return [*_serious(model), *_untested(model), *unfinished]


def warn_of_troubles(model: GraphClusterer) -> None:
    """Warn once of all that makes the result of a fit doubtful."""
    told = [trouble.text for trouble in _serious(model)]
    if told:
        warn_user(f"{type(model).__name__}: {' Also, '.join(told)}")


def _serious(model: GraphClusterer) -> Iterator[Trouble]:
    names, codes = model.classes_.tolist(), model._known.codes
    hidden, labelled = HiddenLabels.of(model), codes >= 0
    used = np.unique(model.labels_[~labelled])
    if len(names) == 1 and labelled.any():
        text = (
            f"only the class {names[0]!r} has labels, so every sample is put into it; label"
            " samples of others, or give n_clusters."
        )
        yield Trouble("one class", text)
    # The rare classes may be labelled to the last sample.
    elif len(used) == 1 and (~labelled).sum() > len(names) > 1 and not hidden.sound():
        text = (
            f"all samples but labelled ones are in the cluster {names[used[0]]!r}; try features"
            " that tell classes apart, or label more."
        )
        yield Trouble("one cluster", text)
    elif empty := sorted(set(range(len(names))) - set(model.labels_.tolist())):
        text = (
            f"{len(empty)} of {len(names)} clusters have no samples, the first of them"
            f" {names[empty[0]]!r}; lower n_clusters, or label samples of them."
        )
        yield Trouble("empty clusters", text)
    count = getattr(model, "cluster_count_", None)
    if count is not None and not count.clear:
        text = (
            f"the number of clusters, {count.n_clusters}, is a guess: no number parts the graph"
            f" clearly (modularity {count.modularity:.2f}); give n_clusters if you know it, or"
            " label some samples."
        )
        yield Trouble("unclear count", text)
    if len(model.doubted_labels_):
        text = (
            f"{_samples(model.doubted_labels_)} seem to have wrong labels, which were set aside:"
            " look again, or trust all labels with check_labels=False."
        )
        yield Trouble("doubted labels", text, tuple(model.doubted_labels_.tolist()))
    overruled = np.flatnonzero(labelled & (model.labels_ != codes))
    if len(overruled):
        text = (
            f"{_samples(overruled)} ended up in another cluster than labelled: look"
            " again, or raise label_weight."
        )
        yield Trouble("overruled labels", text, tuple(overruled.tolist()))
    if hidden.count >= _ENOUGH and hidden.like_chance():
        text = (
            f"of {hidden.count} labels that were hidden {hidden.right} were predicted, about"
            " what guessing would do: the graph does not know these classes, so try features"
            " that show them, or label more."
        )
        yield Trouble("chance", text)
    named = len(np.unique(codes[labelled])) == len(names) > 1
    if named and model.graph_summary_["unreached_components"]:
        part = component_labels(model.graph_.affinity)
        free = np.flatnonzero(~np.isin(part, part[labelled]))
        text = (
            f"{_samples(free)} are joined with no label by any path of the graph, so their"
            " clusters are guesses: label some of them, or raise n_neighbors."
        )
        yield Trouble("unreached", text, tuple(free.tolist()))


def _untested(model: GraphClusterer) -> Iterator[Trouble]:
    hidden = HiddenLabels.of(model)
    count = hidden.count
    if count >= _FEWEST and (count >= _ENOUGH or not hidden.like_chance()):
        return
    what = f"only {count} labels could be hidden" if count else "no label could be hidden"
    if count >= _FEWEST:
        what = f"of {count} labels that could be hidden {hidden.right} were predicted"
    if (model._known.codes < 0).all():
        what = "there are no labels"
    text = (
        f"{what}, so nothing tells whether the graph suits the classes; label two or"
        " more samples of each class."
    )
    yield Trouble("no evidence", text)


def _unfinished(model: RONMF) -> Iterator[Trouble]:
    if not model.converged_:
        text = (
            f"the fit {model.stop_reason_}; raise max_iter or tol, as in"
            f" set_params(solver__max_iter={2 * model.solver_.max_iter})."
        )
        yield Trouble("not converged", text)


def _samples(indices: np.ndarray) -> str:
    """Return a number of samples and the first few of them."""
    some = ", ".join(map(str, indices[:5])) + (", ..." if len(indices) > 5 else "")
    return f"{len(indices)} samples ({some})" if len(indices) > 1 else f"1 sample ({some})"
