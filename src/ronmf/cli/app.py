"""The root command, and what every command does with errors and signals."""

import io
import os
import sys
from importlib import import_module
from typing import Annotated, Any

from .. import __version__
from ..system.plain_text import one_line
from . import ending

__all__ = ["main"]

_COMMANDS = {
    "cluster": ".cluster",
    "predict": ".predict",
    "app": ".page",
    "data": ".data",
    "bench": ".bench",
}


def main() -> None:
    """Run the command line; a user sees one sentence for an error, never a traceback.

    Exit codes: 0 all is well, 1 a bug of ours, 2 bad input, 130 and 143 interrupted and terminated.
    """
    try:
        _open_closed_streams()
        ending.install()
        _leave_the_working_folder()
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="replace")  # a terminal without ± gets the rest
        _commands()()
    except KeyboardInterrupt:
        print("Stopped.", file=sys.stderr)
        sys.exit(130)
    except (ValueError, OSError, ImportError) as error:
        print(f"Error: {one_line(str(error))}", file=sys.stderr)
        sys.exit(2)
    except MemoryError:
        print("Error: there is not enough memory for this.", file=sys.stderr)
        sys.exit(2)
    except Exception as error:
        if "RONMF_TRACEBACK" in os.environ:
            raise
        print(
            f"Error: {type(error).__name__}: {error}. This is a bug of ronmf; please report it with"
            " what RONMF_TRACEBACK=1 shows.",
            file=sys.stderr,
        )
        sys.exit(1)
    finally:
        ending.ignore()


def _open_closed_streams() -> None:
    """Let what is printed go nowhere if its stream was closed before we began."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, io.StringIO())


def _leave_the_working_folder() -> None:
    """From now on, import nothing from the folder that ``python -m`` was started in.

    What the package itself has imported by then came from there; ``ronmf``, the script, and
    ``python -P -m ronmf`` never look there.
    """
    try:
        here = os.getcwd()
    except FileNotFoundError:  # it was removed meanwhile
        here = ""
    sys.path[:] = [folder for folder in sys.path if folder not in ("", here)]


def _commands() -> Any:
    """Return the commands, of the part that is asked for if that is clear."""
    try:
        import typer

        # `data` need not wait for scikit-learn.
        wanted = [name for name in _COMMANDS if name in sys.argv[1:2]] or _COMMANDS
        parts = {name: import_module(_COMMANDS[name], __package__) for name in wanted}
    except ImportError as error:
        sys.exit(f"The command line needs {error.name}: pip install 'ronmf[cli]'")

    app = typer.Typer(
        help="Sort pictures from a few labels; rerun the experiments of the RONMF paper.",
        no_args_is_help=True,
        add_completion=False,
        rich_markup_mode="markdown",  # lines of a paragraph flow together
        pretty_exceptions_enable=False,
    )

    @app.callback(invoke_without_command=True)
    def root(version: Annotated[bool, typer.Option("--version", help="Show it.")] = False) -> None:
        if version:
            print(f"ronmf {__version__}")
            raise typer.Exit

    for name, part in parts.items():
        if hasattr(part, "app"):
            app.add_typer(part.app, name=name)
        else:
            app.command(name)(part.command)
    return app
