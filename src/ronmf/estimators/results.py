"""What a fit found, as one table; and which samples are nearly the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ..numerics import duplicates
from ..numerics.arrays import to_numpy
from ..numerics.pictures import checked_picture
from ..numerics.types import Array
from ..storage._open import is_stored, stored_rows
from .label_issues import label_issues

if TYPE_CHECKING:
    import pandas as pd

    from .graph_clusterer import GraphClusterer

__all__ = ["near_duplicates", "results_frame"]


def results_frame(model: GraphClusterer, files: Sequence[Any] | None = None) -> pd.DataFrame:
    """Return a table with one row per sample of ``fit``; it needs pandas.

    Parameters
    ----------
    files : sequence of str or Path, default=None
        A name for each sample, such as the file it came from.

    Returns
    -------
    pandas.DataFrame
        Columns ``file`` (only with `files`), ``class``, ``certainty`` (the probability of that
        class; of a named one, times one minus the novelty), ``novelty``, ``outlier_score``,
        ``given`` (the given label, or NA) and ``label_quality`` (of :meth:`label_issues`; NA where
        no label was given, or none could be judged). The index
        has the numbers of the samples.

    Examples
    --------
    >>> import numpy as np
    >>> from ronmf import HarmonicLabelPropagation
    >>> X = 8 * np.repeat(np.eye(2), 9, axis=0) + np.random.default_rng(0).random((18, 2))
    >>> y = [["cat", "dog"][i // 9] if i % 3 == 0 else None for i in range(18)]
    >>> model = HarmonicLabelPropagation(random_state=0).fit(X, y)
    >>> model.results_frame()[["class", "given"]][8:11]
       class given
    8    cat  <NA>
    9    dog   dog
    10   dog  <NA>
    """
    check_is_fitted(model)
    try:
        import pandas as pd
    except ImportError as error:
        raise ImportError("results_frame needs pandas: pip install 'ronmf[bench]'") from error
    n, columns = len(model.labels_), {}
    if files is not None:
        if len(files) != n:
            raise ValueError(
                f"files has {len(files)} names but fit had {n} samples; give one for each."
            )
        columns["file"] = [str(file) for file in files]
    issues, codes = label_issues(model), model._known.given
    quality, judged = np.ones(n), np.zeros(n, dtype=bool)
    quality[issues.samples], judged[issues.samples] = issues.quality, True
    names = [model.classes_[code] if code >= 0 else pd.NA for code in codes]
    return pd.DataFrame(
        columns
        | {
            "class": model.transduction_,
            "certainty": model.certainty_,
            "novelty": model.novelty_,
            "outlier_score": model.outlier_score_,
            "given": pd.Series(names, dtype=object).convert_dtypes(),
            "label_quality": pd.arrays.FloatingArray(quality, ~judged),
        }
    )


def near_duplicates(
    model: GraphClusterer, X: Array, *, ratio: float | None = None
) -> list[np.ndarray]:
    """Return groups of samples of `X` that are nearly the same picture.

    Their distances are tiny beside those to all other samples. Of pictures (where
    ``image_shape_`` is known) light and contrast do not count. Neighbouring views of an object,
    or two digits of one hand, are no copies.

    Parameters
    ----------
    X : array of shape (n_samples, n_features), or of pictures (n_samples, height, width, ...)
        The data of ``fit``, which a model does not keep, or others. They are all held in
        memory.
    ratio : float, default=None
        How long the links inside a group may be beside the distance to the nearest sample
        outside. None: so short that chance makes 0.05 groups, and at most a third; see
        ``ronmf.numerics.duplicates``.

    Returns
    -------
    list of ndarray of int
        Groups of two or more samples, in increasing order.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_digits
    >>> from ronmf import HarmonicLabelPropagation
    >>> X = load_digits().images[:300]
    >>> X[120] = np.minimum(X[40] * 1.03, 16)  # a copy, a little brighter
    >>> model = HarmonicLabelPropagation(3, random_state=0).fit(X)
    >>> [group.tolist() for group in model.near_duplicates(X)]
    [[40, 120]]
    """
    check_is_fitted(model)
    rows = _rows_in_memory(model, X)
    return duplicates.near_duplicates(
        rows if model.image_shape_ is None else duplicates.same_light(rows), ratio
    )


def _rows_in_memory(model: GraphClusterer, X: Any) -> np.ndarray:
    name = type(model).__name__
    if not is_stored(X):
        return to_numpy(model._validate_X(X, reset=False))
    rows = stored_rows(X)
    if rows.picture is not None:
        checked_picture(rows.picture, model.image_shape_, name)
    if rows.shape[1] != model.n_features_in_:
        raise ValueError(
            f"X has {rows.shape[1]} features, but {name} is expecting {model.n_features_in_}"
            " features as input."
        )
    return to_numpy(rows.take(np.arange(rows.shape[0])))
