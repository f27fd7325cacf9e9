"""Results of a benchmark on disk, one JSON line each: what is there is not computed again."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any


class SavedRows:
    """Rows by their case: the values that say what was run.

    Use a new file after a change of the code: rows do not know which version made them.

    Parameters
    ----------
    path : str or None
        File of JSON lines, made when there is none; None keeps nothing.
    case_keys : tuple of str
        The keys of a row that make up its case.
    """

    def __init__(self, path: str | None, case_keys: tuple[str, ...]) -> None:
        self._path, self._keys = Path(path) if path else None, case_keys
        self._rows: dict[tuple, dict[str, Any]] = {}
        if self._path is None or not self._path.exists():
            return
        text = self._path.read_text(encoding="utf-8")
        for line in text.splitlines():
            try:
                row = json.loads(line)
            except json.JSONDecodeError:  # what a run was writing when it was stopped
                continue
            self._rows[tuple(row[key] for key in case_keys)] = row
        if text and not text.endswith("\n"):
            self._append("\n")

    def row(self, compute: Callable[[], dict[str, Any]], **case: Any) -> dict[str, Any]:
        """Return the row of a case, from the file or from `compute`, and keep it."""
        key = tuple(case[name] for name in self._keys)
        if key not in self._rows:
            self._rows[key] = {**case, **compute()}
            self._append(json.dumps(self._rows[key]) + "\n")
        return self._rows[key]

    def _append(self, text: str) -> None:
        if self._path is not None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with self._path.open("a", encoding="utf-8") as file:
                file.write(text)
