"""A sign that a result should not be trusted: what it is, in numbers, and its sentence."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ["SENTENCES", "Trouble", "TroubleWarning"]

_NAMED_SAMPLES = 5  # that a sentence calls by name

SENTENCES: dict[str, str] = {
    "one class": "only the class {cluster!r} has labels, so every sample is put into it; label"
    " samples of others, or give n_clusters.",
    "one cluster": "all samples but labelled ones are in the cluster {cluster!r}; try features that"
    " tell classes apart, or label more.",
    "empty clusters": "{empty} of {clusters} clusters have no samples, the first of them"
    " {cluster!r}; lower n_clusters, or label samples of them.",
    "no structure": "without some of the edges of the graph other clusters are found (adjusted Rand"
    " index {stability:.2f}), as in noise: there may be none; try features that show them, or label"
    " two or more samples of each class.",
    "strangers": "about {count} of {samples} samples look like no labelled class;"
    " label some, or keep them apart by n_clusters='auto'.",
    "doubted labels": "{count} sample{s} ({names}) seem to have wrong labels, which were set aside:"
    " look again, or trust all labels with check_labels=False.",
    "overruled labels": "{count} sample{s} ({names}) ended up in another cluster than labelled:"
    " look again, or raise label_weight.",
    "chance": "of {hidden} labels that were hidden {right} were predicted, about what guessing"
    " would do: the graph does not know these classes, so try features that show them, or label"
    " more.",
    "unreached": "{count} sample{s} ({names}) are joined with no label by any path of the graph, so"
    " their clusters are guesses: label some of them, or raise n_neighbors.",
    "no labels": "there are no labels, so nothing tells whether the graph suits the classes; label"
    " two or more samples of each class.",
    "no evidence": "no label could be hidden, so nothing tells whether the graph suits the classes;"
    " label two or more samples of each class.",
    "little evidence": "of {hidden} labels that could be hidden {right} were predicted, too few to"
    " tell whether the graph suits the classes; label two or more samples of each class.",
    "not converged": "the fit {reason}; raise max_iter or tol, as in"
    " set_params(solver__max_iter={more}).",
    "class of two": "the class {cluster!r} looks like two clusters, one of {count} sample{s}"
    " ({names}); should it be two classes?",
    "unnamed class": "{count} unlabelled sample{s} ({names}) look like a class that has no label;"
    " label some, or raise n_clusters.",
}
"""Sentences for who writes Python, by kind of trouble. ``{count}`` is how many samples it is about,
``{s}`` the ending of their plural, and ``{names}`` what the first of them are called."""


class TroubleWarning(UserWarning):
    """A fit warns of troubles that ``diagnose()`` tells of too."""


@dataclass(frozen=True)
class Trouble:
    """A sign that a result should not be trusted; ``print`` it.

    Attributes
    ----------
    kind : str
        A key of ``SENTENCES``.
    samples : tuple of int
        The samples that it is about, if it is about some.
    numbers : dict
        What else its sentence says: numbers, and the name of a cluster or class.
    """

    kind: str
    samples: tuple[int, ...] = ()
    numbers: Mapping[str, Any] = field(default_factory=dict)

    def sentence(
        self, sentences: Mapping[str, str] | None = None, name: Callable[[int], str] = str
    ) -> str:
        """Return what is the matter, and what to do.

        Parameters
        ----------
        sentences : mapping, default=None
            Sentences by kind, for those who use something else than Python; None: ``SENTENCES``.
        name : callable, default=str
            ``name(i)`` says what sample i is called, such as its file.

        Examples
        --------
        >>> trouble = Trouble("doubted labels", (3,))
        >>> trouble.sentence({"doubted labels": "Look at {names}."}, "abcd".__getitem__)
        'Look at d.'
        """
        names = ", ".join(map(name, self.samples[:_NAMED_SAMPLES]))
        names += ", ..." * (len(self.samples) > _NAMED_SAMPLES)
        plural = "s" * (len(self.samples) != 1)
        words = (SENTENCES if sentences is None else sentences)[self.kind]
        return words.format(count=len(self.samples), s=plural, names=names, **self.numbers)

    def __str__(self) -> str:
        return self.sentence()
