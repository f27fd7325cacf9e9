"""Formulas of the documentation, as MathML that needs no connection."""

import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [*sorted((ROOT / "docs").glob("*.md")), ROOT / "CONTRIBUTING.md"]
SPACE = "{http://www.w3.org/1998/Math/MathML}"


@pytest.fixture(scope="module")
def mathml():
    for needed in ("latex2mathml", "sphinx"):
        pytest.importorskip(needed)
    place = ROOT / "docs" / "_ext" / "mathml.py"
    spec = importlib.util.spec_from_file_location("mathml", place)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def formulas():
    for page in PAGES:
        text = re.sub(
            r"^```.*?^```|`[^`\n]*`", "", page.read_text(encoding="utf-8"), flags=re.M | re.S
        )
        for block, inline in re.findall(r"\$\$(.+?)\$\$|\$(.+?)\$", text, re.DOTALL):
            yield block or inline, "block" if block else "inline"


def tags(tree):
    return [element.tag.removeprefix(SPACE) for element in tree.iter()]


def test_every_formula_can_be_drawn(mathml):
    found = list(formulas())
    assert len(found) > 300
    for tex, display in found:
        tree = ElementTree.fromstring(mathml.to_mathml(tex, display))
        assert tree.get("display") == display
        assert not re.search(r"[\\{}$&]", "".join(tree.itertext())), tex


def test_no_norm_in_a_table_is_a_single_bar():
    """In a table ``\\|`` is an escaped border."""
    rows = [
        line for page in PAGES for line in page.read_text("utf-8").splitlines() if line[:1] == "|"
    ]
    assert not [row for row in rows if re.search(r"\$[^$]*\\\|[^$]*\$", row)]


def test_signs_look_as_in_print(mathml):
    def tree(tex, display="inline"):
        return ElementTree.fromstring(mathml.to_mathml(tex, display))

    assert "munder" in tags(tree(r"\min_{x} x", "block"))
    assert "msub" in tags(tree(r"\min_{x} x"))
    assert [e.text for e in tree(r"\mathrm{tr}(A)").iter(f"{SPACE}mtext")] == ["tr"]
    transposed = tree("U_j'U")
    assert "".join(transposed.itertext()) == "Uj′U"
    assert "msubsup" not in tags(transposed)
    norm = [e for e in tree(r"\lVert x\rVert^2").iter() if e.text == "‖"]
    assert [e.get("stretchy") for e in norm] == ["false", "false"]
    sign = [e.get("form") for e in tree("a - b = -c").iter() if e.text == "−"]
    assert sign == [None, "prefix"]


@pytest.mark.parametrize("tex", [r"\nosuchcommand x", "a_b_c", r"\left( x"])
def test_unknown_tex_is_said(mathml, tex):
    with pytest.raises(ValueError, match=r"\w"):
        mathml.to_mathml(tex, "inline")


def test_pages_number_equations_and_refer_to_them(mathml, tmp_path):
    pytest.importorskip("myst_parser")
    (tmp_path / "conf.py").write_text(
        f"import sys; sys.path.insert(0, {str(ROOT / 'docs' / '_ext')!r})\n"
        "extensions = ['myst_parser', 'mathml']\n"
        "myst_enable_extensions = ['dollarmath']\n"
        "html_math_renderer = 'mathml'\n"
    )
    (tmp_path / "index.md").write_text(
        "# Page\n\n$$ a = b $$ (first)\n\nSee {eq}`first`, where $a$ is.\n\n$$ \\nosuch $$\n"
    )
    command = [
        sys.executable,
        "-m",
        "sphinx",
        "--no-color",
        "-b",
        "html",
        tmp_path,
        tmp_path / "out",
    ]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8")
    assert re.search(r"index\.md:7: WARNING: formula .*\\nosuch is not known", done.stderr)
    page = (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    assert '<span class="eqno">(1)<a class="headerlink" href="#equation-first"' in page
    assert re.search(r'href="#equation-first">\(1\)</a>', page)
    assert page.count("<math ") == 2
    assert not re.search("<script[^>]*mathjax", page.lower())
