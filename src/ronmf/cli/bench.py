"""``ronmf bench``: run a plan; tables, figures and a report from its rows."""

import typer

app = typer.Typer(help="Experiments.", no_args_is_help=True)
