"""The graph where clusters without a name stay beside the labelled classes, and what is known."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ..labels.hidden_labels import Trial, run_trials
from ..labels.wrong_labels import check_labels, doubts_pay
from ..storage._products import template
from .discovery import Discovery
from .evidence import Evidence, unit_operator
from .graph_search import GraphSearch

__all__ = ["evidence_beside_unnamed"]


def evidence_beside_unnamed(discovery: Discovery, search: GraphSearch) -> Evidence:
    """Return a graph that given and guessed labels chose, and what hidden ones say.

    Every cluster counts as a class, with guessed labels beside those that it has. Guesses are made
    of labels, so they must not be there when these are hidden: trials guess anew from the labels
    that are left, and predict on the graph that no label has shaped. By them labels are doubted
    before the graph is chosen.

    Parameters
    ----------
    discovery : Discovery
        The clusters.
    search : GraphSearch
        Of the given labels.
    """
    codes, doubted = search.codes, None
    trials = _trials(discovery, codes, search)
    wrong = check_labels(codes, trials) if search.settings.check_labels else np.zeros(0, dtype=int)
    if len(wrong):
        trusted = codes.copy()
        trusted[wrong] = -1
        after = _trials(discovery, trusted, search)
        predicted = _prediction(discovery, trusted, search.X, search)[wrong]
        if doubts_pay(trials, after, wrong, predicted, len(wrong)):
            doubted = np.where(trusted >= 0, -1, codes)
            codes, trials = trusted, after
    settings = replace(search.settings, check_labels=False)
    found = replace(search, codes=discovery.guessed(codes), settings=settings).evidence()
    if found.report is not None:
        hidden = [trial.predictions.argmax(axis=1) == trial.truth for trial in trials]
        n_hidden = len(np.unique([i for trial in trials for i in trial.hidden]))
        accuracy = float(np.concatenate(hidden).mean()) if hidden else float("nan")
        reason = (
            f"{len(discovery.unnamed)} clusters without a name count as classes with guessed"
            " labels, which chose the graph with the given ones. "
        )
        if n_hidden:
            reason += (
                f"{n_hidden} given labels were hidden in turn, and {accuracy:.3f} of them"
                " predicted, on the graph that no label has shaped."
            )
        else:
            reason += "No given label could be hidden."
        report = replace(found.report, n_hidden=n_hidden, accuracy=accuracy, reason=reason)
        found = replace(found, report=report)
    return replace(found, trials=trials, tentative=(), doubted=doubted)


def _trials(discovery: Discovery, codes: np.ndarray, search: GraphSearch) -> list[Trial]:
    """Return predictions of hidden labels, with guesses made from those that are left."""
    return run_trials(
        codes, lambda kept: _prediction(discovery, kept, search.X, search), search.rng
    )


def _prediction(discovery: Discovery, codes: np.ndarray, X: Any, search: GraphSearch) -> np.ndarray:
    """Return what some labels predict of all samples, on the graph that no label has shaped."""
    operator = unit_operator(discovery.evidence.graph, template(X))
    guessed = discovery.guessed(codes)
    return search.settings.propagation.predict(operator, guessed, discovery.n_clusters)
