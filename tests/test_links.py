"""Links between the pages that people read: each leads to a file, and to a heading in it."""

import re
import unicodedata
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / f"{name}.md" for name in ("CHANGELOG", "CONTRIBUTING", "README", "SECURITY")]
PAGES += sorted((ROOT / "docs").glob("*.md")) + sorted((ROOT / "docs" / "api").glob("*.md"))
CODE = re.compile(r"^```(?!\{include\}).*?^```|`[^`\n]*`", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
ROLE = re.compile(r"\{doc\}`[^`<]*<([^`>]+)>`")
INCLUDE = re.compile(r"^```\{include\} (\S+)", re.MULTILINE)


def slug(heading):
    """Return the anchor that GitHub and Sphinx make of a heading."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
    kept = (c for c in text if c in " -_" or unicodedata.category(c)[0] in "LN")
    return "".join(kept).replace(" ", "-")


def anchors(page):
    """Return all places of a page that a link may name."""
    text = page.read_text(encoding="utf-8")
    places = set(re.findall(r"^\(([\w-]+)\)=$", text, re.MULTILINE))
    for line in re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL).splitlines():
        if heading := re.match(r"#{1,3} (.*)", line):
            places.add(slug(heading[1].replace("`", "")))
    return places


def source_of(path):
    """Return the program that a page or picture of the gallery is made from, or the path itself."""
    gallery = ROOT / "docs" / "gallery"
    if gallery not in path.parents:
        return path
    if path == gallery / "index.rst":
        return ROOT / "examples" / "GALLERY_HEADER.rst"
    name = re.fullmatch(r"(?:sphx_glr_)?(plot_[a-z_]+?)(?:_\d{3}(?:_2_00x)?\.png|\.rst)", path.name)
    assert name, f"{path.name} is no page or picture of the gallery"
    return ROOT / "examples" / f"{name[1]}.py"


def broken(page):
    """Yield the links of a page that lead nowhere."""
    text = page.read_text(encoding="utf-8")
    yield from (name for name in INCLUDE.findall(text) if not (page.parent / name).is_file())
    yield from (
        name for name in ROLE.findall(text) if not source_of(page.parent / f"{name}.rst").is_file()
    )
    for link in LINK.findall(CODE.sub("", text)):
        if re.match(r"https?://|mailto:", link):
            continue
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        if not source_of(target).is_file() or (anchor and anchor not in anchors(target)):
            yield link


def test_links_lead_somewhere():
    assert len(PAGES) > 30
    assert not [f"{page.relative_to(ROOT)}: {link}" for page in PAGES for link in broken(page)]


def test_a_broken_link_is_found(tmp_path):
    (tmp_path / "b.md").write_text(
        "# The *page*: `x_1`, 2/3\n\n(label)=\n## Ä b\n", encoding="utf-8"
    )
    good = "[a](b.md) [b](b.md#the-page-x_1-23) [c](b.md#label) [d](b.md#ä-b) [e](https://x.y)"
    bad = "{doc}`x <gallery/plot_x>` [a](c.md) [b](b.md#nothing) [c](#here) ![d](d.png)"
    page = tmp_path / "a.md"
    page.write_text(
        f"{good} `[x](in-code.md)`\n```\n[y](in-code.md)\n```\n{bad}\n", encoding="utf-8"
    )
    assert list(broken(page)) == ["gallery/plot_x", "c.md", "b.md#nothing", "#here", "d.png"]


def test_every_page_is_in_the_navigation():
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    entries = set(re.findall(r"^.*<([\w/]+)>$", index, re.MULTILINE))
    assert entries == {path.stem for path in (ROOT / "docs").glob("*.md")} - {"index"} | {
        "gallery/index"
    }
