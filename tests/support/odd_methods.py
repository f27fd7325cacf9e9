"""Methods that misbehave, or that say what they were told."""

import os
import signal
import time

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.cluster import KMeans


class Odd:
    """A method that misbehaves as its parameter says."""

    def __init__(self, n_clusters=None, how="raise"):
        self.n_clusters, self.how = n_clusters, how

    def get_params(self):
        return {"how": self.how}

    def fit_predict(self, X, y):
        if self.how == "raise":
            raise RuntimeError("no luck\nat all")
        if self.how == "die":
            os.kill(os.getpid(), signal.SIGKILL)
        if self.how == "hang":
            time.sleep(60)
        if self.how == "huge":
            self.n_iter_ = 10**16
        if self.how == "short":
            return np.zeros(3, dtype=int)
        return np.zeros(len(y), dtype=int)


class Shaped:
    """A method that says which shape of pictures it was told."""

    def __init__(self, n_clusters=None, image_shape=None):
        self.image_shape = image_shape

    def get_params(self):
        return {"image_shape": self.image_shape}

    def set_params(self, image_shape):
        self.image_shape = image_shape

    def fit_predict(self, X, y):
        return np.full(len(y), 0 if self.image_shape is None else self.image_shape[0])


class Nested(BaseEstimator):
    """A method with a parameter of a parameter, which it says."""

    def __init__(self, n_clusters=None, inner=KMeans(), random_state=None):  # noqa: B008
        self.n_clusters, self.inner, self.random_state = n_clusters, inner, random_state

    def fit_predict(self, X, y):
        return np.full(len(y), self.inner.n_init)
