"""Tables of labels, as people and programs write them."""

import tempfile
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ronmf.datasets import PictureFolder, read_label_table

FILES = ("a/1.png", "a/2.png", "b, c.png", 'quo"te.png')


@pytest.fixture
def folder(tmp_path):
    return PictureFolder(tmp_path / "pictures", FILES, tuple(tmp_path / name for name in FILES))


def read(folder, text, name="labels.csv", encoding="utf-8"):
    table = folder.root.parent / name
    table.parent.mkdir(parents=True, exist_ok=True)
    table.write_bytes(text.encode(encoding))
    return read_label_table(table, folder)


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_delimiters_line_ends_and_encodings(folder, delimiter):
    for end in ("\n", "\r\n", "\r"):
        for encoding in ("utf-8", "utf-8-sig", "utf-16"):
            rows = [["FILE", "x", "Label"], ["a/1.png", "0", "Ühu"], ["a/2.png", "1", ""]]
            text = end.join(delimiter.join(row) for row in rows) + end
            assert read(folder, text, encoding=encoding).labels == {"a/1.png": "Ühu"}


def test_quoted_cells(folder):
    text = 'path,class\n"b, c.png",owl\n"quo""te.png","bat, small"\n'
    assert read(folder, text).labels == {"b, c.png": "owl", 'quo"te.png': "bat, small"}


def test_label_counts_before_class_so_that_results_can_be_corrected(folder):
    text = "path,class,certainty,label\na/1.png,owl,0.9,bat\na/2.png,owl,0.8,\n"
    assert read(folder, text).labels == {"a/1.png": "bat"}


@pytest.mark.parametrize(
    "name", ["a/1.png", "./a/1.png", "a\\1.png", "../pictures/a/1.png", "b/../a/1.png"]
)
def test_paths_relative_to_the_folder(folder, name):
    assert read(folder, f"file,label\n{name},owl\n").labels == {"a/1.png": "owl"}


def test_paths_relative_to_the_table_and_absolute_ones(folder):
    beside = read(folder, "file,label\n1.png,owl\n", name="pictures/a/labels.csv")
    assert beside.labels == {"a/1.png": "owl"}
    absolute = read(folder, f"file,label\n{folder.root / 'a/2.png'},owl\n")
    assert absolute.labels == {"a/2.png": "owl"}


def test_a_folder_by_a_link(folder, tmp_path):
    folder.root.mkdir()
    (tmp_path / "link").symlink_to(folder.root, target_is_directory=True)
    linked = PictureFolder(tmp_path / "link", FILES, folder.paths)
    for name in (tmp_path / "link" / "a/1.png", folder.root / "a/1.png"):
        assert read(linked, f"file,label\n{name},owl\n").labels == {"a/1.png": "owl"}


def test_names_with_blanks_and_a_line_that_says_what_parts_columns(tmp_path):
    names = (" lead.png", "plain.png")
    folder = PictureFolder(tmp_path / "pictures", names, ())
    text = "sep=;\nfile;label\n lead.png;owl\n  plain.png ; bat \n"
    assert read(folder, text).labels == {" lead.png": "owl", "plain.png": "bat"}


def test_rows_may_repeat_but_not_contradict(folder):
    assert read(folder, "file,label\na/1.png,owl\na/1.png,owl\na/1.png,\n").labels == {
        "a/1.png": "owl"
    }
    with pytest.raises(ValueError, match=r"'a/1\.png' is 'owl' in row 2 and 'bat' in row 4"):
        read(folder, "file,label\na/1.png,owl\na/2.png,owl\n./a/1.png,bat\n")


def test_unknown_paths_are_told_and_refused_if_there_are_no_others(folder):
    found = read(folder, "file,label\na/1.png,owl\ngone.png,owl\n../x.png,bat\n")
    assert found.labels == {"a/1.png": "owl"}
    assert found.unknown == ("gone.png", "../x.png")
    with pytest.raises(ValueError, match=r"none of whose 1 files .*'gone\.png'"):
        read(folder, "file,label\ngone.png,owl\n")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"name,label\na/1.png,owl\n", "columns file and label"),
        (b"", "columns file and label"),
        (b"file,label\na/1.png,\xff\xfe\n", "UTF-8"),
        (b"\0\0\0", "columns file and label"),
    ],
)
def test_other_files_are_refused_in_one_sentence(folder, tmp_path, content, words):
    (tmp_path / "labels.csv").write_bytes(content)
    with pytest.raises(ValueError, match=words) as caught:
        read_label_table(tmp_path / "labels.csv", folder)
    assert "\n" not in str(caught.value)


def test_a_table_that_is_not_there(folder, tmp_path):
    with pytest.raises(FileNotFoundError, match="not a file"):
        read_label_table(tmp_path / "absent.csv", folder)


@settings(deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_give_labels_or_a_value_error(content):
    with tempfile.TemporaryDirectory() as place:
        table = Path(place) / "labels.csv"
        table.write_bytes(b"file,label\n" + content)
        folder = PictureFolder(Path(place), FILES, ())
        with suppress(ValueError):
            assert set(read_label_table(table, folder).labels) <= set(FILES)
