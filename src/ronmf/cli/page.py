"""``ronmf app``: the page on which a folder of pictures is labelled and clustered."""

import sys
from pathlib import Path
from typing import Annotated

import typer

__all__ = ["command"]


def command(
    folder: Annotated[Path, typer.Argument(help="A folder of pictures, at any depth.")],
    project: Annotated[
        Path | None,
        typer.Option(help="Where labels and results are kept; FOLDER/.ronmf if not given."),
    ] = None,
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes a free one.")] = 0,
    features: Annotated[str, typer.Option(help="auto, pixels or deep.")] = "auto",
    clusters: Annotated[str, typer.Option(help="How many, or auto.", metavar="N|auto")] = "auto",
    labels: Annotated[
        str | None,
        typer.Option(
            help="A table of labels (file,label), or: folders, for the names of sub-folders.",
            metavar="FILE|folders",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of everything random.")] = 0,
    browser: Annotated[bool, typer.Option(help="Open the browser.")] = True,
) -> None:
    """Open a page in the browser to look at pictures, label a few and cluster again.

    It is for this machine alone. Every label is on disk at once; Ctrl-C ends it.
    """
    if features not in ("auto", "pixels", "deep"):
        raise ValueError(f"--features {features!r} is not known; use auto, pixels or deep.")
    if clusters != "auto" and not (clusters.isdecimal() and 1 <= int(clusters) <= 1000):
        raise ValueError(f"--clusters {clusters!r} is neither auto nor a number from 1 to 1000.")
    try:
        from ..app.server import serve_folder
    except ImportError as error:
        raise ImportError(f"The page needs {error.name}: pip install 'ronmf[app]'") from error

    try:
        serve_folder(
            folder,
            project=project,
            port=port,
            features=features,
            clusters=clusters if clusters == "auto" else int(clusters),
            labels=labels,
            seed=seed,
            browser=browser,
            say=lambda line: print(line, flush=True),
        )
    except KeyboardInterrupt:
        print("\nStopped. The labels are kept; the same command goes on.", file=sys.stderr)
        raise typer.Exit(130) from None
