"""The page in a real Chromium: keys, mouse, tabs, hostile names, phones, the map, cancelling."""

import time

import pytest
from app_server import Client, serving_app, write_digits

from support.browser import give, labelled, open_page, said, wait_for_labels
from support.marks import slow

NO_PICTURE = "none of BMP, GIF, JPEG, PNG, PPM, TIFF, WEBP"


@pytest.fixture(scope="module")
def shown(tmp_path_factory, feature_cache):
    """A server of a few digits for all that does not end it."""
    folder = tmp_path_factory.mktemp("shown") / "digits"
    write_digits(folder, 80)
    for name in ('<img src=x onerror="document.title=1">.png', "a'b\"c & d.png", "new\nline.png"):
        (folder / name).write_bytes((folder / "0000.png").read_bytes())
    (folder / "broken.png").write_bytes(b"\x89PNG but not really")
    (folder / "camera.heic").write_bytes(b"0")
    with serving_app(folder, feature_cache, "--clusters", "5") as served:
        Client(served).wait_for_fit()
        yield served


@pytest.fixture
def page(browser, shown):
    with open_page(browser, shown) as found:
        found.wait_for_selector("text=Look closer")
        yield found
        client = Client(shown)
        while client.post("/api/undo", {})[1]["said"]:
            pass


def test_everything_works_with_the_keyboard_alone(page):
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.locator(".tiles[tabindex='0']").focus()
    keys = ["ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"]
    for key in keys:
        page.keyboard.press(key)
    first = page.locator(".tile").first
    assert "active" in first.get_attribute("class")
    active = page.evaluate("document.activeElement.getAttribute('aria-activedescendant')")
    assert active == first.get_attribute("id")
    page.keyboard.press("Space")
    for key in ("Right", "Right", "Right", "Left"):
        page.keyboard.press(f"Shift+Arrow{key}")
    assert page.inner_text("#selection") == "3 selected"
    page.keyboard.press("n")
    page.keyboard.type("  barn   owl ")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=3 pictures labelled barn owl")
    assert page.evaluate("document.activeElement.getAttribute('role')") == "listbox"
    page.keyboard.press("Control+a")
    everything = page.inner_text("#selection")
    assert everything.endswith("selected")
    page.keyboard.press("Escape")
    assert page.inner_text("#selection") == "None selected"
    page.keyboard.press("ArrowRight")
    page.keyboard.press("1")  # without a selection: the picture one is on
    page.wait_for_selector("text=1 picture labelled barn owl")
    assert labelled(page) == 4
    page.keyboard.press("0")
    page.wait_for_selector("text=1 picture without a label now")
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog[open] img")
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    page.wait_for_selector("#help[open]")
    page.keyboard.press("Escape")
    for key in ("End", "Home", "PageDown", "PageUp"):
        page.keyboard.press(key)
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+z")
    page.wait_for_selector("#class-buttons button", state="detached")


def test_shift_click_and_a_frame_select_many(page):
    tiles = page.locator(".tile")
    tiles.nth(0).click()
    tiles.nth(3).click(modifiers=["Shift"])
    assert page.inner_text("#selection") == "4 selected"
    tiles.nth(1).click(modifiers=["Shift"])
    assert page.inner_text("#selection") == "2 selected"
    page.keyboard.press("Escape")
    one, other = tiles.nth(1).bounding_box(), tiles.nth(2).bounding_box()
    page.mouse.move(one["x"] + 20, one["y"] + 20)
    page.mouse.down()
    page.mouse.move(other["x"] + 30, other["y"] + 40, steps=5)
    page.mouse.up()
    assert page.inner_text("#selection") == "2 selected"
    assert page.locator(".lasso").count() == 0
    page.click("text=Select all >> nth=0")
    note = page.inner_text(".cluster .head small >> nth=0")
    assert page.inner_text("#selection").split()[0] == note.split()[0]


def slow_answers(page):
    """Let the answers to labels take long."""

    def wait(route):
        page.wait_for_timeout(300)
        route.continue_()

    page.route("**/api/label", wait)


def test_what_is_selected_while_a_label_is_on_its_way_stays_selected(page):
    page.locator(".tile").nth(0).click()
    page.fill("#class-name", "owl")
    page.keyboard.press("Enter")
    wait_for_labels(page, 1)
    slow_answers(page)
    page.locator(".tile").nth(1).click()
    page.locator(".tiles[tabindex='0']").focus()
    page.keyboard.press("1")
    page.locator(".tile").nth(2).click()
    page.locator(".tile").nth(3).click()
    wait_for_labels(page, 2)
    assert page.inner_text("#selection") == "2 selected"


def test_quick_keys_label_one_picture_after_the_other(page):
    page.locator(".tile").nth(0).click()
    page.fill("#class-name", "owl")
    page.keyboard.press("Enter")
    wait_for_labels(page, 1)
    page.click("nav >> text=Label next")
    page.get_by_role("heading", name="Label these next").wait_for()
    page.locator(".tiles[tabindex='0']").focus()
    page.keyboard.press("1")
    wait_for_labels(page, 2)
    slow_answers(page)
    for _ in range(3):
        page.keyboard.press("1")
    wait_for_labels(page, 5)


