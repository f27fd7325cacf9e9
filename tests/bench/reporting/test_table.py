import re
from html.parser import HTMLParser

import pytest

from ronmf.bench.reporting.table import Cell, Table

AWKWARD = ["A & B", "x_1", "50 %", "a|b", "<b>no</b>", r"back\slash", "$x^2$ #1 ~{}", "*[1]* `c`"]
TABLE = Table(
    "P & Q",
    "50 % of <all> | rows_1",
    ("data_set", *AWKWARD),
    1,
    [
        [Cell("[yale]*"), *(Cell(name, "± 1", "best") for name in AWKWARD)],
        [Cell("<umist>"), *(Cell(name, mark="second") for name in AWKWARD)],
    ],
    [[Cell("Average"), *(Cell("–") for _ in AWKWARD)]],
)


class Reader(HTMLParser):
    """Texts of cells, and a stack that finds an unclosed tag."""

    def __init__(self):
        super().__init__()
        self.texts, self.open, self.links = [], [], []

    def handle_starttag(self, tag, attrs):
        self.links += [value for name, value in attrs if name in ("src", "href")]
        if tag != "br":
            self.open.append(tag)
        if tag in ("td", "th", "caption"):
            self.texts.append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if {"td", "th", "caption"} & set(self.open) and "small" not in self.open:
            self.texts[-1] += data


def test_html_reads_back():
    reader = Reader()
    reader.feed(TABLE.to_html())
    assert reader.open == reader.links == []
    texts = [cell.text for line in (*TABLE.rows, *TABLE.footer) for cell in line]
    assert reader.texts == ["P & Q. 50 % of <all> | rows_1", *TABLE.header, *texts]
    assert "<strong>x_1</strong><br><small>± 1</small>" in TABLE.to_html()


def test_markdown_has_the_same_columns_in_every_line():
    lines = TABLE.to_markdown().splitlines()[2:]
    assert len(lines) == 5
    assert {len(re.findall(r"(?<!\\)\|", line)) for line in lines} == {len(TABLE.header) + 1}


def test_markdown_reads_back():
    markdown_it = pytest.importorskip("markdown_it", reason="markdown-it-py reads the table back")
    parser = markdown_it.MarkdownIt("commonmark").enable("table")
    reader = Reader()
    reader.feed(parser.render(TABLE.to_markdown()))
    texts = [cell.text for line in (*TABLE.rows, *TABLE.footer) for cell in line]
    below = [t + "± 1" if i in range(1, len(AWKWARD) + 1) else t for i, t in enumerate(texts)]
    assert reader.texts == [*TABLE.header, *below]


def test_latex_escapes_what_it_would_read():
    text = TABLE.to_latex()
    lines = [line for line in text.splitlines() if line.endswith(r"\\")]
    assert len(lines) == 4
    assert {len(re.findall(r"(?<!\\)&", line)) for line in lines} == {len(TABLE.header) - 1}
    for name in (r"A \& B", r"x\_1", r"50 \%", r"a\textbar{}b", r"\textless{}b\textgreater{}no"):
        assert name in text
    assert r"\$x\textasciicircum{}2\$ \#1 \textasciitilde{}\{\}" in text
    assert r"back\textbackslash{}slash" in text
    # "\\" followed by "[" or "*" would swallow them as its argument
    assert "{[}yale]{*}" in text
    assert text.count("{") - text.count(r"\{") == text.count("}") - text.count(r"\}")
    assert text.count(r"\midrule") == 2
    assert r"\shortstack[r]{\textbf{x\_1} \\ \scriptsize $\pm$ 1}" in text
    assert not re.search(r"[±–†]", text)
