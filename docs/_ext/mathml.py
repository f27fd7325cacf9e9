"""Formulas as MathML, which browsers draw themselves: no script, no font and no connection needed.

Sphinx's own renderer fetches a script from the network. Here TeX is translated while the pages are
built, and what the translator does not know is a warning, so that ``sphinx-build -W`` stops there.
"""

import html
from itertools import pairwise
from xml.etree.ElementTree import Element, tostring

from docutils import nodes
from latex2mathml.converter import convert_to_element
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number
from sphinx.writers.html5 import HTML5Translator

BAR, BARS, CLOSE, MINUS, PRIME, SLASH = (
    f"&#x{code};" for code in ("0007C", "02016", "00029", "02212", "02032", "0002F")
)
FUNCTIONS = ("log", "max", "min")
LIMITS = ("max", "min")  # what is written below these in a formula of its own line


def to_mathml(tex: str, display: str) -> str:
    """Translate TeX; ValueError names a command that is not known."""
    try:
        root = convert_to_element(tex, display=display)
    except Exception as error:  # the translator has a class of its own for every mistake
        raise ValueError(f"{type(error).__name__} {error}".strip()) from error
    for element in list(root.iter()):
        if (element.text or "").startswith("\\"):  # taken for a letter
            raise ValueError(f"{element.text} is not known")
        if display == "block" and element.tag == "msub" and element[0].text in LIMITS:
            element.tag = "munder"
        _set_word(element)
        _set_spaces(element)
        _set_prime(element)
    return html.unescape(tostring(root, encoding="unicode"))


def _set_word(element: Element) -> None:
    """Make one word of letters that are not italic: browsers know upright text, not letters."""
    style = {letter.get("mathvariant") for letter in element}
    if element.tag == "mrow" and len(style) == 1 and None not in style:
        word = "".join(letter.text or "" for letter in element)
        element.clear()
        element.tag, element.text = "mtext", word
        element.set("class", f"math-{style.pop()}")


def _set_spaces(element: Element) -> None:
    """Space signs as TeX does, where browsers take them for operators between two numbers."""
    if element.text in (BAR, BARS, SLASH, *FUNCTIONS):
        space = "0.1em" if element.text in FUNCTIONS else "0"
        element.attrib |= {"lspace": space, "rspace": space}
        if "stretchy" not in element.attrib:  # in TeX they grow after \left only
            element.set("stretchy", "false")
    for before, sign in pairwise(element):
        if sign.text == MINUS and before.tag == "mo" and before.text != CLOSE:
            sign.set("form", "prefix")


def _set_prime(element: Element) -> None:
    """Put a prime behind its letter: fonts have it raised already, and would raise it twice."""
    if element.tag in ("msup", "msubsup") and element[-1].text == PRIME:
        letter = Element("msub" if element.tag == "msubsup" else "mrow")
        letter.extend(element[:-1])
        prime = Element("mo", lspace="0", rspace="0")
        prime.text = PRIME
        element.clear()
        element.tag = "mrow"
        element.extend([letter, prime])


def _append(self: HTML5Translator, node: nodes.Element, tex: str, display: str) -> None:
    try:
        self.body.append(to_mathml(tex, display))
    except ValueError as error:
        logging.getLogger(__name__).warning("formula %r: %s", tex, error, location=node)


def _visit_inline(self: HTML5Translator, node: nodes.math) -> None:
    _append(self, node, node.astext(), "inline")
    raise nodes.SkipNode


def _visit_block(self: HTML5Translator, node: nodes.math_block) -> None:
    self.body.append(self.starttag(node, "div", CLASS="math"))
    if node["number"]:
        self.body.append(f'<span class="eqno">({get_node_equation_number(self, node)})')
        self.add_permalink_ref(node, "Link to this equation")
        self.body.append("</span>")
    for equation in node.astext().split("\n\n"):
        if equation.strip():
            _append(self, node, equation, "block")
    self.body.append("</div>\n")
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, bool]:
    """Offer the renderer; ``html_math_renderer = "mathml"`` selects it."""
    app.add_html_math_renderer("mathml", (_visit_inline, None), (_visit_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
