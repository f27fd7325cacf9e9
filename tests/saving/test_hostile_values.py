"""Model files of strangers that are whole, with values that no model has: a sentence, no more."""

import copy
import io
import json
import warnings
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ronmf import load_model
from support.complaints import complaint
from support.fuzzing import small_fits
from support.models import npy_bytes, watched, write_members


def find(content, name):
    """Return the attributes of the first object of a class."""
    return next(each["state"] for each in content["objects"] if each["class"] == name)


CHANGES = {
    "unknown class": (
        "'os.system' is no class",
        lambda c: c["objects"][0].update({"class": "os.system"}),
    ),
    "class of scikit-learn": (
        "'FunctionTransformer' is no class",
        lambda c: c["objects"][0].update({"class": "FunctionTransformer"}),
    ),
    "name that is no text": (
        "no name of a class",
        lambda c: c["objects"][0].update({"class": ["RONMF"]}),
    ),
    "unknown attribute": (
        "no place for the attribute 'surprise'",
        lambda c: find(c, "RONMF").update(surprise=1),
    ),
    "method": (
        "no place for the attribute 'predict'",
        lambda c: find(c, "RONMF").update(predict="x"),
    ),
    "special": (
        "no place for the attribute '__class__'",
        lambda c: find(c, "RONMF").update(__class__="x"),
    ),
    "missing": ("lacks 'samples'", lambda c: find(c, "NeighborGraph").pop("samples")),
    "text for a number": (
        "scale of GroupLoss is of type str",
        lambda c: find(c, "GroupLoss").update(scale="1"),
    ),
    "nan for a count": (
        "n_neighbors of NeighborGraph is of type float",
        lambda c: find(c, "NeighborGraph").update(n_neighbors={"float": "nan"}),
    ),
    "true for a count": (
        "is of type bool",
        lambda c: find(c, "NeighborGraph").update(n_neighbors=True),
    ),
    "parameter": (
        "n_neighbors' parameter of RONMF must be",
        lambda c: find(c, "RONMF").update(n_neighbors=-3),
    ),
    "solver": ("beta of ADMM must be", lambda c: find(c, "ADMM").update(beta=0.0)),
    "penalty": ("tau of MCP must be", lambda c: find(c, "MCP").update(tau=0.1)),
    "folder": (
        "checkpoint of RONMF is of type str",
        lambda c: find(c, "RONMF").update(checkpoint="/tmp/elsewhere"),
    ),
    "huge": ("whole number is too large", lambda c: find(c, "RONMF").update(n_clusters=2**80)),
    "infinite": ("number is too large", lambda c: find(c, "RONMF").update(label_weight=1e308)),
    "kind": ("unknown kind", lambda c: find(c, "RONMF").update(graph_={"eval": "1"})),
    "two kinds": (
        "several keys",
        lambda c: find(c, "RONMF").update(graph_={"tuple": [], "dict": []}),
    ),
    "later object": (
        "object is referred to that is not there",
        lambda c: c["objects"][0]["state"].update(x={"object": 99}),
    ),
    "itself": (
        "object is referred to that is not there",
        lambda c: c["objects"][-1]["state"].update(graph_={"object": len(c["objects"]) - 1}),
    ),
    "negative": (
        "object is referred to that is not there",
        lambda c: find(c, "RONMF").update(graph_={"object": -1}),
    ),
    "array": (
        "array is referred to that is not there",
        lambda c: find(c, "RONMF").update(labels_={"array": 10**9}),
    ),
    "dictionary": (
        "key 'a' twice",
        lambda c: find(c, "RONMF").update(graph_summary_={"dict": [["a", 1], ["a", 1]]}),
    ),
    "scalar": (
        "unknown kind",
        lambda c: find(c, "RONMF").update(graph_weight_={"scalar": ["object", 1]}),
    ),
    "large scalar": ("", lambda c: find(c, "RONMF").update(n_iter_={"scalar": ["int8", 300]})),
    "wide scalar": (
        "does not fit into type float32",
        lambda c: find(c, "RONMF").update(graph_weight_={"scalar": ["float32", 1e300]}),
    ),
    "names": (
        "picks names that are not there",
        lambda c: find(c, "RONMF")["classes_"]["names"][0].clear(),
    ),
    "listed names": (
        "neither number nor text",
        lambda c: find(c, "RONMF").update(classes_={"names": [[[1]], 0]}),
    ),
    "random place": (
        "in no state",
        lambda c: find(c, "RONMF")["random_state"]["random"].__setitem__(1, 10**6),
    ),
    "random place below": (
        "in no state",
        lambda c: find(c, "RONMF")["random_state"]["random"].__setitem__(1, -1),
    ),
    "random key": (
        "has no key",
        lambda c: find(c, "RONMF")["random_state"]["random"].__setitem__(0, {"array": 1}),
    ),
    "no model": ("is no model", lambda c: c.update(model=1)),
    "part for a model": ("is no model", lambda c: c.update(model={"object": 0})),
    "unfitted": (
        "not fitted",
        lambda c: [find(c, "RONMF").pop(k) for k in list(find(c, "RONMF")) if k.endswith("_")],
    ),
    "deep": ("16 deep", lambda c: find(c, "RONMF").update(graph=json.loads("[" * 200 + "]" * 200))),
    "extra": ("not the parts of a model", lambda c: c.update(objects={})),
}


