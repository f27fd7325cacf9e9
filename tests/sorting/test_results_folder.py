"""Results that are replaced, stopped and taken up again."""

import os
import signal
import subprocess
import sys

import numpy as np
import pytest

from ronmf.sorting import _features, cluster_folder, predict_folder
from ronmf.sorting._results_folder import results_folder
from support.picture_folders import Stopped, stop_at

pytestmark = pytest.mark.usefixtures("cache")  # an empty one, and no network


def test_results_are_never_replaced_unasked(place, done, tmp_path):
    folder = place[0]
    with pytest.raises(FileExistsError, match="--force"):
        cluster_folder(folder / "digits", folder / "out")
    other = tmp_path / "other"
    other.mkdir()
    (other / "mine.txt").write_text("mine")
    with pytest.raises(FileExistsError, match="holds other things"):
        cluster_folder(folder / "digits", other, force=True)
    assert (other / "mine.txt").read_text() == "mine"
    with pytest.raises(ValueError, match="inside the folder of pictures"):
        cluster_folder(folder / "digits", folder / "digits" / "out")
    with pytest.raises(FileNotFoundError, match="does not exist"):
        cluster_folder(folder / "digits", tmp_path / "no" / "such")


def test_force_replaces_results_of_ours(place, tmp_path):
    features = np.random.default_rng(0).random((201, 5))
    np.save(tmp_path / "features.npy", features)
    options = {"features": tmp_path / "features.npy", "n_clusters": 2}
    cluster_folder(place[0] / "digits", tmp_path / "out", **options)
    mine = tmp_path / "out" / "notes.txt"
    mine.write_text("mine")
    with pytest.raises(FileExistsError, match=r"'notes\.txt' was added, moved or changed"):
        cluster_folder(place[0] / "digits", tmp_path / "out", **options, force=True)
    mine.unlink()
    before = (tmp_path / "out" / "ronmf.json").stat().st_ino
    cluster_folder(place[0] / "digits", tmp_path / "out", **options, force=True, seed=1)
    assert (tmp_path / "out" / "ronmf.json").stat().st_ino != before
    with pytest.raises(ValueError, match="features is not given"):
        predict_folder(tmp_path / "out", place[0] / "digits")
    found = predict_folder(
        tmp_path / "out", place[0] / "digits", features=tmp_path / "features.npy"
    )
    assert len(found.classes) == 201  # features of a file need no readable picture


def test_sorting_new_pictures_goes_on_too(done, place, tmp_path):
    found = predict_folder(done[1], place[0] / "digits")
    with pytest.raises(Stopped):
        found.sort_into(tmp_path / "new", "copy", lambda count, total: stop_at(100)(count, 0, 0))
    assert not (tmp_path / "new").exists()
    for how in ("copy", "link"):
        found.sort_into(tmp_path / how, how)
    with pytest.raises(ValueError, match="how is 'move'; use 'copy' or 'link'"):
        found.sort_into(tmp_path / "moved", "move")
    found.sort_into(tmp_path / "new", "link")  # over the copies of the stopped one
    files = [path for path in (tmp_path / "new").rglob("*.png") if path.is_symlink()]
    assert len(files) == len(found.classes)


def test_what_appears_meanwhile_is_not_replaced(place, tmp_path):
    """A folder that somebody made while the command ran; the new results are not lost either."""
    np.save(tmp_path / "rows.npy", np.random.default_rng(0).random((201, 5)))
    options = {"features": tmp_path / "rows.npy", "n_clusters": 2}

    def intrude(stage, done, most):
        if stage == "report":
            (tmp_path / "out").mkdir(exist_ok=True)
            (tmp_path / "out" / "thesis.txt").write_text("mine")

    with pytest.raises(FileExistsError, match=r"The new results are in .*\.out\.unfinished"):
        cluster_folder(place[0] / "digits", tmp_path / "out", **options, report=intrude, force=True)
    assert (tmp_path / "out" / "thesis.txt").read_text() == "mine"
    assert (tmp_path / ".out.unfinished" / "clusters.csv").is_file()


@pytest.mark.skipif(os.name != "posix", reason="needs links")
def test_links_and_folders_of_others_beside_the_results_are_refused(place, tmp_path):
    victim = tmp_path / "victim"
    (victim / "clusters").mkdir(parents=True)
    (victim / "report.html").write_text("mine")
    (tmp_path / ".a.unfinished").symlink_to(victim)
    (tmp_path / ".b.unfinished").mkdir()
    (tmp_path / ".b.unfinished" / "diary.txt").write_text("mine")
    for name in ("a", "b"):
        with pytest.raises(FileExistsError, match="is in the way"):
            cluster_folder(place[0] / "digits", tmp_path / name, n_clusters=2)
    assert (victim / "report.html").read_text() == "mine"
    assert (tmp_path / ".b.unfinished" / "diary.txt").is_file()


