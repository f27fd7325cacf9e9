"""Which samples of a fit, and which new ones, look like no labelled class."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..graph import Graph
from ..graph._unseen import unseen_probability
from ..graph._walk import DEATH_RATE, meeting_probability, new_meeting_probability
from ..labels.chance import like_chance
from ..labels.hidden_labels import judged_labels
from ..labels.novelty import NamedOdds, death_odds, hidden_walks
from ..labels.novelty_scale import NoveltyScale, fit_novelty
from ..labels.uncertainty import STRANGE

if TYPE_CHECKING:
    from ..labels.encoding import KnownLabels
    from .evidence import Evidence
    from .graph_clusterer import GraphClusterer

__all__ = ["Novelty", "with_unknown"]

_FREE = 0.8
"""Weight of the graph that no label has shaped, beside the one in use. Axes that tell the named
classes apart have no direction in which strangers differ; but where the label-free graph is poor,
the other one helps. Mean AUC over nine sets with half of their classes named: 0.956 with 0.75 to
0.85, 0.951 with 1/2, 0.953 without the graph in use."""
_FEWEST = 4  # hidden labels, of half of the classes, from which a spread can be told
_FEW = 12  # below which strangers are believed only where they are as clear as without any


@dataclass(frozen=True, eq=False)
class Novelty:
    """The novelty of the samples of a fit, and what tells that of new ones.

    Attributes
    ----------
    graph : Graph or None
        A graph that no label has shaped; None if the one in use is such a graph.
    met : ndarray of shape (n_samples, n_graphs)
        Probabilities that a walk from each sample meets a label before it dies: on the graph in use
        and on the other one, if there is one.
    scale : NoveltyScale or None
        What these tell; None without labels: then every sample is new.
    """

    graph: Graph | None
    met: np.ndarray
    scale: NoveltyScale | None

    @classmethod
    def of_fit(cls, evidence: Evidence, known: KnownLabels, probabilities: np.ndarray) -> Novelty:
        """Return the novelty of samples.

        Parameters
        ----------
        evidence : Evidence
            The graphs.
        known : KnownLabels
            The labels. Those that are doubted stop walks too.
        probabilities : ndarray of shape (n_samples, n_clusters)
            Of the clusters of each sample.
        """
        free, n_clusters, codes = evidence.label_free, probabilities.shape[1], known.given
        labels = probabilities.argmax(axis=1)
        graphs = [evidence.graph] if free is None else [evidence.graph, free]
        n_named = int(codes.max(initial=-1)) + 1
        if not n_named:
            return cls(free, np.zeros((len(codes), len(graphs))), None)
        _, predicted, truth = judged_labels(evidence.trials or [])
        walks = hidden_walks(codes, known.codes >= 0)
        parts = walks.kept[:, : 1 + walks.n_parts]
        # Axes of labels know the classes that are hidden: only the other graph can tell of these.
        met = [meeting_probability(graph.affinity, parts) for graph in graphs[:-1]]
        met.append(meeting_probability(graphs[-1].affinity, walks.kept))
        every = np.stack([each[:, 0] for each in met], axis=1)

        def odds(turns: range, of: list[np.ndarray]) -> np.ndarray:
            found = [np.zeros(0)]
            for turn in turns:
                rows = np.stack([each[walks.hidden[turn], turn] for each in of], axis=1)
                found.append(death_odds(_together(rows)) - walks.shift[turn])
            return np.concatenate(found)

        some = range(1, 1 + walks.n_parts)
        share = np.bincount(labels[codes < 0], minlength=n_clusters)[:n_named] + 1e-6
        share = share / share.sum()
        t, n_labels = odds(some, met), np.bincount(codes[codes >= 0])
        rows = np.concatenate(walks.hidden[: 1 + walks.n_parts])
        if len(t) >= _FEWEST and 2 * len(np.unique(codes[rows])) >= n_named:
            shift = np.concatenate(walks.shift).sum() / len(t)
            named = NamedOdds.of_hidden(t, codes[rows], n_labels, shift)
            if len(t) < _FEW:
                named = replace(named, known="guessed")
            usual = odds(some, met[-1:]).mean()
        else:
            sizes = np.bincount(labels, minlength=n_clusters)[:n_named]
            named = NamedOdds.of_sizes(sizes, n_labels, DEATH_RATE)
            usual = share @ named.centres
        of_classes = odds(range(1 + walks.n_parts, walks.kept.shape[1]), met[-1:])
        distance = float(of_classes.mean() - usual) if len(of_classes) else None
        if (codes >= 0).all():
            return cls(free, every, NoveltyScale(np.zeros(1), np.zeros(1)))
        if len(predicted) and like_chance(predicted.argmax(axis=1), truth):  # they tell nothing
            named, distance = replace(named, known="guessed"), None
        unlabelled = death_odds(_together(every[codes < 0]))
        scale = fit_novelty(unlabelled, named, share, distance)
        return cls(free, every, scale)

    def of_samples(self) -> np.ndarray:
        """Return the novelty of the samples of the fit; labelled ones have none."""
        if self.scale is None:
            return np.ones(len(self.met))
        met = _together(self.met)
        return np.where(met == 1, 0.0, self.scale.probability(death_odds(met)))

    def of_new(self, X: Any, graph: Graph, labels: np.ndarray) -> np.ndarray:
        """Return the novelty of new samples, each on its own.

        A new sample may be of no labelled class as some of the fit are, or be unlike all of them.

        Parameters
        ----------
        X : array of shape (n_new, n_features)
            The samples.
        graph : Graph
            The graph in use.
        labels : ndarray of int, shape (n_samples,)
            The clusters of the samples of the fit.
        """
        if self.scale is None:
            return np.ones(X.shape[0])
        links = [each.link(X) for each in (graph, self.graph) if each is not None]
        if not all(indices.shape[1] for indices, _ in links):
            raise ValueError(
                "graph='precomputed' says nothing of new samples, so their novelty is not known;"
                " see novelty_ for those of fit, or build the graph from X."
            )
        columns = zip(self.met.T, links, strict=True)
        met = [new_meeting_probability(each, *link) for each, link in columns]
        walk = self.scale.probability(death_odds(_together(np.stack(met, axis=1))))
        free = graph if self.graph is None else self.graph
        return np.maximum(walk, unseen_probability(free, labels, X))


def _together(met: np.ndarray) -> np.ndarray:
    """Return what the walks on one or two graphs say together: the one in use comes first."""
    return met[:, 0] if met.shape[1] == 1 else (1 - _FREE) * met[:, 0] + _FREE * met[:, 1]


def with_unknown(
    model: GraphClusterer, names: np.ndarray, novelty: np.ndarray, unknown: Any
) -> np.ndarray:
    """Return class names with `unknown` for strangers, in an array that can hold both.

    Parameters
    ----------
    model : GraphClusterer
        The fit.
    names : ndarray of shape (n_samples,)
        Entries of ``classes_``.
    novelty : ndarray of shape (n_samples,)
        Of these samples.
    unknown : object
        What strangers are called.
    """
    strange = np.isin(names, model.classes_[: model._known.n_named]) & (novelty > STRANGE)
    value = np.asarray(unknown)
    if value.ndim:
        raise ValueError(f"unknown={unknown!r} is no single name; give one, such as -1 or 'none'.")
    if value in model.classes_[: model._known.n_named]:
        raise ValueError(f"unknown={unknown!r} is the name of a labelled class; give another one.")
    kinds = {value.dtype.kind, names.dtype.kind}
    if len(kinds) > 1 and not kinds <= set("iuf"):  # 3 and "unknown" would both become strings
        names = names.astype(object)
    return np.where(strange, value if names.dtype != object else unknown, names)
