// The grid: sections of tiles, of which only those near the visible part are in the document.

import { thumbnail } from "./api.js";
import { select, setSelection, state, sureness, tell } from "./state.js";
import { describe, isDoubtful, suggestion } from "./views.js";

const GAP = 8;
const MARGIN = 600; // pixels beyond the visible part that are drawn too

export class Grid {
  constructor(view) {
    this.view = view;
    this.sections = [];
    this.where = new Map(); // picture -> [section, position]
    this.tiles = new Map(); // picture -> element
    this.waiting = false;
    view.addEventListener("scroll", () => this.later(), { passive: true });
    new ResizeObserver(() => this.measure()).observe(view);
  }

  // Show sections, after whatever else the view holds.
  show(sections) {
    this.sections = sections.map((section) => ({ ...section, ...heading(section, this) }));
    this.where.clear();
    this.tiles.clear();
    this.sections.forEach((section, s) => {
      section.pictures.forEach((picture, p) => this.where.set(picture, [s, p]));
      this.view.append(section.element);
    });
    if (!this.where.has(state.active)) state.active = this.sections[0]?.pictures[0] ?? -1;
    this.measure();
  }

  measure() {
    const narrow = this.view.clientWidth < 500;
    this.side = narrow ? 76 : 104;
    this.height = this.side + (this.sections.some((section) => section.suggests) ? 44 : 22);
    const width = this.view.clientWidth - 24;
    this.columns = Math.max(1, Math.floor((width + GAP) / (this.side + GAP)));
    for (const section of this.sections) {
      const rows = Math.ceil(section.pictures.length / this.columns);
      section.box.style.height = `${Math.max(0, rows * (this.height + GAP) - GAP)}px`;
    }
    this.tiles.forEach((tile) => tile.remove());
    this.tiles.clear();
    this.draw();
  }

