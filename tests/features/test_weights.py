"""Weights read without torch: the same numbers, and no pickle that runs anything."""

import io
import os
import pickle
import struct
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ronmf.features._weights import _MAGIC, read_weights

REFUSED = r"^these are no weights as torch\.save writes them$"


def with_pickle(hostile, place):
    """Return a file as torch.save wrote it, in which one of its five pickles is another."""
    parts = [pickle.dumps(part, 2) for part in (_MAGIC, 1001, {"little_endian": True}, {}, [])]
    parts[place] = hostile
    return b"".join(parts)


def tensor_file(shape, strides, offset=0, values=(1.0, 2.0, 3.0, 4.0, 5.0, 6.0)):
    """Return a file with one tensor, "w", written by hand."""
    text = b"".join
    numbers = [
        b"(" + text(b"J" + struct.pack("<i", n) for n in side) + b"t" for side in (shape, strides)
    ]
    storage = b"(X\x07\x00\x00\x00storagectorch\nFloatStorage\n"
    storage += b"X\x01\x00\x00\x000X\x03\x00\x00\x00cpuK\x06Nt"
    tensor = (
        b"\x80\x02}X\x01\x00\x00\x00wctorch._utils\n_rebuild_tensor_v2\n("
        + (storage + b"Q" + b"J" + struct.pack("<i", offset) + text(numbers))
        + b"\x89ccollections\nOrderedDict\n)RtRs."
    )
    content = struct.pack("<q", len(values)) + np.array(values, "<f4").tobytes()
    keys = b"\x80\x02](X\x01\x00\x00\x000e."
    return with_pickle(tensor, 3)[: -len(pickle.dumps([], 2))] + keys + content


def test_tensors_lie_in_their_storage_as_they_say():
    np.testing.assert_array_equal(
        read_weights(tensor_file((2, 3), (3, 1)))["w"], [[1, 2, 3], [4, 5, 6]]
    )
    np.testing.assert_array_equal(
        read_weights(tensor_file((2, 2), (1, 2), offset=1))["w"], [[2, 4], [3, 5]]
    )


@pytest.mark.parametrize(
    ("shape", "strides", "offset"),
    [
        ((7,), (1,), 0),
        ((2, 3), (3, 2), 0),
        ((2,), (1,), 5),
        ((2,), (-1,), 3),
        ((2,), (1,), -1),
        ((1 << 20, 1 << 20), (0, 0), 0),  # four terabytes of one number
        ((2, 3), (3,), 0),
    ],
)
def test_tensors_outside_their_storage_are_refused(shape, strides, offset):
    with pytest.raises(ValueError, match=REFUSED):
        read_weights(tensor_file(shape, strides, offset))


def test_torch_reads_and_writes_the_same():
    torch = pytest.importorskip("torch", reason="needs torch: pip install 'ronmf[torch]'")
    rng = torch.Generator().manual_seed(0)
    both = torch.rand(4, 6, generator=rng)
    state = torch.nn.Sequential(torch.nn.Conv2d(3, 4, 3), torch.nn.BatchNorm2d(4)).state_dict()
    state |= {"turned": both.T, "part": both[1:3, 2:], "same storage": both}
    state["one"] = torch.tensor(2.5)
    file = io.BytesIO()
    torch.save(state, file, _use_new_zipfile_serialization=False)
    found = read_weights(file.getvalue())
    assert list(found) == list(state)
    for name, value in state.items():
        np.testing.assert_array_equal(found[name], value.numpy())


class Runs:
    """What a hostile file would have unpickled: a call that leaves a folder."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return os.mkdir, (str(self.path),)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_hostile_pickle_runs_nothing(tmp_path, protocol):
    for place in range(5):
        trap = tmp_path / f"trap {place}"
        hostile = pickle.dumps({"little_endian": True, "w": Runs(trap)}, protocol)
        with pytest.raises(ValueError, match=REFUSED):
            read_weights(with_pickle(hostile, place))
        assert not trap.exists()
        pickle.loads(hostile)
        assert trap.exists()  # so it was hostile


@pytest.mark.parametrize(
    "program",
    [
        b"\x80\x02cbuiltins\neval\nX\x03\x00\x00\x001+1\x85R.",  # GLOBAL, REDUCE
        b"\x80\x02X\x03\x00\x00\x001+1ibuiltins\neval\n.",  # INST
        b"\x80\x04\x8c\x08builtins\x8c\x04eval\x93.",  # STACK_GLOBAL
        b"\x80\x02cbuiltins\nobject\n)\x81.",  # NEWOBJ
        b"\x80\x02\x82\x01.",  # EXT1
        b"\x80\x02ccollections\nOrderedDict\nK\x01\x85R.",  # a known name, another call
        b"\x80\x02ctorch._utils\n_rebuild_tensor_v2\n}b.",  # BUILD on what is no object
        b"\x80\x02(((((",
        b"",
    ],
)
def test_other_instructions_are_refused(program):
    with pytest.raises(ValueError, match=REFUSED):
        read_weights(with_pickle(program, 3))


@given(st.data())
@settings(max_examples=200, deadline=None)
def test_a_damaged_file_is_one_sentence_or_other_numbers(data):
    content = bytearray(tensor_file((2, 3), (3, 1)))
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    with suppress(ValueError):  # and nothing else
        found = read_weights(bytes(content[: data.draw(st.integers(0, len(content)))]))
        assert all(isinstance(value, np.ndarray) for value in found.values())
