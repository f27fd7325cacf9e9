"""Write the tables of docs/million.md from what `storage.py` saved.

python benchmarks/storage_tables.py [results/storage]
"""

import json
import sys
from pathlib import Path

STAGES = ("reading", "graph", "neighbors", "hidden labels", "start", "sweeps")


def lines_of(folder: Path, name: str) -> list[dict]:
    """Return what a command saved."""
    path = folder / f"{name}.jsonl"
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    return [json.loads(line) for line in text.splitlines()]


def table(head: list[str], rows: list[list]) -> str:
    """Return a table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "".join("| " + " | ".join(map(str, line)) + " |\n" for line in lines)


def growth(folder: Path) -> str:
    """Return time by stage, memory and accuracy by size, and the exponents."""
    found = lines_of(folder, "grow")
    fits = [each for each in found if "samples" in each]
    rows = [
        [
            f"{each['samples']:,}",
            *(each["stages"].get(stage, "") for stage in STAGES),
            each["seconds"],
            each["peak_gib"],
            each["accuracy"],
            each["accuracy_all"],
        ]
        for each in fits
    ]
    for each in found:
        if "exponents" in each:
            powers = each["exponents"]
            own = [powers["reading"], powers["graph"], "", "", powers["start"], powers["sweeps"]]
            rows.append(["exponent", *own, powers["whole"], "", "", ""])
    head = ["samples", *STAGES, "all, s", "peak, GiB", "accuracy", "of all samples"]
    return table(head, rows)


def same(folder: Path) -> str:
    """Return how far results of the three storages are apart."""
    rows = [
        [
            each["set"],
            f"{each['samples']:,}",
            each["place"],
            each["accuracy"],
            each["other labels"],
            f"{each['objective differs by']:.0e}",
        ]
        for each in lines_of(folder, "same")
    ]
    head = ["set", "samples", "data in", "accuracy", "other labels", "objective differs by"]
    return table(head, rows)


def workers(folder: Path) -> str:
    """Return fits on workers of Dask beside those on disk."""
    on_disk = {each["samples"]: each for each in lines_of(folder, "grow") if "samples" in each}
    rows = []
    for each in lines_of(folder, "dask"):
        disk = on_disk[each["samples"]]
        rows.append(
            [
                f"{each['samples']:,}",
                "one killed" if each["killed"] else "none killed",
                each["seconds"],
                disk["seconds"],
                round(each["seconds"] / disk["seconds"], 2),
                each["accuracy"],
                disk["accuracy"],
                f"{abs(each['objective'] / disk['objective'] - 1):.0e}",
                f"{each['sent_per_sweep']:,}",
                f"{each['received_per_sweep']:,}",
                each["products that moved other than by formula"],
            ]
        )
    head = ["samples", "workers", "Dask, s", "disk, s", "ratio", "accuracy", "on disk"]
    head += ["objective differs by", "bytes sent per sweep", "received", "not as by formula"]
    return table(head, rows)


def kills(folder: Path) -> str:
    """Return what kills cost."""
    rows = [
        [
            each["killed after"],
            ", ".join(name for name in each["left"] if name not in ("fit.json", "fit.lock")) or "-",
            each["went on for"],
            "yes" if each["equal"] else "no",
        ]
        for each in lines_of(folder, "kills")
    ]
    return table(["killed after, s", "found in the folder", "went on for, s", "same result"], rows)


if __name__ == "__main__":
    place = Path(sys.argv[1] if len(sys.argv) > 1 else "results/storage")
    for make in (growth, same, workers, kills):
        (place / f"{make.__name__}.md").write_text(make(place), encoding="utf-8")
