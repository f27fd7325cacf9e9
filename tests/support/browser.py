"""A real Chromium for the tests of the page, or a skip with the reason."""

import os
import re
import shutil
from contextlib import contextmanager

import pytest

__all__ = ["clustered", "labelled", "open_page", "real_browser", "said"]

_NAMES = ("chromium", "chromium-browser", "google-chrome")


@contextmanager
def real_browser():
    """Start Chromium: the program of ``RONMF_CHROMIUM``, or the one that is installed."""
    driver = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    found = os.environ.get("RONMF_CHROMIUM") or next(filter(None, map(shutil.which, _NAMES)), None)
    if found is None:
        pytest.skip("there is no Chromium: install Debian's chromium, or set RONMF_CHROMIUM")
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    with driver.sync_playwright() as play:
        browser = play.chromium.launch(executable_path=found, args=["--no-sandbox"] * root)
        yield browser
        browser.close()


@contextmanager
def open_page(browser, served, width=1280, height=800, dark=False):
    """Open the page; whatever the browser complains of fails the test."""
    scheme = "dark" if dark else "light"
    context = browser.new_context(
        viewport={"width": width, "height": height}, color_scheme=scheme, accept_downloads=True
    )
    page = context.new_page()
    complaints = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda said: complaints.append(said.text) if _counts(said) else None)
    page.goto(served.url)
    page.wait_for_selector("body[data-ready]")
    page.complaints = complaints
    yield page
    assert not complaints
    context.close()


def _counts(said):
    return said.type == "error" and "404" not in said.text  # a picture that cannot be shown


def said(page, text):
    """Wait until the page says something; `text` is a pattern."""
    # Not wait_for_function, which our rules for scripts forbid.
    from playwright.sync_api import expect

    expect(page.locator("#status")).to_have_text(re.compile(text), timeout=20_000)


def clustered(page):
    """Wait for the end of a fit that is under way."""
    page.wait_for_selector("#progress", state="hidden")
    page.wait_for_selector("text=Look closer")


def labelled(page):
    """Return how many pictures have a label, as the buttons of the classes tell."""
    return sum(map(int, page.locator("#class-buttons small").all_inner_texts()))
