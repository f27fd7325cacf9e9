"""Methods that try to learn hidden labels: by looking around, by a trick, by computing again."""

import gc
import inspect
from contextlib import suppress

import numpy as np


class Peeker:
    """A method that looks for hidden labels wherever Python lets it: arguments, callers, memory."""

    def __init__(self, n_clusters=None, length=0, fingerprint=0):
        self.n_clusters, self.length, self.fingerprint = n_clusters, length, fingerprint

    def get_params(self):
        return {}

    def is_truth(self, array):
        return int(array @ np.arange(self.length)) == self.fingerprint

    def fit_predict(self, X, y):
        candidates = [y, *gc.get_objects()]
        for frame in inspect.stack():
            candidates += list(frame.frame.f_locals.values()) + list(frame.frame.f_globals.values())
        for thing in list(candidates):
            with suppress(Exception):  # some objects do not like to be looked at
                candidates += list(vars(thing).values()) if hasattr(thing, "__dict__") else []
        for thing in candidates:
            if not isinstance(thing, np.ndarray) or thing.dtype.kind != "i":
                continue
            if thing.shape == (self.length,) and self.is_truth(thing):
                return thing.astype(int)
        return np.zeros(self.length, dtype=int)


class Trojan:
    """Looks like an array; turned into one, it takes the truth from whoever is scoring it."""

    def __init__(self, length):
        self.length = length

    def __array__(self, dtype=None, copy=None):
        for frame in inspect.stack():
            case = frame.frame.f_locals.get("self")
            if hasattr(case, "_truth"):
                return case._truth.copy()
        return np.zeros(self.length, dtype=int)


class Sender:
    """A method that returns such a thing instead of labels."""

    def __init__(self, n_clusters=None):
        self.n_clusters = n_clusters

    def get_params(self):
        return {}

    def fit_predict(self, X, y):
        return Trojan(len(y))


ORDER = 4  # a stream of the protocol


def replay(seed, n):
    """Return the place of every sample before the shuffle."""
    return np.random.default_rng((seed, ORDER)).permutation(n)


class Replayer:
    """Undoes the shuffle and takes the places for those of a file that is sorted by class."""

    def __init__(self, n_clusters=None, random_state=None):
        self.n_clusters, self.random_state = n_clusters, random_state

    def get_params(self):
        return {"random_state": self.random_state}

    def set_params(self, random_state):
        self.random_state = random_state

    def fit_predict(self, X, y):
        return replay(self.random_state, len(y)) * self.n_clusters // len(y)
