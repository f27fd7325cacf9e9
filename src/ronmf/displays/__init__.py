"""What a person sees of a fitted model.

Displays are drawn with matplotlib, in the manner of scikit-learn's: each class has
``from_estimator``, which draws at once and returns the display, and ``plot``, which draws it again
elsewhere. They need ``pip install 'ronmf[plot]'``, which is imported when something is drawn.

Thumbnails are small pictures for pages of your own. The report of a fit is
:meth:`ronmf.RONMF.report`; it and they need ``pip install 'ronmf[images]'``.
"""

from ._history import HistoryDisplay
from ._membership import MembershipDisplay
from ._pictures import PartsDisplay, PrototypesDisplay
from ._thumbnails import Thumbnail, array_thumbnail, file_thumbnail

__all__ = ["HistoryDisplay", "MembershipDisplay", "PartsDisplay", "PrototypesDisplay", "Thumbnail"]
__all__ += ["array_thumbnail", "file_thumbnail"]
