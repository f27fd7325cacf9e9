"""The pictures of a folder, of which there must be some."""

import os
from collections.abc import Sequence

from ..datasets import PictureFolder, list_pictures
from ..datasets._listing import Skipped
from ..system.plain_text import counted, shown_name

__all__ = ["list_some_pictures", "no_picture_error"]


def list_some_pictures(folder: str | os.PathLike) -> PictureFolder:
    """List the pictures of a folder; if there are none, raise one sentence that says why."""
    pictures = list_pictures(folder)
    if not pictures.files:
        raise no_picture_error(pictures, pictures.skipped, "passed over")
    return pictures


def no_picture_error(
    folder: PictureFolder, unreadable: Sequence[Skipped], what_was_done: str
) -> ValueError:
    """Return the error that no picture of a folder can be read, with the first of the reasons."""
    text = f"the folder {shown_name(folder.root)} holds no picture that can be read"
    if unreadable:
        text += (
            f": of {counted(len(unreadable), 'file')} {what_was_done}, the first is"
            f" {unreadable[0].file!r}, and the reason {unreadable[0].reason}"
        )
    return ValueError(f"{text}.")
