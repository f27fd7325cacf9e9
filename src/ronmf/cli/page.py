"""``ronmf app``: the page on which a folder of pictures is labelled and clustered."""

import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from .cluster import Folder, Labels, Seed
from .progress import signs_of_life

__all__ = ["command"]


def command(
    folder: Folder,
    project: Annotated[
        Path | None,
        typer.Option(
            help="Where labels and results are kept; FOLDER/.ronmf if not given.", metavar="DIR"
        ),
    ] = None,
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Port; 0 takes a free one.", metavar="N")
    ] = 0,
    features: Annotated[
        str, typer.Option(help="What to compare.", metavar="auto|pixels|deep")
    ] = "auto",
    clusters: Annotated[str, typer.Option(help="How many.", metavar="N|auto")] = "auto",
    labels: Labels = None,
    seed: Seed = 0,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Open no browser; the address is printed.")
    ] = False,
) -> None:
    """Open a page in the browser to look at pictures, label a few and cluster again.

    It is for this machine alone. Every label is on disk at once; Ctrl-C ends it.
    """
    if features not in ("auto", "pixels", "deep"):
        raise ValueError(f"--features {features!r} is not known; use auto, pixels or deep.")
    if clusters != "auto" and not (clusters.isdecimal() and 1 <= int(clusters) <= 1000):
        raise ValueError(f"--clusters {clusters!r} is neither auto nor a number from 1 to 1000.")
    with ExitStack() as until_it_opens:
        until_it_opens.enter_context(signs_of_life(lambda: "looking for pictures"))

        def say(line: str) -> None:
            until_it_opens.close()
            print(line, flush=True)

        try:
            from ..app.server import serve_folder  # takes seconds
        except ImportError as error:
            raise ImportError(f"the page needs {error.name}: pip install 'ronmf[app]'") from error
        try:
            serve_folder(
                folder,
                project=project,
                port=port,
                features=features,
                clusters=clusters if clusters == "auto" else int(clusters),
                labels=labels,
                seed=seed,
                browser=not no_browser,
                say=say,
            )
        except KeyboardInterrupt:
            print("\nStopped. The labels are kept; the same command goes on.", file=sys.stderr)
            raise typer.Exit(130) from None
