"""``ronmf predict``: new pictures, sorted by a model that was kept."""

import csv
import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from ..system.files import user_path, writable
from ..system.plain_text import counted, one_line
from .cluster import (
    Copy,
    Folder,
    Json,
    Link,
    Quiet,
    how_to_sort,
    print_skipped,
    without_warnings,
)
from .stages import show_stages

__all__ = ["command"]


def command(
    model: Annotated[
        Path, typer.Argument(help="model.ronmf, or the folder it lies in.", metavar="MODEL")
    ],
    folder: Folder,
    features: Annotated[
        Path | None,
        typer.Option(help="The .npy or .onnx file, if the model was made of one.", metavar="FILE"),
    ] = None,
    unknown: Annotated[
        str | None,
        typer.Option(
            help="The class of pictures that look like no labelled class.", metavar="NAME"
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            help="CSV file, or with --copy or --link the folder to make.",
            metavar="FILE|DIR",
        ),
    ] = None,
    copy: Copy = False,
    link: Link = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Sort new pictures with a model of ronmf cluster: path, class, certainty, novelty.

    Novelty says how likely a picture belongs to no labelled class; above 0.5 it gets the name after
    --unknown, if that is given.

    The table goes to standard output, or to the file after --out, which must not exist.
    """
    sort = how_to_sort(copy, link)
    if sort is not None and out is None:
        raise ValueError(f"--{sort} needs a folder to make: give it with --out.")
    if as_json and out is not None:
        raise ValueError("--json goes to standard output; leave out --out, or --json.")
    goal = None if out is None else user_path(out)
    if goal is not None and goal.exists():
        raise FileExistsError(f"--out is {goal}, which exists; name another.")
    if goal is not None:
        writable(goal)
    with show_stages(quiet) as report, without_warnings():
        from ..sorting import predict_folder  # takes seconds

        new = predict_folder(model, folder, features=features, unknown=unknown, report=report)
        if sort is not None and goal is not None:
            new.sort_into(goal, sort, lambda done, total: report("sorting", done, total))
    print_skipped(new.folder.skipped, "")
    rows = new.rows()
    if goal is not None and sort is None:
        new.save_table(goal)
        print(f"Wrote {one_line(str(goal))}.")
    elif goal is not None:
        print(f"Sorted {counted(len(rows), 'picture')} into {one_line(str(goal))}.")
    elif as_json:
        skipped = list(map(asdict, new.folder.skipped))
        print(json.dumps({"pictures": rows, "skipped": skipped}, indent=1))
    else:
        # Names of strangers must not command a terminal; a file gets them as they are.
        clean = one_line if sys.stdout.isatty() else str
        # A name may hold a carriage return, which the writer does not take for an end of line.
        returns = any("\r" in row["path"] for row in rows)
        quoting: Any = csv.QUOTE_ALL if returns else csv.QUOTE_MINIMAL
        table = csv.writer(sys.stdout, lineterminator="\n", quoting=quoting)
        table.writerow(rows[0])
        for row in rows:
            numbers = (f"{row[name]:.4f}" for name in ("certainty", "novelty"))
            table.writerow((clean(row["path"]), clean(row["class"]), *numbers))
