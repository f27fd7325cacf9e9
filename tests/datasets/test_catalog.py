"""The catalog says what is special about a dataset, so that no other module needs to know."""

import ast
import re
from pathlib import Path

import numpy as np
import pytest
import sklearn.datasets

import ronmf
from ronmf.datasets import CATALOG, Source, load
from ronmf.datasets._openml import METHODS, block_means, count_from_zero

SOURCE = Path(ronmf.__file__).parent
ROOMS = ["datasets", "features", "system", "cli", "bench/running"]
FILES = sorted(file for room in ROOMS for file in (SOURCE / room).rglob("*.py"))


def strings_of(code):
    """Return the strings of a module that are no docstrings."""
    tree = ast.parse(code)
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and isinstance(node.body[0], ast.Expr)
    }
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and id(node) not in docstrings
    ]


def test_only_the_catalog_names_datasets():
    named = re.compile(rf"\b({'|'.join(CATALOG)})\b")
    found = {
        file.relative_to(SOURCE).as_posix()
        for file in FILES
        for text in strings_of(file.read_text(encoding="utf-8"))
        if named.search(text)
    }
    assert found == set()


@pytest.mark.parametrize("entry", CATALOG.values(), ids=lambda entry: entry.name)
def test_what_an_entry_says_of_itself_fits_together(entry):
    assert bool(entry.bundled) != bool(entry.file)
    assert bool(entry.file) == bool(entry.sha256) == bool(entry.sources)
    assert entry.resizable == entry.file.endswith(".zip")
    assert entry.resizable or not entry.no_classes
    kinds = {source.kind for source in entry.sources}
    assert not entry.prepare or "openml" in kinds
    assert not entry.prepare or entry.prepare["method"] in METHODS
    assert not entry.bundled or hasattr(sklearn.datasets, entry.bundled)


@pytest.mark.parametrize("name", [entry.name for entry in CATALOG.values() if entry.bundled])
def test_bundled_datasets_have_the_sizes_of_the_catalog(name):
    dataset, entry = load(name), CATALOG[name]
    assert dataset.name == name
    assert dataset.X.shape == (entry.n_samples, entry.n_features)
    assert len(dataset.classes) == entry.n_classes
    assert dataset.image_shape == entry.image_shape


@pytest.mark.parametrize("name", [entry.name for entry in CATALOG.values() if not entry.resizable])
def test_options_of_photographs_are_refused_for_other_datasets(name, tmp_path):
    with pytest.raises(
        ValueError, match=f"image_shape is for cal101 only: leave it out for {name}"
    ):
        load(name, tmp_path, image_shape=(4, 4))


def test_a_source_of_no_known_kind_is_refused():
    with pytest.raises(ValueError, match="kind is 'tar': use one of copy, mat"):
        Source("https://example.org/yale.tar", "tar")


def test_a_table_that_is_something_else_is_refused():
    with pytest.raises(ValueError, match="the pictures have 6 pixels, not 4 x 2"):
        block_means(np.ones((3, 6)), np.arange(3), full=(4, 2), small=(2, 1))
    with pytest.raises(ValueError, match="could not convert"):
        count_from_zero(np.ones((2, 1)), np.array(["a", "b"]))
