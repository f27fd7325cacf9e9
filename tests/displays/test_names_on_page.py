"""Names of files in a report, as a phone, a keyboard and a printer get them."""

import numpy as np
import pytest
from sklearn.datasets import load_digits

from ronmf import RONMF

LONG = "holidays of the whole family/summer 2019 at the lake/IMG_20190812_{:05d}.jpg"


@pytest.fixture(scope="module")
def page_file(tmp_path_factory):
    """A report with labels that look wrong, copies and outliers; every second name is long."""
    digits = load_digits(n_class=4)
    X, truth = digits.images[:200].copy(), digits.target[:200]
    X[100] = X[101]  # two copies
    X[7] = 16 * np.random.default_rng(0).random((8, 8))  # and noise
    y = np.where(np.arange(200) % 5 == 0, truth, -1)
    y[0] = (y[0] + 1) % 4
    files = [LONG.format(i) if i % 2 else f"{i}.png" for i in range(200)]
    path = tmp_path_factory.mktemp("names") / "report.html"
    return RONMF(random_state=0).fit(X, y).report(X, files).save(path)


@pytest.mark.parametrize("width", [1280, 390])
def test_names_are_seen_without_a_mouse(browser, page_file, width):
    page = browser.new_page(viewport={"width": width, "height": 800})
    page.goto(page_file.as_uri())
    for section in ("next", "labels", "duplicates", "odd"):
        strip = page.locator(f"#{section} ~ .strip").first
        tiles = strip.locator("figure").count()
        assert tiles > 0
        assert strip.locator(".file:visible").count() == tiles, section
    name = page.locator("#next ~ .strip .file[tabindex]").first
    assert "…" in name.inner_text().splitlines()[0]
    assert name.inner_text().splitlines()[0].endswith(".jpg")
    full = name.locator(".full")
    assert full.bounding_box()["width"] <= 1
    name.focus()
    assert full.bounding_box()["width"] > 50
    assert full.inner_text().startswith("holidays of the whole family/summer")
    assert not name.locator(".short").is_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.emulate_media(media="print")
    last = page.locator("#odd ~ .strip .file[tabindex]").last
    assert last.locator(".full").bounding_box()["width"] > 50
    page.close()
