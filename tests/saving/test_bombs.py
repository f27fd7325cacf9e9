"""A model file costs no more memory and time than its size justifies, whatever it says."""

import json
import subprocess
import sys

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import Normalizer

from ronmf import RONMF, GraphChoice, GraphRecipe, HarmonicLabelPropagation, baselines, save_model
from ronmf.features import (
    HOG,
    DeepFeatures,
    GaussianBlur,
    LocalContrast,
    MedianFilter,
    SoftBins,
    UnitNorm,
)
from ronmf.features._networks import deep_available
from ronmf.penalties import PENALTIES
from support import bombs

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="other systems set no such limit"),
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
]
SECONDS = 20
SHAPE = (8, 8)
FEW = ("etp", "recipes", "samples", "LNP", "RSNMF", "LpCNMF", "TruncatedCauchyNMF")


def models():
    """Return estimators that together hold every class which a model file may hold."""
    found = {
        f"{name}": RONMF(graph="plain", penalty=penalty(), random_state=0)
        for name, penalty in PENALTIES.items()
    }
    features = [
        HOG(image_shape=SHAPE),
        GaussianBlur(image_shape=SHAPE),
        LocalContrast(image_shape=SHAPE),
        MedianFilter(image_shape=SHAPE),
        SoftBins(image_shape=SHAPE, cell=2),
        Normalizer(),
    ]
    found["recipes"] = RONMF(
        graph=[GraphRecipe(make_pipeline(each, UnitNorm())) for each in features], random_state=0
    )
    for each in features:
        name = type(each).__name__
        recipe = GraphRecipe(make_pipeline(each, UnitNorm()))
        found[f"graph of {name}"] = HarmonicLabelPropagation(graph=recipe)
        found[f"{name} before"] = make_pipeline(each, HarmonicLabelPropagation())
    if deep_available():
        found["deep"] = make_pipeline(
            DeepFeatures(image_shape=SHAPE, cache=False), HarmonicLabelPropagation()
        )
    found["auto"] = RONMF(n_clusters="auto", image_shape=SHAPE, random_state=0)
    found["samples"] = RONMF(
        graph=GraphChoice("plain", label_edges=True, edge_weights="heat", heat_width=1.0),
        groups="samples",
        assign="kmeans",
        max_memory="2GiB",
        random_state=0,
    )
    for name in baselines.__all__:
        model = getattr(baselines, name)()
        settings = {"n_clusters": 10, "random_state": 0, "max_iter": 10, "n_init": 1}
        found[name] = model.set_params(
            **{key: value for key, value in settings.items() if key in model.get_params()}
        )
    return found


def save_all(folder, digits, chosen):
    X, _, truth = digits
    X, truth = X[:60], truth[:60]
    y = np.where(np.arange(60) < 30, truth, -1)
    for name, model in chosen.items():
        save_model(model.fit(X, y), folder / f"{name}.ronmf")
        np.save(folder / f"{name}.npy", X[:3])


def test_a_pipeline_of_features_of_features(digits, tmp_path):
    many = [LocalContrast(image_shape=(2**i * 8, 8)) for i in range(9)]
    with pytest.raises(ValueError, match="pipeline makes more than 256 numbers of one"):
        save_all(tmp_path, digits, {"many": make_pipeline(*many, HarmonicLabelPropagation())})


def answers(folder, several):
    """Return what went wrong, and how many cases there were."""
    script = [sys.executable, bombs.__file__, folder, str(SECONDS), str(int(several))]
    done = subprocess.run(script, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    *wrong, count = map(json.loads, done.stdout.splitlines())
    return wrong, count


@pytest.mark.parametrize("several", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_any_number_may_be_huge_and_any_array_long(several, digits, tmp_path):
    every = models()
    save_all(tmp_path, digits, every if several else {name: every[name] for name in FEW})
    wrong, count = answers(tmp_path, several)
    assert not wrong
    assert count > (2000 if several else 200)
