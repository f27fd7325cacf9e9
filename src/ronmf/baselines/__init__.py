"""The methods RONMF is compared with, in the same shape."""

from ._cdcf import CDCF
from ._cnmf import CNMF
from ._gnmf import GNMF
from ._gsnmf import GSNMF
from ._harmonic import HarmonicLabelPropagation
from ._lnp import LNP
from ._lpcnmf import LpCNMF
from ._lpnmf import LPNMF
from ._rnmf import RNMF
from ._rsnmf import RSNMF
from ._snmfdsr import SNMFDSR
from ._snmfsp import SNMFSP
from ._truncated_cauchy import TruncatedCauchyNMF

__all__ = [
    "CDCF",
    "CNMF",
    "GNMF",
    "GSNMF",
    "LNP",
    "LPNMF",
    "RNMF",
    "RSNMF",
    "SNMFDSR",
    "SNMFSP",
    "HarmonicLabelPropagation",
    "LpCNMF",
    "TruncatedCauchyNMF",
]
