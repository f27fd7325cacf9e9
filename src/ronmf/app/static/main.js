// Puts the page together, and looks every now and then whether anything is new.

import { attempt, get, made, say } from "./api.js";
import { Grid } from "./grid.js";
import { watchKeys } from "./keys.js";
import { refreshLarge } from "./large.js";
import { PictureMap } from "./map.js";
import { watchPointer } from "./pointer.js";
import { clearSelection, clusterOf, listen, loadLabels, loadPictures, loadResult, state } from "./state.js";
import { drawClasses, drawCounts, drawProgress, drawSelection, watchToolbar } from "./toolbar.js";
import { EMPTY, parse, sections } from "./views.js";
import { count } from "./words.js";

const view = document.getElementById("view");
const grid = new Grid(view);
const map = new PictureMap();
let shown = "";
let fit = { working: false };

const element = (tag, className, text = "") => {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
};

function draw() {
  const what = parse(location.hash);
  const name = `${what.name}/${what.number}`;
  const scroll = name === shown ? view.scrollTop : 0;
  const focused = view.contains(document.activeElement) && document.activeElement !== view;
  const onMap = document.activeElement === map.canvas;
  shown = name;
  for (const link of document.querySelectorAll("nav a")) {
    const here = link.hash === `#${what.name}` || (what.name === "cluster" && link.hash === "#clusters");
    if (here) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  view.replaceChildren();
  if (what.name === "cluster") drawCluster(what.number);
  if (what.name === "clusters") drawNotes();
  if (what.name === "map" && state.result) view.append(map.element);
  const found = what.name === "map" && !state.result ? [] : sections(what);
  if (!found.length) drawEmpty(what.name);
  showSections(what.name, found);
  if (what.name === "clusters") drawSkipped();
  map.draw();
  view.scrollTop = scroll;
  grid.draw();
  if (onMap && map.element.isConnected) map.canvas.focus({ preventScroll: true });
  else if (focused) document.querySelector(".tiles[tabindex='0']")?.focus({ preventScroll: true });
}

// On the map the keyboard is on any point, not only on those that are listed below it.
function showSections(name, found) {
  const { active } = state;
  grid.show(found);
  if (name === "map" && clusterOf(active) >= 0) state.active = active;
}

function drawEmpty(name) {
  const [title, text] = EMPTY[name];
  const box = element("div", "empty");
  box.append(element("h2", "", title), element("p", "", text));
  view.append(box);
}

function drawNotes() {
  const notes = state.result ? [...state.result.notes] : [];
  if (!state.result && fit.working) notes.push("The first clustering is under way. You can look at the pictures and label some meanwhile.");
  if (fit.failed) notes.unshift(fit.message);
  else if (!state.result && !fit.working) notes.push("The pictures are not clustered yet: press Re-cluster.");
  if (!notes.length) return;
  const box = element("div", "notes");
  box.append(...notes.map((note) => element("p", "", note)));
  view.append(box);
}

function drawCluster(k) {
  const back = element("a", "back", "← All clusters");
  back.href = "#clusters";
  view.append(back);
  const result = state.result;
  if (!result || !result.drawn || !result.classes[k]) return;
  const box = element("div", "parts");
  const names = [["Typical picture", `prototype-${k}`]];
  result.parts[k].filter((part) => part >= 0).forEach((part, i) => names.push([`Part ${i + 1}`, `part-${part}`]));
  for (const [title, name] of names) {
    const figure = element("figure", "");
    const image = element("img", "");
    image.src = made(result.number, name);
    image.alt = `${title} of ${result.classes[k]}`;
    figure.append(image, element("figcaption", "", title));
    box.append(figure);
  }
  view.append(box);
}

function drawSkipped() {
  const broken = [...state.unreadable].map(([picture, why]) => [state.files[picture], why]);
  const all = [...state.skipped, ...broken];
  if (!all.length) return;
  const box = element("details", "skipped");
  const list = element("ul", "");
  list.append(...all.map(([file, why]) => element("li", "", `${file}: ${why}`)));
  box.append(element("summary", "", `${count(all.length, "file")} ${all.length === 1 ? "is" : "are"} passed over`), list);
  view.append(box);
}

listen((what) => {
  const name = parse(location.hash).name;
  if (what === "result") draw();
  if (what === "labels") {
    drawClasses();
    if (name === "next" || name === "wrong") redrawInPlace();
    else grid.captions();
    map.draw();
  }
  if (what === "selection") {
    drawSelection();
    if (name === "map") drawSelected();
    grid.mark();
    map.draw();
  }
  drawCounts();
  if (what !== "selection") refreshLarge();
});

// Labelled pictures leave the view: the keyboard goes to the one that takes their place.
function redrawInPlace() {
  const { active } = state;
  const at = grid.where.get(active);
  draw();
  const section = at && grid.sections[Math.min(at[0], grid.sections.length - 1)];
  if (section && !grid.where.has(active)) {
    state.active = section.pictures[Math.min(at[1], section.pictures.length - 1)];
  }
  grid.mark();
}

function drawSelected() {
  const focused = document.activeElement === map.canvas;
  view.querySelectorAll(".cluster").forEach((old) => old.remove());
  showSections("map", sections(parse("#map")));
  if (focused) map.canvas.focus({ preventScroll: true });
}

async function look() {
  const found = await get("/api/status");
  const before = fit;
  fit = found.fit;
  drawProgress(fit);
  if (found.pictures !== state.reading) {
    await loadPictures();
    draw();
  }
  if (found.labels !== state.revision) await loadLabels();
  if (found.result !== (state.result?.version ?? 0)) {
    const number = state.result?.number;
    await loadResult();
    if (state.result && state.result.number !== number) {
      const { classes, moved, seconds } = state.result;
      const changed = state.result.compared ? `; ${count(moved.length, "picture")} changed` : "";
      say(`Clustered in ${seconds.toFixed(1)} s: ${count(classes.length, "cluster")}${changed}.`);
    }
  }
  // Not “was working, is not”: a fit may begin and end between two looks.
  if (fit.ended !== before.ended && fit.message) say(fit.message, fit.failed);
  if (fit.message !== before.message || (!state.result && fit.working !== before.working)) draw();
}

async function watch() {
  let silent = false;
  for (;;) {
    try {
      await look();
      if (silent) say("The server answers again.");
      silent = false;
    } catch (error) {
      say(error.message, true);
      silent = true;
    }
    const pause = document.hidden ? 3000 : fit.working ? 300 : 1000;
    const woken = new AbortController();
    await new Promise((done) => {
      setTimeout(done, pause);
      document.addEventListener("look", done, { signal: woken.signal });
    });
    woken.abort();
  }
}

document.getElementById("skip").addEventListener("click", (event) => {
  event.preventDefault(); // the address says which view this is
  (document.querySelector(".tiles[tabindex='0']") ?? view).focus();
});
watchToolbar();
watchPointer(view, grid);
watchKeys(view, grid, map);
window.addEventListener("hashchange", () => {
  clearSelection();
  draw();
});
window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => map.draw());

await attempt(async () => {
  const [status] = await Promise.all([get("/api/status"), loadPictures()]);
  fit = status.fit;
  drawProgress(fit);
  await Promise.all([loadLabels(), loadResult()]);
  if (fit.failed) say(fit.message, true);
  else say(`${count(state.files.length - state.unreadable.size, "picture")}.`);
  document.body.dataset.ready = "yes";
});
drawSelection();
watch();
