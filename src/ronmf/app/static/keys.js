// The keyboard: everything can be done without a mouse.

import { attempt } from "./api.js";
import { asShown, redo, undo } from "./actions.js";
import { aloneOnMap, closeLarge, isAlone, showLarge } from "./large.js";
import { chosen, clearSelection, clusterOf, label, select, setSelection, state } from "./state.js";

export function watchKeys(view, grid, map) {
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest("input, select, textarea, #help");
    if (typing || event.altKey) return;
    const handle = event.ctrlKey || event.metaKey ? handleControl : isAlone() ? handleAlone : handlePlain;
    if (handle(event, grid, map, view)) event.preventDefault();
  });
}

function handleControl(event, grid, map) {
  const letter = event.key.toLowerCase();
  if (letter === "z") attempt(event.shiftKey ? redo : undo);
  else if (letter === "y") attempt(redo);
  else if (letter === "a" && !isAlone()) {
    const at = grid.where.get(state.active);
    if (event.target === map.canvas) {
      const k = clusterOf(state.active);
      if (k >= 0) select(state.result.pictures.filter((picture) => clusterOf(picture) === k));
    } else if (at) select(grid.sections[at[0]].pictures);
  } else return false;
  return true;
}

// Keys that label; `choose` tells which pictures.
function handleLabels(key, choose) {
  if (/^[1-9]$/.test(key)) {
    const name = state.classes[Number(key) - 1];
    if (name !== undefined) attempt(() => label(choose, name));
  } else if (key === "0" || key === "Delete" || key === "Backspace") {
    attempt(() => label(choose, ""));
  } else if (key === "c" || key === "C") {
    attempt(() => asShown(choose));
  } else return false;
  return true;
}

// A picture alone: keys are for this one, whatever is selected.
function handleAlone(event, grid, map) {
  const one = () => (state.active >= 0 ? [state.active] : []);
  if (handleLabels(event.key, one)) return true;
  if (event.key === "n" || event.key === "N") {
    closeLarge();
    setSelection(one());
    document.getElementById("class-name").focus();
    return true;
  }
  const walked = aloneOnMap() ? map.walk(event.key, false) : walk(event.key, false, grid);
  if (walked) showLarge(state.active);
  return walked;
}

// Letters and digits count only on the pictures, so that nothing else loses its keys.
function handlePlain(event, grid, map, view) {
  const onControl = event.target.closest("button, a, summary");
  const onPictures = event.target === document.body || view.contains(event.target);
  if (event.key === "Escape") {
    document.getElementById("export").open = false;
    return clearSelection() ?? true;
  }
  if (event.key === "?" && onPictures) return document.getElementById("help").showModal() ?? true;
  if (!onPictures) return false;
  if (handleLabels(event.key, chosen)) return true;
  if (event.key === "n" || event.key === "N") {
    document.getElementById("class-name").focus();
  } else if (onControl) {
    return false;
  } else if (event.key === " ") {
    if (state.active >= 0) select([state.active], !state.selected.has(state.active));
  } else if (event.key === "Enter") {
    if (state.active >= 0) showLarge(state.active);
  } else if (event.target === map.canvas) {
    return map.walk(event.key, event.shiftKey);
  } else return walk(event.key, event.shiftKey, grid);
  return true;
}

function walk(key, extending, grid) {
  const target = step(key, grid);
  if (target === null) return false;
  if (extending) grid.extend(target);
  else state.range = null;
  grid.go(target);
  return true;
}

// The picture that a key leads to; null if it is no key to walk by.
function step(key, grid) {
  const at = grid.where.get(state.active);
  if (!at) return null;
  const [s, p] = at;
  const { sections, columns } = grid;
  const here = sections[s].pictures;
  const page = Math.max(1, Math.floor(grid.view.clientHeight / (grid.height + 8)) - 1) * columns;
  if (key === "ArrowRight") return here[p + 1] ?? sections[s + 1]?.pictures[0] ?? here[p];
  if (key === "ArrowLeft") return here[p - 1] ?? sections[s - 1]?.pictures.at(-1) ?? here[p];
  if (key === "Home") return here[0];
  if (key === "End") return here.at(-1);
  if (key === "PageDown") return here[Math.min(p + page, here.length - 1)];
  if (key === "PageUp") return here[Math.max(p - page, 0)];
  const column = p % columns;
  if (key === "ArrowDown") {
    if (p + columns < here.length) return here[p + columns];
    const lastRow = Math.floor((here.length - 1) / columns);
    if (Math.floor(p / columns) < lastRow) return here.at(-1);
    const below = sections[s + 1]?.pictures;
    return below ? below[Math.min(column, below.length - 1)] : here[p];
  }
  if (key === "ArrowUp") {
    if (p >= columns) return here[p - columns];
    const above = sections[s - 1]?.pictures;
    if (!above) return here[p];
    const lastRow = Math.floor((above.length - 1) / columns) * columns;
    return above[Math.min(lastRow + column, above.length - 1)];
  }
  return null;
}
