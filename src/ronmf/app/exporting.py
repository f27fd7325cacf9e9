"""What leaves the page: a table, and copies of the pictures in one folder per class."""

import csv
import io
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from ..sorting import folder_names
from ..system.writing import open_to_write
from .project import Project
from .thumbnails import opened_inside

__all__ = ["copy_into_folders", "table"]

_COLUMNS = ("path", "class", "certainty", "novelty", "outlier_score", "label")


def _rows(project: Project) -> Iterator[tuple[str, ...]]:
    """Yield what the table says of every readable picture."""
    labels, result = project.log.labels().of, project.result
    places = {} if result is None else result.places
    for name in project.folder.files:
        if name in project.unreadable:
            continue
        label, row = labels.get(name, ""), places.get(name)
        if result is None or row is None:
            yield name, label, "", "", "", label
        else:
            numbers = (result.certainty[row], result.novelty[row], result.outlier[row])
            # A label of now counts more than a clustering of then.
            yield name, label or result.class_of(row), *(f"{x:.4f}" for x in numbers), label


def table(project: Project) -> str:
    """Return all pictures that can be read as CSV."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_COLUMNS)
    writer.writerows(_rows(project))
    return text.getvalue()


def copy_into_folders(project: Project) -> tuple[Path, int]:
    """Copy the pictures into a new folder of the project, one sub-folder per class.

    Returns
    -------
    folder : Path
        ``export-1``, or the next number that is free: nothing is ever overwritten.
    count : int
        How many pictures were copied. One that cannot be read is left out.
    """
    target = _new_folder(project.place)
    rows = list(_rows(project))
    groups = sorted({row[1] for row in rows})
    names = folder_names([group or "not clustered" for group in groups])
    folders = dict(zip(groups, names, strict=True))
    count = 0
    try:
        for row in rows:
            path = project.folder.paths[project.numbers[row[0]]]
            inside = path.relative_to(project.folder.root)
            copy = target / folders[row[1]] / inside
            copy.parent.mkdir(parents=True, exist_ok=True)
            with ExitStack() as stack:
                try:
                    file = stack.enter_context(opened_inside(path, project.root))
                except (OSError, ValueError, RuntimeError):  # it is no longer what it was
                    continue
                with open_to_write(copy, "xb") as new:
                    shutil.copyfileobj(file, new)
            count += 1
    except OSError as error:
        shutil.rmtree(target, ignore_errors=True)
        raise ValueError(f"the pictures could not be copied: {error.strerror}.") from error
    return target, count


def _new_folder(place: Path) -> Path:
    number = 1
    while True:
        folder = place / f"export-{number}"
        try:
            folder.mkdir()
        except FileExistsError:
            number += 1
        else:
            return folder
