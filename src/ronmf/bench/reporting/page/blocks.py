"""What a section of the report is made of."""

from dataclasses import dataclass, field

from ..table_formats import Table
from .accounts import PlainTable, plain_table
from .pictures import Pictures
from .switched import SwitchedTable

__all__ = ["Block", "Content", "Missing", "Section", "as_texts"]

Content = SwitchedTable | Pictures | PlainTable | str


@dataclass(frozen=True)
class Block:
    """One thing under its own heading.

    Attributes
    ----------
    anchor, title : str
        Its anchor and its heading.
    content : SwitchedTable, Pictures, PlainTable or str
        What it shows.
    paper : str
        The table or figure of the paper that it corresponds to; "" if there is none.
    folded : bool
        Whether a reader must open it to see it.
    """

    anchor: str
    title: str
    content: Content
    paper: str = ""
    folded: bool = False

    @property
    def kind(self) -> str:
        """The name of the content's kind, for the template."""
        return {str: "text", Pictures: "pictures", PlainTable: "plain"}.get(
            type(self.content), "table"
        )


@dataclass(frozen=True)
class Missing:
    """What the rows cannot show, its place in the paper, and why."""

    title: str
    paper: str
    reason: str


@dataclass
class Section:
    """Blocks of one subject; a section without any is not shown."""

    anchor: str
    title: str
    blocks: list[Block] = field(default_factory=list)


def as_texts(table: Table) -> PlainTable:
    """Return a table of results as texts; its averages become rows like the others."""
    lines = [
        [", ".join(filter(None, (cell.text, cell.below))) for cell in line]
        for line in (*table.rows, *table.footer)
    ]
    return plain_table(table.caption, table.header, lines)
