"""The report of a fit: what is on the page, and what must not be."""

import re
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from sklearn.datasets import load_digits

from ronmf import RONMF
from ronmf.datasets._listing import Skipped
from ronmf.displays._curves import curve

WILD = "<script>alert(1)</script>\"'&"


class Page(HTMLParser):
    """Elements of a page, in order, and the texts between them."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.texts = [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))

    def handle_data(self, data):
        self.texts.append(data)

    def find(self, tag, css=None):
        found = [attributes for name, attributes in self.elements if name == tag]
        return [a for a in found if css is None or css in (a.get("class") or "").split()]


@pytest.fixture(scope="module")
def digits():
    digits = load_digits(n_class=4)
    return digits.images[:300], digits.target[:300]


@pytest.fixture(scope="module")
def model(digits):
    X, truth = digits
    y = np.array(
        ["" if i % 15 else f"{WILD}{digit}" for i, digit in enumerate(truth)], dtype=object
    )
    y[15] = y[0] if truth[15] != truth[0] else y[30]  # a wrong label
    return RONMF(random_state=0).fit(X, y)


def test_the_page_needs_no_other_file_and_runs_nothing(model, digits):
    page = Page(model.report(digits[0]).html)
    assert not page.find("script")
    assert not page.find("link")
    for tag, attributes in page.elements:
        assert not [name for name in attributes if name.startswith("on")], tag
        assert attributes.get("src", "data:image/").startswith("data:image/")
        assert attributes.get("href", "#").startswith("#")
    assert "default-src 'none'" in page.find("meta")[2]["content"]


def test_wild_names_are_shown_as_they_are(model, digits):
    """Class names and file names are text, in elements and in attributes."""
    files = [f"{i}{WILD}\n.png" for i in range(300)]
    page = Page(
        model.report(digits[0], files, title=WILD, skipped=[Skipped(WILD, "no picture")]).html
    )
    assert not page.find("script")
    assert any(WILD in text for text in page.texts)
    assert any(WILD in (image.get("alt") or "") for image in page.find("img"))


def test_every_cluster_and_every_picture_is_described(model, digits):
    page = Page(model.report(digits[0], truth=[f"{WILD}{digit}" for digit in digits[1]]).html)
    assert len(page.find("section", "cluster")) == 4
    assert all(image.get("alt") for image in page.find("img"))
    targets = {attributes.get("id") for _, attributes in page.elements}
    assert all(link["href"][1:] in targets for link in page.find("a"))
    assert re.search(r"\d\d\.\d %", "".join(page.texts))  # the accuracy


def test_a_wrong_label_is_shown_among_those_that_look_wrong(model, digits):
    text = model.report(digits[0]).html
    section = text[text.index('id="labels"') :].partition("<h2")[0]
    assert "sample 15:" in section


def test_samples_that_the_truth_contradicts_are_marked(model, digits):
    truth = [f"{WILD}{digit}" for digit in digits[1]]
    wrong = np.flatnonzero(model.transduction_ != truth)
    page = Page(model.report(digits[0], truth=truth).html)
    marked = page.find("figure", "wrong")
    assert len(wrong) > 0
    assert all("wrong, it is" in tile["title"] for tile in marked)
    unknown = Page(model.report(digits[0], truth=[None] * 300).html)
    assert not unknown.find("figure", "wrong")


@pytest.mark.parametrize("kind", [int, float, str])
def test_true_classes_of_any_kind_are_compared_with_the_classes(digits, kind):
    X, truth = digits
    y = np.where(np.arange(300) % 15 == 0, truth, -1)
    names = y if kind is not str else np.where(y < 0, "", y.astype(str)).astype(object)
    model = RONMF(graph="plain", random_state=0).fit(X, names)
    text = model.report(truth=truth.astype(kind)).html
    assert float(re.search(r"<b>([\d.]+) %</b>right", text)[1]) > 90


def test_pictures_come_from_files_too(model, digits, tmp_path, monkeypatch):
    for i, picture in enumerate(digits[0]):
        Image.fromarray((picture * 15.9).astype(np.uint8)).save(tmp_path / f"{i}.png")
    (tmp_path / "0.png").unlink()  # gone since
    names = [f"{i}.png" for i in range(300)]
    page = Page(model.report(files=names, root=tmp_path).html)
    assert len([image for image in page.find("img") if ".png:" in image["alt"]]) > 40
    monkeypatch.chdir(tmp_path.parent)  # paths that begin with the root, too
    paths = [Path(tmp_path.name) / name for name in names]
    same = model.report(files=paths, root=tmp_path.name).html
    assert same == model.report(files=names, root=tmp_path).html


def test_a_report_without_pictures_names_samples(model):
    page = Page(model.report().html)
    assert page.find("span", "none")
    assert any("sample" in text for text in page.texts)


def test_fits_without_labels_have_a_report(digits):
    model = RONMF(3, random_state=0).fit(digits[0].reshape(300, -1)[:100])
    text = model.report().html
    assert "without any label" in text
    assert 'id="labels"' not in text


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"files": ["a.png"]}, "files has 1 entries for 300 samples"),
        ({"images": np.zeros((2, 8, 8))}, "images has 2 entries"),
        ({"images": np.zeros((300, 7, 7, 2))}, "give pictures"),
        ({"images": np.zeros((300, 49))}, "knows another shape of a picture"),
        ({"truth": [1]}, "truth has 1 entries"),
    ],
)
def test_what_does_not_fit_is_refused(model, arguments, words):
    with pytest.raises(ValueError, match=words):
        model.report(**arguments)


def test_rows_of_unknown_shape_are_refused_with_what_to_do(digits):
    """What the sentence asks for works; and nothing need be given where the shape is known."""
    rows = digits[0].reshape(300, -1)
    y = np.where(np.arange(300) % 15 == 0, digits[1], -1)
    model = RONMF(graph="plain", random_state=0).fit(rows, y)
    with pytest.raises(ValueError, match=r"images\.reshape\(-1, height, width\)") as refused:
        model.report(rows)
    assert "image_shape" not in str(refused.value)  # which report does not take
    assert Page(model.report(rows.reshape(-1, 8, 8)).html).find("img")
    told = RONMF(graph="plain", image_shape=(8, 8), random_state=0).fit(rows, y)
    assert Page(told.report(rows).html).find("img")


def test_hints_name_the_files(digits):
    """A class of two digits and a digit without a label: both are told by names of files."""
    X, truth = digits
    given = np.where(truth > 1, "two", "one").astype(object)
    given[(np.arange(300) % 5 > 0)] = ""
    model = RONMF(random_state=0).fit(X, given)
    files = [f"trip/{i:04d}.png" for i in range(300)]
    page = Page(model.report(X, files).html)
    text = " ".join(page.texts)
    told = re.search(r"looks like two clusters, one of \d+ samples \(([^)]*)\)", text)
    assert told, model.hints()
    assert all(re.fullmatch(r"trip/\d{4}\.png|\.\.\.", each) for each in told[1].split(", "))


def test_a_page_is_written_whole_or_not_at_all(model, tmp_path):
    report = model.report()
    assert report.save(tmp_path / "page.html").read_text(encoding="utf-8") == report.html
    (tmp_path / "folder").mkdir()
    with pytest.raises(ValueError, match="no plain file"):
        report.save(tmp_path / "folder")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder", "page.html"]


def test_notebooks_show_the_page_in_a_frame_and_the_clusters_of_a_fit(model):
    frame = Page(model.report()._repr_html_())
    assert "srcdoc" in frame.find("iframe")[0]
    assert not frame.find("script")
    shown = model._repr_html_()
    summary = Page(shown[shown.rindex("<table>") :])
    assert len(summary.find("tr")) == 5
    assert not summary.find("script")
    assert "<table>" not in RONMF()._repr_html_()[-200:]


def test_dark_pictures_stay_dark_beside_bright_ones(model):
    images = np.ones((300, 2, 2))
    images[::2] = 0.1
    tiles = Page(model.report(images).html).find("img")
    assert len({tile["src"] for tile in tiles if tile["alt"].startswith("sample")}) == 2


def test_curves_leave_out_what_cannot_be_drawn():
    assert curve("a", x=[1.0]) is None
    assert curve("a", log=True, x=[0.0, -1.0]) is None
    flat = curve("a", x=[2.0, 2.0, float("nan"), 2.0])
    assert flat.lines["x"].count(",") == 3
