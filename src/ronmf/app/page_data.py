"""A result as the page takes it: columns of numbers, pictures by the numbers of this run."""

from typing import Any

from .project import Project
from .results import Result, changes

__all__ = ["result_data"]


def result_data(project: Project, result: Result) -> dict[str, Any]:
    """Return a result with pictures by their numbers of now; those that are gone are left out."""
    numbers = [project.numbers.get(name, -1) for name in result.files]
    rows = [row for row, number in enumerate(numbers) if number >= 0]
    moved = [] if project.before is None else changes(project.before, result)
    kept = {int(row) for row in rows}
    return {
        "number": result.number,
        "version": result.version,
        "classes": result.classes,
        "named": result.named,
        "seconds": result.seconds,
        "notes": result.notes,
        "features": result.features,
        "pictures": [numbers[row] for row in rows],
        "cluster": result.cluster[rows].tolist(),
        "certainty": (100 * result.certainty[rows]).round().astype(int).tolist(),
        "novelty": (100 * result.novelty[rows]).round().astype(int).tolist(),
        "outlier": [round(value, 2) for value in result.outlier[rows].tolist()],
        "xy": [round(value, 4) for value in result.xy[rows].ravel().tolist()],
        "next": [numbers[row] for row in result.next.tolist() if row in kept],
        "wrong": [
            [numbers[row], suggested, round(100 * quality)]
            for row, suggested, quality in zip(
                result.wrong.tolist(),
                result.suggested.tolist(),
                result.quality.tolist(),
                strict=True,
            )
            if row in kept
        ],
        "moved": [
            [project.numbers[name], was, now] for name, was, now in moved if name in project.numbers
        ],
        "compared": project.before is not None,
        "parts": result.parts.tolist(),
        "drawn": bool(result.pictures),
    }
