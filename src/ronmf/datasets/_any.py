"""Load by name or by path, whichever it is."""

import os
from pathlib import Path

from ._catalog import CATALOG
from ._dataset import Dataset
from ._folders import from_folder
from ._loading import load
from ._readers import from_mat, from_npz

__all__ = ["load_any"]


def load_any(name: str | os.PathLike, folder: str | os.PathLike | None = None) -> Dataset:
    """Load a dataset of the catalog, or your own file or folder.

    Parameters
    ----------
    name : str or path
        A name of the catalog; or a ``.npz`` file, a ``.mat`` file or a folder of pictures, as it is
        or inside `folder` (``"owls"`` also finds ``owls.npz`` and ``owls.mat`` there).
    folder : str or path, optional
        Folder of datasets; ``RONMF_DATA`` if None.

    Examples
    --------
    >>> from ronmf.datasets import load_any
    >>> load_any("digits").X.shape
    (1797, 64)
    """
    if str(name).lower() in CATALOG:
        return load(str(name), folder)
    chosen = folder if folder is not None else os.environ.get("RONMF_DATA")
    places = [Path(name).expanduser()]
    if chosen:
        base = Path(chosen).expanduser()
        places += [base / name, base / f"{name}.npz", base / f"{name}.mat"]
    for path in places:
        if path.is_dir():
            return from_folder(path)
        if path.is_file():
            return from_mat(path) if path.suffix.lower() == ".mat" else from_npz(path)
    raise FileNotFoundError(
        f"name is {str(name)!r}, which is no file, no folder and no dataset: "
        f"choose one of {', '.join(CATALOG)}, or give a path."
    )
