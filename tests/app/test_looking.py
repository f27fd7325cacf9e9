"""What the views show and what keys do in them, on a result that no fit made."""

import json

import numpy as np
import pytest
from app_server import Client, serving_app, write_digits
from PIL import Image

from ronmf.app.label_log import LabelLog
from support.app_results import made_result
from support.browser import open_page, said

N = 40
GIVEN = {"0000.png": "digit 0", "0001.png": "digit 3", "0002.png": "digit 0"}


@pytest.fixture(scope="module")
def kept(tmp_path_factory, feature_cache):
    """A server of 40 digits in three clusters; the label of the third picture looks wrong."""
    folder = tmp_path_factory.mktemp("kept") / "digits"
    files = sorted(write_digits(folder, N))
    Image.effect_noise((64, 64), 60).save(folder / "cut.jpg")
    content = (folder / "cut.jpg").read_bytes()
    (folder / "cut.jpg").write_bytes(content[: len(content) // 2])
    (folder / "camera.heic").write_bytes(b"0")
    (folder / ".ronmf").mkdir()
    log = LabelLog(folder / ".ronmf" / "labels.sqlite")
    for name, label in GIVEN.items():
        log.do({name: label}, "given")
    log.close()
    angles = np.linspace(0, 6, N)
    made_result(
        1, files, [0, 1, 0, *(i % 3 for i in range(3, N))], ["digit 0", "digit 3", "cluster 1"], 2,
        wrong=np.array([2], np.int32), suggested=np.array([1], np.int32),
        quality=np.full(1, 0.1, np.float32), next=np.arange(3, 12, dtype=np.int32),
        xy=np.stack([np.cos(angles) + 1, np.sin(angles) + 1], axis=1).astype(np.float32) / 2,
        novelty=np.where(np.arange(N) == 4, 0.93, 0.02).astype(np.float32),
    ).save(folder / ".ronmf")  # fmt: skip
    with serving_app(folder, feature_cache) as served:
        served.folder = folder
        yield served


@pytest.fixture
def client(kept):
    """Somebody who leaves the labels as they were."""
    found = Client(kept)
    yield found
    while found.json("/api/labels")["undo"] != "given":
        found.post("/api/undo", {})


@pytest.fixture
def page(browser, kept, client):
    with open_page(browser, kept) as found:
        yield found


def label_of(client, name):
    found, files = client.json("/api/labels"), client.json("/api/pictures")["files"]
    return dict(zip(found["pictures"], found["labels"], strict=True)).get(files.index(name))


def test_a_label_that_looks_wrong_becomes_the_suggested_one(page, client):
    page.click("nav >> text=Look wrong")
    page.wait_for_selector("h2:text-is('labelled digit 0, looks like digit 3')")
    tile = page.locator(".tile")
    assert tile.locator(".given").inner_text() == "digit 0"
    assert tile.locator(".sure").inner_text() == "→ digit 3"
    assert tile.get_attribute("aria-label") == "0002.png, looks like digit 3, labelled digit 0"
    tile.click()
    page.keyboard.press("c")
    said(page, "1 labelled digit 3")
    assert label_of(client, "0002.png") == "digit 3"
    page.wait_for_selector("text=No label looks wrong")


def test_a_picture_of_no_named_class_stands_apart(page):
    page.evaluate("location.hash = 'cluster/1'")
    section = page.locator("section", has=page.get_by_role("heading", name="Strangers"))
    section.wait_for()
    assert "1 picture that looks like no class that has a name" in section.inner_text()
    assert section.locator("[data-picture], button, .tile").count() >= 1
    assert "looks like no class that has a name" in section.inner_html()


def test_every_key_works_on_the_map(page):
    page.click("nav >> text=Map")
    page.focus("canvas")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    page.keyboard.press("n")
    page.keyboard.type("owl")
    page.keyboard.press("Enter")
    said(page, "1 picture labelled owl")
    assert page.evaluate("document.activeElement.tagName") == "CANVAS"
    page.keyboard.press("Delete")
    said(page, "1 picture without a label")
    page.keyboard.press("3")
    said(page, "1 picture labelled owl")
    page.keyboard.press("0")
    said(page, "1 picture without a label")
    page.keyboard.press("Control+a")
    assert int(page.inner_text("#selection").split()[0]) > N // 4
    page.keyboard.press("Escape")
    for _ in range(20):  # to a picture of a cluster that has a name
        if "cluster 1" not in page.inner_text("#status"):
            break
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowLeft")
    page.keyboard.press("c")
    said(page, "1 labelled digit")
    page.keyboard.press("Enter")
    page.wait_for_selector("#large[open]")
    first = page.inner_text("#large-name")
    page.keyboard.press("ArrowLeft")
    assert page.inner_text("#large-name") != first
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.tagName") == "CANVAS"


def test_keys_walk_and_label_while_one_picture_is_looked_at(page, client):
    page.click("nav >> text=Label next")
    page.locator(".tiles[tabindex='0']").focus()
    page.keyboard.press("Enter")
    assert page.inner_text("#large-name") == "0003.png"
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    assert page.inner_text("#large-name") == "0004.png"
    page.keyboard.press("2")
    page.wait_for_selector("#large-name:text-is('0005.png')")  # which takes its place in the view
    assert label_of(client, "0004.png") == "digit 3"
    page.keyboard.press("n")
    assert not page.locator("#large[open]").count()
    page.keyboard.type("owl")
    page.keyboard.press("Enter")
    said(page, "1 picture labelled owl")
    assert label_of(client, "0005.png") == "owl"
    page.click("nav >> text=Clusters")
    page.locator(".tile").first.dblclick()
    shown = page.inner_text("#large-name")
    page.keyboard.press("0")
    page.wait_for_selector("#large p:has-text('no label')")
    assert page.inner_text("#large-name") == shown  # it stays in this view
    page.keyboard.press("Control+z")
    page.wait_for_selector("#large p:has-text('labelled')")


def test_a_selection_grows_and_shrinks_with_shift(page):
    for number in range(5):
        page.locator(".tile").nth(number).click()
    for key, count in (("Right", 6), ("Right", 7), ("Left", 6), ("Left", 5), ("Left", 5)):
        page.keyboard.press(f"Shift+Arrow{key}")
        assert page.inner_text("#selection") == f"{count} selected"


def test_classes_keep_their_numbers(page):
    def names():
        return page.locator("#class-buttons bdi").all_inner_texts()

    page.fill("#class-name", "owl")
    page.keyboard.press("Enter")
    said(page, "Class owl")
    page.click("nav >> text=Clusters")
    for _ in range(2):
        page.locator("[title='0001.png']").click()
        page.keyboard.press("0")
        said(page, "1 picture without a label")
        assert names() == ["digit 0", "digit 3", "owl"]
        page.reload()
        page.wait_for_selector("body[data-ready]")
        assert names() == ["digit 0", "digit 3", "owl"]
        page.locator("[title='0001.png']").click()
        page.keyboard.press("2")
        said(page, "1 picture labelled digit 3")


def test_files_that_cannot_be_read_are_told_and_not_counted(page, client, kept):
    page.wait_for_selector("text=2 files are passed over")
    tile = page.locator(".tile.broken")
    assert "truncated" in tile.get_attribute("data-why")
    assert tile.get_attribute("aria-label").startswith("cut.jpg, cannot be read: ")
    page.click("text=Export")
    page.click("text=Copies in folders")
    said(page, rf"^{N} pictures copied \(1 file cannot be read\) into ")
    folder = kept.folder / ".ronmf" / "export-1"
    assert page.evaluate("getSelection().toString()") == str(folder)
    assert len([path for path in folder.rglob("*.*") if path.is_file()]) == N
    assert "cut.jpg" not in client.get("/export.csv")[1].decode()
    page.reload()
    said(page, rf"^{N} pictures[.]$")


@pytest.mark.parametrize("width", [390, 1280])
def test_names_on_the_map_stand_beside_each_other(browser, kept, client, width):
    result = client.json("/api/result")
    result["classes"] = [f"some cluster {k}" for k in range(45)]
    result["cluster"] = [k % 45 for k in range(900)]
    result["pictures"] = [k % N for k in range(900)]
    places = np.random.default_rng(0).random((45, 2))[np.arange(900) % 45]
    places = places + np.random.default_rng(1).normal(0, 0.02, (900, 2))
    result["xy"] = (places - places.min(0)).ravel().tolist()
    with open_page(browser, kept, width) as page:
        page.route("**/api/result", lambda route: route.fulfill(body=json.dumps(result)))
        page.evaluate(
            """() => {
                window.drawn = [];
                const draw = CanvasRenderingContext2D.prototype.fillText;
                CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
                    window.drawn.push([x, y, this.measureText(text).width]);
                    draw.call(this, text, x, y);
                };
            }"""
        )
        page.evaluate("import('./static/state.js').then((state) => state.loadResult())")
        page.evaluate("location.hash = 'map'")
        page.wait_for_selector("canvas")
        page.wait_for_timeout(200)
        page.evaluate("window.drawn = []")
        page.keyboard.press("Escape")  # the map is drawn anew
        drawn = page.evaluate("window.drawn")
        box = page.locator("canvas").bounding_box()
    assert 2 <= len(drawn) < 45
    for i, (x, y, w) in enumerate(drawn):
        assert w / 2 <= x <= box["width"] - w / 2
        for a, b, v in drawn[:i]:
            assert abs(x - a) >= (w + v) / 2 or abs(y - b) >= 15


def test_on_a_phone_a_new_class_is_typed_in_sight_of_many(browser, kept, client):
    for i in range(12):
        client.post("/api/add_class", {"name": f"class {i}"})
    with open_page(browser, kept, 390, 740) as page:
        box = page.locator("#class-name").bounding_box()
        assert box["width"] > 120
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390
        assert page.evaluate("document.querySelector('main').clientHeight") > 740 / 2
        needed = page.evaluate(
            """() => {
                const box = document.getElementById("how-many");
                const pen = document.createElement("canvas").getContext("2d");
                pen.font = getComputedStyle(box).font;
                return pen.measureText("my classes").width + 20 - box.clientWidth;
            }"""
        )
        assert needed <= 0
