"""Labels that users give to pictures, and what to say of those that do not count."""

import os
import re
from collections.abc import Mapping, Sequence

import numpy as np

from ..datasets import PictureFolder, read_label_table
from ..system.plain_text import counted, one_line, short_name

__all__ = ["advice_on_unreadable", "earlier_clusters", "read_labels"]

_NAMED_CLASSES = 5  # in a sentence
_IF_CLASSES = (
    "If they are classes, cluster again with --labels folders and --force (in Python"
    ' labels="folders", force=True).'
)


def read_labels(
    labels: str | os.PathLike | None, folder: PictureFolder
) -> tuple[dict[str, str], list[str], dict[str, str]]:
    """Return labels by file, what to say of them, and clusters by file of a table of results."""
    if labels is None:
        parents = {name for name in folder.folder_labels() if name}
        if 1 < len(parents) < len(folder.files) / 2:
            text = f"The names of the {len(parents)} sub-folders were not used as labels."
            return {}, [f"{text} {_IF_CLASSES}"], {}
        return {}, [], {}
    if labels == "folders":
        names = dict(zip(folder.files, folder.folder_labels(), strict=True))
        none = "There are no sub-folders with pictures, so there are no labels."
        return names, [] if any(names.values()) else [none], {}
    table = read_label_table(labels, folder)
    if not table.unknown:
        advice = [] if table.labels else ["The table of labels gives no label."]
        return table.labels, advice, table.clusters
    one, first = len(table.unknown) == 1, table.unknown[0]
    advice = [
        f"{counted(len(table.unknown), 'row')} of the labels name{'s' if one else ''} no picture"
        f" of the folder{':' if one else ', the first'} {first!r};"
        f" {'it was' if one else 'they were'} passed over."
    ]
    return table.labels, advice, table.clusters


def earlier_clusters(
    clusters: Mapping[str, str], files: Sequence[str]
) -> tuple[np.ndarray, int] | None:
    """Return the clusters of an earlier result, if its own table gave the labels.

    Parameters
    ----------
    clusters : mapping
        The cluster of each picture of that result.
    files : sequence of str
        The pictures of now.

    Returns
    -------
    (ndarray of int, int) or None
        The cluster of each picture, -1 where it was not there, and how many of the clusters were
        classes: the first ones. None if there was no such result.
    """
    found = sorted({clusters[name] for name in files if name in clusters}, key=_named_first)
    if not found:
        return None
    numbers = {name: number for number, name in enumerate(found)}
    labels = [numbers[clusters[name]] if name in clusters else -1 for name in files]
    return np.array(labels), sum(_named_first(name)[0] == 0 for name in found)


def _named_first(cluster: str) -> tuple[int, str]:
    return int(re.fullmatch(r"cluster \d+'*", cluster) is not None), cluster


def advice_on_unreadable(given: Mapping[str, str], folder: PictureFolder) -> list[str]:
    """Return what to say of labels whose pictures are not among the readable ones of a folder."""
    readable = set(folder.files)
    lost = {name: label for name, label in given.items() if label and name not in readable}
    if not lost:
        return []
    (name, label), one = next(iter(lost.items())), len(lost) == 1
    text = (
        f"{counted(len(lost), 'label')} {'is of a picture' if one else 'are of pictures'} that"
        f" cannot be read, and {'does' if one else 'do'} not count{':' if one else ', the first'}"
        f" {short_name(name)!r} ({one_line(label, 60)!r})."
    )
    kept = {label for name, label in given.items() if name in readable}
    if gone := sorted(set(lost.values()) - kept):
        some = ", ".join(repr(one_line(each, 60)) for each in gone[:_NAMED_CLASSES])
        more = ", ..." if len(gone) > _NAMED_CLASSES else ""
        text += f" So nothing is labelled {some}{more}, and no cluster has such a name."
    return [text]
