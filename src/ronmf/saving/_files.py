"""Saving and loading of fitted models."""

import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import sklearn
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from .. import __version__
from ..system.files import user_path, writable
from ..system.plain_text import one_line
from ..system.user_warnings import warn_user
from ._archive import check_arrays, read_archive, write_archive
from ._decoding import Decoder
from ._encoding import Encoder

__all__ = ["load_model", "read_extra", "save_model"]

_FORMAT = 2
_READ = (1, _FORMAT)  # version 0.1.0 wrote format 1
_KEYS = {"format", "versions", "extra", "objects", "model"}
_VERSION = re.compile(r"[0-9A-Za-z.+!-]{1,50}")


def save_model(
    model: BaseEstimator, path: str | os.PathLike, extra: dict[str, Any] | None = None
) -> None:
    """Save a fitted model in one file, from which `load_model` makes it again.

    The file holds numbers and text but no code. A file that is there already is replaced, once
    the new one is whole.

    Parameters
    ----------
    model : estimator
        A fitted :class:`ronmf.RONMF` or an estimator of :mod:`ronmf.baselines`; also a pipeline of
        one of them after transformers of :mod:`ronmf.features` or scikit-learn's ``Normalizer``.
    path : str or Path
        Where to; any suffix will do.
    extra : dict, default=None
        What you want to keep beside the model, of JSON: `read_extra` returns it.

    Raises
    ------
    ValueError
        If the model holds something that the file has no place for, such as a penalty or a
        transformer of your own. Nothing is written then.

    Notes
    -----
    Not saved are the state that ``warm_start=True`` goes on from, callbacks, and parameters that
    name a place on this machine (``checkpoint``, which is None after loading). Arrays of torch and
    other libraries are saved as those of NumPy, in which the loaded model then works.

    Examples
    --------
    See :mod:`ronmf.saving`.
    """
    path = writable(user_path(path))
    if isinstance(model, type) or not isinstance(model, BaseEstimator):
        raise ValueError(f"model is {one_line(repr(model), 100)}; give a fitted estimator.")
    check_is_fitted(model)
    with _sentence("the model cannot be saved", "see the notes of save_model for what can"):
        encoder = Encoder()
        content = {
            "format": _FORMAT,
            "versions": _versions(),
            "extra": _checked_extra(extra),
            "model": encoder.encode(model, type(model).__name__),
            "objects": encoder.objects,
        }
        text = json.dumps(content, allow_nan=False).encode()
        check_arrays(text, encoder.arrays)
        _rebuild(_parse(text), encoder.arrays)  # what could not be loaded is not written
    write_archive(path, text, encoder.arrays)


def load_model(path: str | os.PathLike) -> Any:
    """Return the model that `save_model` has saved.

    The file may come from anyone: whatever it holds, no code of it runs.

    Parameters
    ----------
    path : str or Path
        The file.

    Returns
    -------
    estimator
        The fitted model. In the same environment it predicts what it did, to the last bit.

    Raises
    ------
    ValueError
        If the file is damaged, holds something that no model holds, or is of a later format.

    Examples
    --------
    See :mod:`ronmf.saving`.
    """
    path = _existing(path)
    with _reading(path):
        text, arrays = read_archive(path)
        content = _parse(text)
        model = _rebuild(content, arrays)
    theirs = content["versions"]["ronmf"]
    if theirs != __version__:
        warn_user(
            f"{path} was saved by ronmf {theirs}, and this is {__version__}: the model may predict"
            " otherwise than it did; fit it again if that matters."
        )
    return model


def read_extra(path: str | os.PathLike) -> dict[str, Any]:
    """Return what was given to `save_model` as `extra`; the model itself is not read.

    Parameters
    ----------
    path : str or Path
        The file.

    Returns
    -------
    dict
        Empty if nothing was given.

    Examples
    --------
    See :mod:`ronmf.saving`.
    """
    path = _existing(path)
    with _reading(path):
        return _checked_extra(_parse(read_archive(path, text_only=True)[0])["extra"])


def _existing(path: str | os.PathLike) -> Path:
    path = user_path(path)
    if not path.exists():
        raise FileNotFoundError(f"{path} does not exist; name a file of save_model.")
    if not path.is_file():  # a pipe would keep us waiting
        raise ValueError(f"{path} is no plain file; name a file of save_model.")
    return path


def _reading(path: Path) -> Any:
    return _sentence(f"{path} is no readable model file", "save the model again with this version")


@contextmanager
def _sentence(beginning: str, remedy: str) -> Iterator[None]:
    """Turn any failure into one sentence."""
    try:
        yield
    except Exception as error:  # readers let errors of zipfile, struct and many others through
        said = one_line(str(error), 300).rstrip(".") or type(error).__name__
        raise ValueError(f"{beginning}: {said}; {remedy}.") from error


def _versions() -> dict[str, str]:
    return {"ronmf": __version__, "numpy": np.__version__, "scikit-learn": sklearn.__version__}


def _checked_extra(extra: Any) -> dict[str, Any]:
    """Return a dictionary that JSON holds as it is, or say that it does not."""
    if extra is None:
        return {}
    if not isinstance(extra, dict) or json.loads(json.dumps(extra, allow_nan=False)) != extra:
        raise ValueError("extra is no dict of what JSON has: text, finite numbers, lists, dicts")
    return extra


def _parse(text: bytes) -> dict[str, Any]:
    """Return the JSON of a file, after a look at its outermost part."""
    content = json.loads(text.decode(), object_pairs_hook=_no_doubles, parse_constant=_refuse)
    if not isinstance(content, dict) or type(content.get("format")) is not int:
        raise ValueError("it does not say which format it has")
    if content["format"] not in _READ:
        raise ValueError(
            f"it has format {str(content['format'])[:20]}, and this version of ronmf reads"
            f" {' and '.join(map(str, _READ))} only"
        )
    if set(content) != _KEYS or not isinstance(content["objects"], list):
        raise ValueError("it has not the parts of a model")
    versions = content["versions"]
    if not (isinstance(versions, dict) and set(versions) == set(_versions())):
        raise ValueError("it does not say which versions it is of")
    if not all(isinstance(each, str) and _VERSION.fullmatch(each) for each in versions.values()):
        raise ValueError("it names versions that are none")
    return content


def _no_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key is there twice")
    return found


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no number of JSON")


def _rebuild(content: dict[str, Any], arrays: list[np.ndarray]) -> Any:
    decoder = Decoder(arrays, content["format"])
    for entry in content["objects"]:
        decoder.add(entry)
    model = decoder.decode(content["model"])
    if not isinstance(model, BaseEstimator):
        raise ValueError("what it holds is no model")
    check_is_fitted(model)
    return model
