"""The root command, and what every command does with errors and signals."""

import io
import os
import sys
import traceback
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
_OF_THE_INPUT = (ValueError, OSError, ImportError, MemoryError)


def main() -> None:
    """Run the command line; a user sees one sentence for an error, or with --traceback all of it.

    Exit codes: 0 all is well, 1 a bug of ours, 2 bad input, 130 and 143 interrupted and terminated.
    """
    try:
        _run()
    except KeyboardInterrupt:
        print("Stopped.", file=sys.stderr)
        sys.exit(130)
    except Exception as error:
        if "--traceback" in sys.argv[1:]:
            traceback.print_exception(error)
        else:
            print(f"Error: {_sentence(error)}", file=sys.stderr)
        sys.exit(2 if isinstance(error, _OF_THE_INPUT) else 1)
    finally:
        ending.ignore()


def _run() -> None:
    _open_closed_streams()
    ending.install()
    _leave_the_working_folder()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without ± gets the rest
    try:
        _commands()()
    except Exception:
        ending.check()  # Ctrl-C during an import of compiled code comes as an ImportError
        raise


def _sentence(error: Exception) -> str:
    if isinstance(error, MemoryError):
        return "there is not enough memory for this."
    if isinstance(error, _OF_THE_INPUT):
        return one_line(str(error))
    return (
        f"{type(error).__name__}: {one_line(str(error))}. This is a bug of ronmf; please report it"
        " with what the same command shows with --traceback."
    )


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
    named = next((word for word in sys.argv[1:] if not word.startswith("-")), "")
    try:
        import typer

        from .help import plain_help

        # `data` need not wait for scikit-learn.
        wanted = [named] if named in _COMMANDS else _COMMANDS
        parts = {name: import_module(_COMMANDS[name], __package__) for name in wanted}
    except ModuleNotFoundError as error:
        text = f"the command line needs {error.name}: pip install 'ronmf[cli]'"
        raise ImportError(text) from error

    app = typer.Typer(
        help="Sort pictures from a few labels; rerun the experiments of the RONMF paper.",
        no_args_is_help=True,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
    )

    @app.callback(invoke_without_command=True)
    def root(
        version: Annotated[bool, typer.Option("--version", help="Show the version.")] = False,
        traceback: Annotated[
            bool, typer.Option("--traceback", help="Show where in the code an error arose.")
        ] = False,
    ) -> None:
        if version:
            print(f"ronmf {__version__}")
            raise typer.Exit

    for name, part in parts.items():
        if hasattr(part, "app"):
            app.add_typer(part.app, name=name)
        else:
            app.command(name)(part.command)
    command = typer.main.get_command(app)
    plain_help(command)
    _share_option(command, "traceback")
    return command


def _share_option(command: Any, name: str) -> None:
    """Give an option of the root to all commands below it: it may stand before them and after.

    No command is told of it: `main` sees it.
    """
    (option,) = (each for each in command.params if each.name == name)
    option.expose_value = False
    below = list(command.commands.values())
    while below:
        inner = below.pop()
        inner.params.append(option)
        below += getattr(inner, "commands", {}).values()
