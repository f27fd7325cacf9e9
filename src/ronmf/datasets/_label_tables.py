"""Tables of labels: which picture has which class."""

import csv
import io
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from ..system.files import user_path
from ..system.plain_text import one_line, shown_name
from . import _limits as limits
from ._listing import PictureFolder

__all__ = ["LabelTable", "read_label_table"]

_FILE_COLUMNS = ("file", "path", "filename", "picture", "image")
_LABEL_COLUMNS = ("label", "class")  # the first that is there counts
_CLUSTER_COLUMNS = ("class", "certainty")  # with a label, what tables of results have
_NO_LABEL = ("", "-1")


@dataclass(frozen=True)
class LabelTable:
    """Labels of the pictures of a folder.

    Attributes
    ----------
    labels : dict
        Label of each picture that has one.
    unknown : tuple of str
        Names in the table that are no pictures of the folder.
    clusters : dict
        Cluster of each picture, if the table is one of results: with the columns class, certainty
        and label.
    """

    labels: dict[str, str]
    unknown: tuple[str, ...] = ()
    clusters: dict[str, str] = field(default_factory=dict)

    def of(self, files: tuple[str, ...]) -> list[str]:
        """Return the label of each picture; "" where there is none."""
        return [self.labels.get(name, "") for name in files]


def read_label_table(path: str | os.PathLike, folder: PictureFolder) -> LabelTable:
    r"""Read the labels that a table gives to the pictures of a folder.

    Parameters
    ----------
    path : str or path
        A text file in UTF-8, with commas, semicolons or tabs. Its first line names a column
        ``file`` (or path, filename, picture, image) and a column ``label`` (or class), in letters
        of any case; others do not count. Files are relative to the folder or to the table's own
        folder, or absolute. An empty label, or -1, means unlabelled.
    folder : PictureFolder
        The pictures.

    Returns
    -------
    LabelTable

    Raises
    ------
    ValueError
        If the table cannot be read, two rows contradict each other, or no row names a picture.

    Examples
    --------
    >>> import tempfile
    >>> folder = PictureFolder(Path("pictures"), ("a/1.png", "2.png"), ())
    >>> with tempfile.TemporaryDirectory() as place:
    ...     table = Path(place) / "labels.csv"
    ...     _ = table.write_text("Label;File\nowl;a/1.png\n;2.png\n")
    ...     read_label_table(table, folder).labels
    {'a/1.png': 'owl'}
    """
    table = user_path(path)
    names = _PictureNames(folder, table.parent)
    labels: dict[str, str] = {}
    rows: dict[str, int] = {}
    unknown: dict[str, None] = {}
    clusters: dict[str, str] = {}
    for number, name, label, cluster in _rows(table):
        file = names.find(name)
        if file is None:
            unknown[one_line(name, 200)] = None
            continue
        rows.setdefault(file, number)
        if cluster:
            clusters[file] = cluster
        if label in _NO_LABEL:
            continue
        if labels.get(file, label) != label:
            raise ValueError(
                f"labels contradict each other: {one_line(file, 200)!r} is"
                f" {one_line(labels[file], 50)!r} in row {rows[file]} and {one_line(label, 50)!r}"
                f" in row {number} of {shown_name(table)}; keep one."
            )
        labels[file], rows[file] = label, number
    if unknown and not rows:
        raise ValueError(
            f"labels is {shown_name(table)}, none of whose {len(unknown)} files is a picture in"
            f" {shown_name(folder.root)}, the first of them {next(iter(unknown))!r}: give paths"
            " relative to the folder or to the table."
        )
    return LabelTable(labels, tuple(unknown), clusters)


class _PictureNames:
    """Finds which picture a name in a table means."""

    def __init__(self, folder: PictureFolder, table_folder: Path) -> None:
        self.names = frozenset(folder.files)
        # Absolute paths may name the folder by a link that leads to it.
        self.roots = dict.fromkeys(map(shown_name, (folder.root.resolve(), folder.root.absolute())))
        self.starts = dict.fromkeys([*self.roots, shown_name(table_folder.resolve())])

    def find(self, name: str) -> str | None:
        """Return the picture's name in the folder; None if it is none of its pictures."""
        stripped = name.strip()
        for spelling in dict.fromkeys((name, stripped, stripped.replace("\\", "/"))):
            if spelling.removeprefix("./") in self.names:
                return spelling.removeprefix("./")
            for start in self.starts:
                path = os.path.normpath(os.path.join(start, spelling))
                for root in self.roots:
                    inside = os.path.relpath(path, root).replace(os.sep, "/")
                    if inside in self.names:
                        return inside
        return None


def _rows(table: Path) -> Iterator[tuple[int, str, str, str]]:
    """Yield the number, the file, the label and the cluster of each row that names a file."""
    text = _text(table)
    first_line = next(io.StringIO(text, newline=""), "")
    delimiter = max(",;\t", key=first_line.count)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        head = [cell.strip().lower() for cell in next(rows, [])]
        file_column = next((head.index(name) for name in _FILE_COLUMNS if name in head), None)
        label_column = next((head.index(name) for name in _LABEL_COLUMNS if name in head), None)
        if file_column is None or label_column is None:
            raise ValueError(
                f"labels is {shown_name(table)}, whose first line must name the columns file and"
                " label, as in: file,label"
            )
        of_results = {"label", *_CLUSTER_COLUMNS} <= set(head)
        cluster_column = head.index("class") if of_results else len(head)
        for number, row in enumerate(rows, start=2):
            if len(row) > file_column and row[file_column].strip():
                label, cluster = (
                    row[column].strip() if len(row) > column else ""
                    for column in (label_column, cluster_column)
                )
                yield number, row[file_column], label, cluster if of_results else ""
    except csv.Error as error:
        raise ValueError(f"labels is {shown_name(table)}, which is no table: {error}.") from error


def _text(table: Path) -> str:
    if not table.is_file():
        raise FileNotFoundError(f"labels is {shown_name(table)}, which is not a file.")
    with table.open("rb") as file:
        content = file.read(limits.LABEL_TABLE_BYTES + 1)
    if len(content) > limits.LABEL_TABLE_BYTES:
        raise ValueError(f"labels is {shown_name(table)}, which is too large for a table.")
    # Excel's "Unicode text" is UTF-16, and begins by saying so.
    encoding = "utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        # Some spreadsheets say in a first line what parts the columns.
        return re.sub(r"\Asep=.\r?\n", "", content.decode(encoding))
    except UnicodeDecodeError as error:
        raise ValueError(
            f"labels is {shown_name(table)}, which is no text in UTF-8: save it as UTF-8."
        ) from error
