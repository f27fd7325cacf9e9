"""The report is one whole, valid, self-contained page that hides nothing."""

import base64
import hashlib
import re
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest

from ronmf.bench.reporting import report
from ronmf.bench.reporting.figures import FIGURES
from ronmf.bench.reporting.reference import Reference
from support.marks import slow
from support.tidy import example_rows, fail, row

pytestmark = pytest.mark.slow  # drawing takes seconds; tables have quick tests

PRINTED = Reference(
    "printed",
    "somewhere",
    {("yale", "none", "acc", "GNMF"): (0.420, 0.050, "it was copied")},
    {"table-clean": "Tables 4 to 7", "table-classes": "Figs. 2 and 3"},
)
_VOID = {"meta", "img", "br", "link", "hr", "input", "wbr"}
_EVIL = "<script>alert('x')</script> & \"more\""


class Page(HTMLParser):
    """Checks that tags balance; keeps links, anchors, headings, pictures and text."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.anchors, self.headings, self.text = [], [], [], [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self.anchors += [value for name, value in attrs if name == "id"]
        if tag in ("h1", "h2", "h3"):
            self.headings.append(int(tag[1]))
        if tag not in _VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


@pytest.fixture(scope="module")
def rows():
    bad = fail(row("clean", "yale", "GNMF", 99), reason=_EVIL)
    return pd.concat([example_rows(leak=True), pd.DataFrame([bad])], ignore_index=True)


@pytest.fixture(scope="module")
def text(rows, tmp_path_factory):
    path = tmp_path_factory.mktemp("report") / "report.html"
    more = [report.Part("Further", "part-further", "A part from outside", lambda: "It says so.")]
    report.build_report(rows, path, title=_EVIL, reference=PRINTED, more=more)
    assert list(path.parent.iterdir()) == [path]
    return path.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def page(text):
    return Page(text)


def test_page_asks_for_nothing_outside(text, page):
    for tag, attrs in page.tags:
        assert tag not in ("link", "iframe", "object", "base")
        assert "style" not in attrs
        assert not [name for name in attrs if name.startswith("on")]
        for name in ("src", "href", "srcset", "action"):
            assert attrs.get(name, "#").startswith(("#", "data:image/svg+xml;base64,"))
    assert "url(" not in text
    assert "@import" not in text
    assert len(text) < 3_000_000


def test_only_its_own_script_may_run(text, page):
    (policy,) = [a["content"] for tag, a in page.tags if "http-equiv" in a]
    scripts = [attrs for tag, attrs in page.tags if tag == "script"]
    assert [a.get("type") for a in scripts].count(None) == 1
    (code,) = re.findall("<script>(.*?)</script>", text, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()
    assert policy.startswith("default-src 'none'; img-src data:;")
    assert policy.endswith(f"script-src 'sha256-{digest}'")


def test_it_opens_with_who_won(page):
    words = " ".join("".join(page.text).split())
    said = words.index("RONMF wins by ")
    assert said < words.index("On clean data of 5 datasets") < words.index("On the same 25 draws")
    assert words.index("That is not significant") < words.index("Clean data Scores")


def test_it_names_the_behaviour_of_its_rows(rows, tmp_path):
    assert report._versions(rows) == ""  # what nobody told is not made up
    report.build_report(rows.assign(behaviour=3), tmp_path / "report.html")
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "The rows are of behaviour version 3." in text


def test_contents_lead_to_places_that_exist_once(page):
    links = [a["href"][1:] for tag, a in page.tags if tag == "a"]
    assert 5 < len(links) < 15
    assert set(links) <= set(page.anchors)
    assert len(page.anchors) == len(set(page.anchors))


def test_headings_come_in_order(page):
    assert page.headings[0] == 1
    assert page.headings.count(1) == 1
    assert (np.diff(page.headings) <= 1).all()


def test_every_figure_is_there_or_says_what_to_run(page):
    for name in set(FIGURES) - {"classes"}:
        assert f"figure-{name}" in page.anchors
    pictures = [attrs for tag, attrs in page.tags if tag == "img"]
    assert all(len(picture["alt"]) > 20 or picture["alt"] == "Legend." for picture in pictures)
    assert max(int(p["width"]) for p in pictures if p.get("class") != "wide") <= 358
    said = "".join(page.text).partition("parts, and what to run for them")[2]
    assert "(Figs. 2 and 3 of the paper): no rows with several n_classes" in said
    assert "no rows with labels_per_class; run a plan" in said


def test_parts_have_the_numbers_of_a_reference(text):
    assert "<small>Tables 4 to 7 of the paper</small>" in text


def test_parts_from_outside_stand_before_the_runs(text, page):
    assert "part-further" in page.anchors
    assert text.index("It says so.") < text.index("Runs by method and dataset")


def test_every_table_has_a_caption(page):
    names = [tag for tag, _ in page.tags]
    assert names.count("table") == names.count("caption") >= 8


def test_no_table_is_there_twice(page):
    tables = [a["data-of"] for _, a in page.tags if "data-of" in a]
    assert tables == [
        "table-clean", "table-time", "table-noise", "table-label_rate", "table-ablation",
    ]  # fmt: skip


def test_the_own_method_comes_first(text):
    for body in re.findall(r'<table class="results".*?</table>', text, re.DOTALL):
        names = re.findall(r'<tr data-row="\d+"( class="own")?><th scope="row">(RONMF)?', body)
        assert names[0] == (' class="own"', "RONMF")


def test_memory_is_in_no_table(text):
    assert "emory" not in text
    assert "peak_mb" not in text


def test_failures_leaks_and_settings_are_told(page):
    said = " ".join(page.text)
    assert "the factor U lost a column" in said
    assert "NMF: the data hold a zero row" in said
    assert "4 of 5" in said
    assert "10 runs saw hidden labels" in said
    assert "numpy 2.3.0" in said
    assert "Friedman" in said
    assert "all samples" in said


def test_everything_is_escaped(text, page):
    assert "<script>alert" not in text
    assert "".join(page.text).count("alert('x')") >= 3  # title twice, reason once


@pytest.mark.slow
def test_hostile_names_stay_text(tmp_path):
    evil = "</script><img src=x onerror=alert(1)>"
    runs = [
        row("clean", dataset, method, seed, acc_unlabelled=0.5 + 0.1 * seed)
        for dataset in ("yale", evil)
        for method in ("NMF", evil, "RONMF-M")
        for seed in range(2)
    ]
    report.build_report(pd.DataFrame(runs), tmp_path / "report.html")
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    page = Page(text)
    assert not [attrs for tag, attrs in page.tags if attrs.get("src") == "x"]
    assert "onerror=alert(1)" in "".join(page.text)


@pytest.mark.slow
def test_same_rows_same_file(rows, tmp_path):
    few = rows[rows.experiment == "ablation"]
    report.build_report(few, tmp_path / "one.html")
    report.build_report(few.copy(), tmp_path / "two.html")
    assert (tmp_path / "one.html").read_bytes() == (tmp_path / "two.html").read_bytes()


def test_rows_that_all_failed_still_make_a_report(tmp_path):
    bad = pd.DataFrame([fail(row("clean", "yale", "NMF", seed)) for seed in range(2)])
    report.build_report(bad, tmp_path / "report.html")
    said = Page((tmp_path / "report.html").read_text(encoding="utf-8")).text
    assert "the factor U lost a column" in said


def test_no_rows(rows, tmp_path):
    with pytest.raises(ValueError, match=r"rows is empty; run a plan first\.$"):
        report.build_report(rows.iloc[:0], tmp_path / "report.html")
    with pytest.raises(ValueError, match="columns"):
        report.build_report(pd.DataFrame({"a": [1]}), tmp_path / "report.html")
    with pytest.raises(FileNotFoundError, match="folder"):
        report.build_report(rows, tmp_path / "absent" / "report.html")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("error", [KeyboardInterrupt, *slow(MemoryError)])
def test_interrupted_it_leaves_the_old_report(rows, tmp_path, monkeypatch, error):
    path = tmp_path / "report.html"
    path.write_text("before")

    def stop(*_):
        raise error

    monkeypatch.setattr(report.plain, "overview", stop)
    with pytest.raises(error):
        report.build_report(rows[rows.experiment == "ablation"], path)
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]
