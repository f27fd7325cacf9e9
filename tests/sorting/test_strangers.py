"""Pictures of classes that nobody has labelled, from a folder to the results."""

import csv
import re

import numpy as np
import pytest

from ronmf.sorting import cluster_folder, predict_folder
from support.command_line import command
from support.picture_folders import digit_folder

pytestmark = pytest.mark.usefixtures("cache")


@pytest.fixture(scope="module")
def half(tmp_path_factory):
    """300 digits of six classes, of which three have five labels each, and what came of them."""
    place = tmp_path_factory.mktemp("strangers")
    names, truth = digit_folder(place / "digits", 300, 6)
    told = np.concatenate([np.flatnonzero(truth == name)[:5] for name in "012"])
    rows = "".join(f"{names[i]},{truth[i]}\n" for i in told)
    (place / "labels.csv").write_text(f"file,label\n{rows}", encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RONMF_CACHE", str(tmp_path_factory.mktemp("cache")))
        options = {"labels": place / "labels.csv", "n_clusters": 3}
        result = cluster_folder(place / "digits", place / "out", **options)
    return place, truth, result


def test_the_table_and_the_report_tell_them(half):
    place, truth, result = half
    with open(place / "out" / "clusters.csv", newline="", encoding="utf-8") as file:
        table = list(csv.DictReader(file))
    novelty, sure = (
        np.array([float(row[key]) for row in table]) for key in ("novelty", "certainty")
    )
    strange = truth >= "3"
    assert (novelty[strange] > 0.5).mean() > 0.9
    assert (novelty[~strange] > 0.5).mean() < 0.1
    assert (sure[strange] > 0.9).mean() < 0.05
    assert any("look like no labelled class" in each for each in result.summary()["troubles"])
    page = (place / "out" / "report.html").read_text(encoding="utf-8")
    assert 'id="strangers"' in page
    assert f"<b>{(novelty > 0.5).sum()}</b>like no labelled class" in page
    assert re.search(r"\b[012] \d%, stranger (9\d|100)%", page)  # under a doubtful picture


def test_new_ones_are_told_by_the_model(half):
    place, truth, _ = half
    found = predict_folder(place / "out", place / "digits")
    strange = truth >= "3"
    assert (found.novelty[strange] > 0.5).mean() > 0.8
    assert set(found.classes) == {"0", "1", "2"}
    assert (found.certainty[strange] > 0.9).mean() < 0.1
    apart = predict_folder(place / "out", place / "digits", unknown="stranger")
    names = np.where(found.novelty > 0.5, "stranger", found.classes)
    assert apart.classes == names.tolist()


def test_the_command_line_names_them(half):
    place, _, _ = half
    ended = command("predict", place / "out", place / "digits", "--unknown", "stranger", "-q")
    rows = list(csv.DictReader(ended.out.splitlines()))
    assert {row["class"] for row in rows} == {"0", "1", "2", "stranger"}
    assert all((row["class"] == "stranger") == (float(row["novelty"]) > 0.5) for row in rows)


def test_a_name_that_tells_no_strangers_is_refused(half, tmp_path):
    place, _, _ = half
    with pytest.raises(ValueError, match="unknown is '0', a labelled class"):
        predict_folder(place / "out", place / "digits", unknown="0")
    cluster_folder(place / "digits", tmp_path / "out", n_clusters=3)
    with pytest.raises(ValueError, match="the model has no labelled class"):
        predict_folder(tmp_path / "out", place / "digits", unknown="stranger")
