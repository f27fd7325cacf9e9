"""What users did in a folder of results is never removed with it."""

import json
import os
import shutil

import pytest

from ronmf.sorting import cluster_folder
from support.picture_folders import digit_folder

pytestmark = pytest.mark.usefixtures("cache")  # an empty one, and no network

OPTIONS = {"n_clusters": 2, "features": "pixels"}


@pytest.fixture(scope="module")
def sorted_once(tmp_path_factory):
    """Sixty digits, and results with copies of them."""
    place = tmp_path_factory.mktemp("hand")
    digit_folder(place / "digits", 60, 2)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RONMF_CACHE", str(place / "cache"))
        for how in ("copy", "link"):
            cluster_folder(place / "digits", place / how, sort=how, **OPTIONS)
    return place


@pytest.fixture
def results(sorted_once, tmp_path):
    """The same results for each test, to be spoilt."""
    return {
        how: shutil.copytree(sorted_once / how, tmp_path / how, symlinks=True)
        for how in ("copy", "link")
    } | {"digits": sorted_once / "digits"}


def pictures(out):
    return sorted(path for path in (out / "clusters").rglob("*") if not path.is_dir())


def contents(out):
    return {
        path.relative_to(out).as_posix(): path.is_symlink() or path.read_bytes()
        for path in out.rglob("*")
        if not path.is_dir()
    }


def add(out):
    (pictures(out)[0].parent / "precious.jpg").write_text("x")
    (out / "clusters" / "mine").mkdir()
    (out / "clusters" / "mine" / "diary.txt").write_text("x")
    return "2 files were", "precious.jpg"


def move(out):
    first, last = pictures(out)[0], pictures(out)[-1]
    goal = last.with_name(f"z{first.name}")
    first.rename(goal)
    return (f"'clusters/{goal.parent.name}/{goal.name}' was",)


def change(out):
    picture = pictures(out)[3]
    picture.unlink()
    picture.write_bytes(b"retouched")
    return (f"'{picture.relative_to(out).as_posix()}' was",)


def retouch(out):
    """As an editor that keeps the size."""
    picture = pictures(out)[3]
    content = picture.read_bytes()
    picture.unlink()
    picture.write_bytes(content[:-1] + b"x")
    return (picture.name,)


def link(out):
    (out / "clusters" / "more").symlink_to(out.parent)
    return ("'clusters/more' was",)


def plan(out):
    (out / "clusters" / "an empty folder").mkdir()
    return ("an empty folder",)


def label(out):
    """Labels that are not given to the command."""
    with (out / "clusters.csv").open("a") as file:
        file.write("by hand")
    return ("'clusters.csv' was",)


@pytest.mark.parametrize("how", ["copy", "link"])
@pytest.mark.parametrize("deed", [add, move, change, retouch, link, plan, label])
def test_what_was_done_by_hand_is_not_replaced(results, how, deed):
    out = results[how]
    words = deed(out)
    before = contents(out)
    with pytest.raises(FileExistsError, match="added, moved or changed since") as refused:
        cluster_folder(results["digits"], out, sort=how, force=True, **OPTIONS)
    assert "to another place, or name another folder" in str(refused.value)
    assert all(word in str(refused.value) for word in words)
    assert contents(out) == before


@pytest.mark.parametrize("how", ["copy", "link"])
def test_results_without_hand_work_are_replaced(results, how):
    """Also where pictures were taken away, and where a file manager looked at them."""
    out = results[how]
    gone = pictures(out)[0]
    for picture in list(gone.parent.iterdir()):
        picture.unlink()
    (out / "clusters" / ".DS_Store").write_bytes(b"x")
    cluster_folder(results["digits"], out, sort=how, force=True, **OPTIONS)
    assert gone.exists()
    assert len(pictures(out)) == 60


def test_following_the_advice_works(results, tmp_path):
    out = results["copy"]
    add(out)
    shutil.move(out / "clusters" / "mine", tmp_path / "mine")
    with pytest.raises(FileExistsError, match=r"precious\.jpg' was added"):
        cluster_folder(results["digits"], out, force=True, **OPTIONS)
    next(out.rglob("precious.jpg")).rename(tmp_path / "precious.jpg")
    cluster_folder(results["digits"], out, force=True, **OPTIONS)
    assert (tmp_path / "mine" / "diary.txt").is_file()


def test_a_table_that_was_filled_in_is_replaced_if_it_is_given(results):
    """Its labels are in the new one; a table of the user's own in that folder is not touched."""
    out = results["copy"]
    table = out / "clusters.csv"
    head, first, *rest = table.read_text().splitlines()
    cells = first.split(",")
    name, place = cells[0], head.split(",").index("label")
    cells[place] = "owl"
    table.write_text("\n".join([head, ",".join(cells), *rest]))
    options = {"features": "pixels", "n_clusters": 2, "force": True}
    cluster_folder(results["digits"], out, labels=table, **options)
    assert table.read_text().splitlines()[1].split(",")[place] == "owl"
    own = out / "labels.csv"
    own.write_text(f"file,label\n{name},owl\n")
    with pytest.raises(FileExistsError, match=r"'labels\.csv' was added"):
        cluster_folder(results["digits"], out, labels=own, **options)
    assert own.is_file()


def test_what_is_done_by_hand_meanwhile_is_not_replaced(results):
    out = results["copy"]

    def intrude(stage, done, most):
        if stage == "report":
            (pictures(out)[0].parent / "precious.jpg").write_text("x")

    with pytest.raises(FileExistsError, match="The new results are in"):
        cluster_folder(results["digits"], out, force=True, report=intrude, **OPTIONS)
    assert list(out.rglob("precious.jpg"))


def test_results_of_earlier_versions_have_no_list(results):
    """Sorted pictures cannot be told from others then; without them results are replaced."""
    out = results["copy"]
    told = json.loads((out / "ronmf.json").read_text())
    assert not any(os.sep + "tmp" in state for state in told.pop("written").values())
    (out / "ronmf.json").write_text(json.dumps(told))
    with pytest.raises(FileExistsError, match="60 files were perhaps added by you"):
        cluster_folder(results["digits"], out, force=True, **OPTIONS)
    assert len(pictures(out)) == 60
    shutil.rmtree(out / "clusters")
    cluster_folder(results["digits"], out, force=True, **OPTIONS)
