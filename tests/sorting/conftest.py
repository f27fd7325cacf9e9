"""A folder of digits, clustered once for all tests."""

import pytest

from ronmf.sorting import cluster_folder
from support.picture_folders import digit_folder, label_table


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
