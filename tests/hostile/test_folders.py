"""A folder of everything that can go wrong, through the real command."""

import csv
import io
import json
import os
import re
import struct
import sys
import zlib
from html.parser import HTMLParser

import pytest
from PIL import Image

from support.command_line import assert_one_sentence, command
from support.picture_folders import digit_folder

pytestmark = [
    pytest.mark.usefixtures("cache"),  # an empty one, and no network
    pytest.mark.skipif(os.name != "posix", reason="needs links and bytes as names"),
    pytest.mark.skipif(sys.platform == "darwin", reason="names there are UTF-8"),
]
WILD = {
    b"new\nline.png": "new\nline.png",
    b'quo"te,comma;.png': 'quo"te,comma;.png',
    b"<script>alert(1)</script>.png".replace(b"/", b"|"): "<script>alert(1)<|script>.png",
    b"caf\xe9.png": "caf\\xe9.png",
    b"=cmd|calc.png": "=cmd|calc.png",
    b"\x1b[31mred.png": "\x1b[31mred.png",
    b"-rf.png": "-rf.png",
}


def bomb(width, height):
    """Return a PNG whose head claims so many pixels."""

    def chunk(kind, content):
        body = kind + content
        return struct.pack(">I", len(content)) + body + struct.pack(">I", zlib.crc32(body))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    data = chunk(b"IDAT", zlib.compress(bytes(10**5)))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + data + chunk(b"IEND", b"")


@pytest.fixture
def corpus(tmp_path):
    """Sixty digits among broken files, links and names of any bytes."""
    root = tmp_path / "corpus"
    names, truth = digit_folder(root, 60, 2)
    jpeg = io.BytesIO()
    Image.effect_noise((64, 64), 50).save(jpeg, "JPEG")
    (root / "truncated.jpg").write_bytes(jpeg.getvalue()[:300])
    (root / "bomb.png").write_bytes(bomb(50_000, 50_000))
    (root / "zero.png").write_bytes(b"")
    (root / "text.png").write_text("no picture")
    (root / "pages.pdf").write_bytes(b"%PDF-1.7")
    (root / "phone.HEIC").write_bytes(b"ftypheic")
    (root / "sub").mkdir()
    (root / "sub" / "loop").symlink_to(root)
    (root / "passwd.png").symlink_to("/etc/passwd")
    os.mkfifo(root / "pipe.png")
    for i, name in enumerate(WILD):
        with open(os.path.join(os.fsencode(root), name), "wb") as file:
            file.write((root / names[i]).read_bytes() + bytes(i))  # not the very same content
    return root, names, truth


class Texts(HTMLParser):
    def __init__(self, page):
        super().__init__()
        self.tags, self.text = set(), []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)

    def handle_data(self, data):
        self.text.append(data)


def test_every_file_is_clustered_or_named(corpus, tmp_path, monkeypatch):
    root, names, truth = corpus
    monkeypatch.chdir(tmp_path)
    rows = [("\ufeffFILE", "Label"), (names[0], truth[0]), (names[0], truth[0])]
    rows += [(names[1], truth[1]), ("caf\\xe9.png", truth[3]), ('quo"te,comma;.png', truth[1])]
    rows += [("gone.png", "0"), ("../../etc/passwd", "0"), ("zero.png", "0")]
    with open(tmp_path / "labels.csv", "w", newline="", encoding="utf-8") as file:
        csv.writer(file, delimiter=";").writerows(rows)
    ended = command("cluster", root, "--labels", "labels.csv", "--copy", "--json", "-o", "out")
    assert ended.code == 0, ended.err
    assert "\x1b" not in ended.err
    summary = json.loads(ended.out)
    assert {each["file"] for each in summary["skipped"]} == {
        *("truncated.jpg", "bomb.png", "zero.png", "text.png", "pages.pdf", "phone.HEIC"),
        *("sub/loop", "passwd.png", "pipe.png"),
    }
    assert "3 rows of the labels name no picture" in summary["advice"][0]
    with open("out/clusters.csv", newline="", encoding="utf-8") as file:
        table = {row["path"]: row for row in csv.DictReader(file)}
    assert set(table) == {*names, *WILD.values()}
    assert table["caf\\xe9.png"]["label"] == truth[3]
    copies = [path for path in (tmp_path / "out" / "clusters").rglob("*") if path.is_file()]
    assert len(copies) == len(table)
    page = Texts((tmp_path / "out" / "report.html").read_text(encoding="utf-8"))
    assert "script" not in page.tags
    assert re.search("truncated.jpg", "".join(page.text))
    again = command("predict", "out", root, "--quiet", "--json")
    found = json.loads(again.out)
    assert {row["path"] for row in found["pictures"]} == set(table)
    assert {each["file"] for each in found["skipped"]} >= {"truncated.jpg", "zero.png"}


def test_rows_that_contradict_each_other_are_refused_before_any_work(corpus, tmp_path, monkeypatch):
    root, names, _ = corpus
    monkeypatch.chdir(tmp_path)
    (tmp_path / "labels.csv").write_text(f"file,label\n{names[0]},a\n./{names[0]},b\n")
    ended = command("cluster", root, "--labels", "labels.csv", "-o", "out", "--quiet")
    assert_one_sentence(ended, "contradict", names[0])
    assert {path.name for path in tmp_path.iterdir()} == {"corpus", "labels.csv"}


def test_a_folder_of_nothing_but_broken_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "a.png").write_bytes(bomb(50_000, 50_000))
    ended = command("cluster", "broken", "--quiet")
    assert_one_sentence(ended, "can be read")
    assert [path.name for path in tmp_path.iterdir() if path.name != "cache"] == ["broken"]
