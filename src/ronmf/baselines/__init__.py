"""The methods RONMF is compared with, in the same shape."""

from .harmonic import HarmonicLabelPropagation

__all__ = ["HarmonicLabelPropagation"]