def test_a_button_labels_nothing_that_was_not_selected(page):
    page.locator(".tile").nth(0).click()
    page.fill("#class-name", "owl")
    page.keyboard.press("Enter")
    wait_for_labels(page, 1)
    page.locator("#class-buttons button").first.click()
    said(page, "Select pictures first")
    assert labelled(page) == 1


def test_two_tabs_see_each_other(browser, shown, page):
    with open_page(browser, shown) as other:
        page.locator(".tile").nth(0).click()
        give(page, "owl", by_key=False)
        other.wait_for_selector("#class-buttons >> text=owl")
        other.locator(".tile").nth(1).click()
        give(other, "owl", by_key=False)
        other.wait_for_selector("text=1 picture labelled owl")
        page.wait_for_selector("#class-buttons small:text-is('2')")
        page.keyboard.press("Control+z")  # the project's last action, of the other tab
        page.wait_for_selector("text=Undone: 1 picture: owl")
        assert labelled(page) == 1


def test_hostile_names_are_only_text(page, shown):
    assert page.title() == "digits – ronmf"
    assert page.locator("main img[src='x']").count() == 0
    titles = set()
    for top in range(0, 4000, 500):
        page.evaluate(f"document.querySelector('main').scrollTop = {top}")
        page.wait_for_timeout(50)
        tiles = "[...document.querySelectorAll('.tile')]"
        titles |= set(page.evaluate(f"{tiles}.map((tile) => tile.title)"))
    titles = {title.removesuffix(f": {NO_PICTURE}") for title in titles}
    assert titles == set(Client(shown).json("/api/pictures")["files"])
    page.evaluate("document.querySelector('main').scrollTop = 0")
    page.locator(".tile").first.click()
    page.fill("#class-name", "<b onmouseover=alert(1)>")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=labelled <b onmouseover=alert(1)>.")
    assert page.locator("#class-buttons b, .tile b").count() == 0
    page.evaluate("document.querySelector('main').scrollTo(0, 9e9)")
    page.wait_for_selector("h2:has-text('Cannot be read')")
    tile = page.locator(".tile.broken")
    assert tile.get_attribute("data-why") == NO_PICTURE  # what it shows
    assert tile.get_attribute("aria-label").startswith(f"broken.png, cannot be read: {NO_PICTURE}")
    page.click("text=2 files are passed over")
    page.wait_for_selector("text=camera.heic: HEIC is not read")
    page.wait_for_selector(f"text=broken.png: {NO_PICTURE}")


@pytest.mark.parametrize(
    ("width", "height", "dark"),
    [(360, 740, True), (1280, 800, False), *slow((360, 740, False), (1280, 800, True))],
)
def test_nothing_is_wider_than_the_screen(browser, shown, width, height, dark):
    with open_page(browser, shown, width, height, dark) as page:
        for view in ("clusters", "cluster/0", "next", "wrong", "map", "changes"):
            page.evaluate(f"location.hash = '{view}'")
            page.wait_for_selector("main h2")
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            assert page.evaluate("document.querySelector('main').scrollWidth") <= width
            assert page.evaluate("document.querySelector('main').clientHeight") > height / 2
            assert page.locator("header").bounding_box()["height"] < 90
            for control in page.locator("header button:visible, header select:visible").all():
                box = control.bounding_box()
                assert box["height"] >= 24
                assert box["x"] >= 0
                assert box["x"] + box["width"] <= width


def test_the_map_is_walked_by_keys_and_selected_by_a_frame(page):
    page.click("nav >> text=Map")
    page.wait_for_selector("canvas")
    page.focus("canvas")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    assert page.inner_text("#selection") == "1 selected"
    assert page.locator(".tile").count() == 1
    box = page.locator("canvas").bounding_box()
    page.mouse.move(box["x"] + 5, box["y"] + 5)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 5, box["y"] + box["height"] - 5, steps=4)
    page.mouse.up()
    result = page.evaluate("fetch('api/result').then((answer) => answer.json())")
    assert page.inner_text("#selection") == f"{len(result['pictures'])} selected"


def test_a_fit_can_be_cancelled(page, shown):
    client = Client(shown)
    number = client.json("/api/status")["result"]
    page.select_option("#how-many", "7")
    page.click("#recluster")
    page.wait_for_selector("#cancel:visible")
    started = time.monotonic()
    page.click("#cancel")
    page.wait_for_selector("text=Cancelled. The labels are kept.")
    assert time.monotonic() - started < 6
    assert client.json("/api/status")["result"] == number
    page.click("#recluster")  # and begun again
    said(page, "^Clustered")
    assert len(client.json("/api/result")["classes"]) == 7


def test_without_the_token_the_page_says_what_to_do(browser, shown):
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"http://127.0.0.1:{shown.port}/")
    assert "address that the terminal shows" in page.inner_text("main")
    page.goto(shown.url)
    page.wait_for_selector("body[data-ready]")
    assert shown.token not in page.url
    assert page.evaluate("document.cookie") == ""
    context.close()
