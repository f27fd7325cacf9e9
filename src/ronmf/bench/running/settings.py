"""The settings of a run, each declared once.

Runs take their fields and their hash from here, draws their arguments, rows their columns. Tables,
figures and captions learn which settings must agree and how to call them.
"""

import hashlib
import json
import math
from dataclasses import MISSING, dataclass, field, fields
from typing import Any

__all__ = ["LABELS", "PAPER", "SETTINGS", "Run", "Setting", "names_of"]

PAPER = {"n_classes": 6, "label_rate": 0.3}
"""What the paper's tables were made under; plans that do not say otherwise have it too."""

LABELS = ("label_rate", "labels_per_class")
"""Two ways to say how many labels are given: a run has one of them."""


@dataclass(frozen=True, kw_only=True)
class Setting:
    """What is known of one setting.

    Attributes
    ----------
    name : str
        The field of :class:`Run`, and the column of the rows.
    role : {"title", "subject", "condition", "leak", "repeat"}
        A title says nothing of the run. Subjects are what ran: a dataset, and a method with its
        changes. Conditions must agree between methods that are compared. Runs with a leak compare
        with no others, and repeats (the seed) are what means are taken over.
    drawn : bool
        Whether :func:`~ronmf.bench.draw_case` takes it.
    missing : object
        How a missing value reads in the rows. Infinity for numbers: no limit, or not the one that
        decides. None if rows cannot lack it.
    optional : bool
        Whether rows may lack the column; all its values are then missing. That is so where it
        came later.
    later : bool
        Whether it came when there were rows already. It is part of the digest of a run only where
        it differs from its default, so that the older rows are still known.
    heading : str
        Its name over the column of a table and along the axis of a figure.
    phrase : str
        Words around its values in a caption.
    open_word : str
        How a table calls a missing number.
    """

    name: str
    role: str
    drawn: bool = False
    missing: Any = None
    optional: bool = False
    later: bool = False
    heading: str = ""
    phrase: str = "{}"
    open_word: str = ""


def _declare(role: str, default: Any = MISSING, **facts: Any) -> Any:
    """Return a field of :class:`Run` that carries what is known of its setting."""
    facts.setdefault("optional", facts.get("later", False))
    return field(default=default, metadata={"role": role, **facts})


def _number(**facts: Any) -> Any:
    """Return a field for a number, missing where there is no limit or another one decides."""
    return _declare("condition", drawn=True, missing=math.inf, **facts)


@dataclass(frozen=True, kw_only=True)
class Run:
    """One fit of one method on one draw.

    Attributes
    ----------
    experiment : str
        Section of the plan.
    dataset, method : str
        Names of what was fitted on what; a plan knows the paths and classes behind them.
    variant, params : str
        Name of a change of the method, and JSON text of the changed parameters.
    n_classes : int or None
        Number of classes; None for all.
    label_rate, labels_per_class : float or None, int or None
        Share or number of labels of each class; the other one is None.
    samples_per_class : int or None
        Largest number of samples of a class.
    scaling : {"unit", "none"}
        Whether samples are scaled to unit length.
    features : str
        A network whose features stand for the pictures; "" for pixels.
    noise, noise_level : str, float
        Kind and strength of the noise.
    leak : {"none", "authors"}
        Whether the graph knows hidden labels, as that of the released code does.
    seed : int
        Seed of the draw and of the method.
    """

    experiment: str = _declare("title")
    dataset: str = _declare("subject")
    method: str = _declare("subject")
    variant: str = _declare("subject", missing="")
    params: str = _declare("subject", missing="")
    n_classes: int | None = _number(
        open_word="all", heading="number of classes", phrase="classes {}"
    )
    label_rate: float | None = _number(phrase="label rate {}")
    labels_per_class: int | None = _number(
        default=None, later=True, heading="labels of each class", phrase="{} labels of each class"
    )
    samples_per_class: int | None = _number(optional=True, open_word="all")
    scaling: str = _declare("condition", drawn=True, missing="unit", optional=True)
    features: str = _declare(
        "condition", default="", missing="", later=True, phrase="features of {}"
    )
    noise: str = _declare("condition", drawn=True)
    noise_level: float = _declare("condition", drawn=True)
    leak: str = _declare("leak", drawn=True)
    seed: int = _declare("repeat", drawn=True)

    @property
    def digest(self) -> str:
        """A hash of all settings: which run of a plan it is."""
        settings = dict(vars(self))
        for name, default in _LATER.items():
            if settings[name] == default:
                del settings[name]
        text = json.dumps(settings, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:20]


_LATER = {each.name: each.default for each in fields(Run) if each.metadata.get("later")}

SETTINGS = {
    each.name: Setting(
        **{"name": each.name, "heading": each.name.replace("_", " "), **each.metadata}
    )
    for each in fields(Run)
}
"""By name, in the order in which a reader wants them."""


def names_of(*roles: str, **facts: Any) -> list[str]:
    """Return the settings of some roles that agree with some facts, in order.

    Examples
    --------
    >>> names_of("subject")
    ['dataset', 'method', 'variant', 'params']
    >>> names_of(later=True)
    ['labels_per_class', 'features']
    """
    return [
        name
        for name, setting in SETTINGS.items()
        if (not roles or setting.role in roles)
        and all(getattr(setting, fact) == value for fact, value in facts.items())
    ]
