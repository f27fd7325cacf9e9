"""What cannot be saved is refused in a sentence, before anything is written."""

import functools

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.exceptions import NotFittedError
from sklearn.preprocessing import FunctionTransformer, MinMaxScaler

import ronmf
from ronmf import MCP, RONMF, GraphRecipe, features, penalties
from ronmf.graph import Graph
from ronmf.saving import load_model, read_extra, save_model
from ronmf.saving._classes import CLASSES
from ronmf.saving._encoding import Encoder
from support.models import read_members, write_members

X = np.random.default_rng(0).random((40, 6))
Y = np.where(np.arange(40) < 12, np.arange(40) % 3, -1)


class Own(MCP):
    """A penalty of a user."""


@pytest.fixture
def model():
    return RONMF(graph="plain", random_state=0).fit(X, Y)


def refuse(model, folder, match, error=ValueError, **options):
    path = folder / "model.ronmf"
    path.write_bytes(b"what was there before")
    with pytest.raises(error, match=match):
        save_model(model, path, **options)
    assert path.read_bytes() == b"what was there before"
    assert [each.name for each in folder.iterdir()] == ["model.ronmf"]


@pytest.mark.parametrize(
    ("settings", "match"),
    [
        ({"penalty": Own()}, r"RONMF\.penalty is of the class Own, which a model file cannot hold"),
        ({"graph": GraphRecipe(MinMaxScaler())}, "features is of the class MinMaxScaler"),
        ({"graph": GraphRecipe(FunctionTransformer(np.sqrt))}, "class FunctionTransformer"),
    ],
)
def test_parts_of_a_users_own(settings, match, tmp_path):
    refuse(RONMF(**settings, random_state=0).fit(X, Y), tmp_path, match)


@pytest.mark.parametrize(
    ("value", "match"),
    [
        (1, "RONMF has no place for the attribute 'notes_'"),
        (object(), r"RONMF\.notes_ is of the class object"),
        (print, "of the class builtin_function_or_method"),
        (np.array([{}, {}]), "holds a dict, which is no number and no text"),
        (np.ma.masked_array([1.0]), "of the class MaskedArray"),
        (np.zeros(2, dtype="f4,i4"), "which is not plain"),
        (np.zeros(2, dtype=complex), "which is not plain"),
        (np.complex64(1), "which a model file cannot hold"),
        (1 + 2j, "of the class complex"),
        (10**30, "a whole number is too large"),
        ({1: 2}, "an entry that is no name with a value"),
        (functools.reduce(lambda inner, _: [inner], range(30), 0), "16 deep"),
    ],
)
def test_attributes_that_a_file_has_no_place_for(value, match, model, tmp_path):
    model.notes_ = value
    refuse(model, tmp_path, match)


def test_a_new_fitted_attribute_needs_a_type_of_its_own(model, tmp_path):
    """What somebody adds to an estimator is refused until `_classes` knows it."""
    model.graph_weight_ = "much"
    refuse(model, tmp_path, "graph_weight_ of RONMF is of type str")


def test_circles_and_nan(model, tmp_path):
    circle = []
    circle.append(circle)
    model.graph = circle
    refuse(model, tmp_path, r"RONMF\.graph\[0\] contains itself")
    model.graph = "plain"
    model.membership_ = np.where(model.membership_ > 0, np.nan, 0)
    refuse(model, tmp_path, "an array contains NaN")


def test_a_random_state_of_another_kind(model, tmp_path):
    model.random_state = np.random.RandomState(np.random.PCG64(0))
    refuse(model, tmp_path, "RandomState of PCG64, not of MT19937")


@pytest.mark.parametrize("extra", [[1], {"a": np.zeros(2)}, {"a": (1, 2)}, {1: 2}, {"a": np.inf}])
def test_extra_that_is_no_json(extra, model, tmp_path):
    refuse(model, tmp_path, "the model cannot be saved: ", extra=extra)


def test_what_is_no_fitted_model(tmp_path):
    refuse(RONMF(), tmp_path, "not fitted", NotFittedError)
    refuse(RONMF, tmp_path, "give a fitted estimator")
    refuse({"a": 1}, tmp_path, "give a fitted estimator")
    refuse(KMeans(2).fit(X), tmp_path, "KMeans is of the class KMeans")


def test_places_that_cannot_be_written(model, tmp_path):
    with pytest.raises(FileNotFoundError, match="does not exist; make it first"):
        save_model(model, tmp_path / "absent" / "m")
    with pytest.raises(ValueError, match="no plain file"):
        save_model(model, tmp_path)
    with pytest.raises(FileNotFoundError, match="absent does not exist; name a file"):
        load_model(tmp_path / "absent")
    with pytest.raises(ValueError, match="is no plain file"):
        load_model(tmp_path)


def test_extra_is_kept_beside_the_model(model, tmp_path):
    path = tmp_path / "m"
    extra = {"white": 255, "names": ["a", None, 0.5], "inner": {"é": True}}
    save_model(model, path, extra)
    assert read_extra(path) == extra
    save_model(model, str(path))  # and is replaced with it
    assert read_extra(path) == {}
    np.testing.assert_array_equal(ronmf.load_model(path).labels_, model.labels_)


def test_another_version_of_ronmf_gets_one_warning(model, tmp_path):
    path = tmp_path / "m"
    save_model(model, path)
    content, members = read_members(path)
    content["versions"]["ronmf"] = "0.0.1"
    write_members(path, content, members)
    with pytest.warns(UserWarning, match=r"was saved by ronmf 0\.0\.1, and this is") as caught:
        load_model(path)
    assert len(caught) == 1
    assert caught[0].filename == __file__


def test_the_list_of_classes_is_complete():
    known = set(CLASSES.values())
    public = [getattr(features, name) for name in features.__all__]
    assert {each for each in public if isinstance(each, type)} <= known
    assert set(penalties.PENALTIES.values()) <= known
    assert {cls for cls in Graph.__subclasses__() if cls.__module__.startswith("ronmf.")} <= known
    assert all(CLASSES[cls.__name__] is cls for cls in known)


def test_an_object_that_dies_is_not_taken_for_a_later_one():
    encoder = Encoder()
    found = [encoder.encode(np.full(3, i), "")["array"] for i in range(50)]
    assert found == list(range(50))
