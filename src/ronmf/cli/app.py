"""The root command, and what every command does with errors."""

import sys
from importlib import import_module
from typing import Annotated

from .. import __version__

__all__ = ["main"]

_COMMANDS = ("data", "bench")


def main() -> None:
    """Run the command line; a user sees one sentence for an error, never a traceback.

    Exit codes: 0 all is well, 2 bad input, 130 interrupted.
    """
    try:
        import typer

        # Only what is asked for, if that is clear: `data` need not wait for scikit-learn.
        wanted = [name for name in _COMMANDS if name in sys.argv[1:2]] or _COMMANDS
        parts = {name: import_module(f".{name}", __package__) for name in wanted}
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

    for name, part in parts.items():
        app.add_typer(part.app, name=name)
    try:
        app()
    except (ValueError, OSError, ImportError) as error:
        print(f"Error: {error}", file=sys.stderr)
        sys.exit(2)
