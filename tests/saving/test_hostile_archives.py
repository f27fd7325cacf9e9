"""Model files of strangers, around the model: damaged, overgrown, or something else altogether."""

import copy
import io
import json
import pickle
import struct
import tracemalloc
import warnings
import zipfile

import numpy as np
import pytest

from ronmf import load_model
from ronmf.saving import read_extra
from support.complaints import complaint
from support.fuzzing import fuzz_seeds, with_changed_bytes
from support.models import npy_bytes, watched


class Attack:
    """Writes a file if it is unpickled."""

    def __init__(self, path):
        self.path = str(path)

    def __reduce__(self):
        return open, (self.path, "w")


@pytest.mark.parametrize(
    "content", [b"", b"PK", b"no zip file", b"PK\5\6" + 18 * b"\0", b"\x80\4."]
)
def test_files_that_are_no_models(content, refused):
    refused(content)


def test_files_that_were_cut_off(whole, refused):
    content = whole[0]
    for end in [*range(1, 60, 7), *range(100, len(content), len(content) // 15), len(content) - 1]:
        refused(content[:end])


def test_pickles_do_nothing(whole, refused, tmp_path):
    _, content, members = whole
    attack = Attack(tmp_path / "attacked")
    payload = np.empty(1, dtype=object)
    payload[0] = attack
    for member in (npy_bytes(payload, allow_pickle=True), pickle.dumps(attack)):
        refused(content, members | {"arrays/0.npy": member})
    refused(pickle.dumps(attack))
    refused(pickle.dumps(attack), members)
    for value in ({"class": "Attack", "state": {}}, {"py/reduce": [{"py/function": "os.system"}]}):
        changed = copy.deepcopy(content)
        changed["objects"].insert(0, value)
        refused(changed, members)


def test_members_that_are_not_of_a_model(whole, refused):
    _, content, members = whole
    first = members["arrays/0.npy"]
    for name in (
        "../evil.npy",
        "/evil.npy",
        "arrays/../../evil",
        "arrays/999.npy",
        "arrays/-1.npy",
    ):
        assert "members are not those" in refused(content, members | {name: first})
    fewer = {name: member for name, member in members.items() if name != "arrays/1.npy"}
    assert "members are not those" in refused(content, fewer)
    last = f"arrays/{len(members) - 1}.npy"
    fewer = {name: member for name, member in members.items() if name != last}
    refused(content, fewer)
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("model.json", json.dumps(content))
        with pytest.warns(UserWarning, match="Duplicate name"):
            archive.writestr("model.json", json.dumps(content))
    assert "members are not those" in refused(file.getvalue())


def test_members_that_would_grow(whole, refused, tmp_path):
    _, content, members = whole
    bomb = npy_bytes(np.zeros(0))[:-1] + bytes(10**7)
    tracemalloc.start()
    said = refused(content, members | {"arrays/0.npy": bomb}, compression=zipfile.ZIP_DEFLATED)
    assert "is compressed" in said
    for shape in ("(10**9,)", "(1000000000,)", "(-1,)", "(2, -4)", "(0, 1, 9" + 400 * ", 9" + ")"):
        head = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}".encode()
        head += b" " * (-(len(head) + 11) % 64) + b"\n"
        claim = b"\x93NUMPY\1\0" + struct.pack("<H", len(head)) + head
        refused(content, members | {"arrays/0.npy": claim + bytes(80)})
    assert tracemalloc.get_traced_memory()[1] < 10**8
    tracemalloc.stop()


def test_members_on_top_of_each_other(whole, refused):
    """Many members that are the same bytes would take much memory for a short file."""
    _, content, _ = whole
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("model.json", json.dumps(content))
        archive.writestr("arrays/0.npy", npy_bytes(np.zeros(100_000)))
        info = archive.getinfo("arrays/0.npy")
        for i in range(1, 50):
            again = copy.copy(info)
            again.filename = f"arrays/{i}.npy"
            archive.filelist.append(again)
    assert "claim" in refused(file.getvalue())


@pytest.mark.parametrize("dtype", ["O", "V8", "f4,i4", "c16", "U0", "f16", "(2,)f8"])
def test_arrays_that_are_not_plain(dtype, whole, refused):
    _, content, members = whole
    head = repr({"descr": dtype, "fortran_order": False, "shape": (2,)})
    if "," in dtype and "(" not in dtype:
        head = head.replace(repr(dtype), "[('a', '<f4'), ('b', '<i4')]")
    head = head.encode() + b"\n"
    member = b"\x93NUMPY\1\0" + struct.pack("<H", len(head)) + head + bytes(32)
    refused(content, members | {"arrays/0.npy": member})


def test_bits_that_mean_nothing(whole, refused):
    _, content, members = whole
    for array, kind in ((np.array([7], np.uint8), "?"), (np.array([2**31], np.uint32), "<U1")):
        member = npy_bytes(array).replace(array.dtype.str.encode(), kind.encode().ljust(3))
        refused(content, members | {"arrays/0.npy": member})
    assert "NaN" in refused(content, members | {"arrays/0.npy": npy_bytes(np.array([np.nan]))})


@pytest.mark.parametrize(
    "text",
    [
        *("", "null", "[]", "{}", "1", '"a"', '{"format": true}', '{"format": 1, "format": 1}'),
        *("[" * 100_000, '{"a":' * 100_000, '{"format": NaN}', '{"format": ' + "9" * 5000 + "}"),
        b"\xff\xfe{",
    ],
)
def test_texts_that_are_no_description(text, whole, refused):
    refused(text, whole[2])


def test_a_format_of_the_future(whole, refused):
    _, content, members = whole
    said = refused(content | {"format": 3}, members)
    assert "it has format 3, and this version of ronmf reads 1 and 2 only" in said
    for change in ({"versions": {}}, {"versions": {"ronmf": "\x1b[2J"}}, {"more": 1}):
        refused(content | change, members)


def test_damaged_files_are_read_or_get_a_sentence(whole, tmp_path):
    path = tmp_path / "model.ronmf"
    for seed in fuzz_seeds():
        rng = np.random.RandomState(seed)
        for _ in range(150):
            path.write_bytes(with_changed_bytes(whole[0], rng, 12, b'\0\xff{}[]"0'))
            with watched() as events, warnings.catch_warnings():
                warnings.simplefilter("ignore")
                for read in (load_model, read_extra):
                    assert complaint(read, path) in ("", str(path))
            assert events == []
