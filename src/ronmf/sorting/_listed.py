"""The pictures of a folder, of which there must be some."""

import os

from ..datasets import PictureFolder, list_pictures
from ..datasets._listing import shown_name
from ..system.plain_text import counted

__all__ = ["some_pictures"]


def some_pictures(folder: str | os.PathLike) -> PictureFolder:
    """List the pictures of a folder; if there are none, raise one sentence that says why."""
    listed = list_pictures(folder)
    if listed.files:
        return listed
    text = f"the folder {shown_name(listed.root)} holds no picture that can be read"
    if listed.skipped:
        first = listed.skipped[0]
        text += (
            f": of {counted(len(listed.skipped), 'file')} passed over, the first is"
            f" {first.file!r}, and the reason {first.reason}"
        )
    raise ValueError(f"{text}.")
