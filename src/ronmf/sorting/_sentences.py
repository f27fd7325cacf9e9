"""What `diagnose()` and `hints()` find, in words for who runs ``ronmf cluster``."""

__all__ = ["SENTENCES"]

SENTENCES: dict[str, str] = {
    "one class": "only the class {cluster!r} has labels, so every picture is put into it; label"
    " pictures of others, or give --clusters.",
    "one cluster": "all pictures but labelled ones are in the cluster {cluster!r}; try other"
    " --features, or label more.",
    "empty clusters": "{empty} of {clusters} clusters have no pictures; lower --clusters, or label"
    " pictures of them.",
    "unclear count": "the number of clusters, {clusters}, is a guess: no number parts the pictures"
    " clearly (modularity {modularity:.2f}); give --clusters if you know it, or label some"
    " pictures.",
    "doubted labels": "{count} picture{s} ({names}) seem to have wrong labels, which were set"
    " aside: look again.",
    "overruled labels": "{count} picture{s} ({names}) ended up in another cluster than labelled:"
    " look again.",
    "chance": "of {hidden} labels that were hidden {right} were predicted, about what guessing"
    " would do: try other --features, or label more.",
    "unreached": "{count} picture{s} ({names}) are like no labelled one, so their clusters are"
    " guesses: label some of them.",
    "no labels": "there are no labels, so nothing tells whether these are the clusters you want;"
    " label two or more pictures of each class.",
    "no evidence": "no label could be hidden, so nothing tells whether the clusters suit the"
    " classes; label two or more pictures of each class.",
    "little evidence": "of {hidden} labels that could be hidden {right} were predicted, too few to"
    " tell whether the clusters suit the classes; label two or more pictures of each class.",
    "not converged": "the fit {reason}: the clusters may still change a little.",
    "class of two": "the class {cluster!r} looks like two clusters, one of {count} picture{s}"
    " ({names}); should it be two classes?",
    "unnamed class": "{count} picture{s} without a label ({names}) look like a class of their own;"
    " label some, or raise --clusters.",
}
"""By kind of :class:`ronmf.estimators.trouble.Trouble`, which says what stands in braces."""
