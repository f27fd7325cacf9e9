// The keyboard: everything can be done without a mouse.

import { attempt } from "./api.js";
import { showLarge } from "./grid.js";
import { allClasses, chosen, clearSelection, label, select, state } from "./state.js";
import { asShown, redo, undo } from "./actions.js";

export function watchKeys(view, grid) {
  document.addEventListener("keydown", (event) => {
    const control = event.ctrlKey || event.metaKey;
    const typing = event.target.closest("input, select, textarea, dialog");
    if (typing || event.altKey) return;
    if (control && !handleControl(event, grid)) return;
    if (!control && !handlePlain(event, view, grid)) return;
    event.preventDefault();
  });
}

function handleControl(event, grid) {
  const letter = event.key.toLowerCase();
  if (letter === "z") attempt(event.shiftKey ? redo : undo);
  else if (letter === "y") attempt(redo);
  else if (letter === "a") {
    const at = grid.where.get(state.active);
    if (at) select(grid.sections[at[0]].pictures);
  } else return false;
  return true;
}

// Letters and digits count only on the pictures, so that nothing else loses its keys.
function handlePlain(event, view, grid) {
  const onControl = event.target.closest("button, a, summary");
  const onPictures = event.target === document.body || view.contains(event.target);
  if (event.key === "Escape") {
    document.getElementById("export").open = false;
    return clearSelection() ?? true;
  }
  if (event.key === "?" && onPictures) return document.getElementById("help").showModal() ?? true;
  if (!onPictures || event.target.closest("canvas")) return false;
  if (/^[1-9]$/.test(event.key)) {
    const name = allClasses()[Number(event.key) - 1];
    if (name !== undefined) attempt(() => label(chosen, name));
  } else if (event.key === "0" || event.key === "Delete" || event.key === "Backspace") {
    attempt(() => label(chosen, ""));
  } else if (event.key === "n" || event.key === "N") {
    document.getElementById("class-name").focus();
  } else if (event.key === "c" || event.key === "C") {
    attempt(() => asShown(chosen));
  } else if (onControl) {
    return false;
  } else if (event.key === " ") {
    if (state.active >= 0) {
      select([state.active], !state.selected.has(state.active));
      state.anchor = state.active;
    }
  } else if (event.key === "Enter") {
    if (state.active >= 0) showLarge(state.active);
  } else return walk(event, grid);
  return true;
}

function walk(event, grid) {
  const target = step(event.key, grid);
  if (target === null) return false;
  if (event.shiftKey) {
    if (state.anchor < 0) state.anchor = state.active;
    select(grid.between(state.anchor, target));
  } else state.anchor = target;
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
