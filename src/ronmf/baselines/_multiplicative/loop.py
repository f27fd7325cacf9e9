"""One loop of multiplicative updates for every objective that is a sum of terms.

A term T knows its value and, for each factor F it depends on, two non-negative parts of half its
gradient: ``dT/dF = 2 (P - N)``. The loop replaces each factor in turn by ``G = F ∘ ΣN / ΣP``, a
step of gradient descent that is scaled entry by entry with ``F / (2 ΣP)``. The objective cannot
rise if every term satisfies ``T(G) <= T(F) + 2<P - N, G - F> + 2<P/F, (G - F)²>``: at that G the
right-hand sides add up to the objective at F. All terms of this package do so.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from array_api_compat import array_namespace

__all__ = ["STOPPED", "TRIAL", "DataTerm", "Factors", "MultiplicativeFit", "ObjectiveHistory"]
__all__ += ["Problem", "Term", "minimise", "ran_out", "sweep"]

Factors = dict[str, Any]
TRIAL = 30  # iterations of each start before the best is chosen, as in the code of GNMF
_CONVERGED, STOPPED = "converged", "stopped by a callback"


class Term(Protocol):
    """A summand of the objective."""

    def value(self, factors: Factors) -> float:
        """Return the term's value."""
        ...

    def split(self, name: str, factors: Factors) -> tuple[Any, Any] | None:
        """Return N and P (an array, or 0.0) for a factor; None if the term does not see it."""
        ...


class DataTerm(Term, Protocol):
    """The term that compares ``V B'`` with the data."""

    def matrices(self, factors: Factors) -> tuple[Any, Any]:
        """Return V (samples x components) and B (features x components)."""
        ...


@dataclass(frozen=True)
class Problem:
    """An objective and its starts.

    Attributes
    ----------
    data : DataTerm
        How far the product of the factors is from the data.
    terms : sequence of Term
        What is added to it.
    start : callable
        ``rng -> factors``, all positive; the order of the dictionary is the order of the updates.
    fixed : mapping of str to (mask, values)
        Entries of a factor that keep the given values.
    named : bool
        Whether it ties column j of the clusters' scores to class j.
    """

    data: DataTerm
    terms: Sequence[Term]
    start: Callable[[np.random.RandomState], Factors]
    fixed: Mapping[str, tuple[Any, Any]] = field(default_factory=dict)
    named: bool = False

    def value(self, factors: Factors) -> float:
        """Return the objective."""
        return self.data.value(factors) + sum(term.value(factors) for term in self.terms)


@dataclass
class ObjectiveHistory:
    """The objective along the way.

    Attributes
    ----------
    iteration : list of int
        Iterations after which the objective was computed.
    objective : list of float
        Its values.
    """

    iteration: list[int] = field(default_factory=list)
    objective: list[float] = field(default_factory=list)

    def extend(self, later: "ObjectiveHistory", offset: int) -> None:
        """Append a later run, whose iterations are counted from `offset`."""
        self.iteration += [offset + i for i in later.iteration]
        self.objective += later.objective


@dataclass(frozen=True)
class MultiplicativeFit:
    """What the loop hands back.

    Attributes
    ----------
    problem : Problem
        What was solved.
    factors : dict of str to array
        The factors at the end.
    history : ObjectiveHistory
        Of the start that was kept.
    n_iter : int
        Its number of iterations.
    converged : bool
        Whether the tolerance was met.
    stop_reason : str
        Why the iteration ended, in words.
    """

    problem: Problem
    factors: Factors
    history: ObjectiveHistory
    n_iter: int
    converged: bool
    stop_reason: str

    @property
    def matrices(self) -> tuple[Any, Any]:
        """V and B, of which ``V B'`` is close to the data."""
        return self.problem.data.matrices(self.factors)


def sweep(problem: Problem, factors: Factors) -> Factors:
    """Return the factors after one multiplicative update of each."""
    factors = dict(factors)
    for name, F in factors.items():
        parts = [term.split(name, factors) for term in (problem.data, *problem.terms)]
        N = sum(part[0] for part in parts if part is not None)
        P = sum(part[1] for part in parts if part is not None)
        factors[name] = _multiply(F, N, P)
        if name in problem.fixed:
            mask, values = problem.fixed[name]
            factors[name] = array_namespace(F).where(mask, values, factors[name])
    return factors


