"""Tables of pictures, as files that spreadsheets open."""

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..system.writing import open_to_write

__all__ = ["write_table"]


def write_table(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    """Write a CSV file in UTF-8; numbers have four digits, and None is an empty cell.

    Where names are beyond ASCII, a mark at the beginning says that it is UTF-8: spreadsheets would
    take it for something else.
    """
    text = io.StringIO()
    table = csv.writer(text)
    table.writerow(rows[0])
    for row in rows:
        cells = row.values()
        table.writerow([f"{cell:.4f}" if isinstance(cell, float) else cell for cell in cells])
    content = text.getvalue()
    encoding = "utf-8" if content.isascii() else "utf-8-sig"
    with open_to_write(path, "w", newline="", encoding=encoding) as file:
        file.write(content)
