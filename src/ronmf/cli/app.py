"""The root command, and what every command does with errors."""

import sys

__all__ = ["main"]


def main() -> None:
    """Run the command line; a user sees one sentence for an error, never a traceback.

    Exit codes: 0 all is well, 2 bad input, 130 interrupted.
    """
    try:
        import click
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
    app.add_typer(data.app, name="data")
    app.add_typer(bench.app, name="bench")
    try:
        status = app(standalone_mode=False)
    except click.exceptions.Abort:
        _leave("Interrupted.", 130)
    except click.ClickException as error:
        error.show()
        sys.exit(2)
    except KeyboardInterrupt:
        _leave("Interrupted; the same command goes on where it stopped.", 130)
    except BrokenPipeError:  # the reader of our output has gone, for example `| head`
        sys.stderr.close()
        sys.exit(0)
    except (ValueError, OSError, ImportError) as error:
        _leave(f"Error: {error}", 2)
    sys.exit(status if isinstance(status, int) else 0)


def _leave(message: str, status: int) -> None:
    print(message, file=sys.stderr)
    sys.exit(status)
