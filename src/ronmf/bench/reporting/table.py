"""A table as plain data, and three ways to write it."""

import html
from collections.abc import Callable, Iterable
from dataclasses import dataclass

__all__ = ["Cell", "Table"]


@dataclass(frozen=True)
class Cell:
    """Text of a cell, a smaller line below it, and its rank in the row.

    Attributes
    ----------
    text, below : str
        Plain text; the formats escape it.
    mark : {"", "best", "second", "part", "bad"}
        Bold or underlined; on a page, coloured where some or all runs failed. `below` is never
        marked.
    """

    text: str
    below: str = ""
    mark: str = ""


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


@dataclass(frozen=True)
class _Format:
    """How a format escapes a text, marks it, and puts a smaller text below it."""

    escape: Callable[[str], str]
    marks: dict[str, str]
    below: str

    def text(self, text: str) -> str:
        return self.escape(" ".join(text.split()))

    def texts(self, cells: Iterable[Cell]) -> list[str]:
        shown = []
        for cell in cells:
            text = self.marks.get(cell.mark, "%s") % self.text(cell.text)
            shown.append(self.below % (text, self.text(cell.below)) if cell.below else text)
        return shown


_FORMATS = {
    "markdown": _Format(
        lambda text: "".join(_MARKDOWN.get(letter, letter) for letter in text),
        {"best": "**%s**", "second": "<ins>%s</ins>"},
        "%s<br>%s",
    ),
    "latex": _Format(
        lambda text: "".join(_LATEX.get(letter, letter) for letter in text),
        {"best": r"\textbf{%s}", "second": r"\underline{%s}"},
        r"\shortstack[r]{%s \\ \scriptsize %s}",
    ),
    "html": _Format(
        html.escape,
        {"best": "<strong>%s</strong>", "second": "<u>%s</u>"},
        "%s<br><small>%s</small>",
    ),
}


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
    rows, footer : list of lists of Cell
        Body and the rows of averages under it.
    """

    title: str
    caption: str
    header: tuple[str, ...]
    n_labels: int
    rows: list[list[Cell]]
    footer: list[list[Cell]]

    def to_markdown(self) -> str:
        r"""Return the table for GitHub and MyST; the second best is in ``<ins>``, underlined.

        Examples
        --------
        >>> row = [Cell("yale"), Cell("0.9", mark="best"), Cell("0.8", "printed 0.7", "second")]
        >>> print(Table("ACC", "", ("dataset", "A_1", "B|2"), 1, [row], []).to_markdown())
        **ACC.**
        <BLANKLINE>
        | dataset | A\_1 | B\|2 |
        |:---|---:|---:|
        | yale | **0.9** | <ins>0.8</ins><br>printed 0.7 |
        <BLANKLINE>
        """
        write = _FORMATS["markdown"]
        rule = "|" + ":---|" * self.n_labels + "---:|" * (len(self.header) - self.n_labels)
        head, *body = (
            f"| {' | '.join(write.texts(row))} |"
            for row in (map(Cell, self.header), *self.rows, *self.footer)
        )
        said = f"**{write.text(self.title)}.** {write.text(self.caption)}".rstrip()
        return "\n".join([said, "", head, rule, *body]) + "\n"

    def to_latex(self) -> str:
        """Return a ``table`` environment; it needs the package booktabs and nothing else."""
        write = _FORMATS["latex"]

        def body(rows: Iterable[Iterable[Cell]]) -> list[str]:
            return ["  " + " & ".join(write.texts(row)) + r" \\" for row in rows]

        columns = "l" * self.n_labels + "r" * (len(self.header) - self.n_labels)
        said = rf"\textbf{{{write.text(self.title)}.}} {write.text(self.caption)}"
        lines = [
            r"\begin{table}",
            r"  \centering",
            rf"  \caption{{{said}}}",
            rf"  \begin{{tabular}}{{{columns}}}",
            r"  \toprule",
            *body([map(Cell, self.header)]),
            r"  \midrule",
            *body(self.rows),
            *([r"  \midrule", *body(self.footer)] if self.footer else []),
            r"  \bottomrule",
            r"  \end{tabular}",
            r"\end{table}",
        ]
        return "\n".join(lines) + "\n"

    def to_html(self) -> str:
        """Return a ``<table class="results">`` to put in a page; it refers to nothing outside."""
        write = _FORMATS["html"]

        def body(tag: str, rows: list[list[Cell]]) -> list[str]:
            lines = []
            for row in rows:
                texts = write.texts(row)
                names = "".join(f'<th scope="row">{text}</th>' for text in texts[: self.n_labels])
                values = "".join(f"<td>{text}</td>" for text in texts[self.n_labels :])
                lines.append(f"<tr>{names}{values}</tr>")
            return [f"<{tag}>", *lines, f"</{tag}>"] if rows else []

        heads = "".join(f'<th scope="col">{text}</th>' for text in map(write.text, self.header))
        lines = [
            '<table class="results">',
            f"<caption><strong>{write.text(self.title)}.</strong> {write.text(self.caption)}"
            "</caption>",
            f"<thead><tr>{heads}</tr></thead>",
            *body("tbody", self.rows),
            *body("tfoot", self.footer),
            "</table>",
        ]
        return "\n".join(lines) + "\n"
