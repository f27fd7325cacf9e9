"""Get the file of a dataset from the network, whole or not at all."""

import os
from collections.abc import Sequence
from pathlib import Path

from ..system.cache import cache_folder
from ..system.files import private_folder, remove_leftovers, user_path, whole_file
from ..system.plain_text import one_line
from ._catalog import Entry, Source, entry_of
from ._download import Progress, file_digest
from ._locations import find
from ._sources import convert
from ._verification import examine

__all__ = ["download_entry", "fetch"]


def fetch(
    name: str,
    folder: str | os.PathLike | None = None,
    *,
    sources: Sequence[Source] | None = None,
    progress: Progress | None = None,
) -> Path:
    """Make sure the file of a dataset is here, and say where.

    Parameters
    ----------
    name : str
        A name of the catalog.
    folder : str or path, optional
        Where to look first and to store; the cache if None.
    sources : sequence of Source, optional
        Instead of those of the catalog.
    progress : callable, optional
        Called with the bytes received and the bytes to come (None if unknown).

    Returns
    -------
    path
        The file found or made. What is downloaded in another form (``.mat``, ARFF, zip) is
        converted to the file of the catalog, with its sha256 in a file beside it.

    Raises
    ------
    FileNotFoundError
        If no source works; nothing half-written is left.
    """
    entry = entry_of(name)
    if entry.bundled:
        raise ValueError(f"{entry.name} is part of scikit-learn: there is nothing to fetch.")
    target = cache_folder() if folder is None else user_path(folder)
    if folder is not None:
        target.mkdir(parents=True, exist_ok=True)
    path = find(entry.name, folder)
    return path or download_entry(entry, target, sources=sources, progress=progress)


def download_entry(
    entry: Entry,
    folder: Path,
    *,
    advised: Path | None = None,
    sources: Sequence[Source] | None = None,
    progress: Progress | None = None,
) -> Path:
    """Download to `folder` from the first source that works.

    `advised` is the folder an error tells the user to put the file into, `folder` if None.
    """
    target = folder / entry.file
    reasons = []
    for source in _sources(entry) if sources is None else sources:
        try:
            private_folder(target.parent)
            remove_leftovers(target)
            with whole_file(target) as part:
                convert(source, entry, part, progress)
                problem, _ = examine(entry, part)
                if problem:
                    raise ValueError(problem)
            with whole_file(target.with_name(f"{target.name}.sha256")) as part:
                # In the form of sha256sum
                part.write_text(f"{file_digest(target)}  {target.name}\n", encoding="utf-8")
            return target
        except Exception as error:  # whatever an answer does to readers, the next source may work
            reason = one_line(str(error))  # servers have a say in it
            reasons.append(reason if source.url in reason else f"{source.url}: {reason}")
    files = " or ".join((entry.file, *entry.mat_files[:1]))
    raise FileNotFoundError(
        f"{entry.name} is not here and could not be downloaded ({'; '.join(reasons)}): "
        f"put {files} into {advised or folder}, or set RONMF_DATA to the folder that holds it."
    )


def _sources(entry: Entry) -> list[Source]:
    """List the sources of an entry, after the mirror of reference copies if one is set."""
    mirror = os.environ.get("RONMF_MIRROR")
    if not mirror:
        return list(entry.sources)
    copy = Source(f"{mirror.rstrip('/')}/{entry.file}", "copy", f"sha256:{entry.sha256}")
    return [copy, *entry.sources]
