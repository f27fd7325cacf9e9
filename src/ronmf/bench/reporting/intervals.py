r"""How sure a mean is: the 95 % interval of Student and Welch.

The mean of n draws with deviation s (ddof = 0) has the squared standard error
:math:`e^2 = s^2 / (n - 1)`, with :math:`n - 1` degrees of freedom. The mean of k such means, of
draws that have nothing to do with each other, has

.. math:: e^2 = \frac{1}{k^2} \sum_i e_i^2, \qquad
          \nu = \Bigl(\sum_i e_i^2\Bigr)^2 \Big/ \sum_i \frac{e_i^4}{n_i - 1},

and its interval reaches :math:`t_{0.975,\nu}\, e` to either side.

References
----------
B. L. Welch, The generalization of "Student's" problem, Biometrika 34 (1947).
"""

import math
from collections.abc import Sequence

from scipy.special import stdtrit

__all__ = ["half_width"]


def half_width(stds: Sequence[float], counts: Sequence[int]) -> float:
    """Return half of the 95 % interval of the mean of some means, or of a single one.

    Parameters
    ----------
    stds : sequence of float
        Deviation of the draws behind each mean (ddof = 0).
    counts : sequence of int
        How many draws each mean has.

    Returns
    -------
    float
        NaN if some mean has a single draw, which tells nothing of chance.

    Examples
    --------
    Draws 1, 2 and 3 have the mean 2, and 4.303 is Student's factor for 3 draws:

    >>> round(half_width([(2 / 3) ** 0.5], [3]), 3), round(4.303 / 3**0.5, 3)
    (2.484, 2.484)
    """
    if min(counts) < 2:
        return math.nan
    errors = [s * s / (n - 1) for s, n in zip(stds, counts, strict=True)]
    total = math.fsum(errors)
    if total == 0:  # all draws are equal
        return 0.0
    # As shares of the largest: squares of small numbers would vanish.
    shares = [error / max(errors) for error in errors]
    squares = math.fsum(share**2 / (n - 1) for share, n in zip(shares, counts, strict=True))
    freedom = math.fsum(shares) ** 2 / squares
    return float(stdtrit(freedom, 0.975)) * math.sqrt(total) / len(errors)
