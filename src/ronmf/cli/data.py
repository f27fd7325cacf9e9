"""``ronmf data``: which datasets there are, where they are, and whether they are intact."""

import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from .. import datasets
from .progress import signs_of_life

app = typer.Typer(
    help="List, describe, check and download datasets.\n\nWithout --data they are looked for in the"
    " folder that the environment variable RONMF_DATA names, and in the cache.",
    no_args_is_help=True,
)

Data = Annotated[
    Path | None,
    typer.Option("--data", help="Folder of datasets; $RONMF_DATA if not given.", metavar="DIR"),
]
Names = Annotated[list[str], typer.Argument(help="Names of datasets.", metavar="NAME")]
_INSIDE, _ABSENT = "inside scikit-learn", "not here"


@app.command("list")
def list_(data: Data = None) -> None:
    """Name the datasets, their sizes, where each was found, and where the others come from."""
    entries = datasets.CATALOG.values()
    with signs_of_life(lambda: "looking for datasets"):
        places = [_place(entry, data) for entry in entries]
    rows = [
        (entry.name, str(entry.n_samples), str(entry.n_features), str(entry.n_classes), place)
        for entry, place in zip(entries, places, strict=True)
    ]
    _print_table(("name", "samples", "features", "classes", "where"), rows, right=(1, 2, 3))
    absent = [entry for entry, row in zip(entries, rows, strict=True) if row[-1] == _ABSENT]
    if absent:
        print("\nNot here, and where they come from:")
        for entry in absent:
            print(f"  {entry.name:<8} {entry.page}")
        names = [entry.name for entry in absent]
        where = [] if data is None else ["--data", str(data)]
        print(f"To download them:\n  {shlex.join(['ronmf', 'data', 'fetch', *names, *where])}")


@app.command()
def info(
    name: Annotated[str, typer.Argument(help="Name of a dataset.", metavar="NAME")],
    data: Data = None,
) -> None:
    """Describe a dataset: sizes, range of the classes, where it is, where it comes from."""
    entry = datasets.entry_of(name)
    (height, width), (smallest, largest) = entry.image_shape, entry.class_sizes
    lines = [
        ("name", entry.name),
        ("title", entry.title),
        ("samples", str(entry.n_samples)),
        ("features", f"{entry.n_features} ({height} x {width} pixels)"),
        ("classes", str(entry.n_classes)),
        ("per class", f"{smallest} to {largest}"),
        ("where", _place(entry, data)),
    ]
    if entry.file:
        files = " or ".join((entry.file, *entry.mat_files))
        lines += [("file", files), ("sha256", entry.sha256)]
        lines += [("source", source.url) for source in entry.sources]
    lines.append(("page", entry.page))
    for key, value in lines:
        print(f"{key:<10}{value}")


@app.command()
def verify(
    names: Annotated[
        list[str] | None,
        typer.Argument(help="Names; all that are here if none.", metavar="NAME"),
    ] = None,
    data: Data = None,
) -> None:
    """Compare sizes and sha256 with the catalog; exit code 2 if something differs."""
    entries = [datasets.entry_of(name) for name in names or datasets.CATALOG]
    rows: list[tuple[str, ...]] = []
    with signs_of_life(lambda: f"{len(rows)} of {len(entries)} datasets are checked"):
        for entry in entries:
            verdict = datasets.verify(entry.name, data)
            # A dataset that is not named may be absent.
            absent = verdict.path is None and not names
            state = "ok" if verdict.ok else "-" if absent else "WRONG"
            rows.append((verdict.name, state, verdict.text, str(verdict.path or "")))
    _print_table(("name", "state", "", "file"), rows)
    if any(state == "WRONG" for _, state, *_ in rows):
        raise typer.Exit(2)


@app.command()
def fetch(
    names: Names,
    data: Annotated[
        Path | None,
        typer.Option("--data", help="Folder to store in; the cache if not given.", metavar="DIR"),
    ] = None,
) -> None:
    """Download datasets to DIR, or to the cache, unless they are here already."""
    entries = [datasets.entry_of(name) for name in names]  # a wrong name stops before any download
    for entry in entries:
        if not entry.file:
            print(f"{entry.name}: {_INSIDE}, nothing to fetch")
            continue
        # A folder that is not there yet is made by the download.
        is_new = data is not None and not data.exists()
        found = None if is_new else datasets.find(entry.name, data)
        if found is not None:
            print(f"{entry.name}: already here, {found}")
            continue
        with _bar(entry.name) as progress:
            path = datasets.fetch(entry.name, data, progress=progress)
        print(f"{entry.name}: fetched, {path} ({datasets.verify(entry.name, data).text})")


def _place(entry: datasets.Entry, data: Path | None) -> str:
    return _INSIDE if entry.bundled else str(datasets.find(entry.name, data) or _ABSENT)


def _print_table(
    head: tuple[str, ...], rows: Sequence[tuple[str, ...]], right: tuple[int, ...] = ()
) -> None:
    """Print a table for eyes on a terminal, aligned lines that never wrap for a pipe."""
    if sys.stdout.isatty():
        from rich.console import Console
        from rich.markup import escape
        from rich.table import Table

        table = Table(box=None, pad_edge=False)
        for i, title in enumerate(head):
            table.add_column(title, justify="right" if i in right else "left", overflow="fold")
        for row in rows:
            table.add_row(*(escape(cell) for cell in row))
        Console().print(table)
        return
    widths = [max(len(row[i]) for row in [head, *rows]) for i in range(len(head))]
    for row in [head, *rows]:
        cells = [
            cell.rjust(width) if i in right else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        print("  ".join(cells).rstrip())


@contextmanager
def _bar(name: str) -> Iterator[Callable[[int, int | None], None]]:
    """Show on standard error how much came: a bar if that is a terminal, else a line at times."""
    if not sys.stderr.isatty():
        received = 0

        def count(done: int, total: int | None) -> None:
            nonlocal received
            received = done

        with signs_of_life(lambda: f"{name}: {received / 1e6:.1f} MB received"):
            yield count
        return
    from rich import progress as rich
    from rich.console import Console

    columns = (rich.BarColumn(), rich.DownloadColumn(), rich.TransferSpeedColumn())
    console = Console(stderr=True)
    with rich.Progress(rich.TextColumn(name), *columns, console=console, transient=True) as bar:
        task = bar.add_task(name, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