@pytest.mark.parametrize("name", CHANGES)
def test_descriptions_with_one_thing_wrong(name, whole, refused):
    _, content, members = whole
    content = copy.deepcopy(content)
    phrase, change = CHANGES[name]
    change(content)
    if name == "infinite":
        content = json.dumps(content).replace("1e+308", "1e999")
    assert phrase in refused(content, members)


def test_a_sparse_matrix_with_indices_that_are_not_there(whole, refused):
    """SciPy's products would read memory that is not theirs."""
    _, content, members = whole
    data, indices, starts, shape = find(content, "NeighborGraph")["affinity"]["csr"]
    assert shape == [40, 40]
    for part, change in (
        (indices, lambda a: a + 10**6),
        (indices, lambda a: a - 10**6),
        (indices, lambda a: a[:-1]),
        (indices, lambda a: a.astype(np.float64)),
        (starts, lambda a: a * 1000),
        (starts, lambda a: a[::-1].copy()),
        (starts, lambda a: a[:-1]),
        (data, lambda a: a.reshape(1, -1)),
    ):
        name = f"arrays/{part['array']}.npy"
        array = np.load(io.BytesIO(members[name]))
        assert "sparse matrix" in refused(content, members | {name: npy_bytes(change(array))})
    content = copy.deepcopy(content)
    find(content, "NeighborGraph")["affinity"]["csr"][3] = [40, 10]
    assert "columns that are not there" in refused(content, members)


def test_arrays_whose_products_would_be_larger_than_they_are(whole, refused):
    _, content, members = whole
    parts = find(content, "NewSampleModel")

    def changed(**arrays):
        found = dict(members)
        for name, array in arrays.items():
            ((kind, i),) = parts[name].items()
            found[f"arrays/{i}.npy"] = npy_bytes(array.T if kind == "transposed" else array)
        return found

    U, A, Z = np.ones((6, 3000)), np.ones((40, 3000)), np.ones((3, 3000))
    assert "arrays of NewSampleModel do not fit together" in refused(content, changed(Z=Z))
    assert "has more columns than any fit" in refused(content, changed(U=U, Z=Z))
    prior, Z = np.ones(3000), np.ones((3000, 3))
    assert "has more columns than any fit" in refused(content, changed(A=A, Z=Z, prior=prior))
    assert "has 2 dimensions" in refused(content, changed(group_weights=np.ones((3000, 1))))


def test_few_objects_that_are_reached_in_very_many_ways(whole, refused):
    _, content, members = whole
    pipes = [{"class": "UnitNorm", "state": {}}]
    for i in range(40):
        steps = [{"tuple": [name, {"object": i}]} for name in "ab"]
        state = {"steps": steps, "transform_input": None, "memory": None, "verbose": False}
        pipes.append({"class": "Pipeline", "state": state})
    said = refused(content | {"objects": pipes, "model": {"object": 40}}, members)
    assert "repeat each other too often" in said


def test_a_network_that_would_be_downloaded_and_folders_of_others(whole, refused):
    _, content, members = whole
    good = {"model": "efficientnet_lite0", "image_shape": None, "white": "auto", "batch_size": 1}
    good |= {"device": None, "cache": False, "callback": None}
    for change in (
        {"model": "hf-hub:evil/net"},
        {"cache": "/tmp/elsewhere"},
        {"callback": "print"},
    ):
        objects = [{"class": "DeepFeatures", "state": good | change}]
        assert "DeepFeatures" in refused(content | {"objects": objects}, members)
    pipe = {"steps": [], "transform_input": None, "memory": "/tmp/elsewhere", "verbose": False}
    objects = [{"class": "Pipeline", "state": pipe}]
    assert "memory of Pipeline" in refused(content | {"objects": objects}, members)


LEAVES = st.one_of(
    *(st.none(), st.booleans(), st.integers(-(2**70), 2**70), st.floats(), st.text(max_size=3)),
    st.sampled_from(["RONMF", "MCP", "NeighborGraph", "Pipeline", "nan", "float64", "plain"]),
    st.builds(lambda kind, i: {kind: i}, st.sampled_from(["array", "object"]), st.integers(-1, 30)),
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(
            st.sampled_from(
                ["tuple", "dict", "csr", "names", "random", "scalar", "class", "state"]
            ),
            inner,
            max_size=2,
        ),
    ),
    max_leaves=6,
)


@small_fits()
@given(data=st.data())
def test_any_other_value_is_loaded_or_gets_a_sentence(whole, tmp_path_factory, data):
    """Checksums are right here, so that all damage arrives at the checks of values."""
    _, content, members = whole
    content = copy.deepcopy(content)
    for _ in range(data.draw(st.integers(1, 3))):
        place = content
        while True:
            keys = list(place) if isinstance(place, dict) else list(range(len(place)))
            key = data.draw(st.sampled_from(keys))
            if (
                not (isinstance(place[key], dict | list) and place[key])
                or data.draw(st.integers(0, 3)) == 0
            ):
                break
            place = place[key]
        place[key] = data.draw(VALUES)
    path = tmp_path_factory.mktemp("any") / "model.ronmf"
    write_members(path, content, members)
    with watched() as events, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        said = complaint(load_model, path)
        assert said in ("", str(path))
        if not said:  # numbers may be wrong, and then predictions are or it says so
            with suppress(ValueError, TypeError, LookupError, AttributeError, ArithmeticError):
                load_model(path).predict(np.ones((3, 6)))
    assert events == []
