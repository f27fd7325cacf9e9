"""Parameters of an estimator, each said once: its default, what it may be, and what it means.

scikit-learn wants a constructor that assigns its arguments and does nothing else. Here the class
lists them as fields, and :func:`parameters` writes that constructor. A subclass has the parameters
of its bases, with their documentation.
"""

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from functools import wraps
from numbers import Integral, Real
from typing import Any, TypeVar, dataclass_transform

from sklearn.base import BaseEstimator
from sklearn.utils._param_validation import Interval, make_constraint

from .suggestions import nearest_name

__all__ = ["COUNT", "NON_NEGATIVE", "POSITIVE", "SHARE"]
__all__ += ["check_parameters", "is_a_truth", "parameter", "parameters"]

COUNT = Interval(Integral, 1, None, closed="left")
NON_NEGATIVE = Interval(Real, 0, None, closed="left")
POSITIVE = Interval(Real, 0, None, closed="neither")
SHARE = Interval(Real, 0, 1, closed="both")

_C = TypeVar("_C", bound=type)
_HEADING = re.compile(r"^(\w.*)\n-{3,}\n", re.MULTILINE)  # of a section, as numpydoc has them
_INHERITED = ("Parameters", "Attributes")  # sections


def parameter(*, default: Any, allowed: Any, kw_only: bool = True) -> Any:
    """Return a field of a class that :func:`parameters` decorates.

    Parameters
    ----------
    default : object
        Its default, which must not be mutable.
    allowed : constraint or list of constraints
        What it may be, as scikit-learn's ``_parameter_constraints`` say it.
    kw_only : bool, default=True
        Whether it must be named in calls.
    """
    allowed = allowed if isinstance(allowed, list) else [allowed]
    return field(default=default, kw_only=kw_only, metadata={"allowed": allowed})


@dataclass_transform(eq_default=False, kw_only_default=True, field_specifiers=(parameter,))
def parameters(cls: _C) -> _C:
    r"""Decorate an estimator: write its constructor, its constraints, and inherited documentation.

    Examples
    --------
    >>> from sklearn.base import BaseEstimator
    >>> @parameters
    ... class Mean(BaseEstimator):
    ...     '''A mean.
    ...
    ...     Parameters
    ...     ----------
    ...     size : int, default=3
    ...         How many.
    ...     '''
    ...     size: int = parameter(default=3, allowed=COUNT)
    >>> @parameters
    ... class TrimmedMean(Mean):
    ...     '''A mean without the ends.
    ...
    ...     Parameters
    ...     ----------
    ...     cut : float, default=0.1
    ...         Share that is left out.
    ...     '''
    ...     cut: float = parameter(default=0.1, allowed=NON_NEGATIVE)
    >>> TrimmedMean(cut=0.2).get_params()
    {'cut': 0.2, 'size': 3}
    >>> print(*TrimmedMean.__doc__.splitlines()[4:], sep="\n")
    cut : float, default=0.1
        Share that is left out.
    size : int, default=3
        How many.
    """
    dataclass(eq=False, repr=False)(cls)
    own = fields(cls)
    cls.__init__ = _of_known_names(cls.__init__)  # type: ignore[misc]
    if cls.set_params is BaseEstimator.set_params:  # type: ignore[attr-defined]
        cls.set_params = _set_params  # type: ignore[attr-defined]
    cls._parameter_constraints = {f.name: f.metadata["allowed"] for f in own}  # type: ignore[attr-defined]
    names = {each.name: bool(each.kw_only) for each in own}
    bases = [inspect.getdoc(base) or "" for base in cls.__mro__[1:] if base.__doc__]
    cls.__doc__ = _with_inherited(inspect.cleandoc(cls.__doc__ or ""), bases, names)
    return cls


def _of_known_names(init: Callable[..., None]) -> Callable[..., None]:
    """Return a constructor that refuses other names than those of its parameters."""
    known = inspect.signature(init).parameters

    @wraps(init)
    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        for name in kwargs:
            if name not in known:
                raise TypeError(_no_parameter(type(self), name))
        init(self, *args, **kwargs)

    return __init__


