"""Files appear whole or not at all."""

import pytest

from ronmf.system.files import whole_file, writable


def test_a_file_appears_whole_when_all_is_written(tmp_path):
    path = tmp_path / "table.csv"
    with whole_file(path) as draft:
        draft.write_text("one,two")
        assert draft.suffix == ".csv"
        assert not path.exists()
    assert path.read_text() == "one,two"
    assert list(tmp_path.iterdir()) == [path]


def test_a_failure_leaves_the_old_file_and_no_draft(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("old")

    def half_written():
        with whole_file(path) as draft:
            draft.write_text("half")
            raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more"):
        half_written()
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_missing_folder_is_said_before_the_work(tmp_path):
    assert writable(str(tmp_path / "table.csv")) == tmp_path / "table.csv"
    with pytest.raises(FileNotFoundError, match="does not exist; make it first"):
        writable(tmp_path / "absent" / "table.csv")
