"""One transformer of each kind."""

from ronmf.features import HOG, GaussianBlur, LocalContrast, MedianFilter, UnitNorm

PICTURES = [GaussianBlur, MedianFilter, LocalContrast, HOG]


def every(image_shape=(6, 5)):
    return [UnitNorm(), *(kind(image_shape=image_shape) for kind in PICTURES)]
