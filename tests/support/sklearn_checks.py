"""Checks that fail upstream, and a callback that counts."""


def expected_failures(estimator):
    """Return what fails of methods that take no negative values: those without a graph."""
    if not estimator.__sklearn_tags__().input_tags.positive_only:
        return {}
    return {"check_clustering": "upstream feeds negative data to a clusterer of non-negative data"}


class Recorder:
    """A callback that counts sweeps and can ask the fit to stop."""

    def __init__(self, stop_after=None):
        self.stop_after, self.sweeps, self.torn_down = stop_after, 0, False

    def setup(self, estimator, context):
        pass

    def on_fit_task_begin(self, estimator, context):
        pass

    def on_fit_task_end(self, estimator, context):
        if context.task_name.startswith("sweep "):
            self.sweeps += 1
            return self.sweeps == self.stop_after
        return False

    def teardown(self, estimator, context):
        self.torn_down = True