  later() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.draw();
    });
  }

  place(position) {
    const row = Math.floor(position / this.columns);
    return [(position % this.columns) * (this.side + GAP), row * (this.height + GAP)];
  }

  top(section) {
    return section.element.offsetTop + section.box.offsetTop;
  }

  draw() {
    const low = this.view.scrollTop - MARGIN;
    const high = this.view.scrollTop + this.view.clientHeight + MARGIN;
    const wanted = new Set();
    const tops = this.sections.map((section) => this.top(section)); // read all, then write
    this.sections.forEach((section, s) => {
      const step = this.height + GAP;
      const first = Math.max(0, Math.floor((low - tops[s]) / step)) * this.columns;
      const last = Math.min(section.pictures.length, Math.ceil((high - tops[s]) / step) * this.columns);
      for (let position = first; position < last; position += 1) {
        const picture = section.pictures[position];
        wanted.add(picture);
        if (!this.tiles.has(picture)) this.add(section, picture, position);
      }
    });
    for (const [picture, tile] of this.tiles) {
      if (!wanted.has(picture)) {
        tile.remove();
        this.tiles.delete(picture);
      }
    }
    this.mark();
  }

  add(section, picture, position) {
    const tile = document.createElement("div");
    const image = document.createElement("img");
    const under = document.createElement("span");
    const given = document.createElement("span");
    const sure = document.createElement("span");
    tile.className = "tile";
    tile.id = `tile-${picture}`;
    tile.dataset.picture = picture;
    tile.setAttribute("role", "option");
    tile.setAttribute("aria-setsize", section.pictures.length);
    tile.setAttribute("aria-posinset", position + 1);
    const [left, top] = this.place(position);
    tile.style.left = `${left}px`;
    tile.style.top = `${top}px`;
    tile.style.width = `${this.side}px`;
    tile.style.height = `${this.height}px`;
    image.alt = "";
    image.draggable = false;
    image.decoding = "async";
    image.onload = () => tile.classList.toggle("large", image.naturalWidth > 64);
    image.onerror = () => tile.classList.add("broken");
    image.src = thumbnail(picture);
    under.className = "under";
    given.className = "given";
    sure.className = "sure";
    under.append(given, sure);
    tile.append(image, under);
    section.box.append(tile);
    this.tiles.set(picture, tile);
    this.caption(picture);
  }

  caption(picture) {
    const tile = this.tiles.get(picture);
    if (!tile) return;
    const given = state.labels.get(picture) ?? "";
    const sure = sureness(picture);
    const instead = suggestion(picture);
    const why = state.unreadable.get(picture);
    tile.querySelector(".given").textContent = given;
    tile.querySelector(".sure").textContent = instead ? `→ ${instead}` : sure === null ? "" : `${sure}%`;
    tile.classList.toggle("suggesting", instead !== "");
    tile.classList.toggle("doubtful", !instead && isDoubtful(picture));
    if (why) tile.classList.add("broken");
    tile.dataset.why = why ?? "cannot be shown";
    tile.title = why ? `${state.files[picture]}: ${why}` : state.files[picture];
    tile.setAttribute("aria-label", describe(picture));
  }

  // Show what is selected, and where the keyboard is.
  mark() {
    const at = this.where.get(state.active);
    this.sections.forEach((section, s) => {
      const here = at !== undefined && at[0] === s;
      section.box.tabIndex = here ? 0 : -1;
      if (here && this.tiles.has(state.active)) section.box.setAttribute("aria-activedescendant", `tile-${state.active}`);
      else section.box.removeAttribute("aria-activedescendant");
    });
    for (const [picture, tile] of this.tiles) {
      tile.setAttribute("aria-selected", state.selected.has(picture));
      tile.classList.toggle("active", picture === state.active);
    }
  }

  captions() {
    for (const picture of this.tiles.keys()) this.caption(picture);
  }

  // Go to a picture: it becomes the active one, visible and focused.
  go(picture) {
    const at = this.where.get(picture);
    if (!at) return;
    state.active = picture;
    const section = this.sections[at[0]];
    const top = this.top(section) + this.place(at[1])[1];
    const head = 48; // the title sticks above
    if (top - head < this.view.scrollTop) this.view.scrollTop = top - head;
    else if (top + this.height > this.view.scrollTop + this.view.clientHeight) {
      this.view.scrollTop = top + this.height - this.view.clientHeight + GAP;
    }
    this.draw();
    section.box.focus({ preventScroll: true });
    tell("selection");
  }

  between(one, other) {
    const order = this.sections.flatMap((section) => section.pictures);
    const [a, b] = [order.indexOf(one), order.indexOf(other)].sort((x, y) => x - y);
    return a < 0 ? [other] : order.slice(a, b + 1);
  }

  // Select from where Shift was first held to a picture: less than before, if that is nearer.
  extend(picture) {
    const range = state.range ?? { from: state.active, before: [...state.selected] };
    setSelection([...range.before, ...this.between(range.from, picture)], range);
  }

  // Pictures whose tiles touch a frame, in the coordinates of the view's content.
  touched(left, top, right, bottom) {
    const found = [];
    for (const section of this.sections) {
      const x = section.box.offsetLeft + section.element.offsetLeft;
      const y = this.top(section);
      section.pictures.forEach((picture, position) => {
        const [dx, dy] = this.place(position);
        const inside = x + dx < right && x + dx + this.side > left && y + dy < bottom && y + dy + this.height > top;
        if (inside) found.push(picture);
      });
    }
    return found;
  }
}

function heading(section, grid) {
  const element = document.createElement("section");
  const head = document.createElement("div");
  const title = document.createElement("h2");
  const note = document.createElement("small");
  const all = document.createElement("button");
  const box = document.createElement("div");
  element.className = "cluster";
  head.className = "head";
  title.textContent = section.title;
  title.classList.toggle("found", section.named === false);
  note.textContent = section.note;
  all.type = "button";
  all.textContent = "Select all";
  all.setAttribute("aria-label", `Select all of ${section.title}`);
  all.addEventListener("click", () => select(section.pictures));
  head.append(title, note, all);
  if (section.href) {
    const link = document.createElement("a");
    link.href = section.href;
    link.textContent = "Look closer";
    link.setAttribute("aria-label", `Look closer at ${section.title}`);
    head.append(link);
  }
  box.className = "tiles";
  box.setAttribute("role", "listbox");
  box.setAttribute("aria-multiselectable", "true");
  box.setAttribute("aria-label", `${section.title}, ${section.note}`);
  box.addEventListener("focus", () => grid.mark());
  element.append(head, box);
  return { element, box };
}
