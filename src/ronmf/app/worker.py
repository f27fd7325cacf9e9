"""The process that fits: it holds the features and the last model, and goes on from there."""

import os
import signal
import time
import warnings
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from ..datasets import PictureFolder
from ..sorting import FolderFeatures, choose_recipe, features_of, fit_pictures
from ..system.plain_text import one_line
from ..system.platform import end_with_parent
from .reading_out import judged, read_out

__all__ = ["Order", "work"]

_MESSAGE_PAUSE = 0.05  # seconds between two messages of one stage


class _Cancelled(Exception):
    """The user does not want to wait."""


@dataclass(frozen=True)
class Order:
    """What is asked of the worker: features only, or a fit.

    Attributes
    ----------
    labels : dict or None
        Label of each labelled picture; None: read the features, and wait.
    clusters : int or str
        A number, "auto" (as many as there seem to be) or "classes" (as many as are labelled).
    number : int
        Number of the result.
    earlier : (dict, int) or None
        The cluster of each picture in the result on show, and how many are labelled classes: the
        first ones.
    """

    labels: dict[str, str] | None
    clusters: int | str = "auto"
    number: int = 1
    earlier: tuple[dict[str, int], int] | None = None


def work(
    connection: Any, cancelled: Any, folder: PictureFolder, place: Path, kind: str, seed: int
) -> None:
    """Do what the orders that come through a connection say, until it closes.

    Answers are ``("stage", name, done, most)``, ``("unreadable", reasons by name)`` when all
    pictures were read, ``("shown",)`` when there are clusters to look at, and at last one of
    ``("done",)``, ``("cancelled",)`` and ``("failed", sentence)``.

    Parameters
    ----------
    connection : Connection
        To the server.
    cancelled : multiprocessing.Event
        Set if the order at work is no longer wanted.
    folder : PictureFolder
        The pictures.
    place : Path
        Where results go.
    kind : {"auto", "pixels", "deep"}
        The features.
    seed : int
        Seed of everything random.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server ends it
    end_with_parent()
    if hasattr(os, "nice"):
        os.nice(5)  # clicks first
    warnings.simplefilter("ignore")  # what they say is in the notes of the result
    worker = _Worker(connection, cancelled, folder, place, kind, seed)
    while True:
        try:
            order = connection.recv()
        except (EOFError, OSError):
            return
        connection.send(worker.carry_out(order))


class _Worker:
    """Features and the last model, and how orders are carried out."""

    def __init__(
        self,
        connection: Any,
        cancelled: Any,
        folder: PictureFolder,
        place: Path,
        kind: str,
        seed: int,
    ) -> None:
        self.connection, self.cancelled = connection, cancelled
        self.folder, self.place, self.kind, self.seed = folder, place, kind, seed
        self.features: FolderFeatures | None = None
        self.advice = ""
        self.model: Any = None
        self._last_message = ("", 0.0)

    def carry_out(self, order: Order) -> tuple:
        try:
            features = self._read()
            if order.labels is not None:
                self._fit(features, order)
        except _Cancelled:
            return ("cancelled",)
        except (ValueError, OSError, ImportError) as error:
            return ("failed", one_line(str(error)))
        except MemoryError:
            return ("failed", "there is not enough memory for this.")
        except Exception as error:
            return ("failed", one_line(f"{type(error).__name__}: {error}. This is a bug of ronmf."))
        return ("done",)

    def _earlier(self, features: FolderFeatures, order: Order) -> tuple[np.ndarray, int] | None:
        """Return the clusters on show."""
        if order.earlier is None:
            return None
        clusters, n_named = order.earlier
        return np.array([clusters.get(file, -1) for file in features.folder.files]), n_named

    def _report(self, stage: str, done: int, most: int) -> None:
        if self.cancelled.is_set():
            raise _Cancelled
        now = time.monotonic()
        last_stage, sent = self._last_message
        if stage == last_stage and now - sent < _MESSAGE_PAUSE and done < most:
            return
        self._last_message = (stage, now)
        self.connection.send(("stage", stage, done, most))

    def _read(self) -> FolderFeatures:
        if self.features is None:
            self._report("pictures", 0, len(self.folder.files))
            recipe, self.advice = choose_recipe(self.folder, self.kind)
            report = partial(self._report, "pictures")
            self.features = features_of(self.folder, recipe, callback=report)
            broken = self.features.folder.skipped[len(self.folder.skipped) :]
            self.connection.send(("unreadable", {skip.file: skip.reason for skip in broken}))
        return self.features

    def _fit(self, features: FolderFeatures, order: Order) -> None:
        started = time.monotonic()
        assert order.labels is not None
        labels = [order.labels.get(name, "") for name in features.folder.files]
        n_named = len({label for label in labels if label})
        clusters: int | str | None = order.clusters
        if clusters == "classes":
            clusters = None
        elif isinstance(clusters, int):
            clusters = min(max(clusters, n_named), len(labels))
        self._report("counting" if clusters == "auto" else "reading", 0, 1)
        previous, self.model = self.model, None  # a fit that is cut short spoils it
        model = fit_pictures(
            features.X,
            features.recipe,
            labels,
            n_clusters=clusters,
            earlier=self._earlier(features, order),
            warm_start=True,
            previous=previous,
            seed=self.seed,
            report=self._report,
        )
        self._report("looking", 0, 1)
        result = read_out(
            model,
            features,
            labels,
            number=order.number,
            seed=self.seed,
            started=started,
        )
        self.model = model
        result.save(self.place)
        self.connection.send(("shown",))
        self._report("judging", 0, 1)
        judged(result, model, self.advice).save(self.place)
