"""Pictures of every view of ``ronmf app``, on digits: desktop and phone, light and dark.

``python benchmarks/app_screenshots.py FOLDER`` writes them all to a folder;
``--docs`` makes docs/images/app.png, the picture of the README, anew.
"""

import argparse
import tempfile
from pathlib import Path

from app_server import Client, chromium, serving_app, write_digits
from PIL import Image

SIZES = {"desktop": (1280, 800), "phone": (360, 740)}
VIEWS = ("clusters", "cluster/0", "next", "wrong", "map", "changes")
DOCS = Path(__file__).resolve().parents[1] / "docs" / "images" / "app.png"


def prepared(client, truth):
    """Label some pictures, two of them wrongly, and cluster."""
    files = client.json("/api/pictures")["files"]
    client.wait_for_fit()
    suggested = client.json("/api/result")["next"][:45]
    for number in range(10):
        mine = [p for p in suggested if truth[files[p]] == str(number)]
        mine += [p for p, name in enumerate(files) if truth[name] == str(number)][:3]
        client.post("/api/label", {"pictures": mine, "label": str(number)})
    wrong = [p for p, name in enumerate(files) if truth[name] in "37"][20:22]
    client.post("/api/label", {"pictures": wrong, "label": "0"})
    client.post("/api/cluster", {"clusters": "classes"})
    client.wait_for_fit()


def opened(browser, served, size, scheme):
    page = browser.new_page(
        viewport=dict(zip(("width", "height"), SIZES[size], strict=True)), color_scheme=scheme
    )
    page.goto(served.url)
    page.wait_for_selector("body[data-ready]")
    return page


def shoot(page, view, path):
    if view:
        page.evaluate(f"location.hash = '{view}'")
    page.wait_for_selector("main h2")
    left = "[...document.images].filter((image) => image.src && !image.complete).length"
    while page.evaluate(left):  # wait_for_function would need scripts that the page forbids
        page.wait_for_timeout(100)
    page.screenshot(path=path)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--docs", action="store_true")
    arguments = parser.parse_args()
    if arguments.folder is None and not arguments.docs:
        parser.error("give a folder, or --docs")
    with tempfile.TemporaryDirectory() as scratch, chromium() as browser:
        pictures = Path(scratch) / "digits"
        truth = write_digits(pictures, 250 if arguments.docs else 600)  # several clusters in sight
        with serving_app(pictures, Path(scratch) / "cache") as served:
            client = Client(served)
            if arguments.folder is not None:
                arguments.folder.mkdir(parents=True, exist_ok=True)
                first = opened(browser, served, "desktop", "light")
                first.screenshot(path=arguments.folder / "first-run.png")
                first.close()
            prepared(client, truth)
            if arguments.docs:
                page = opened(browser, served, "desktop", "light")
                for number in (5, 6, 7):
                    page.locator(".tile").nth(number).click()
                DOCS.parent.mkdir(exist_ok=True)
                shoot(page, "", DOCS)
                Image.open(DOCS).quantize(128).save(DOCS, optimize=True)
            if arguments.folder is not None:
                for size in SIZES:
                    for scheme in ("light", "dark"):
                        page = opened(browser, served, size, scheme)
                        for view in VIEWS:
                            name = f"{size}-{scheme}-{view.replace('/', '-')}.png"
                            shoot(page, view, arguments.folder / name)
                        page.close()


if __name__ == "__main__":
    main()
