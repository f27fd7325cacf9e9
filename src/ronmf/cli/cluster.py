"""``ronmf cluster``: a folder of pictures in, clusters and a report out."""

import json
import shlex
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from ..system.plain_text import counted, one_line
from .stages import show_stages

__all__ = ["command"]

_SHOWN = 30  # clusters in the table on standard output
_NAMED = 5  # skipped files on standard error

Folder = Annotated[Path, typer.Argument(help="Folder of pictures, at any depth.", metavar="FOLDER")]
Labels = Annotated[
    str | None,
    typer.Option(
        help="Table with the columns file and label; or folders: sub-folders are classes.",
        metavar="FILE|folders",
    ),
]
Copy = Annotated[bool, typer.Option("--copy", help="Copy pictures into one folder per cluster.")]
Link = Annotated[bool, typer.Option("--link", help="The same with links instead of copies.")]
Seed = Annotated[
    int, typer.Option(min=0, max=2**32 - 1, help="Seed of everything random.", metavar="N")
]
Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress.")]


def command(
    folder: Folder,
    clusters: Annotated[
        str,
        typer.Option(
            help="How many: a number, classes for the labelled ones alone, or auto.",
            metavar="N|auto|classes",
        ),
    ] = "auto",
    labels: Labels = None,
    features: Annotated[
        str,
        typer.Option(
            help="What to compare: auto, pixels, deep; an .onnx network, or rows in a .npy file.",
            metavar="KIND|FILE",
        ),
    ] = "auto",
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="Folder to make for the results.", metavar="DIR"),
    ] = None,
    copy: Copy = False,
    link: Link = False,
    seed: Seed = 0,
    max_memory: Annotated[
        str | None, typer.Option(help="Memory to use at most, such as 4GiB.", metavar="SIZE")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace earlier results.")] = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Sort the pictures of a folder into clusters, and write a report.

    Labels are optional: one picture per class is enough to name the clusters. Results go to
    FOLDER-clusters, or to DIR: clusters.csv, report.html and model.ronmf. Stop it as you like: the
    same command goes on where it ended.
    """
    goal = out or _default_goal(folder)
    try:
        with show_stages(quiet) as report, without_warnings():
            from ..sorting import cluster_folder  # takes seconds

            result = cluster_folder(
                folder,
                goal,
                labels=labels,
                n_clusters=_number(clusters),
                features=features,
                sort=how_to_sort(copy, link),
                seed=seed,
                max_memory=max_memory,
                force=force,
                report=report,
            )
    except KeyboardInterrupt:
        print("\nStopped. The same command goes on from there.", file=sys.stderr)
        raise typer.Exit(130) from None
    print_skipped(result.skipped)
    summary = result.summary()
    if as_json:
        print(json.dumps({**summary, "out": str(goal)}, indent=1))
        return
    _print_summary(summary)
    shown = one_line(str(goal))
    print(f"\nOpen {shown}/report.html in a browser; {shown}/clusters.csv has every picture.")
    print(f"New pictures: ronmf predict {shlex.quote(shown)} FOLDER{_features_again(features)}")


def _features_again(features: str) -> str:
    """Return what `ronmf predict` must be given too: the same network, or rows of its pictures."""
    kind = Path(features).suffix.lower()
    if kind == ".npy":
        return " --features THEIR-ROWS.npy"
    return f" --features {shlex.quote(one_line(features))}" if kind == ".onnx" else ""


def _default_goal(folder: Path) -> Path:
    """Return where results go: here, or beside the folder if we are in it."""
    root, here = folder.resolve(), Path.cwd().resolve()
    if not root.name:
        raise ValueError("FOLDER is the root of all folders; name one in it.")
    goal = Path(f"{root.name}-clusters")
    return root.parent / goal if here == root or root in here.parents else goal


def _number(clusters: str) -> int | str | None:
    if clusters in ("auto", "classes"):
        return "auto" if clusters == "auto" else None
    if not clusters.isdecimal() or len(clusters) > 9 or int(clusters) < 1:
        given = one_line(clusters, 50)
        raise ValueError(f"--clusters is {given!r}: give a whole number from 1, auto or classes.")
    return int(clusters)


def how_to_sort(copy: bool, link: bool) -> str | None:
    """Return what the two options ask for."""
    if copy and link:
        raise ValueError("--copy and --link exclude each other; give one of them.")
    return "copy" if copy else "link" if link else None


@contextmanager
def without_warnings() -> Iterator[None]:
    """Keep Python's warnings from the user: what a fit warns of is in the result.

    Others are printed at the end, a line each.
    """
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    for text in dict.fromkeys(one_line(str(each.message)) for each in caught if _is_news(each)):
        print(f"Note: {text}", file=sys.stderr)


def _is_news(warning: warnings.WarningMessage) -> bool:
    """Whether the result does not tell of it: `diagnose` does so of all that a fit warns of."""
    ours = "PIL" not in Path(warning.filename).parts
    return ours and warning.category is UserWarning


def print_skipped(skipped: Any, more: str = "; the report lists them") -> None:
    """Name the first few files that were passed over, and say where the others are."""
    if skipped:
        were = "was" if len(skipped) == 1 else "were"
        print(f"{counted(len(skipped), 'file')} {were} skipped:", file=sys.stderr)
        for each in skipped[:_NAMED]:
            print(f"  {one_line(each.file, 100)}: {one_line(each.reason, 200)}", file=sys.stderr)
        if len(skipped) > _NAMED:
            print(f"  and {len(skipped) - _NAMED} more{more}.", file=sys.stderr)


def _print_summary(summary: dict[str, Any]) -> None:
    clusters = summary["clusters"]
    print(
        f"{counted(summary['pictures'], 'picture')} in {counted(len(clusters), 'cluster')}, from"
        f" {counted(summary['labels'], 'label')}, by {summary['features']};"
        f" {sum(summary['seconds'].values()):.0f} s."
    )
    width = max(len(one_line(each["class"], 40)) for each in clusters)
    print(f"\n{'cluster':<{max(width, 7)}}  pictures  certainty")
    for each in sorted(clusters, key=lambda each: -each["pictures"])[:_SHOWN]:
        sure = "-" if each["certainty"] is None else f"{each['certainty']:.0%}"
        name = one_line(each["class"], 40)
        print(f"{name:<{max(width, 7)}}  {each['pictures']:>8}  {sure:>9}")
    if len(clusters) > _SHOWN:
        print(f"and {len(clusters) - _SHOWN} more")
    for text in (*summary["troubles"], *summary["hints"], *summary["advice"]):
        print(f"\nNote: {one_line(text)}")
