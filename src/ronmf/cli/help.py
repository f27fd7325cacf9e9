"""The pages of ``--help``: plain text in 80 columns, the same with every version of typer."""

import inspect
from types import MethodType
from typing import Any

__all__ = ["plain_help"]


def plain_help(command: Any) -> None:
    """Let a command, and all below it, write their help in our way.

    Parameters
    ----------
    command : typer.core.TyperCommand or typer.core.TyperGroup
        What ``typer.main.get_command`` returned.
    """
    command.format_help = MethodType(_format_help, command)
    command.collect_usage_pieces = MethodType(_usage, command)
    for inner in getattr(command, "commands", {}).values():
        plain_help(inner)


def _format_help(command: Any, ctx: Any, formatter: Any) -> None:
    formatter.write_usage(ctx.command_path, " ".join(_usage(command, ctx)))
    formatter.write_paragraph()
    formatter.write_text(inspect.cleandoc(command.help or ""))
    parameters = command.get_params(ctx)
    arguments = [each for each in parameters if each.param_type_name == "argument"]
    options = [each for each in parameters if each.param_type_name == "option" and not each.hidden]
    commands = getattr(command, "commands", {})
    _write_section(formatter, "Commands", [(name, _summary(commands[name])) for name in commands])
    _write_section(formatter, "Arguments", [(_value(each), each.help or "") for each in arguments])
    _write_section(formatter, "Options", [(_names(each), _text(each)) for each in options])


def _usage(command: Any, ctx: Any) -> list[str]:
    """Return what follows the name of a command in the line of its usage."""
    pieces = []
    for each in command.get_params(ctx):
        if each.param_type_name == "argument":
            name = _value(each) + "..." * (each.nargs != 1)
            pieces.append(name if each.required else f"[{name}]")
    return ["[OPTIONS]", *pieces, *["COMMAND ..."] * hasattr(command, "commands")]


def _write_section(formatter: Any, title: str, rows: list[tuple[str, str]]) -> None:
    if rows:
        with formatter.section(title):
            formatter.write_dl(rows)


def _summary(command: Any) -> str:
    """Return the first paragraph of a command's help."""
    return " ".join(inspect.cleandoc(command.help or "").split("\n\n")[0].split())


def _value(parameter: Any) -> str:
    """Return what stands for the value of a parameter."""
    return parameter.metavar or parameter.name.upper()


def _names(option: Any) -> str:
    names = ", ".join(sorted(option.opts, key=len))
    return names if option.is_flag else f"{names} {_value(option)}"


def _text(option: Any) -> str:
    default = None if option.is_flag else option.default
    shown = "" if default is None or isinstance(default, list | tuple) else f" (default: {default})"
    return f"{option.help or ''}{shown}"
