"""Kinds of values in plans and rows, for msgspec: texts that print, numbers of sensible size.

msgspec 0.22 frees memory twice where a union joins a text that has a pattern with a list or a
table: a ``Text`` stands alone, or beside what is neither.
"""

from typing import Annotated, TypeVar

from msgspec import Meta

from ...system.plain_text import HIDDEN

__all__ = ["LONGEST", "Count", "FolderName", "Many", "Name", "Number", "Seed", "Share", "Text"]
__all__ += ["Positive"]

LONGEST = 10_000
"""Characters of a text."""
_LARGEST = 10**15  # what is larger was not counted or measured
T = TypeVar("T")

Many = Annotated[list[T], Meta(min_length=1)]
Text = Annotated[str, Meta(max_length=LONGEST, pattern=rf"^[^{HIDDEN}]*\Z")]
Name = Annotated[Text, Meta(min_length=1)]
FolderName = Annotated[str, Meta(max_length=100, pattern=rf"^(?=.*[^. ])[^/\\:{HIDDEN}]*\Z")]
Count = Annotated[int, Meta(ge=1, le=_LARGEST)]
Number = Annotated[float, Meta(ge=-_LARGEST, le=_LARGEST)]
Positive = Annotated[float, Meta(gt=0, le=_LARGEST)]
Share = Annotated[float, Meta(gt=0, le=1)]
Seed = Annotated[int, Meta(ge=0, le=2**32 - 1)]  # of NumPy's older generator, as scikit-learn's
