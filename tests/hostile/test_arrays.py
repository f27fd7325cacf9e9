"""Files of arrays that lie about themselves or were damaged: one sentence with the file's name."""

import io
import struct
import zipfile
import zlib

import numpy as np
import pytest
from scipy.io import savemat

from ronmf.datasets import _arrays, from_mat, from_npz
from support.complaints import complaint
from support.fuzzing import fuzz_seeds, with_changed_bytes

RNG = np.random.RandomState(0)
X, Y = RNG.randint(256, size=(6, 16)).astype(np.uint8), np.arange(6)


def npz(**arrays):
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)
    return buffer.getvalue()


def mat(**options):
    buffer = io.BytesIO()
    savemat(buffer, {"X": X, "Y": Y}, **options)
    return buffer.getvalue()


def npy(shape, descr="|u1", data=b"\0" * 32):
    """Return a file of one array that claims a shape."""
    head = repr({"descr": descr, "fortran_order": False, "shape": shape}).encode()
    head += b" " * (64 - (len(head) + 11) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head + data


def zipped(content, name="X.npy", method=zipfile.ZIP_DEFLATED):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        archive.writestr(name, content)
    return buffer.getvalue()


def altered(content, place, value):
    """Return an archive with a byte of the heads of its members changed."""
    content = bytearray(content)
    for mark, offset in ((b"PK\x03\x04", 0), (b"PK\x01\x02", 2)):
        start = -1
        while (start := content.find(mark, start + 1)) >= 0:
            content[start + place + offset] = value
    return bytes(content)


REFUSED = {
    "empty": b"",
    "text": b"X = [1, 2, 3]",
    "other archive": zipped(b"hello", "readme.txt"),
    "no head": zipped(b"\x93NUMPY"),
    "huge": zipped(npy((10**15, 10))),
    "huge by many sides": zipped(npy((10**6,) * 5)),
    "huge type": zipped(npy((2,), "|S2000000000")),
    "negative": zipped(npy((-1, 4))),
    "objects": zipped(npy((2,), "|O")),
    "deep head": zipped(npy("(" * 3000 + ")" * 3000)),
    "code in the head": zipped(npy((2,), "__import__('os').getcwd()")),
    "newer format": zipped(b"\x93NUMPY\x09\x00" + b"\0" * 40),
    "locked": altered(npz(X=X, y=Y), 6, 1),
    "unknown method": altered(npz(X=X, y=Y), 8, 99),
    "bare array": npy((4, 8)),
    "no samples": npz(X=np.zeros((0, 4))),
    "three sides": npz(X=X, shape=np.array([2, 8, 1])),
    "a side alone": npz(X=X, shape=np.array(4)),
    "no side": npz(X=X, shape=np.array([np.nan, 2])),
    "rows without numbers": zipped(npy((10**10, 0), "<f8", b"")),
    "numbers without bytes": zipped(npy((10**9,), "|S0", b"")),
}


@pytest.mark.parametrize("content", REFUSED.values(), ids=REFUSED)
def test_odd_npz_files_get_a_sentence(tmp_path, content):
    path = tmp_path / "odd.npz"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"odd\.npz") as caught:
        from_npz(path)
    assert "\n" not in str(caught.value).strip()
    assert len(str(caught.value)) < 500


def test_arrays_larger_than_memory_are_refused_before_they_are_read(tmp_path, monkeypatch):
    monkeypatch.setattr(_arrays, "memory", lambda: 1000.0)
    (tmp_path / "a.npz").write_bytes(npz(X=np.zeros((40, 50))))
    (tmp_path / "a.mat").write_bytes(mat())
    with pytest.raises(ValueError, match=r"a\.npz .* more memory than there is"):
        from_npz(tmp_path / "a.npz")
    monkeypatch.setattr(_arrays, "memory", lambda: 100.0)
    with pytest.raises(ValueError, match=r"a\.mat .* more memory than there is"):
        from_mat(tmp_path / "a.mat")


def packed_mat(kind, shape, size):
    """Return a MATLAB file with one packed array that claims a shape and has no numbers."""
    parts = struct.pack("<4I", 6, 8, kind, 0) + struct.pack("<2I2i", 5, 8, *shape)
    parts += struct.pack("<2I", 1 | 1 << 16, ord("X"))
    head = struct.pack("<2I", 14, size) + parts
    body = zlib.compress(head + b"\0" * (size - len(parts)))
    return b" " * 124 + b"\x00\x01IM" + struct.pack("<2I", 15, len(body)) + body


def test_small_files_do_not_claim_much_memory(tmp_path):
    import tracemalloc

    for kind, size in ((5, 4000), (1, 2**27), (4, 2**27), (6, 2**27)):  # sparse, cells, text, plain
        path = tmp_path / "small.mat"
        path.write_bytes(packed_mat(kind, (60_000, 60_000), size))
        tracemalloc.start()
        with pytest.raises(ValueError, match=r"small\.mat"):
            from_mat(path)
        assert tracemalloc.get_traced_memory()[1] < 2**26 + 300 * path.stat().st_size * (kind == 6)
        tracemalloc.stop()


def changed(whole, seed):
    """Yield contents with bytes changed or cut off."""
    rng = np.random.RandomState(seed)
    for _ in range(80):
        yield with_changed_bytes(whole, rng, 12)
        yield whole[: rng.randint(len(whole))]


@pytest.mark.parametrize(
    ("read", "whole"),
    [
        (from_npz, npz(X=X, y=Y, shape=np.array([4, 4]))),
        (from_mat, mat()),
        (from_mat, mat(do_compression=True)),
        (from_mat, mat(format="4")),
    ],
    ids=["npz", "mat", "compressed mat", "mat 4"],
)
def test_damaged_files_are_read_or_get_a_sentence(tmp_path, read, whole):
    path = tmp_path / "damaged"
    for seed in fuzz_seeds():
        for content in changed(whole, seed):
            path.write_bytes(content)
            assert complaint(read, path) in ("", str(path))
