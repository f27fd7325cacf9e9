"""``ronmf data``: which datasets there are, where they are, and whether they are intact."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from .. import datasets

app = typer.Typer(help="List, describe, check and download datasets.", no_args_is_help=True)

Data = Annotated[
    Path | None,
    typer.Option("--data", help="Folder of datasets; RONMF_DATA if not given.", metavar="DIR"),
]
Names = Annotated[list[str], typer.Argument(help="Names of datasets.", metavar="NAME")]
_INSIDE = "inside scikit-learn"


@app.command("list")
def list_(data: Data = None) -> None:
    """Name the datasets, their sizes and where each was found."""
    rows = [
        (
            entry.name,
            str(entry.n_samples),
            str(entry.n_features),
            str(entry.n_classes),
            _place(entry, data),
        )
        for entry in datasets.CATALOG.values()
    ]
    _print_table(("name", "samples", "features", "classes", "where"), rows, right=(1, 2, 3))


@app.command()
def info(
    name: Annotated[str, typer.Argument(help="Name of a dataset.", metavar="NAME")],
    data: Data = None,
) -> None:
    """Describe a dataset: sizes, range of the classes, where it is, where it comes from."""
    entry = datasets.entry_of(name)
    path = datasets.find(entry, data) if entry.file else None
    height, width = entry.image_shape
    lines = [
        ("name", entry.name),
        ("title", entry.title),
        ("samples", str(entry.n_samples)),
        ("features", f"{entry.n_features} ({height} x {width} pixels)"),
        ("classes", str(entry.n_classes)),
    ]
    if path is not None:
        sizes = datasets.measure(entry, path).class_sizes
        lines.append(("per class", f"{min(sizes)} to {max(sizes)}"))
    lines.append(("where", _place(entry, data)))
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
    verdicts = [datasets.verify(name, data) for name in names or datasets.CATALOG]
    rows, bad = [], False
    for verdict in verdicts:
        # A dataset nobody asked for by name may be absent.
        absent = verdict.path is None and not verdict.ok and not names
        bad = bad or not (verdict.ok or absent)
        state = "ok" if verdict.ok else "-" if absent else "WRONG"
        rows.append((verdict.name, state, verdict.text, str(verdict.path or "")))
    _print_table(("name", "state", "", "file"), rows)
    if bad:
        raise typer.Exit(2)


@app.command()
def fetch(names: Names, data: Data = None) -> None:
    """Download datasets to DIR, or to the cache, unless they are here already."""
    entries = [datasets.entry_of(name) for name in names]  # a wrong name stops before any download
    for entry in entries:
        if not entry.file:
            print(f"{entry.name}: {_INSIDE}, nothing to fetch")
            continue
        there = data if data is not None and data.is_dir() else None
        found = datasets.find(entry, there) if data is None or there else None
        if found is not None:
            print(f"{entry.name}: already here, {found}")
            continue
        with _bar(entry.name) as progress:
            path = datasets.fetch(entry.name, data, progress=progress)
        print(f"{entry.name}: fetched, {path} ({datasets.verify(entry.name, data).text})")


def _place(entry: datasets.Entry, data: Path | None) -> str:
    if not entry.file:
        return _INSIDE
    return str(datasets.find(entry, data) or "not here")


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
def _bar(name: str) -> Iterator[Callable[[int, int | None], None] | None]:
    """Show a progress bar on standard error if that is a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn

    columns = (TextColumn(name), BarColumn(), DownloadColumn(), TransferSpeedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(name, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
