"""What is kept of a folder of pictures: where, and who may use it."""

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryFile

from ..datasets import PictureFolder
from ..system.files import private_folder, remove_leftovers, user_path
from ..system.plain_text import counted, has_control_characters
from ..system.platform import exclusive
from .label_log import LabelLog
from .results import Result, newest_results
from .thumbnails import Thumbnails

__all__ = ["Project", "class_name", "open_project", "project_folder"]

FOLDER = ".ronmf"  # hidden, so that no picture in it is ever listed
THUMBNAILS = "thumbnails.sqlite"
_LONGEST_NAME = 100


class Project:
    """A folder of pictures, and what is kept of it.

    Attributes
    ----------
    folder : PictureFolder
        The pictures; they have their numbers, by their order, as long as the program runs.
    root : Path
        The folder that all pictures lie in, without links.
    place : Path
        Where labels, results, thumbnails and exports are.
    log : LabelLog
        The labels.
    thumbnails : Thumbnails
        The thumbnails.
    result, before : Result or None
        The last fit, and the one before it.
    unreadable : dict
        Pictures that turned out not to be readable, and why.
    features_read : bool
        Whether every picture was read, so that `unreadable` has all of them.
    """

    def __init__(
        self, folder: PictureFolder, place: Path, log: LabelLog, thumbnails: Thumbnails
    ) -> None:
        self.folder, self.place, self.log, self.thumbnails = folder, place, log, thumbnails
        self.root = folder.root.resolve()
        self.numbers = {name: number for number, name in enumerate(folder.files)}
        self.result: Result | None = None
        self.before: Result | None = None
        self.unreadable: dict[str, str] = {}
        self.features_read = False
        self.read_results()

    @property
    def reading_version(self) -> int:
        """A number that changes when more is known of what cannot be read."""
        return 2 * len(self.unreadable) + self.features_read

    def read_results(self) -> None:
        """Read the last two results from disk."""
        results = [*newest_results(self.place), None, None]
        self.before, self.result = results[1], results[0]

    def import_labels(self, labels: dict[str, str], source: str) -> int:
        """Take labels from elsewhere for pictures that nobody touched here; return how many."""
        known = self.log.ever_labelled(labels)
        new = {
            name: class_name(label)
            for name, label in labels.items()
            if name in self.numbers and name not in known
        }
        self.log.do(new, f"{counted(len(new), 'label')} of {source}")
        return len(new)


def class_name(text: str) -> str:
    """Return the name of a class as it is kept, or raise one sentence.

    Examples
    --------
    >>> class_name("  barn   owl ")
    'barn owl'
    """
    name = " ".join(text.split())
    if not name or name == "-1" or has_control_characters(name):
        raise ValueError("a class needs a name of letters or digits, and other than -1.")
    if len(name) > _LONGEST_NAME:
        raise ValueError(f"the name of a class may have {_LONGEST_NAME} characters at most.")
    return name


def project_folder(folder: PictureFolder, project: str | os.PathLike | None) -> Path:
    """Return where a project is kept, made if absent: beside the pictures unless said otherwise.

    Raises
    ------
    ValueError
        If it cannot be written there.
    """
    place = folder.root / FOLDER if project is None else user_path(project)
    root = folder.root.resolve()
    below = place.resolve().relative_to(root).parts if root in place.resolve().parents else ()
    if root == place.resolve() or (below and not any(name.startswith(".") for name in below)):
        raise ValueError(
            f"--project is {place}, inside the folder of pictures, where copies would count as"
            " pictures: give one elsewhere."
        )
    # A stranger's folder must not have us write through its links.
    if project is None and place.is_symlink():
        raise ValueError(f"{place} is a link: remove it, or give --project.")
    try:
        private_folder(place)
        TemporaryFile(dir=place).close()
    except OSError as error:
        raise ValueError(
            f"nothing can be kept in {place} ({error.strerror}): give --project, a folder that can"
            " be written."
        ) from error
    for file in place.iterdir():
        export = file.is_dir() and file.name.startswith("export-")
        if file.is_symlink():
            raise ValueError(f"{file} is a link: remove it, or give another --project.")
        if not file.is_file() and not export:
            raise ValueError(f"{file} is no plain file: remove it, or give another --project.")
    return place


@contextmanager
def open_project(folder: PictureFolder, project: str | os.PathLike | None) -> Iterator[Project]:
    """Open the project of a folder, for this process alone.

    Raises
    ------
    ValueError
        If it is open already, or cannot be kept.
    """
    place = project_folder(folder, project)
    with ExitStack() as stack:
        try:
            stack.enter_context(exclusive(place / "open"))
        except BlockingIOError:
            raise ValueError(
                f"the project {place} is open already: use the page of the other ronmf app, or end"
                " it."
            ) from None
        remove_leftovers(place / "result-")  # of any number
        log = LabelLog(place / "labels.sqlite")
        stack.callback(log.close)
        thumbnails = Thumbnails(place / THUMBNAILS, folder.root.resolve())
        stack.callback(thumbnails.close)
        yield Project(folder, place, log, thumbnails)
