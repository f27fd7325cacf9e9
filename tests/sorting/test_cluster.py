"""From a folder of pictures to results: what is written, what is refused, what goes on."""

import csv
import html
import json
import re

import numpy as np
import pytest

from ronmf.saving import save_model
from ronmf.sorting import cluster_folder, folder_names, predict_folder
from support.picture_folders import digit_folder

pytestmark = pytest.mark.usefixtures("cache")  # an empty one, and no network


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
    assert "--labels folders and --force" in unused.advice[0]


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
    wild = ["a/b", "..", "con", "x" * 300, "漢" * 120, "new\nline", "Owl", "owl", "日本"]
    found = folder_names(wild)
    assert len({name.lower() for name in found}) == len(wild)
    assert all(name not in (".", "..") and "/" not in name for name in found)
    assert max(len(name.encode()) for name in found) <= 130


def test_results_are_short_to_print(place, done):
    assert repr(done[0]) == f"ClusteredFolder(200 pictures in 4 clusters, out={str(done[1])!r})"
    assert repr(predict_folder(done[1], place[0] / "digits")) == "PredictedFolder(200 pictures)"


def test_clusters_without_a_label_have_one_name_everywhere(place, tmp_path):
    """In the table, the folders, the report, the summary and for new pictures; not in the model."""
    names, truth = place[1], place[2]
    (tmp_path / "labels.csv").write_text(f"file,label\n{names[0]},{truth[0]}\n")
    out = tmp_path / "out"
    options = {"labels": tmp_path / "labels.csv", "n_clusters": 3, "sort": "copy"}
    result = cluster_folder(place[0] / "digits", out, **options)
    wanted = {truth[0], "cluster 1", "cluster 2"}
    assert result.model.classes_.tolist() == [truth[0], "cluster_1", "cluster_2"]
    assert {row["class"] for row in rows(out / "clusters.csv")} == wanted
    assert {path.name for path in (out / "clusters").iterdir()} == wanted
    assert {each["class"] for each in result.summary()["clusters"]} == wanted
    page = (out / "report.html").read_text(encoding="utf-8")
    assert "cluster 1: " in page
    assert not re.search(r"cluster_\d", page)
    found = predict_folder(out, place[0] / "digits").classes
    assert set(found) == wanted
    without = cluster_folder(place[0] / "digits", tmp_path / "without", n_clusters=2)
    assert [each["class"] for each in without.summary()["clusters"]] == ["cluster 1", "cluster 2"]


def test_labels_of_pictures_that_cannot_be_read_are_told(tmp_path):
    """With their files and the classes that vanish: in the advice, ronmf.json and the page."""
    names, truth = digit_folder(tmp_path / "digits", 60, 2)
    content = (tmp_path / "digits" / names[5]).read_bytes()
    (tmp_path / "digits" / "odd").mkdir()
    (tmp_path / "digits" / "odd" / "trunc.png").write_bytes(content[:50])
    told = f"{names[0]},{truth[0]}\n{names[1]},{truth[1]}\nodd/trunc.png,cat\nabsent.png,dog\n"
    (tmp_path / "labels.csv").write_text(f"file,label\n{told}")
    result = cluster_folder(
        tmp_path / "digits", tmp_path / "out", labels=tmp_path / "labels.csv", features="pixels"
    )
    assert len(result.model.classes_) == 2
    note = next(text for text in result.advice if "cannot be read" in text)
    assert "1 label is of a picture" in note
    assert "'odd/trunc.png' ('cat')" in note
    assert "nothing is labelled 'cat'" in note
    assert any(text.startswith("1 row of the labels names no picture") for text in result.advice)
    assert note in json.loads((tmp_path / "out" / "ronmf.json").read_text())["advice"]
    page = html.unescape((tmp_path / "out" / "report.html").read_text(encoding="utf-8"))
    assert note in page


@pytest.mark.parametrize("features", ["auto", "pixels"])
def test_a_folder_of_broken_files_says_why(tmp_path, features):
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "a.png").write_bytes(b"\x89PNG no more")
    with pytest.raises(ValueError, match=r"of 1 file opened, the first is 'a\.png', and the reas"):
        cluster_folder(tmp_path / "broken", tmp_path / "out", features=features)
    (tmp_path / "broken" / "a.png").write_bytes(b"")
    with pytest.raises(ValueError, match=r"1 file passed over, the first is 'a\.png', .* empty\."):
        cluster_folder(tmp_path / "broken", tmp_path / "out", features=features)


def test_hints_are_told_with_names_of_files(tmp_path):
    """Digits of one class that look like two clusters."""
    names, truth = digit_folder(tmp_path / "digits", 300, 4)
    lines = [f"{names[i]},{'one' if truth[i] in '01' else 'two'}" for i in range(0, 300, 5)]
    (tmp_path / "labels.csv").write_text("\n".join(["file,label", *lines]))
    table = tmp_path / "labels.csv"
    result = cluster_folder(tmp_path / "digits", tmp_path / "out", labels=table)
    assert "class of two" in [hint.kind for hint in result.hints]
    said = json.loads((tmp_path / "out" / "ronmf.json").read_text())["hints"]
    hint = next(text for text in said if "looks like two clusters" in text)
    assert re.search(r"pictures \(\d{4}\.png, ", hint)
    assert hint in html.unescape((tmp_path / "out" / "report.html").read_text(encoding="utf-8"))
