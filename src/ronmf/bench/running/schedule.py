"""Which run a worker makes next: one worker stays with a draw, and then knows its chosen graphs."""

from collections import deque
from collections.abc import Iterable
from functools import cached_property
from itertools import groupby
from operator import attrgetter

from ...datasets import Dataset
from .protocol import Case, draw_case
from .settings import Run, names_of

__all__ = ["Draw", "Schedule"]

_DRAWN = names_of(drawn=True)


class Draw:
    """Runs on one draw of a dataset, which is made when the first of them begins.

    Attributes
    ----------
    left : deque of Run
        Those that no worker has begun.
    """

    def __init__(self, runs: Iterable[Run], datasets: dict[tuple[str, str], Dataset]) -> None:
        self.left = deque(runs)
        self._settings = {name: getattr(self.left[0], name) for name in _DRAWN}
        self._dataset = datasets[self.left[0].dataset, self.left[0].features]

    @cached_property
    def case(self) -> Case:
        """The draw, or a ValueError that says why there is none."""
        return draw_case(self._dataset, **self._settings)


class Schedule:
    """All runs that are left, in the order of the plan as far as workers keep their draws.

    Parameters
    ----------
    runs : list of Run
        What to run.
    datasets : dict
        Datasets by name and features.
    """

    def __init__(self, runs: list[Run], datasets: dict[tuple[str, str], Dataset]) -> None:
        draws = groupby(runs, attrgetter("dataset", "features", *_DRAWN))
        self._waiting = deque(Draw(group, datasets) for _, group in draws)
        self._of_worker: dict[int, Draw] = {}

    def next(self, worker: int) -> tuple[Run, Draw] | None:
        """Return the next run for a worker, None if there is none.

        It is of the worker's draw; else of a new one; else of another worker's, so that none is
        idle.
        """
        draw = self._of_worker.get(worker)
        if draw is None or not draw.left:
            if self._waiting:
                draw = self._waiting.popleft()
            else:
                draw = max(self._of_worker.values(), key=lambda each: len(each.left), default=None)
            if draw is None or not draw.left:
                return None
            self._of_worker[worker] = draw
        return draw.left.popleft(), draw
