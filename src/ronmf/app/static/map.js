// The map: a point for each picture, drawn on a canvas. Arrow keys walk from point to point.

import { say, thumbnail } from "./api.js";
import { placeNames } from "./map_names.js";
import { clusterOf, select, state, tell } from "./state.js";
import { describe } from "./views.js";

const HUES = [210, 35, 130, 0, 275, 185, 60, 320, 95, 245, 15, 160];
const NEAR = 14; // pixels
const EDGE = 26;
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

const colour = (k, light) => `hsl(${HUES[k % HUES.length]} 65% ${light}%)`;

export class PictureMap {
  constructor() {
    this.element = document.createElement("div");
    this.canvas = document.createElement("canvas");
    this.tip = document.createElement("div");
    this.element.className = "chart";
    this.tip.className = "tip";
    this.tip.hidden = true;
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "application");
    this.canvas.setAttribute(
      "aria-label",
      "Map of the pictures. Arrow keys go to the nearest picture in that direction, Space selects it, digits label it, Enter shows it alone. The view Clusters lists the same pictures.",
    );
    this.element.append(this.canvas, this.tip);
    this.start = this.frame = null;
    this.canvas.addEventListener("pointerdown", (event) => this.press(event));
    this.canvas.addEventListener("pointermove", (event) => this.move(event));
    this.canvas.addEventListener("pointerup", (event) => this.release(event));
    this.canvas.addEventListener("pointerleave", () => { this.tip.hidden = true; });
    new ResizeObserver(() => this.draw()).observe(this.element);
  }

  point(row) {
    const { xy } = state.result;
    return [
      EDGE + xy[2 * row] * (this.width - 2 * EDGE) / this.spanX,
      EDGE + xy[2 * row + 1] * (this.height - 2 * EDGE) / this.spanY,
    ];
  }

  draw() {
    const result = state.result;
    if (!result || !this.element.isConnected) return;
    const scale = window.devicePixelRatio || 1;
    this.width = this.element.clientWidth;
    this.height = Math.round(Math.min(this.width * 0.75, window.innerHeight * 0.6));
    const span = (side) =>
      result.xy.reduce((most, at, i) => (i % 2 === side && at > most ? at : most), 1e-9);
    this.spanX = span(0);
    this.spanY = span(1);
    this.canvas.style.height = `${this.height}px`;
    this.canvas.width = this.width * scale;
    this.canvas.height = this.height * scale;
    const pen = this.canvas.getContext("2d");
    pen.scale(scale, scale);
    const style = getComputedStyle(document.documentElement);
    const text = style.getPropertyValue("--text");
    const page = style.getPropertyValue("--card");
    const dark = window.matchMedia("(prefers-color-scheme: dark)").matches;
    const size = result.pictures.length > 3000 ? 2 : 3.5;
    result.pictures.forEach((picture, row) => {
      const [x, y] = this.point(row);
      const k = result.cluster[row];
      pen.fillStyle = colour(k, dark ? 65 : 42);
      pen.beginPath();
      pen.arc(x, y, size, 0, 7);
      pen.fill();
      if (state.labels.has(picture)) {
        pen.strokeStyle = text;
        pen.lineWidth = 1.5;
        pen.strokeRect(x - size - 2, y - size - 2, 2 * size + 4, 2 * size + 4);
      }
      if (state.selected.has(picture) || picture === state.active) {
        pen.strokeStyle = text;
        pen.lineWidth = picture === state.active ? 1 : 2.5;
        pen.beginPath();
        pen.arc(x, y, size + 4, 0, 7);
        pen.stroke();
      }
    });
    pen.font = "700 15px system-ui, sans-serif";
    pen.textAlign = "center";
    pen.lineWidth = 4;
    pen.strokeStyle = page;
    for (const [name, x, y, k] of this.names(pen)) {
      pen.fillStyle = colour(k, dark ? 80 : 25);
      pen.strokeText(name, x, y);
      pen.fillText(name, x, y);
    }
    if (this.frame) {
      const [x, y] = this.start;
      pen.strokeStyle = text;
      pen.lineWidth = 1.5;
      pen.strokeRect(x, y, this.frame[0] - x, this.frame[1] - y);
    }
  }

  // Names and their places, found anew when the result or the size is another.
  names(pen) {
    const result = state.result;
    const key = `${result.version}/${this.width}/${this.height}`;
    if (this.named?.key !== key) {
      const points = result.pictures.map((_, row) => [...this.point(row), result.cluster[row]]);
      const width = (name) => pen.measureText(name).width;
      this.named = { key, places: placeNames(result.classes, points, width, this.width, this.height) };
    }
    return this.named.places;
  }

  at(event) {
    const box = this.canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  nearest(x, y, most = NEAR) {
    let best = -1;
    let distance = most;
    state.result.pictures.forEach((picture, row) => {
      const [a, b] = this.point(row);
      const d = Math.hypot(a - x, b - y);
      if (d < distance) [best, distance] = [picture, d];
    });
    return best;
  }

  press(event) {
    if (event.button === 0) this.start = this.at(event);
  }

  move(event) {
    const [x, y] = this.at(event);
    if (this.start && event.pointerType === "mouse" && Math.hypot(x - this.start[0], y - this.start[1]) > 6) {
      this.frame = [x, y];
      this.canvas.setPointerCapture(event.pointerId);
      this.tip.hidden = true;
      this.draw();
      return;
    }
    this.hint(this.nearest(x, y));
  }

  release(event) {
    const [x, y] = this.at(event);
    if (this.frame) {
      const [left, right] = [this.start[0], x].sort((a, b) => a - b);
      const [top, bottom] = [this.start[1], y].sort((a, b) => a - b);
      select(state.result.pictures.filter((_, row) => {
        const [a, b] = this.point(row);
        return a >= left && a <= right && b >= top && b <= bottom;
      }));
    } else if (this.start) {
      const picture = this.nearest(x, y);
      if (picture >= 0) {
        state.active = picture;
        select([picture], !state.selected.has(picture));
      }
    }
    this.start = this.frame = null;
    this.draw();
  }

  hint(picture) {
    this.tip.hidden = picture < 0;
    if (picture < 0) return;
    const image = document.createElement("img");
    image.alt = "";
    image.src = thumbnail(picture);
    this.tip.replaceChildren(image, describe(picture));
    const [x, y] = this.point(state.row[picture]);
    this.tip.style.left = `${Math.min(x + 14, this.width - 190)}px`;
    this.tip.style.top = `${Math.min(y + 14, Math.max(0, this.height - 150))}px`;
  }

  // Go to the nearest point in the direction of a key; false if it is no arrow.
  walk(key, adding) {
    if (!(key in WAYS)) return false;
    const [dx, dy] = WAYS[key];
    if (clusterOf(state.active) < 0) [state.active] = state.result.pictures;
    const [x, y] = this.point(state.row[state.active]);
    let best = state.active;
    let least = Infinity;
    state.result.pictures.forEach((picture, row) => {
      const [a, b] = this.point(row);
      const along = (a - x) * dx + (b - y) * dy;
      const aside = Math.abs((a - x) * dy) + Math.abs((b - y) * dx);
      if (along > 0.5 && along + 2 * aside < least) [best, least] = [picture, along + 2 * aside];
    });
    const passed = [state.active, best];
    state.active = best;
    this.hint(best);
    say(describe(best));
    if (adding) select(passed);
    else tell("selection");
    return true;
  }
}
