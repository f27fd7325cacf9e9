"""Model files: taken apart and put together otherwise, and whether two models are the same."""

import io
import json
import sys
import zipfile
from contextlib import contextmanager
from functools import cached_property

import numpy as np
import scipy.sparse as sp

__all__ = ["differences", "npy_bytes", "read_members", "watched", "write_members"]


def read_members(path):
    """Return the JSON and the other members of a model file, by name."""
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    return json.loads(members.pop("model.json")), members


def write_members(path, content, members, compression=zipfile.ZIP_STORED):
    """Write a model file, with checksums that are right whatever is in it."""
    text = content if isinstance(content, str | bytes) else json.dumps(content)
    with zipfile.ZipFile(path, "w", compression) as archive:
        archive.writestr("model.json", text)
        for name, member in members.items():
            archive.writestr(name, member)


def npy_bytes(array, allow_pickle=False):
    """Return what ``numpy.save`` writes."""
    file = io.BytesIO()
    np.save(file, array, allow_pickle=allow_pickle)
    return file.getvalue()


def differences(one, two, where="model", left_out=("_previous",)):
    """Yield where two values differ: in type, in numbers, in the order in memory."""
    if type(one) is not type(two):
        yield f"{where}: {type(one).__name__} and {type(two).__name__}"
    elif isinstance(one, np.ndarray):
        same = one.dtype == two.dtype and np.array_equal(one, two)
        if not same or one.flags.c_contiguous != two.flags.c_contiguous:
            yield f"{where}: {one} and {two}"
        if one.dtype == object:
            yield from differences(one.tolist(), two.tolist(), where)
    elif isinstance(one, sp.csr_array):
        for name in ("data", "indices", "indptr", "shape"):
            yield from differences(getattr(one, name), getattr(two, name), f"{where}.{name}")
    elif isinstance(one, np.random.RandomState):
        yield from differences(one.get_state(), two.get_state(), where)
    elif isinstance(one, list | tuple):
        if len(one) != len(two):
            yield f"{where}: {len(one)} and {len(two)} values"
        for i, pair in enumerate(zip(one, two, strict=False)):
            yield from differences(*pair, f"{where}[{i}]")
    elif isinstance(one, dict):
        if list(one) != list(two):
            yield f"{where}: {list(one)} and {list(two)}"
        for key in one.keys() & two.keys():
            yield from differences(one[key], two[key], f"{where}.{key}")
    elif hasattr(one, "__dict__"):
        kept = [
            {
                name: value
                for name, value in vars(each).items()
                if name not in left_out
                and not isinstance(getattr(type(each), name, None), cached_property)
            }
            for each in (one, two)
        ]
        yield from differences(*kept, where)
    elif not (one == two or (one != one and two != two)):
        yield f"{where}: {one} and {two}"


_FORBIDDEN = {
    *("pickle.find_class", "os.system", "os.exec", "subprocess.Popen", "socket.connect"),
    *("os.mkdir", "os.remove", "os.rename", "os.chmod", "shutil.rmtree", "ctypes.dlopen"),
}
_events = None  # while somebody watches


def _note(event, arguments):
    if _events is None:
        return
    writes = event == "open" and isinstance(arguments[1], str) and set(arguments[1]) & set("wxa+")
    if event in _FORBIDDEN or writes:
        _events.append((event, *map(str, arguments)))


@contextmanager
def watched():
    """Yield a list that must stay empty: whatever unpickles, writes, connects or starts."""
    global _events
    if not _note.__dict__.get("there"):
        sys.addaudithook(_note)  # Python has no way to take one off again
        _note.there = True
    _events = []
    try:
        yield _events
    finally:
        _events = None
