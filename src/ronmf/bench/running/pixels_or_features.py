"""What is drawn from: the pixels of a dataset, or a network's features of its pictures."""

from collections.abc import Callable, Collection
from dataclasses import replace
from pathlib import Path

from ...datasets import CATALOG, Dataset, load
from ...features import DeepFeatures
from ...features._networks import load_network, require_packages

__all__ = ["load_inputs"]

Report = Callable[[str, int, int], None]


def load_inputs(
    wanted: Collection[tuple[str, str]],
    data: str | Path | None = None,
    report: Report | None = None,
) -> dict[tuple[str, str], Dataset]:
    """Load datasets, some of them as features; no label takes part in these.

    Parameters
    ----------
    wanted : collection of (str, str)
        Datasets, names or paths, each with the name of a network or "" for its pixels.
    data : str or Path, default=None
        Data directory.
    report : callable, default=None
        ``report(dataset, done, total)`` while pictures pass through a network.

    Returns
    -------
    dict
        Datasets by what was wanted.

    Raises
    ------
    ImportError
        If the packages of a network are not installed.

    Examples
    --------
    >>> load_inputs([("digits", "")])["digits", ""].X.shape
    (1797, 64)
    """
    # What can fail at once comes before what takes minutes.
    for _, model in sorted(wanted):
        if model:
            require_packages(model)
    return {
        (name, model): _embedded(name, model, data, report) if model else load(name, data)
        for name, model in sorted(wanted, key=lambda each: (bool(each[1]), each))
    }


def _embedded(name: str, model: str, data: str | Path | None, report: Report | None) -> Dataset:
    """Load a dataset with the features of a network in place of its pixels."""
    try:
        # These photographs are brought to one size anyway: here to that of the network.
        photographs = name.lower() in CATALOG and CATALOG[name.lower()].resizable
        shape = load_network(model, None).size if photographs else None
        pictures = load(name, data, image_shape=shape)
        deep = DeepFeatures(
            model,
            image_shape=pictures.image_shape,
            white=1.0,
            callback=report and (lambda done, total: report(name, done, total)),
        )
        return replace(pictures, X=deep.fit_transform(pictures.X), image_shape=None)
    except RuntimeError as error:  # as torch and timm report anything from a name to the memory
        reason = str(error).splitlines()[0]
        raise ValueError(f"features = {model!r} of {name}: {reason}") from error