@pytest.mark.skipif(os.name != "posix", reason="needs links")
@pytest.mark.parametrize(
    "name",
    [".a.lock", *(f".a.unfinished/{name}" for name in ("clusters", "clusters.csv", "model.ronmf")),
     *(f".a.unfinished/{name}" for name in ("report.html", "ronmf.json", "fit-1", ".part-1-a"))],
)  # fmt: skip
def test_links_where_results_belong_lead_nowhere(name, place, tmp_path):
    (tmp_path / ".a.unfinished").mkdir()
    (tmp_path / name).symlink_to(tmp_path / "absent")
    with pytest.raises(FileExistsError, match=r"is in the way|is a link"):
        cluster_folder(place[0] / "digits", tmp_path / "a", n_clusters=2)
    assert not (tmp_path / "absent").exists()


@pytest.mark.skipif(os.name != "posix", reason="needs links")
def test_a_link_where_large_features_belong_is_removed(place, tmp_path):
    (tmp_path / "victim").mkdir()
    (tmp_path / ".a.scratch").symlink_to(tmp_path / "victim")
    with results_folder(tmp_path / "a", place[0] / "digits") as (_, scratch):
        scratch.mkdir()
        (scratch / "features.npy").touch()
    assert not list((tmp_path / "victim").iterdir())


def test_pictures_in_the_results_are_not_replaced_by_results(place, tmp_path):
    """To split a cluster again must not delete the pictures that are being read."""
    out = tmp_path / "out"
    cluster_folder(place[0] / "digits", out, n_clusters=2, sort="copy")
    inner = next((out / "clusters").iterdir())
    count = len(list(inner.iterdir()))
    with pytest.raises(ValueError, match="in which the pictures lie"):
        cluster_folder(inner, out, force=True)
    assert len(list(inner.iterdir())) == count


def test_a_finished_fit_is_kept_for_the_same_run_only(place, tmp_path):
    """Stopped while pictures were copied, the next run does not fit again; another run does."""
    folder, out = place[0] / "digits", tmp_path / "out"
    options = {"n_clusters": 3, "sort": "copy"}
    with pytest.raises(Stopped):
        cluster_folder(folder, out, **options, report=stop_at("sorting"))
    stages = []
    again = cluster_folder(folder, out, **options, report=lambda *each: stages.append(each[0]))
    assert "sweeps" not in stages
    fresh = cluster_folder(folder, tmp_path / "fresh", **options)
    np.testing.assert_array_equal(again.model.transduction_, fresh.model.transduction_)
    with pytest.raises(Stopped):
        cluster_folder(folder, tmp_path / "b", **options, report=stop_at("sorting"))
    for changed in (
        {"seed": 1},
        {"n_clusters": 2},
        {"labels": place[0] / "labels.csv", "n_clusters": 4},
    ):
        stages.clear()
        with pytest.raises(Stopped):
            cluster_folder(
                folder,
                tmp_path / "b",
                **{**options, **changed},
                report=lambda *each: (stages.append(each[0]), stop_at("sorting")(*each)),
            )
        assert "sweeps" in stages


@pytest.mark.skipif(os.name != "posix", reason="needs SIGKILL")
def test_killed_work_goes_on(place, tmp_path):
    folder, out = place[0] / "digits", tmp_path / "out"
    program = f"""
import os, signal
from ronmf.sorting import cluster_folder
def report(stage, done, most):
    if stage == "sweeps":
        os.kill(os.getpid(), signal.SIGKILL)
cluster_folder({str(folder)!r}, {str(out)!r}, n_clusters=4, report=report)
"""
    ended = subprocess.run([sys.executable, "-c", program], check=False)
    assert ended.returncode == -signal.SIGKILL
    assert not out.exists()
    assert (tmp_path / ".out.unfinished").is_dir()
    told = []
    cluster_folder(folder, out, n_clusters=4, report=lambda *each: told.append(each))
    features = [count for stage, count, _ in told if stage == "features"]
    assert features[0] >= 200  # all were found on disk
    assert [path.name for path in tmp_path.iterdir() if path.name != "cache"] == ["out"]


def test_features_beyond_memory_stay_in_a_file(place, tmp_path, monkeypatch):
    folder, names, truth, told = place
    monkeypatch.setattr(_features, "_IN_MEMORY", 1000)
    result = cluster_folder(
        folder / "digits", tmp_path / "out", labels=folder / "labels.csv", max_memory="2GiB"
    )
    free = np.setdiff1d(np.arange(len(names)), told)
    assert (result.model.transduction_ == truth)[free].mean() > 0.9
    assert not list((tmp_path / "out").glob("*.npy"))  # it was for the work only
    assert len(predict_folder(tmp_path / "out", folder / "digits").classes) == len(names)


def test_two_processes_do_not_work_in_one_folder(place, tmp_path):
    with (
        results_folder(tmp_path / "out", place[0] / "digits"),
        pytest.raises(ValueError, match="another process"),
    ):
        cluster_folder(place[0] / "digits", tmp_path / "out")
    assert (tmp_path / "out").is_dir()
