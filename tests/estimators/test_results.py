"""The table of results and the search for copies, on the data of a fit."""

import sys
from pathlib import Path

import numpy as np
import pytest
from troubles import groups, some_labels

from ronmf import ADMM, RONMF, HarmonicLabelPropagation

pd = pytest.importorskip("pandas")
pytestmark = pytest.mark.filterwarnings("ignore:RONMF", "ignore:HarmonicLabelPropagation")


@pytest.mark.parametrize("estimator", [RONMF, HarmonicLabelPropagation])
def test_the_table_says_what_the_attributes_say(estimator):
    X, truth = groups()
    y = some_labels(truth, 3)
    y[truth == 2] = np.where(np.arange(30) == 0, 2, -1)  # its only label cannot be judged
    model = estimator(random_state=0).fit(X, y)
    table = model.results_frame()
    assert table.columns.tolist() == [
        "class",
        "certainty",
        "novelty",
        "outlier_score",
        "given",
        "label_quality",
    ]
    assert table.index.tolist() == list(range(90))
    np.testing.assert_array_equal(table["class"], model.transduction_)
    sure = model.label_distributions_.max(axis=1) * (1 - model.novelty_)
    np.testing.assert_array_equal(table["certainty"], sure)
    assert model.novelty_.max() < 0.1  # all groups have labels
    np.testing.assert_array_equal(table["outlier_score"], model.outlier_score_)
    np.testing.assert_array_equal(table["given"].fillna(-1), y)
    issues = model.label_issues()
    judged = table["label_quality"].dropna()
    assert sorted(judged.index) == sorted(issues.samples)
    np.testing.assert_array_equal(judged[issues.samples], issues.quality)
    assert table["label_quality"].isna()[60]


def test_names_of_files_and_of_classes():
    X, truth = groups()
    names = np.array(["<ant>", "bee", "cow", None], dtype=object)[some_labels(truth, 5)]
    model = HarmonicLabelPropagation(random_state=0).fit(X, names)
    files = [Path("pictures") / f"{i}.png" for i in range(90)]
    table = model.results_frame(files)
    assert table.columns[0] == "file"
    assert table["file"][3] == str(files[3])
    assert table["given"].dropna().tolist() == [name for name in names if name]
    with pytest.raises(ValueError, match="files has 2 names but fit had 90 samples"):
        model.results_frame(["a", "b"])


def test_no_labels_at_all():
    X, _ = groups()
    table = RONMF(3, random_state=0).fit(X).results_frame()
    assert table["given"].isna().all()
    assert table["label_quality"].isna().all()


def test_a_table_needs_pandas(monkeypatch):
    X, truth = groups()
    model = HarmonicLabelPropagation().fit(X, some_labels(truth, 5))
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match=r"pip install 'ronmf\[bench\]'"):
        model.results_frame()


def test_copies_are_found_in_memory_on_disk_and_of_pictures(tmp_path):
    rng = np.random.default_rng(0)
    pictures = rng.random((60, 6, 7))
    pictures[33] = 0.5 * pictures[4] + 0.2  # darker, with less contrast
    model = HarmonicLabelPropagation(2, random_state=0).fit(pictures)
    assert [group.tolist() for group in model.near_duplicates(pictures)] == [[4, 33]]
    rows = pictures.reshape(60, -1)
    assert [group.tolist() for group in model.near_duplicates(rows)] == [[4, 33]]
    np.save(tmp_path / "X.npy", pictures)
    on_disk = np.load(tmp_path / "X.npy", mmap_mode="r")
    model = RONMF(2, random_state=0, solver=ADMM(max_iter=3), graph="plain").fit(on_disk)
    assert [group.tolist() for group in model.near_duplicates(on_disk)] == [[4, 33]]
    plain = RONMF(2, random_state=0, solver=ADMM(max_iter=3), graph="plain").fit(rows)
    assert plain.near_duplicates(rows) == []  # of rows that are no pictures, light may matter
    np.save(tmp_path / "Y.npy", rows[:, :5])
    with pytest.raises(ValueError, match="5 features"):
        plain.near_duplicates(np.load(tmp_path / "Y.npy", mmap_mode="r"))
