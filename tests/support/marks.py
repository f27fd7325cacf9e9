"""Cases of a test that only ``make test ALL=1`` runs."""

import pytest


def slow(*cases):
    """Mark cases of a parametrised test as slow; their kin run by default."""
    return [
        pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.slow)
        for case in cases
    ]