def _set_params(self: Any, **params: Any) -> Any:
    """Set parameters, those of parts as ``part__name``, and return the estimator."""
    for name in params:
        if name.partition("__")[0] not in self._get_param_names():
            raise ValueError(_no_parameter(type(self), name))
    return BaseEstimator.set_params(self, **params)


def _no_parameter(cls: Any, name: str) -> str:
    """Return a sentence about a parameter that there is not, with what may be meant.

    Examples
    --------
    >>> from ronmf import RONMF
    >>> print(_no_parameter(RONMF, "beta"))  # doctest: +ELLIPSIS
    RONMF has no parameter 'beta', but ADMM has: write RONMF(solver=ADMM(beta=...)), or ...
    """
    own = cls._get_param_names()
    of_parts = {
        inner: (part, kind.__name__)
        for part, allowed in cls._parameter_constraints.items()
        for kind in allowed
        for inner in getattr(kind, "_parameter_constraints", ())
        if inner not in own
    }
    meant = name if name in of_parts else nearest_name(name, [*own, *of_parts])
    sentence = f"{cls.__name__} has no parameter {name!r}"
    if meant is None:
        return f"{sentence}; it has {', '.join(own)}."
    if meant in own:
        return f"{sentence}; did you mean {meant!r}?"
    part, kind = of_parts[meant]
    sentence += f", but {kind} has" + ("" if meant == name else f" {meant!r}")
    written = f"{cls.__name__}({part}={kind}({meant}=...))"
    return f"{sentence}: write {written}, or {part}__{meant} in set_params and searches."


def check_parameters(estimator: Any, place: str = "") -> None:
    """Raise a ValueError about the first parameter that has no allowed value.

    Examples
    --------
    >>> from ronmf import ADMM
    >>> check_parameters(ADMM(tol=-1.0), "solver: ")
    Traceback (most recent call last):
        ...
    ValueError: solver: tol of ADMM must be a float in the range [0.0, inf); got -1.0.
    """
    for name, allowed in estimator._parameter_constraints.items():
        value, constraints = getattr(estimator, name), [make_constraint(each) for each in allowed]
        if is_a_truth(value, allowed) or not any(c.is_satisfied_by(value) for c in constraints):
            meant = " or ".join(map(str, constraints))
            name = f"{name} of {type(estimator).__name__}"
            raise ValueError(f"{place}{name} must be {meant}; got {value!r}.")


def is_a_truth(value: Any, allowed: list[Any]) -> bool:
    """Return whether a value is True or False where a number is meant: Python calls True 1."""
    a_number = any(isinstance(each, Interval) for each in allowed)
    return isinstance(value, bool) and a_number and "boolean" not in allowed


def _with_inherited(text: str, bases: list[str], names: dict[str, bool]) -> str:
    """Return a docstring with the entries of its bases for what it does not document itself.

    `names` are those of the parameters, and whether they must be named in calls.
    """
    summary, *sections = _HEADING.split(text)
    own = dict(zip(sections[::2], sections[1::2], strict=True))
    inherited = {}
    for heading in _INHERITED:
        entries = _entries(own.pop(heading, ""))
        for base in bases:
            parts = _HEADING.split(base)
            section = dict(zip(parts[1::2], parts[2::2], strict=True)).get(heading, "")
            entries |= {k: v for k, v in _entries(section).items() if k not in entries}
        if heading == "Parameters":
            known = sorted(entries.keys() & names.keys(), key=list(entries).index)
            entries = {name: entries[name] for name in sorted(known, key=names.__getitem__)}
        if entries:
            inherited[heading] = "".join(entries.values()) + "\n"
    headed = (
        f"{name}\n{'-' * len(name)}\n{section}" for name, section in (inherited | own).items()
    )
    return "".join([summary.rstrip() + "\n\n", *headed]).rstrip()


def _entries(section: str) -> dict[str, str]:
    """Return the entries of a section by the name (or names) that they document."""
    found = re.split(r"^(?=\S)", section.rstrip() + "\n", flags=re.MULTILINE)
    return {each.split(" :")[0]: each for each in found if each.strip()}
