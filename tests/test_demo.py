"""The demo as a user runs it: what it prints, the page it writes, and how it fails."""

import re
import runpy
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

DEMO = Path(__file__).parents[1] / "examples" / "demo.py"
VOID = {"img", "meta", "br", "link", "input", "hr"}
OPTIONAL_END = {"tr", "th", "td", "li", "p"}


def run_demo(output):
    command = [sys.executable, str(DEMO), "--output", str(output)]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=60)


class Page(HTMLParser):
    """Collects the elements and checks that those with an end are closed in order."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.open = [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        if tag not in VOID | OPTIONAL_END:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag not in VOID | OPTIONAL_END:
            assert self.open.pop() == tag

    def find(self, tag, css=None):
        found = [attributes for name, attributes in self.elements if name == tag]
        return [a for a in found if css is None or css in (a.get("class") or "").split()]


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    folder = tmp_path_factory.mktemp("demo") / "new" / "folder"
    return run_demo(folder), folder


@pytest.fixture(scope="module")
def text(demo):
    return (demo[1] / "index.html").read_text(encoding="utf-8")


def printed_accuracies(stdout, method):
    line = re.search(rf"^{method} +([\d.]+)% +([\d.]+)%$", stdout, flags=re.MULTILINE)
    assert line, stdout
    return [float(share) / 100 for share in line.groups()]


def test_prints_scores_of_both_methods_and_facts(demo):
    process, folder = demo
    assert process.returncode == 0, process.stderr
    unlabelled, everywhere = printed_accuracies(process.stdout, "RONMF")
    assert unlabelled > 0.93
    assert everywhere >= unlabelled  # given labels are kept
    assert unlabelled > printed_accuracies(process.stdout, "LabelSpreading")[0]
    for fact in ("Components without a label", "Sweeps", "Stopped because", "Time of"):
        assert fact in process.stdout
    assert str(folder / "index.html") in process.stdout


def test_writes_one_small_file_that_needs_no_other(demo, text):
    assert [file.name for file in demo[1].iterdir()] == ["index.html"]
    assert len(text) < 1_500_000
    assert not re.search(r"https?://|@import|url\(|\$[a-z{]", text)
    for _, attributes in Page(text).elements:
        assert attributes.get("src", "data:").startswith("data:")
        assert attributes.get("href", "#").startswith("#")


def test_page_shows_every_cluster_and_describes_every_image(text):
    page = Page(text)
    assert not page.open
    assert page.find("html")[0]["lang"] == "en"
    assert len(page.find("section", "cluster")) == 10
    assert not page.find("script")
    assert all(image.get("alt") for image in page.find("img"))
    wrong = page.find("figure", "wrong")
    assert wrong
    assert all(re.search(r"wrong, it is a \d$", tile["title"]) for tile in wrong)
    labelled = {tile["title"] for tile in page.find("figure", "labelled")}
    assert len(labelled) == int(re.search(r"<b>(\d+)</b>labels given", text)[1])


@pytest.mark.slow
def test_unwritable_output_is_one_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    process = run_demo(tmp_path / "file" / "below")
    assert process.returncode == 2
    assert re.fullmatch(r"demo: cannot write .*: .*\.\n", process.stderr)


def test_page_that_cannot_be_placed_leaves_no_draft(tmp_path):
    (tmp_path / "index.html").mkdir()
    write_page = runpy.run_path(str(DEMO))["write_page"]
    with pytest.raises(OSError, match=r"index\.html"):
        write_page(tmp_path / "index.html", "text")
    assert [file.name for file in tmp_path.iterdir()] == ["index.html"]
