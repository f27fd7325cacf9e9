"""The methods RONMF is compared with, in the same shape."""

from .cdcf import CDCF
from .cnmf import CNMF
from .gnmf import GNMF
from .gsnmf import GSNMF
from .harmonic import HarmonicLabelPropagation
from .lnp import LNP
from .lpcnmf import LpCNMF
from .lpnmf import LPNMF
from .rnmf import RNMF
from .rsnmf import RSNMF
from .snmfdsr import SNMFDSR
from .snmfsp import SNMFSP
from .truncated_cauchy import TruncatedCauchyNMF

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
