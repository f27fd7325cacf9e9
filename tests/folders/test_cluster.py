"""From a folder of pictures to results: what is written, what is refused, what goes on."""

import csv
import json
import os
import signal
import subprocess
import sys

import numpy as np
import pytest

from ronmf.folders import cluster_folder, fit_pictures, folder_names, predict_folder
from ronmf.folders._results import results_folder
from ronmf.pictures import FeatureRecipe, _features
from ronmf.saving import save_model
from support.picture_folders import digit_folder, label_table

pytestmark = pytest.mark.usefixtures("cache")  # an empty one, and no network


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder of 200 digits of four classes, and a table of three labels per class."""
    place = tmp_path_factory.mktemp("folders")
    names, truth = digit_folder(place / "digits", 200, 4)
    (place / "digits" / "broken.png").write_bytes(b"\x89PNG no more")
    (place / "digits" / "notes.txt").write_text("not a picture")
    told = label_table(place / "labels.csv", names, truth)
    return place, names, truth, told


@pytest.fixture(scope="module")
def done(place, tmp_path_factory):
    folder = place[0]
    stages = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RONMF_CACHE", str(tmp_path_factory.mktemp("cache")))
        result = cluster_folder(
            folder / "digits",
            folder / "out",
            labels=folder / "labels.csv",
            sort="copy",
            report=lambda *each: stages.append(each),
        )
    return result, folder / "out", stages


def rows(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_the_table_has_every_picture_and_its_class(place, done):
    _, names, truth, told = place
    table = rows(done[1] / "clusters.csv")
    assert [row["path"] for row in table] == names
    found = np.array([row["class"] for row in table])
    free = np.setdiff1d(np.arange(len(names)), told)
    assert (found == truth)[free].mean() > 0.95
    assert [row["label"] for row in table] == [
        truth[i] if i in told else "" for i in range(len(names))
    ]
    assert all(row["label_suspicion"] != "" for row in table if row["label"])
    assert all(0 <= float(row["certainty"]) <= 1 for row in table)


def test_all_results_are_there_and_nothing_else(done):
    result, out, _ = done
    names = {path.name for path in out.iterdir()}
    assert names == {"clusters.csv", "clusters", "model.ronmf", "report.html", "ronmf.json"}
    assert not list(out.parent.glob(".*"))  # no work folder is left
    summary = json.loads((out / "ronmf.json").read_text())
    assert summary["pictures"] == 200
    assert {each["file"] for each in summary["skipped"]} == {"broken.png", "notes.txt"}
    assert result.skipped[-1].file == "broken.png"
    page = (out / "report.html").read_text()
    assert "broken.png" in page
    assert str(out.parent) not in page  # no path of this machine


def test_every_stage_is_told_to_its_end(done):
    stages = done[2]
    last = {stage: (count, most) for stage, count, most in stages}
    assert set(last) >= {"listing", "features", "graph", "start", "sweeps", "report", "sorting"}
    assert all(count == most for count, most in last.values())


def test_pictures_are_sorted_into_folders(done):
    table = rows(done[1] / "clusters.csv")
    for row in table[:20]:
        assert (done[1] / "clusters" / row["class"] / row["path"]).is_file()
    assert len(list((done[1] / "clusters").rglob("*.png"))) == len(table)


def test_new_pictures_are_sorted_by_the_model(place, done, tmp_path):
    _, names, truth, _ = place
    new = tmp_path / "new"
    new.mkdir()
    for name in names[150:]:
        (new / name).write_bytes((place[0] / "digits" / name).read_bytes())
    for model in (done[1], done[1] / "model.ronmf"):
        found = predict_folder(model, new)
        assert found.folder.files == tuple(names[150:])
        assert (np.array(found.classes) == truth[150:]).mean() > 0.9
        assert found.certainty.shape == (50,)


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
    with pytest.raises(FileExistsError, match=r"holds 'notes\.txt' beside results"):
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


@pytest.mark.parametrize(
    ("array", "words"),
    [
        (np.zeros((3, 4)), "3 rows for 201 pictures"),
        (np.zeros(201), "a row of numbers"),
        (np.full((201, 2), "a"), "a row of numbers"),
    ],
)
def test_features_that_do_not_fit(place, tmp_path, array, words):
    np.save(tmp_path / "features.npy", array)
    with pytest.raises(ValueError, match=words):
        cluster_folder(place[0] / "digits", tmp_path / "out", features=tmp_path / "features.npy")
    assert not (tmp_path / "out").exists()


def test_names_of_sub_folders_are_labels_if_asked_for(tmp_path):
    names, truth = digit_folder(tmp_path / "all", 120, 3)
    for i, name in enumerate(names):
        goal = tmp_path / "sorted" / (f"digit {truth[i]}" if i % 4 == 0 else "")
        goal.mkdir(parents=True, exist_ok=True)
        (tmp_path / "all" / name).rename(goal / name)
    result = cluster_folder(tmp_path / "sorted", tmp_path / "a", labels="folders")
    assert result.model.classes_.tolist() == ["digit 0", "digit 1", "digit 2"]
    unused = cluster_folder(tmp_path / "sorted", tmp_path / "b", n_clusters=3)
    assert "--labels folders" in unused.advice[0]


def test_pictures_in_the_results_are_not_replaced_by_results(place, tmp_path):
    """To split a cluster again must not delete the pictures that are being read."""
    out = tmp_path / "out"
    cluster_folder(place[0] / "digits", out, n_clusters=2, sort="copy")
    inner = next((out / "clusters").iterdir())
    count = len(list(inner.iterdir()))
    with pytest.raises(ValueError, match="in which the pictures lie"):
        cluster_folder(inner, out, force=True)
    assert len(list(inner.iterdir())) == count


class Stopped(Exception):
    pass


def stop_at(wanted):
    def report(stage, done, most):
        if stage == wanted:
            raise Stopped

    return report


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
from ronmf.folders import cluster_folder
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
    monkeypatch.setattr(_features, "_HELD", 1000)
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


def test_sorted_pictures_keep_their_suffix(tmp_path):
    deep = tmp_path / "all" / ("Pictures of last summer " * 3) / ("Camera of uncle Robert " * 3)
    names, _ = digit_folder(deep, 30, 2)
    cluster_folder(tmp_path / "all", tmp_path / "out", n_clusters=2, sort="copy")
    copies = [path for path in (tmp_path / "out" / "clusters").rglob("*") if path.is_file()]
    assert len(copies) == 30
    assert {path.name[-8:] for path in copies} == {name[-8:] for name in names}


def test_features_that_are_not_asked_for_are_refused(done, place):
    with pytest.raises(ValueError, match="the model makes its own from pictures"):
        predict_folder(done[1], place[0] / "digits", features="rows.npy")
    with pytest.raises(FileNotFoundError, match="a folder of ronmf cluster"):
        predict_folder(place[0] / "absent", place[0] / "digits")


def test_features_of_three_axes(place, tmp_path):
    np.save(tmp_path / "rows.npy", np.random.default_rng(0).random((201, 3, 4)))
    options = {"features": tmp_path / "rows.npy"}
    cluster_folder(place[0] / "digits", tmp_path / "out", n_clusters=2, **options)
    assert len(predict_folder(tmp_path / "out", place[0] / "digits", **options).classes) == 201


def test_a_model_that_claims_huge_pictures_takes_no_memory(done, place, tmp_path):
    extra = {"pictures": {"kind": "pixels", "image_shape": [4096, 4096, 3], "model": None}}
    save_model(done[0].model, tmp_path / "hostile.ronmf", extra=extra)
    with pytest.raises(ValueError, match="contradicts itself"):
        predict_folder(tmp_path / "hostile.ronmf", place[0] / "digits")


def test_names_of_classes_become_names_of_folders():
    wild = ["a/b", "..", "con", "x" * 300, "new\nline", "Owl", "owl", "日本"]
    found = folder_names(wild)
    assert len({name.lower() for name in found}) == len(wild)
    assert all(name not in (".", "..") and "/" not in name for name in found)
    assert max(map(len, found)) <= 110


def test_what_a_listener_raises_ends_the_fit():
    class Cancelled(Exception):
        pass

    def cancel(stage, done, most):
        if stage == "sweeps" and done:
            raise Cancelled

    X = np.random.default_rng(0).random((40, 5))
    with pytest.raises(Cancelled):
        fit_pictures(X, None, n_clusters=3, report=cancel)


def test_a_second_fit_goes_on_from_the_first():
    rng = np.random.default_rng(0)
    X = np.repeat(np.eye(3), 30, axis=0) * 5 + rng.random((90, 3))
    labels = ["" if i % 10 else "abc"[i // 30] for i in range(90)]
    model = fit_pictures(X, None, labels, warm_start=True)
    labels[1] = "a"
    stages = []
    again = fit_pictures(
        X,
        None,
        labels,
        previous=model,
        report=lambda stage, *counts: stages.append(stage),
    )
    assert again is model
    assert "sweeps" in stages
    assert "graph" not in stages  # it still holds


def test_a_cancelled_fit_leaves_the_previous_one_as_it_was():
    X = np.random.default_rng(0).random((40, 5))
    model = fit_pictures(X, None, n_clusters=3, warm_start=True)
    before, found = model.get_params(), model.transduction_
    with pytest.raises(Stopped):
        fit_pictures(X, None, n_clusters=4, seed=5, previous=model, report=stop_at("sweeps"))
    assert model.get_params() == before
    assert model.transduction_ is found


def test_pixels_keep_their_shape():
    X = np.random.default_rng(0).random((30, 12))
    model = fit_pictures(X, FeatureRecipe("pixels", (3, 4)), n_clusters=2)
    assert model.image_shape_ == (3, 4)
