"""ONNX files as we write them, and what is refused in those of others."""

from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ronmf.features import _onnx_format as onnx_format
from ronmf.features._onnx_format import _field, check_self_contained, model, node, parameter

PICTURES = ("x", ["n", 3, 4, 4])
VECTORS = ("y", ["n", 3])
EXTERNAL = _field(1, 2) + _field(2, 1) + _field(8, "w") + _field(14, 1)
EXTERNAL += _field(13, _field(1, "location") + _field(2, "/etc/passwd"))


def attribute(number, content):
    """Return a node with one attribute, whatever that holds."""
    return node("If", ["x"], "y") + _field(5, _field(1, "branch") + _field(number, content))


def graph(*, nodes=(), tensors=()):
    return b"".join([*(_field(1, n) for n in nodes), *(_field(5, t) for t in tensors)])


def test_the_package_onnx_reads_what_we_write():
    onnx = pytest.importorskip("onnx", reason="needs onnx, as no other test does")
    weights = np.arange(6.0).reshape(3, 2)
    content = model(
        [node("Conv", ["x", "w"], "z", strides=[1, 2], group=300), node("Relu", ["z"], "y")],
        [parameter("w", weights)],
        PICTURES,
        VECTORS,
    )
    found = onnx.load_from_string(content)
    assert [n.op_type for n in found.graph.node] == ["Conv", "Relu"]
    strides, group = found.graph.node[0].attribute
    assert (list(strides.ints), group.i) == ([1, 2], 300)
    np.testing.assert_array_equal(onnx.numpy_helper.to_array(found.graph.initializer[0]), weights)
    assert found.graph.input[0].type.tensor_type.shape.dim[0].dim_param == "n"


@pytest.mark.parametrize(
    "content",
    [
        model([node("Relu", ["x"], "y")], [EXTERNAL], PICTURES, VECTORS),
        model([attribute(5, EXTERNAL)], [], PICTURES, VECTORS),
        model([attribute(10, EXTERNAL)], [], PICTURES, VECTORS),
        model([attribute(22, _field(2, EXTERNAL))], [], PICTURES, VECTORS),
        model([attribute(6, graph(tensors=[EXTERNAL]))], [], PICTURES, VECTORS),
        model(
            [attribute(11, graph(nodes=[attribute(6, graph(tensors=[EXTERNAL]))]))],
            [],
            PICTURES,
            VECTORS,
        ),
        _field(7, _field(15, _field(1, EXTERNAL))),
        _field(25, _field(7, attribute(5, EXTERNAL))),
        _field(20, _field(2, graph(tensors=[EXTERNAL]))),
        # Only one of the two signs, or one that wraps around
        _field(7, graph(tensors=[_field(14, 1)])),
        _field(7, graph(tensors=[_field(14, 2**32 + 1)])),
        _field(7, graph(tensors=[_field(13, b"")])),
    ],
)
def test_weights_in_other_files_are_refused_wherever_they_hide(content):
    with pytest.raises(ValueError, match="keeps its weights in other files"):
        check_self_contained(content)


def test_operators_from_elsewhere_are_refused():
    foreign = node("Run", ["x"], "y") + _field(7, "evil.ops")
    for content in (
        model([foreign], [], PICTURES, VECTORS),
        model([attribute(6, graph(nodes=[foreign]))], [], PICTURES, VECTORS),
    ):
        with pytest.raises(ValueError, match=r"needs operators of evil\.ops"):
            check_self_contained(content)
    # A function of the model itself is made of operators that are looked at too.
    own = _field(
        25, _field(1, "Run") + _field(10, "evil.ops") + _field(7, node("Relu", ["x"], "y"))
    )
    check_self_contained(model([foreign], [], PICTURES, VECTORS) + own)


def test_deep_nesting_is_walked_through():
    inner = graph(tensors=[EXTERNAL])
    for _ in range(5000):
        inner = graph(nodes=[attribute(6, inner)])
    with pytest.raises(ValueError, match="keeps its weights in other files"):
        check_self_contained(_field(7, inner))


def test_a_tag_beyond_32_bits_is_refused():
    """onnxruntime would drop the upper bits, and see another field than we do."""
    hidden = onnx_format._varint((1 << 32) | (7 << 3 | 2))
    with pytest.raises(ValueError, match="is no ONNX model"):
        check_self_contained(hidden + b"\x00")


@given(st.binary(max_size=200))
def test_any_bytes_are_looked_at_or_refused(content):
    with suppress(ValueError):  # and nothing else
        check_self_contained(content)


@given(st.integers(0, 2**63), st.binary(max_size=30))
def test_what_is_written_is_read(number, content):
    fields = _field(5, number) + _field(700, content)
    assert list(onnx_format._read(memoryview(fields))) == [(5, number), (700, content)]
