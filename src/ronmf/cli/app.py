"""The root command, and what every command does with errors."""

import sys
from typing import Annotated

from .. import __version__

__all__ = ["main"]


def main() -> None:
    """Run the command line; a user sees one sentence for an error, never a traceback.

    Exit codes: 0 all is well, 2 bad input, 130 interrupted.
    """
    try:
        import typer

        from . import bench, data
    except ImportError as error:
        sys.exit(f"The command line needs {error.name}: pip install 'ronmf[cli]'")

    app = typer.Typer(
        help="Cluster images from a few labels; rerun the experiments of the RONMF paper.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
    )

    @app.callback(invoke_without_command=True)
    def root(version: Annotated[bool, typer.Option("--version", help="Show it.")] = False) -> None:
        if version:
            print(f"ronmf {__version__}")
            raise typer.Exit

    app.add_typer(data.app, name="data")
    app.add_typer(bench.app, name="bench")
    try:
        app()
    except (ValueError, OSError, ImportError) as error:
        print(f"Error: {error}", file=sys.stderr)
        sys.exit(2)
