"""The page in a real Chromium: from the first look to a sorted folder, and after a kill."""

import csv

from app_server import Client, serving_app, write_digits

from ronmf.metrics import clustering_accuracy
from support.browser import clustered, give, labelled, open_page, said, wait_for_labels

N = 300


def accuracy(client, truth):
    result, files = client.json("/api/result"), client.json("/api/pictures")["files"]
    classes = [truth[files[picture]] for picture in result["pictures"]]
    return clustering_accuracy(classes, result["cluster"])


def test_from_a_folder_to_a_sorted_one(browser, tmp_path, feature_cache):
    folder = tmp_path / "digits"
    truth = write_digits(folder, N)
    with serving_app(folder, feature_cache) as served, open_page(browser, served) as page:
        # The first clustering is under way: the pictures are there to look at.
        assert page.locator(".tile").count() > 20
        assert "under way" in page.inner_text(".notes")
        clustered(page)
        client = Client(served)
        before = accuracy(client, truth)

        page.click("nav >> text=Label next")
        for i in range(20):
            tile = page.locator(".tile.active") if i % 2 else page.locator(".tile").first
            label = truth[tile.get_attribute("title")]
            if i % 2:  # by keys alone
                page.keyboard.press("Space")
            else:
                tile.click()
            give(page, label, by_key=bool(i % 2))
            wait_for_labels(page, i + 1)
            said(page, f"1 picture labelled {label}[.]")
        found = client.json("/api/labels")
        files = client.json("/api/pictures")["files"]
        given = {
            files[p]: label for p, label in zip(found["pictures"], found["labels"], strict=True)
        }
        assert len(given) == 20
        assert all(truth[name] == label for name, label in given.items())

        page.click("#recluster")
        page.wait_for_selector("#progress progress")
        assert page.locator("#progress-text").inner_text()
        said(page, "^Clustered")
        after = accuracy(client, truth)
        assert after > max(before, 0.85), (before, after)
        page.click("nav >> text=Changes")
        page.wait_for_selector("text=→")

        page.keyboard.press("Control+z")
        said(page, "^Undone")
        assert labelled(page) == 19
        page.keyboard.press("Control+Shift+z")
        said(page, "^Done again")
        assert labelled(page) == 20

        page.click("text=Export")
        with page.expect_download() as download:
            page.click("text=Table (CSV)")
        with open(download.value.path(), newline="") as file:
            rows = {row["path"]: row for row in csv.DictReader(file)}
        assert len(rows) == N
        assert {name: row["label"] for name, row in rows.items() if row["label"]} == given
        # Clusters that none of the 20 labels names say nothing of a digit.
        named = [
            row["class"] == truth[name] for name, row in rows.items() if len(row["class"]) == 1
        ]
        assert sum(named) > 0.8 * len(named) > 0.3 * N
        page.click("text=Export")
        page.click("text=Copies in folders")
        page.wait_for_selector(f"text={N} pictures copied")
        copied = {path.name: path.parent.name for path in folder.rglob(".ronmf/export-1/*/*.png")}
        assert copied == {name: row["class"] for name, row in rows.items()}

        page.reload()
        page.wait_for_selector("body[data-ready]")
        assert labelled(page) == 20

        # Killed in the middle of a fit: all labels are there again, and the last result.
        page.click("nav >> text=Clusters")
        page.locator(".tile").first.click()
        page.keyboard.press("1")
        said(page, "labelled")
        kept = client.json("/api/labels")["labels"]
        page.click("#recluster")
        page.wait_for_selector("#progress progress")
        served.kill()
        page.wait_for_selector("text=does not answer")
        page.complaints.clear()  # of the connection
    with serving_app(folder, feature_cache) as served, open_page(browser, served) as page:
        assert Client(served).json("/api/labels")["labels"] == kept
        page.wait_for_selector("text=Look closer")  # at once, from disk
        assert labelled(page) == len(kept)
