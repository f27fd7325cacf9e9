"""Pictures of a fitted model, in the manner of scikit-learn's displays.

Each class has ``from_estimator``, which draws at once and returns the display, and ``plot``, which
draws it again elsewhere. They need matplotlib, ``pip install 'ronmf[plot]'``, which is imported
when something is drawn.

Imports go down to ``numerics``.
"""

from ._history import HistoryDisplay
from ._membership import MembershipDisplay
from ._pictures import PartsDisplay, PrototypesDisplay

__all__ = ["HistoryDisplay", "MembershipDisplay", "PartsDisplay", "PrototypesDisplay"]
