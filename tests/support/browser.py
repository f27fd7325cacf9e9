"""A real Chromium for the tests of the page, or a skip with the reason."""

import re
from contextlib import contextmanager

import pytest
from app_server import chromium

__all__ = ["clustered", "give", "labelled", "open_page", "real_browser", "said"]
__all__ += ["wait_for_labels"]


@contextmanager
def real_browser():
    """Start Chromium, or skip."""
    try:
        with chromium() as browser:
            yield browser
    except (ImportError, FileNotFoundError) as error:
        pytest.skip(str(error))


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


def wait_for_labels(page, count):
    """Wait until so many pictures have a label."""
    for _ in range(500):
        if labelled(page) == count:
            return
        page.wait_for_timeout(20)
    raise AssertionError(f"{labelled(page)} labels, not {count}")


def give(page, label, by_key):
    """Give what is chosen a label: by its button or key, or as a new class."""
    texts = page.locator("#class-buttons button").all()
    names = [button.get_attribute("aria-label").split(";")[0].split()[-1] for button in texts]
    if label not in names:
        if by_key:
            page.keyboard.press("n")
        else:
            page.locator("#class-name").click()
        page.keyboard.type(label)
        page.keyboard.press("Enter")
    elif by_key and names.index(label) < 9:
        page.keyboard.press(str(names.index(label) + 1))
    else:
        texts[names.index(label)].click()
