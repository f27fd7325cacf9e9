"""Signs that a result should not be trusted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ..graph._matrix import component_labels
from ..graph._resampling import STABLE
from ..labels.chance import like_chance
from ..labels.uncertainty import strangers
from ..system.user_warnings import warn_user
from .trouble import Trouble, TroubleWarning

if TYPE_CHECKING:
    from .graph_clusterer import GraphClusterer
    from .ronmf import RONMF

__all__ = ["HiddenLabels", "diagnose", "warn_of_troubles"]

_FEWEST_LABELS = 4  # hidden ones that say something at all
_TELLING_LABELS = 20  # hidden ones that tell chance from knowledge
_SOUND_SHARE = 0.9  # of hidden labels that a sound graph predicts
_MANY_STRANGERS = 0.03  # share of samples that is worth a word


@dataclass(frozen=True)
class HiddenLabels:
    """How well hidden labels were predicted.

    Attributes
    ----------
    count, right : int
        How many were hidden, each counted once, and how many of them predicted.
    chance : bool
        Whether predictions would often do as well if labels had nothing to do with them.
    several : bool
        Whether these were labels of several classes.
    """

    count: int
    right: int
    chance: bool
    several: bool

    @classmethod
    def of(cls, model: GraphClusterer) -> HiddenLabels:
        """Count what the trials of a fit hid."""
        _, predicted, truth = model._witnesses.tried
        if not len(truth):
            return cls(0, 0, False, False)
        found = predicted.argmax(axis=1)
        several = len(np.unique(truth)) > 1
        return cls(len(truth), int((found == truth).sum()), like_chance(found, truth), several)

    def sound(self) -> bool:
        """Whether labels of several classes were predicted, and nearly all."""
        return (
            self.count >= _FEWEST_LABELS and self.several and self.right > _SOUND_SHARE * self.count
        )


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
    if found := [str(trouble) for trouble in _serious(model)]:
        warn_user(f"{type(model).__name__}: {' Also, '.join(found)}", TroubleWarning)


def _serious(model: GraphClusterer) -> Iterator[Trouble]:
    names, codes = model.classes_.tolist(), model._known.codes
    hidden, labelled = HiddenLabels.of(model), codes >= 0
    used = np.unique(model.labels_[~labelled])
    if len(names) == 1 and labelled.any():
        yield Trouble("one class", numbers={"cluster": names[0]})
    # The rare classes may be labelled to the last sample.
    elif len(used) == 1 and (~labelled).sum() > len(names) > 1 and not hidden.sound():
        yield Trouble("one cluster", numbers={"cluster": names[used[0]]})
    elif empty := sorted(set(range(len(names))) - set(model.labels_.tolist())):
        first = names[empty[0]]
        numbers = {"empty": len(empty), "clusters": len(names), "cluster": first}
        yield Trouble("empty clusters", numbers=numbers)
    if model.stability_ is not None and model.stability_ < STABLE:
        yield Trouble("no structure", numbers={"stability": model.stability_})
    strange = strangers(model)
    if len(strange) > _MANY_STRANGERS * len(codes):
        yield Trouble("strangers", tuple(strange.tolist()), {"samples": len(codes)})
    if len(model.doubted_labels_):
        yield Trouble("doubted labels", tuple(model.doubted_labels_.tolist()))
    overruled = np.flatnonzero(labelled & (model.labels_ != codes))
    if len(overruled):
        yield Trouble("overruled labels", tuple(overruled.tolist()))
    if hidden.count >= _TELLING_LABELS and hidden.chance:
        yield Trouble("chance", numbers={"hidden": hidden.count, "right": hidden.right})
    named = len(np.unique(codes[labelled])) == len(names) > 1
    if named and model.graph_summary_["unreached_components"]:
        part = component_labels(model.graph_.affinity)
        free = np.flatnonzero(~np.isin(part, part[labelled]))
        yield Trouble("unreached", tuple(free.tolist()))


def _untested(model: GraphClusterer) -> Iterator[Trouble]:
    hidden = HiddenLabels.of(model)
    if (model._known.codes < 0).all():
        yield Trouble("no labels")
    elif hidden.count < _FEWEST_LABELS or (hidden.count < _TELLING_LABELS and hidden.chance):
        numbers = {"hidden": hidden.count, "right": hidden.right}
        yield Trouble("little evidence" if hidden.count else "no evidence", numbers=numbers)


def _unfinished(model: RONMF) -> Iterator[Trouble]:
    if not model.converged_:
        numbers = {"reason": model.stop_reason_, "more": 2 * model.solver_.max_iter}
        yield Trouble("not converged", numbers=numbers)
