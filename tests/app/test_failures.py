"""Clusterings that fail or are refused: the page says why, at once and when one comes back."""

import pytest
from app_server import Client, serving_app, write_digits

from support.browser import open_page, said


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["one", "broken"])
def test_the_reason_of_a_quick_failure_is_said_and_stays(browser, tmp_path, feature_cache, kind):
    write_digits(tmp_path, 1)
    if kind == "broken":
        (tmp_path / "0000.png").write_bytes(b"\x89PNG but not really")
    with serving_app(tmp_path, feature_cache) as served:
        assert served.lines[0].startswith("1 picture; ")
        Client(served).wait_for_fit()
        with open_page(browser, served) as page:
            said(page, "^The clustering failed: ")
            page.evaluate("document.getElementById('status').textContent = ''")
            page.click("#recluster")
            said(page, "^The clustering failed: ")
            why = page.inner_text("#status")
            assert page.inner_text(".notes") == why
            page.reload()
            said(page, "^The clustering failed: ")
            assert page.inner_text(".notes") == why
            if kind == "broken":
                page.wait_for_selector("h2:has-text('Cannot be read')")
                page.wait_for_selector(".tile[aria-label*='cannot be read: none of BMP']")
                page.wait_for_selector("text=1 file is passed over")


@pytest.mark.slow
def test_my_classes_needs_two_of_them(browser, tmp_path, feature_cache):
    write_digits(tmp_path, 12)
    with serving_app(tmp_path, feature_cache, "--clusters", "2") as served:
        client = Client(served)
        before = client.wait_for_fit()["result"]
        with open_page(browser, served) as page:
            page.select_option("#how-many", "classes")
            for label in ("", "owl"):
                if label:
                    client.post("/api/label", {"pictures": [0], "label": label})
                page.click("#recluster")
                said(page, "^“my classes” needs labels of two classes or more: label")
            client.post("/api/label", {"pictures": [1], "label": "cat"})
            page.click("#recluster")
            said(page, "^Clustered in .*: 2 clusters")
            page.complaints.clear()  # of answers that refuse
        assert client.wait_for_fit()["result"] > before