def _multiply(F: Any, N: Any, P: Any) -> Any:
    """Return ``F ∘ N / P``, where 0/0 is 0."""
    xp = array_namespace(F)
    tiny = float(xp.finfo(F.dtype).smallest_normal)
    F = (F * N) / xp.clip(P, min=tiny)
    # Entries on their way to zero would become subnormal, which slows every product many times.
    return xp.where(tiny**0.5 > F, 0.0, F)


def minimise(
    problem: Problem,
    rng: np.random.RandomState,
    *,
    n_init: int = 1,
    max_iter: int = 200,
    tol: float = 1e-3,
    check_every: int = 10,
    callback: Callable[[int, ObjectiveHistory], bool] | None = None,
) -> MultiplicativeFit:
    """Run a few iterations from `n_init` starts and go on from the one with the lowest objective.

    Parameters
    ----------
    problem : Problem
        Terms and starts.
    rng : RandomState
        Source of the starts.
    n_init : int, default=1
        Number of starts; each gets 30 iterations (or `max_iter`, if less).
    max_iter : int, default=200
        Largest number of iterations of the start that is kept.
    tol : float, default=1e-3
        Stop when `check_every` iterations lower the objective by less than this share of it; 0:
        never.
    check_every : int, default=10
        Iterations between two evaluations of the objective.
    callback : callable, optional
        ``callback(iteration, history)`` after every iteration of every start; a true answer stops.

    Returns
    -------
    MultiplicativeFit
    """
    until = max_iter if n_init == 1 else min(TRIAL, max_iter)
    best = None
    for _ in range(n_init):
        run = _Run(problem, problem.start(rng), tol, check_every, callback)
        reason = run.advance(until)
        if best is None or run.history.objective[-1] < best.history.objective[-1]:
            best = run
        if reason == STOPPED:
            break
    assert best is not None
    if reason != STOPPED:
        reason = best.advance(max_iter)
    words, converged = reason or ran_out(max_iter, tol), reason == _CONVERGED
    return MultiplicativeFit(problem, best.factors, best.history, best.iteration, converged, words)


def ran_out(max_iter: int, tol: float) -> str:
    """Return the words for a run that used up its iterations."""
    what = "did not converge within" if tol else "ran"
    return f"{what} max_iter={max_iter} iterations"


@dataclass
class _Run:
    """One start on its way."""

    problem: Problem
    factors: Factors
    tol: float
    check_every: int
    callback: Callable[[int, ObjectiveHistory], bool] | None
    iteration: int = 0
    history: ObjectiveHistory = field(default_factory=ObjectiveHistory)

    def advance(self, until: int) -> str | None:
        """Iterate up to number `until`; return why it stopped, None if it simply got there."""
        if not self.iteration:
            self._record()
        while self.iteration < until:
            if self._has_converged():
                return _CONVERGED
            self.factors = sweep(self.problem, self.factors)
            self.iteration += 1
            stop = self.callback is not None and self.callback(self.iteration, self.history)
            if stop or self.iteration % self.check_every == 0 or self.iteration == until:
                self._record()
            if stop:
                return STOPPED
        return _CONVERGED if self._has_converged() else None

    def _record(self) -> None:
        value = self.problem.value(self.factors)
        if not math.isfinite(value):
            raise ValueError(
                f"The objective is {value} after {self.iteration} iterations: numbers overflowed;"
                " rescale X, for example to samples of unit length, or lower the weights."
            )
        self.history.iteration.append(self.iteration)
        self.history.objective.append(value)

    def _has_converged(self) -> bool:
        """Whether a full interval up to this very iteration brought next to nothing."""
        at, values = self.history.iteration, self.history.objective
        if not self.tol or len(at) < 2 or at[-1] != self.iteration:
            return False
        gain = values[-2] - values[-1]
        return at[-1] - at[-2] >= self.check_every and gain <= self.tol * abs(values[-2])
