"""Labels that users give to pictures, and what to say of those that do not count."""

import os

from ..datasets import PictureFolder, read_label_table
from ..system.plain_text import counted, one_line, short_name

__all__ = ["lost_labels", "told_labels"]

_NAMED = 5  # classes that a sentence names
_IF_CLASSES = (
    "If they are classes, cluster again with --labels folders and --force (in Python"
    ' labels="folders", force=True).'
)


def told_labels(
    labels: str | os.PathLike | None, listed: PictureFolder
) -> tuple[dict[str, str] | None, list[str]]:
    """Return the given labels by file, and what to say of them."""
    if labels is None:
        parents = {name for name in listed.folder_labels() if name}
        if 1 < len(parents) < len(listed.files) / 2:
            text = f"The names of the {len(parents)} sub-folders were not used as labels."
            return None, [f"{text} {_IF_CLASSES}"]
        return None, []
    if labels == "folders":
        found = dict(zip(listed.files, listed.folder_labels(), strict=True))
        none = "There are no sub-folders with pictures, so there are no labels."
        return found, [] if any(found.values()) else [none]
    table = read_label_table(labels, listed)
    if not table.unknown:
        return table.labels, [] if table.labels else ["The table of labels gives no label."]
    one, first = len(table.unknown) == 1, table.unknown[0]
    text = f"{counted(len(table.unknown), 'row')} of the labels name{'s' if one else ''} no picture"
    where = f"of the folder{':' if one else ', the first'} {first!r}"
    return table.labels, [f"{text} {where}; {'it was' if one else 'they were'} passed over."]


def lost_labels(given: dict[str, str], folder: PictureFolder) -> list[str]:
    """Return what to say of labels whose pictures cannot be read."""
    readable = set(folder.files)
    lost = {name: label for name, label in given.items() if label and name not in readable}
    if not lost:
        return []
    kept = {given[name] for name in folder.files if name in given}
    (name, label), one = next(iter(lost.items())), len(lost) == 1
    text = (
        f"{counted(len(lost), 'label')} {'is of a picture' if one else 'are of pictures'} that"
        f" cannot be read, and {'does' if one else 'do'} not count{':' if one else ', the first'}"
        f" {short_name(name)!r} ({one_line(label, 60)!r})."
    )
    if gone := sorted(set(lost.values()) - kept):
        some = ", ".join(repr(one_line(each, 60)) for each in gone[:_NAMED])
        more = ", ..." if len(gone) > _NAMED else ""
        text += f" So nothing is labelled {some}{more}, and no cluster has such a name."
    return [text]
