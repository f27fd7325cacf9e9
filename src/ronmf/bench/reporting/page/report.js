"use strict";
// Tables whose view the reader switches. Cells are texts made elsewhere; here they are only chosen.
const MEAN = 0, STD = 1, LOW = 2, HIGH = 3, MARK = 4, NOTE = 5, REFERENCE = 6;

function textOf(cell, spread, missing) {
  const at = (place) => cell[place] || "";
  let value = at(MEAN);
  if (value && spread === "std" && at(STD)) value += ` ± ${at(STD)}`;
  if (value && spread === "interval" && at(LOW)) value += ` [${at(LOW)}, ${at(HIGH)}]`;
  if (spread === "reference" && at(REFERENCE)) value = `${value || missing} (${at(REFERENCE)})`;
  return [value, at(NOTE)].filter(Boolean).join(", ") || missing;
}

function fill(place, cell, spread, missing) {
  const tag = { best: "strong", second: "u" }[cell[MARK]];
  const target = tag ? document.createElement(tag) : place;
  place.textContent = "";
  if (tag) place.append(target);
  target.textContent = textOf(cell, spread, missing);
}

function setUp(box) {
  const { views, lowest, missing } = JSON.parse(box.querySelector("script").textContent);
  const body = box.querySelector("tbody");
  const lines = [...body.rows];
  const heads = [...box.querySelectorAll("thead th")];
  const switches = [...box.querySelectorAll("[data-switch]")];
  const spread = box.querySelector("[data-spread]");
  const picks = [...box.querySelectorAll("input[data-row]")];
  let order = { column: -1, up: false };

  const view = () => views[switches.map((each) => each.value).join("/")];

  function words() {
    const chosen = switches.map((each) =>
      each.selectedOptions ? each.selectedOptions[0].textContent : each.dataset.words);
    const beside = spread.selectedOptions[0].textContent;
    return `${chosen.join(", ")}: mean${spread.value === "std" ? " " : " and "}${beside}`;
  }

  function show() {
    const cells = view();
    lines.forEach((line, i) => {
      cells[i].forEach((cell, j) => fill(line.cells[j + 1], cell, spread.value, missing));
      line.hidden = !picks[i].checked;
    });
    box.querySelector("[data-view]").textContent = words();
    box.querySelector("[data-count]").textContent =
      `${picks.filter((pick) => pick.checked).length} of ${picks.length}`;
    sort();
  }

  function sort() {
    const cells = view();
    const { column, up } = order;
    const places = lines.map((_, i) => i);
    if (column === 0) {
      places.sort((a, b) => (up ? 1 : -1) *
        lines[a].cells[0].textContent.localeCompare(lines[b].cells[0].textContent, "en"));
    } else if (column > 0) {
      const number = (i) => parseFloat(cells[i][column - 1][MEAN]);
      places.sort((a, b) => {
        const [x, y] = [number(a), number(b)];
        if (isNaN(x) || isNaN(y)) return isNaN(x) - isNaN(y);
        return (up ? x - y : y - x) || a - b;
      });
    }
    body.append(...places.map((i) => lines[i]));
    heads.forEach((head, i) => head.setAttribute("aria-sort",
      i !== column ? "none" : up ? "ascending" : "descending"));
  }

  // Best first, then worst first, then as it was.
  function turn(column) {
    const bestUp = column === 0 || lowest;
    if (order.column !== column) order = { column, up: bestUp };
    else if (order.up === bestUp) order = { column, up: !bestUp };
    else order = { column: -1, up: false };
    sort();
  }

  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    button.addEventListener("click", () => turn(column));
    head.textContent = "";
    head.append(button);
  });
  const pickAll = (chosen) => () => { picks.forEach((pick) => { pick.checked = chosen; }); show(); };
  box.querySelector("[data-all]").addEventListener("click", pickAll(true));
  box.querySelector("[data-none]").addEventListener("click", pickAll(false));
  box.querySelector("form").addEventListener("submit", (event) => event.preventDefault());
  [...switches, spread, ...picks].forEach((each) => each.addEventListener("change", show));
  box.querySelector("form").hidden = false;
  box.querySelector("form").reset();
  show();
}

document.querySelectorAll(".switched").forEach(setUp);
document.body.dataset.ready = "";
