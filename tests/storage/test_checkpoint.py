"""The folder of a long fit: whose it is, what it holds, and what it never does."""

import json
import os

import numpy as np
import pytest

from ronmf.penalties import MCP
from ronmf.storage._checkpoint import Checkpoint, content_key, content_name, remembered


def test_results_are_kept_by_content_until_the_fit_is_done(tmp_path):
    made = []

    def make():
        made.append(1)
        return [np.arange(3.0), np.float64(0.5)]

    folder = tmp_path / "new" / "folder"

    def interrupted():
        with Checkpoint(folder).held("a fit"):
            remembered("neighbors", lambda: (np.zeros(2), 1), make)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    with Checkpoint(folder).held("a fit"):
        again = remembered("neighbors", lambda: (np.zeros(2), 1), make)
        other = remembered("neighbors", lambda: (np.zeros(2), 2), make)
    assert len(made) == 2
    for one in (again, other):
        np.testing.assert_array_equal(one[0], np.arange(3.0))
        assert float(one[1]) == 0.5
    assert list(folder.iterdir()) == []


def test_without_a_checkpoint_nothing_is_kept():
    assert remembered("neighbors", lambda: 1 / 0, lambda: [np.ones(1)])[0] == 1


def test_a_seed_that_was_drawn_stays(tmp_path):
    seeds = []

    def fit(until):
        with Checkpoint(tmp_path).held("a fit") as seed:
            seeds.append(seed)
            remembered("neighbors", lambda: (1,), lambda: [np.ones(2)])
            raise until

    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            fit(KeyboardInterrupt)
    assert seeds[0] == seeds[1]


@pytest.mark.parametrize("text", [None, "", "{}", "[1]", '{"key": "a fit"}', "[" * 10_000])
def test_the_state_of_another_fit_is_not_taken_and_not_touched(text, tmp_path):
    path = tmp_path / "fit.json"
    path.write_text(json.dumps({"key": "other", "seed": 1}) if text is None else text)
    before = path.read_bytes()
    with (
        pytest.raises(ValueError, match="state of another fit"),
        Checkpoint(tmp_path).held("a fit"),
    ):
        pass
    assert path.read_bytes() == before


def test_a_folder_with_other_files_is_refused(tmp_path):
    (tmp_path / "holidays.jpg").touch()
    (tmp_path / "precious.npz").touch()
    with pytest.raises(ValueError, match=r"other files .*name an empty one"):
        Checkpoint(tmp_path)
    with pytest.raises(ValueError, match="is a file; name a folder"):
        Checkpoint(tmp_path / "holidays.jpg")


def test_two_fits_do_not_share_a_folder(tmp_path):
    with (
        Checkpoint(tmp_path).held("a fit"),
        pytest.raises(BlockingIOError, match="in use by another fit"),
        Checkpoint(tmp_path).held("a fit"),
    ):
        pass


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04damaged", b"\x00" * 500])
def test_what_is_damaged_is_made_again(content, tmp_path):
    with Checkpoint(tmp_path).held("a fit"):
        name = f"neighbors-{content_key(1)}.npz"
        (tmp_path / name).write_bytes(content)
        assert remembered("neighbors", lambda: (1,), lambda: [np.ones(2)])[0].tolist() == [1, 1]


def test_a_file_that_would_run_code_does_not(tmp_path):
    class Harmful:
        def __reduce__(self):
            return os.mkdir, (str(tmp_path / "harm"),)

    with Checkpoint(tmp_path).held("a fit"):
        path = tmp_path / f"neighbors-{content_key(1)}.npz"
        np.savez(path, arr_0=np.array([Harmful()], dtype=object))
        assert remembered("neighbors", lambda: (1,), lambda: [np.ones(2)])[0].tolist() == [1, 1]
    assert not (tmp_path / "harm").exists()


def test_keys_differ_by_content_shape_and_type():
    things = [np.zeros(4), np.zeros((2, 2)), np.zeros(4, np.float32), np.ones(4), "a", 1, (1, 2)]
    assert len({content_key(thing) for thing in things}) == len(things)


@pytest.mark.parametrize("name", ["precious.npz", "weights.bin", "array-1.bin", "sub"])
def test_files_of_the_user_are_never_taken_for_ours(name, tmp_path):
    (tmp_path / name).mkdir() if name == "sub" else (tmp_path / name).touch()
    with pytest.raises(ValueError, match=f"other files \\({name}\\)"):
        Checkpoint(tmp_path)
    assert (tmp_path / name).exists()


def test_what_the_user_puts_there_meanwhile_stays(tmp_path):
    with Checkpoint(tmp_path).held("a fit"):
        (tmp_path / "notes.txt").touch()
        (tmp_path / "folder").mkdir()
        remembered("neighbors", lambda: (1,), lambda: [np.ones(2)])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder", "notes.txt"]


def test_what_a_kill_left_half_written_is_no_trouble(tmp_path):
    (tmp_path / ".part-0123abcd-fit.json").write_text("{")
    (tmp_path / f".part-0123abcd-neighbors-{'0' * 24}.npz").touch()
    with Checkpoint(tmp_path).held("a fit"):
        pass
    assert list(tmp_path.iterdir()) == []


def test_names_by_content_are_the_same_for_equal_things():
    assert content_name(MCP(2.0)) == content_name(MCP(2.0)) != content_name(MCP(3.0))
    long = np.zeros(5000)
    other = long.copy()
    other[2500] = 1
    assert content_name([long]) != content_name([other])
    assert content_name(lambda: 1) == content_name(lambda: 1)  # by name: they have no content


def test_a_fit_that_fails_before_it_found_anything_leaves_nothing(tmp_path):
    with pytest.raises(ValueError, match="no"), Checkpoint(tmp_path).held("a fit"):
        raise ValueError("no")
    assert list(tmp_path.iterdir()) == []
