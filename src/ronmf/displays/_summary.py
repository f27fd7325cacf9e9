"""What a notebook shows of a fitted estimator: its clusters, in a few lines."""

from html import escape
from typing import Any

from ..system.plain_text import counted
from ._contents import DOUBTFUL, picture_urls

__all__ = ["summary_html"]

_MOST = 30  # clusters
_CELL = 'style="text-align: left; padding: 0.1rem 0.8rem 0.1rem 0"'
_PICTURE = 'style="width: 40px; height: 40px; image-rendering: pixelated"'


def summary_html(model: Any) -> str:
    """Return a table of the clusters: prototype, name, size, labels, certainty.

    Parameters
    ----------
    model : estimator
        A fitted one, with probabilities and prototypes.

    Returns
    -------
    str
        A fragment of HTML; names are escaped.
    """
    labels, given, certainty = model.labels_, model._known.given >= 0, model.certainty_
    names = [escape(str(name)) for name in model.classes_]
    try:
        prototypes = picture_urls(model, model.prototypes_[:_MOST])
    except ImportError:  # Pillow, which a summary can do without
        prototypes = []
    rows = []
    for j, name in enumerate(names[:_MOST]):
        members, picture = labels == j, ""
        count = int(members.sum())
        if prototypes:
            picture = f'<img src="{prototypes[j]}" alt="prototype of {name}" {_PICTURE}>'
        cells = (
            picture,
            name,
            count,
            int((members & given).sum()),
            f"{certainty[members].mean():.0%}" if count else "–",
            int((members & (certainty < DOUBTFUL)).sum()),
        )
        rows.append("<tr>" + "".join(f"<td {_CELL}>{cell}</td>" for cell in cells) + "</tr>")
    heads = ("", "cluster", "samples", "labelled", "certainty", f"below {DOUBTFUL:.0%}")
    head = "".join(f'<th scope="col" {_CELL}>{text}</th>' for text in heads)
    rest = counted(len(names) - _MOST, "more cluster")
    more = f"<p>and {rest}</p>" if len(names) > _MOST else ""
    return (
        f"<p>{counted(len(labels), 'sample')} in {counted(len(names), 'cluster')},"
        f" {counted(int(given.sum()), 'label')} given</p>"
        f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>{more}"
    )
