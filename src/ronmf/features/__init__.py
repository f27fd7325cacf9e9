"""Non-negative features of pictures, as scikit-learn transformers: pictures or rows in, rows out.

Examples
--------
>>> from sklearn.datasets import load_digits
>>> from ronmf.features import HOG
>>> digits = load_digits()
>>> HOG().fit_transform(digits.images).shape
(1797, 128)
>>> HOG(image_shape=(8, 8)).fit_transform(digits.data).shape
(1797, 128)
"""

from ._deep import DeepFeatures
from ._filters import GaussianBlur, LocalContrast, MedianFilter
from ._hog import HOG
from ._soft_bins import SoftBins
from ._unit_norm import UnitNorm

__all__ = ["HOG", "DeepFeatures", "GaussianBlur", "LocalContrast", "MedianFilter", "SoftBins"]
__all__ += ["UnitNorm"]
