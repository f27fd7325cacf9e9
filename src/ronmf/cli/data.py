"""``ronmf data``: which datasets there are, where they are, and whether they are what they should be."""

import typer

app = typer.Typer(help="Datasets.", no_args_is_help=True)
