"""Feature caches that were damaged or made by others: a warning, and a miss."""

import sqlite3
import threading
import warnings
import zlib

import numpy as np
import pytest

from ronmf.features._store import FeatureStore
from support.fuzzing import fuzz_seeds, with_changed_bytes

VECTORS = {bytes([i]): np.full(40, i, dtype="<f4") for i in range(30)}


@pytest.fixture
def path(tmp_path):
    """A file with thirty vectors."""
    path = tmp_path / "cache" / "v.sqlite"
    with FeatureStore(path) as store:
        store.put(VECTORS)
    return path


def read(path):
    """Return what is found, each vector as it was put, and the warnings."""
    with warnings.catch_warnings(record=True) as caught, FeatureStore(path) as store:
        warnings.simplefilter("always")
        found = store.get(list(VECTORS))
        store.put({b"new": np.ones(40, "<f4")})  # must not fail either
    for key, vector in found.items():
        np.testing.assert_array_equal(vector, VECTORS[key])
    return found, [str(each.message) for each in caught]


def execute(path, *statements):
    connection = sqlite3.connect(path)
    with connection:
        for statement in statements:
            connection.execute(statement)
    connection.close()


@pytest.mark.parametrize(
    "value",
    ["'text'", "7", "1.5", "x'00'", "x'000000'", "zeroblob(160)", "x'0000c07f'", "x''"],
)
def test_values_of_other_kinds_are_misses_with_a_warning(path, value):
    execute(path, f"UPDATE vectors SET value = {value} WHERE key = x'03'")
    found, (warning,) = read(path)
    assert len(found) == 29
    assert "1 vectors in the feature cache" in warning
    assert str(path) in warning


def test_a_vector_that_is_no_number_is_a_miss(path):
    bad = np.full(4, np.nan, "<f4").tobytes()
    check = zlib.crc32(b"\x03" + bad)
    change = f"SET value = x'{bad.hex()}', checksum = {check}"
    execute(path, f"UPDATE vectors {change} WHERE key = x'03'")
    found, warnings_ = read(path)
    assert len(found) == 29
    assert len(warnings_) == 1


ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
STRANGE = {
    "endless view": (
        "DROP TABLE vectors",
        f"CREATE VIEW vectors AS {ENDLESS} SELECT i AS key, i AS value, i AS checksum FROM n",
    ),
    "trigger": (
        "CREATE TRIGGER t AFTER INSERT ON vectors BEGIN"
        " UPDATE vectors SET value = zeroblob(100000000); END",
    ),
    "other columns": ("DROP TABLE vectors", "CREATE TABLE vectors (a, b)"),
    "another table": ("CREATE TABLE other (a)",),
    "check": (
        "DROP TABLE vectors",
        "CREATE TABLE vectors (key BLOB, value BLOB, checksum CHECK (randomblob(10) IS NULL))",
    ),
}


@pytest.mark.parametrize("statements", STRANGE.values(), ids=STRANGE)
def test_files_of_other_makers_are_not_used(path, statements):
    execute(path, *statements)
    outcome = []
    thread = threading.Thread(target=lambda: outcome.append(read(path)), daemon=True)
    thread.start()
    thread.join(20)
    found, said = outcome[0]
    assert found == {}
    assert "holds something else" in said[0]


def test_damaged_files_give_back_nothing_but_what_was_put(path):
    whole = path.read_bytes()
    for seed in fuzz_seeds():
        rng = np.random.RandomState(seed)
        for _ in range(40):
            content = with_changed_bytes(whole, rng, 40)
            cut = rng.randint(len(content)) if rng.rand() < 0.3 else len(content)
            path.write_bytes(content[:cut])
            read(path)  # what it returns is as it was put
            for beside in path.parent.glob("v.sqlite-*"):
                beside.unlink()


@pytest.mark.parametrize("content", [b"", b"hello", b"SQLite format 3\0" + b"\0" * 84])
def test_files_that_are_none_are_misses(path, content):
    path.write_bytes(content)
    found, said = read(path)
    assert found == {}
    assert bool(said) == bool(content)


def test_folders_and_missing_rights_are_misses(tmp_path):
    for path in (tmp_path, tmp_path / "file" / "v.sqlite"):
        (tmp_path / "file").write_text("")
        found, said = read(path)
        assert found == {}
        assert said
