"""Fits of a plan in this process: for tests of rows, which need no workers of their own."""

from ronmf.bench.running.worker import fit_view

__all__ = ["PoolHere"]


class PoolHere:
    """What the runner asks of a pool; a task is done when it is submitted."""

    def __init__(self, jobs, timeout):
        self._finished = []

    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass

    def __len__(self):
        return len(self._finished)

    @property
    def idle(self):
        return [] if self._finished else [0]

    def submit(self, name, task, worker=None):
        self._finished.append((name, fit_view(task)))

    def finished(self):
        done, self._finished = self._finished, []
        yield from done
