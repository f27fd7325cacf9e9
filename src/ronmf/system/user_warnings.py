"""Warnings that point at the user's line."""

import sys
import warnings
from types import FrameType

__all__ = ["warn_user"]

_OURS = ("ronmf", "sklearn", "joblib", "contextlib")


def warn_user(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn at the first line outside this package and scikit-learn, whoever called whom.

    Examples
    --------
    >>> import warnings
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warn_user("look here")
    >>> str(caught[0].message)
    'look here'
    """
    frame: FrameType | None = sys._getframe(1)
    level = 2
    while frame is not None and frame.f_globals.get("__name__", "").partition(".")[0] in _OURS:
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level if frame is not None else 2)
