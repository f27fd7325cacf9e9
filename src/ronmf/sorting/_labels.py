"""Labels that users give to pictures, and what to say of those that do not count."""

import os
from collections.abc import Mapping

from ..datasets import PictureFolder, read_label_table
from ..system.plain_text import counted, one_line, short_name

__all__ = ["advice_on_unreadable", "read_labels"]

_NAMED_CLASSES = 5  # in a sentence
_IF_CLASSES = (
    "If they are classes, cluster again with --labels folders and --force (in Python"
    ' labels="folders", force=True).'
)


def read_labels(
    labels: str | os.PathLike | None, folder: PictureFolder
) -> tuple[dict[str, str], list[str]]:
    """Return the given labels by file, and what to say of them."""
    if labels is None:
        parents = {name for name in folder.folder_labels() if name}
        if 1 < len(parents) < len(folder.files) / 2:
            text = f"The names of the {len(parents)} sub-folders were not used as labels."
            return {}, [f"{text} {_IF_CLASSES}"]
        return {}, []
    if labels == "folders":
        names = dict(zip(folder.files, folder.folder_labels(), strict=True))
        none = "There are no sub-folders with pictures, so there are no labels."
        return names, [] if any(names.values()) else [none]
    table = read_label_table(labels, folder)
    if not table.unknown:
        return table.labels, [] if table.labels else ["The table of labels gives no label."]
    one, first = len(table.unknown) == 1, table.unknown[0]
    return table.labels, [
        f"{counted(len(table.unknown), 'row')} of the labels name{'s' if one else ''} no picture"
        f" of the folder{':' if one else ', the first'} {first!r};"
        f" {'it was' if one else 'they were'} passed over."
    ]


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
