"""A table as plain data, and three ways to write it."""

import html
from dataclasses import dataclass

__all__ = ["Cell", "Table", "to_html", "to_latex", "to_markdown"]


@dataclass(frozen=True)
class Cell:
    """Text of a cell, a smaller line below it, and its rank in the row.

    Attributes
    ----------
    text, below : str
        Plain text; the formats escape it.
    mark : {"", "best", "second"}
        Bold or underlined; `below` is never marked.
    """

    text: str
    below: str = ""
    mark: str = ""


@dataclass(frozen=True)
class Table:
    """A table of results.

    Attributes
    ----------
    title, caption : str
        What it shows, and how to read it.
    header : tuple of str
        Column names.
    n_labels : int
        How many leading columns name the row.
    rows, footer : tuple of tuples of Cell
        Body and the rows of averages under it.
    """

    title: str
    caption: str
    header: tuple[str, ...]
    n_labels: int
    rows: tuple[tuple[Cell, ...], ...]
    footer: tuple[tuple[Cell, ...], ...] = ()

    def __post_init__(self) -> None:
        for row in (*self.rows, *self.footer):
            if len(row) != len(self.header):
                raise ValueError(
                    f"a row of {len(row)} cells does not fit a header of {len(self.header)};"
                    " give one cell for each column."
                )


_MARKDOWN = {c: "\\" + c for c in "\\`*_{}[]|~$#"} | {"<": "&lt;", ">": "&gt;", "&": "&amp;"}
_LATEX = {c: "\\" + c for c in "&%$#_{}"} | {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "±": r"$\pm$",
    "–": "--",
    "†": r"$\dagger$",
    # after the end of a row these two would be read as arguments of \\
    "[": "{[}",
    "*": "{*}",
}


def _escape(text: str, table: dict[str, str]) -> str:
    return "".join(table.get(c, c) for c in " ".join(text.split()))


def _html(text: str) -> str:
    return html.escape(" ".join(text.split()))


def to_markdown(table: Table) -> str:
    r"""Return a table for GitHub and MyST; the second best is in ``<ins>``, shown underlined.

    Parameters
    ----------
    table : Table
        What to write.

    Examples
    --------
    >>> row = (Cell("yale"), Cell("0.9", mark="best"), Cell("0.8", "printed 0.7", "second"))
    >>> print(to_markdown(Table("ACC", "", ("dataset", "A_1", "B|2"), 1, (row,))))
    **ACC.**
    <BLANKLINE>
    | dataset | A\_1 | B\|2 |
    |:---|---:|---:|
    | yale | **0.9** | <ins>0.8</ins><br>printed 0.7 |
    <BLANKLINE>
    """

    def cell(value: Cell) -> str:
        text = escape(value.text)
        text = {"best": f"**{text}**", "second": f"<ins>{text}</ins>"}.get(value.mark, text)
        return f"{text}<br>{escape(value.below)}" if value.below else text

    def escape(text: str) -> str:
        return _escape(text, _MARKDOWN)

    values = len(table.header) - table.n_labels
    lines = [f"**{escape(table.title)}.** {escape(table.caption)}".rstrip(), ""]
    lines.append("| " + " | ".join(escape(name) for name in table.header) + " |")
    lines.append("|" + ":---|" * table.n_labels + "---:|" * values)
    lines += ["| " + " | ".join(map(cell, row)) + " |" for row in (*table.rows, *table.footer)]
    return "\n".join(lines) + "\n"


def to_latex(table: Table) -> str:
    """Return a ``table`` environment; it needs the package booktabs and nothing else.

    Parameters
    ----------
    table : Table
        What to write.
    """

    def escape(text: str) -> str:
        return _escape(text, _LATEX)

    def cell(value: Cell) -> str:
        text = escape(value.text)
        text = {"best": rf"\textbf{{{text}}}", "second": rf"\underline{{{text}}}"}.get(
            value.mark, text
        )
        if not value.below:
            return text
        return rf"\shortstack[r]{{{text} \\ \scriptsize {escape(value.below)}}}"

    def body(rows: tuple[tuple[Cell, ...], ...]) -> list[str]:
        return ["  " + " & ".join(map(cell, row)) + r" \\" for row in rows]

    values = len(table.header) - table.n_labels
    lines = [
        r"\begin{table}",
        r"  \centering",
        rf"  \caption{{\textbf{{{escape(table.title)}.}} {escape(table.caption)}}}",
        rf"  \begin{{tabular}}{{{'l' * table.n_labels}{'r' * values}}}",
        r"  \toprule",
        "  " + " & ".join(escape(name) for name in table.header) + r" \\",
        r"  \midrule",
        *body(table.rows),
    ]
    if table.footer:
        lines += [r"  \midrule", *body(table.footer)]
    lines += [r"  \bottomrule", r"  \end{tabular}", r"\end{table}"]
    return "\n".join(lines) + "\n"


def to_html(table: Table) -> str:
    """Return a ``<table class="results">`` to put in a page; it refers to nothing outside.

    Parameters
    ----------
    table : Table
        What to write.
    """

    def cell(value: Cell) -> str:
        text = _html(value.text)
        text = {"best": f"<strong>{text}</strong>", "second": f"<u>{text}</u>"}.get(
            value.mark, text
        )
        return f"{text}<br><small>{_html(value.below)}</small>" if value.below else text

    def body(tag: str, rows: tuple[tuple[Cell, ...], ...]) -> list[str]:
        lines = [f"<{tag}>"]
        for row in rows:
            names = "".join(f'<th scope="row">{cell(c)}</th>' for c in row[: table.n_labels])
            values = "".join(f"<td>{cell(c)}</td>" for c in row[table.n_labels :])
            lines.append(f"<tr>{names}{values}</tr>")
        return [*lines, f"</{tag}>"]

    header = "".join(f'<th scope="col">{_html(name)}</th>' for name in table.header)
    lines = [
        '<table class="results">',
        f"<caption><strong>{_html(table.title)}.</strong> {_html(table.caption)}</caption>",
        f"<thead><tr>{header}</tr></thead>",
        *body("tbody", table.rows),
    ]
    if table.footer:
        lines += body("tfoot", table.footer)
    return "\n".join([*lines, "</table>"]) + "\n"
