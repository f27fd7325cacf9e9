"""The report in a real Chromium, on a desktop and on a phone."""

import re
from contextlib import contextmanager

import pytest

from ronmf.bench.reporting.grid import summarise
from ronmf.bench.reporting.reference import Reference
from ronmf.bench.reporting.report import build_report
from ronmf.bench.reporting.selection import clean
from support.marks import slow
from support.tidy import example_rows

DESKTOP, PHONE = (1280, 800), (390, 844)
SCREENS = pytest.mark.parametrize("screen", [DESKTOP, PHONE], ids=["desktop", "phone"])


@pytest.fixture(scope="module")
def rows():
    """Two sets, clean and under one noise: every picture takes its time."""
    found = example_rows()
    found = found[found.experiment.isin(["clean", "noise"]) & found.dataset.isin(["yale", "usps"])]
    return found[found.noise.isin(["none", "gaussian"])]


@pytest.fixture(scope="module")
def address(rows, tmp_path_factory):
    path = tmp_path_factory.mktemp("report") / "report.html"
    printed = {("yale", "none", "acc", "GNMF"): (0.420, 0.050, "")}
    reference = Reference("printed in a paper", "long ago", printed)
    build_report(rows, path, "Results of a test", reference=reference)
    return path.as_uri()


@contextmanager
def opened(browser, address, screen=DESKTOP, **options):
    """Open the report; a complaint of the browser, or a request, fails the test."""
    width, height = screen
    context = browser.new_context(viewport={"width": width, "height": height}, **options)
    page = context.new_page()
    complaints = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda said: complaints.append(said.text))
    page.on("request", lambda asked: complaints.append(asked.url[:80]))
    page.goto(address)
    if options.get("java_script_enabled", True):
        page.wait_for_selector("body[data-ready]")
    yield page
    others = [c for c in complaints if c != address and not c.startswith("data:image/svg+xml")]
    assert others == []
    context.close()


def column(page, place, table="#table-clean"):
    """The texts of a column as they stand, without hidden rows."""
    cells = page.locator(f"{table} tbody tr:visible > :nth-child({place})")
    return [text.strip() for text in cells.all_inner_texts()]


def choose(page, table, label, value):
    """Turn a switch of a table."""
    page.locator(f"{table} label:has-text('{label}') select").select_option(value)


def numbers(texts):
    return [float(re.match(r"[\d.]+", text)[0]) for text in texts]


def bottom(page, selector):
    box = page.locator(selector).first.bounding_box()
    return box["y"] + box["height"]


@SCREENS
def test_the_first_screen_says_who_won(browser, address, screen):
    with opened(browser, address, screen) as page:
        assert re.match(r"RONMF wins by 0\.\d{3} in accuracy$", page.locator("h1").inner_text())
        sentences = page.locator(".said")
        assert sentences.count() == 3
        assert sentences.first.is_visible()
        assert bottom(page, ".said >> nth=2") < screen[1]
        if screen == DESKTOP:
            assert bottom(page, "#picture") < screen[1]
        else:
            assert page.locator("#picture").bounding_box()["y"] < screen[1]
        names = page.locator("#picture .name").all_inner_texts()
        assert names[0] == "RONMF-E"
        assert "own" in page.locator("#picture li:has(.name)").first.get_attribute("class")


@SCREENS
def test_nothing_is_wider_than_the_screen(browser, address, screen):
    with opened(browser, address, screen) as page:
        page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true; })")
        assert page.evaluate("document.documentElement.scrollWidth") <= screen[0]
        wide = page.evaluate(
            "[...document.querySelectorAll('img')].filter(i => i.getBoundingClientRect().right"
            " > innerWidth).length"
        )
        assert wide == 0


def test_letters_are_large_enough_for_a_phone(browser, address):
    with opened(browser, address, PHONE) as page:
        sizes = page.evaluate(
            "[...document.querySelectorAll('main *, header *')]"
            ".filter(e => e.checkVisibility() && [...e.childNodes].some(n => n.nodeType === 3"
            " && n.data.trim())).map(e => parseFloat(getComputedStyle(e).fontSize))"
        )
        assert min(sizes) >= 11
        # Pictures are drawn for 355 pixels with letters of 11; none is shown smaller than that.
        shrunk = page.evaluate(
            "[...document.querySelectorAll('img')].filter(i => i.checkVisibility()"
            " && i.getBoundingClientRect().width < 0.98 * Math.min(355, i.getAttribute('width')))"
            ".length"
        )
        assert shrunk == 0


def test_the_first_column_stays_in_sight(browser, address):
    with opened(browser, address, PHONE) as page:
        area = page.locator("#table-noise .scroll")
        name = page.locator("#table-noise tbody th").first
        before = name.bounding_box()["x"]
        moved = area.evaluate("e => { e.scrollLeft = 300; return e.scrollLeft; }")
        assert moved > 0
        assert name.bounding_box()["x"] == pytest.approx(before, abs=1)


