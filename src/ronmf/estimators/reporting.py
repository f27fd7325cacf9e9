"""What a person sees of a fit: a page."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import issparse
from sklearn.utils.validation import check_is_fitted

from ..numerics.types import Array, Labels
from .results import near_duplicates

if TYPE_CHECKING:
    from ..displays._report import Report
    from .ronmf import RONMF

__all__ = ["report"]


def report(
    model: RONMF,
    images: Array = None,
    files: Sequence[str | os.PathLike] | None = None,
    *,
    X: Array = None,
    root: str | os.PathLike | None = None,
    truth: Labels = None,
    title: str | None = None,
    facts: Mapping[str, Any] | None = None,
    skipped: Sequence[Any] = (),
) -> Report:
    """Return a page about the fit: clusters, doubts, what to label next, outliers, parts.

    The page is one file that needs no other, and runs no script. A notebook shows it; its
    method ``save(path)`` writes it.

    Parameters
    ----------
    images : array of shape (n_samples, height, width, ...) or (n_samples, n_features)
        Pictures of the samples of ``fit``. Rows will do if the estimator was told
        `image_shape`, or was fitted to pictures.
    files : sequence of path, default=None
        Their files: names to show, and pictures too if there are no `images`.
    X : array, default=None
        The data of ``fit``, in which near-duplicates are looked for; None: in `images`, if they
        are what was fitted.
    root : path, default=None
        Folder that `files` are relative to; None: the working folder.
    truth : array-like of shape (n_samples,), default=None
        True classes, where they are known, to mark what is wrong. Nothing else uses them.
    title : str, default=None
        Heading of the page.
    facts : dict, default=None
        More lines for the table at its end.
    skipped : sequence of ``Skipped``, default=()
        Files to list as passed over.

    Returns
    -------
    Report
        With ``html``, and ``save(path)``.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_digits
    >>> from ronmf import RONMF
    >>> digits = load_digits(n_class=3)
    >>> y = np.where(np.arange(len(digits.target)) % 20 == 0, digits.target, -1)
    >>> page = RONMF(random_state=0).fit(digits.images, y).report(digits.images)
    >>> page.save("digits.html")  # doctest: +SKIP
    """
    check_is_fitted(model)
    from ..displays._report import ReportRequest, build_report

    rows = X
    if issparse(images):  # rows that are no pictures
        rows, images = (images if rows is None else rows), None
    if rows is None and images is not None:  # which may be other than what was compared
        same = np.prod(np.shape(images)[1:]) == model.n_features_in_
        rows = images if same else None
    request = ReportRequest(
        images=images,
        files=files,
        root=root,
        truth=truth,
        title=title,
        facts=facts,
        duplicates=None if rows is None else near_duplicates(model, rows),
        skipped=skipped,
    )
    return build_report(model, request)
