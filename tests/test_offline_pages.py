"""The guard of the documentation: what pages would fetch from elsewhere, and what they may."""

import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FETCHED = {
    '<script async src="https://x.org/a.js">': "https://x.org/a.js",
    "<img alt='' src='//x.org/a.png'>": "//x.org/a.png",
    '<img srcset="http://x.org/a.png 2x">': "http://x.org/a.png 2x",
    '<link rel="stylesheet" href="https://x.org/a.css"/>': "https://x.org/a.css",
    "@font-face { src: url('https://x.org/a.woff2') }": "https://x.org/a.woff2",
    '@import "https://x.org/a.css";': "https://x.org/a.css",
}


@pytest.fixture(scope="module")
def fetched():
    pytest.importorskip("sphinx")
    place = ROOT / "docs" / "_ext" / "offline.py"
    spec = importlib.util.spec_from_file_location("offline", place)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.fetched


@pytest.mark.parametrize("text", FETCHED)
def test_what_a_browser_fetches_is_seen(fetched, text):
    assert fetched(f"<p>before</p>\n{text}\nafter") == [FETCHED[text]]


def test_links_that_wait_for_a_click_are_let_be(fetched):
    page = '<a href="https://x.org">x</a> <script src="../a.js"></script> <img src="a.png">'
    assert not fetched(page + " <math xmlns='http://www.w3.org/1998/Math/MathML'></math>")


def test_the_theme_fetches_nothing(fetched):
    folder = Path(pytest.importorskip("furo").__file__).parent
    files = [path for path in folder.rglob("*") if path.suffix in (".html", ".css")]
    assert len(files) > 5
    assert not [path.name for path in files if fetched(path.read_text(encoding="utf-8"))]