@pytest.mark.parametrize("by", ["keyboard", *slow("mouse")])
def test_columns_are_sorted(browser, address, by):
    with opened(browser, address) as page:
        head = page.locator("#table-clean thead th").nth(3)
        before = column(page, 1)
        assert before[:2] == ["RONMF-M", "RONMF-E"]

        def turn():
            if by == "mouse":
                head.locator("button").click()
            else:
                head.locator("button").focus()
                page.keyboard.press("Enter")

        turn()
        assert head.get_attribute("aria-sort") == "descending"
        found = numbers(column(page, 4))
        assert len(set(found)) > 2
        assert found == sorted(found, reverse=True)
        turn()
        assert head.get_attribute("aria-sort") == "ascending"
        assert numbers(column(page, 4)) == sorted(found)
        turn()
        assert head.get_attribute("aria-sort") == "none"
        assert column(page, 1) == before


def test_least_time_is_best(browser, address):
    with opened(browser, address) as page:
        head = page.locator("#table-time thead th").nth(1)
        head.locator("button").click()
        assert head.get_attribute("aria-sort") == "ascending"
        found = numbers(column(page, 2, "#table-time"))
        assert found == sorted(found)


def test_names_are_sorted_by_letters(browser, address):
    with opened(browser, address) as page:
        page.locator("#table-clean thead th button").first.click()
        assert column(page, 1) == sorted(column(page, 1), key=str.lower)


@pytest.mark.parametrize(
    ("metric", "scope"),
    [("purity", "all"), *slow(("acc", "unlabelled"), ("nmi", "unlabelled"))],
)
def test_switches_show_the_numbers_of_the_rows(browser, address, rows, metric, scope):
    cells = summarise(clean(rows), ["dataset"], ["method"], [(metric, scope)])[metric, scope].cells
    with opened(browser, address) as page:
        choose(page, "#table-clean", "Metric", metric)
        choose(page, "#table-clean", "Samples", scope)
        shown = dict(zip(column(page, 1), column(page, 4), strict=True))
        for method, text in shown.items():
            cell = cells[("usps",), (method,)]
            assert text == f"{cell.mean:.3f} ± {cell.std:.3f}", method
        choose(page, "#table-clean", "Beside the mean", "interval")
        cell = cells[("usps",), ("GNMF",)]
        ends = f"[{cell.mean - cell.half:.3f}, {cell.mean + cell.half:.3f}]"
        shown = dict(zip(column(page, 1), column(page, 4), strict=True))
        assert shown["GNMF"] == f"{cell.mean:.3f} {ends}"
        caption = page.locator("#table-clean caption").inner_text()
        assert f"{scope} samples" in caption
        assert "95 % interval of the mean" in caption


def test_cells_of_a_reference_can_stand_beside_ours(browser, address):
    with opened(browser, address) as page:
        choose(page, "#table-clean", "Beside the mean", "reference")
        shown = dict(zip(column(page, 1), column(page, 3), strict=True))
        assert re.match(r"0\.\d{3} \(0\.420 ± 0\.050\)$", shown["GNMF"])
        assert re.match(r"0\.\d{3}$", shown["HarmonicLabelPropagation"])


def test_a_dataset_is_chosen_under_noise(browser, address, rows):
    part = rows[(rows.noise == "gaussian") & (rows.noise_level == 0.7)]
    means = part[part.method == "RONMF-E"].groupby("dataset").acc_unlabelled.mean()
    with opened(browser, address) as page:
        box = page.locator("#table-noise")
        heads = box.locator("thead th").all_inner_texts()
        place = 1 + [head.strip() for head in heads].index("gaussian 0.7")
        names = column(page, 1, "#table-noise")
        shown = column(page, place, "#table-noise")[names.index("RONMF-E")]
        assert shown.startswith(f"{means.mean():.3f} ")
        choose(page, "#table-noise", "Dataset", "usps")
        shown = column(page, place, "#table-noise")[names.index("RONMF-E")]
        assert shown.startswith(f"{means['usps']:.3f} ")


def test_methods_are_hidden_and_shown_again(browser, address):
    with opened(browser, address) as page:
        box, every = page.locator("#table-clean"), column(page, 1)
        box.locator(".pick summary").click()
        box.get_by_label("GNMF", exact=True).uncheck()
        assert column(page, 1) == [name for name in every if name != "GNMF"]
        assert f"{len(every) - 1} of {len(every)}" in box.locator(".pick summary").inner_text()
        box.get_by_role("button", name="none").click()
        assert column(page, 1) == []
        box.get_by_role("button", name="all").click()
        assert column(page, 1) == every


def test_without_scripts_it_shows_the_first_view(browser, address):
    with opened(browser, address) as page:
        expected = [column(page, place) for place in (1, 2, 4)]
    with opened(browser, address, java_script_enabled=False) as page:
        assert [column(page, place) for place in (1, 2, 4)] == expected
        assert not page.locator("form").first.is_visible()


def test_dark_is_dark_and_print_is_light(browser, address):
    paper = "getComputedStyle(document.body).backgroundColor"
    with opened(browser, address, color_scheme="dark") as page:
        assert page.evaluate(paper) == "rgb(22, 24, 28)"
        page.emulate_media(media="print")
        assert page.evaluate(paper) == "rgb(255, 255, 255)"
        assert not page.locator("form").first.is_visible()
