// The mouse on the grid: click, shift-click, and a frame drawn by dragging. On a touch screen a tap
// selects, and dragging scrolls.

import { showLarge } from "./large.js";
import { select, setSelection, state } from "./state.js";

const FAR = 6; // pixels from which a press is a drag
const EDGE = 36;

export function watchPointer(view, grid) {
  let start = null;
  let frame = null;
  let before = null;

  const at = (event) => {
    const box = view.getBoundingClientRect();
    return [event.clientX - box.left + view.scrollLeft, event.clientY - box.top + view.scrollTop];
  };

  view.addEventListener("pointerdown", (event) => {
    const free = event.target.closest("button, a, canvas, details");
    if (event.pointerType !== "mouse" || event.button !== 0 || free) return;
    if (event.clientX - view.getBoundingClientRect().left > view.clientWidth) return; // scroll bar
    start = at(event);
  });

  view.addEventListener("pointermove", (event) => {
    if (!start) return;
    const [x, y] = at(event);
    if (!frame) {
      if (Math.hypot(x - start[0], y - start[1]) < FAR) return;
      frame = document.createElement("div");
      frame.className = "lasso";
      view.append(frame);
      view.setPointerCapture(event.pointerId);
      before = new Set(state.selected);
    }
    const box = view.getBoundingClientRect();
    if (event.clientY > box.bottom - EDGE) view.scrollTop += 20;
    if (event.clientY < box.top + EDGE) view.scrollTop -= 20;
    const [left, right] = [Math.min(x, start[0]), Math.max(x, start[0])];
    const [top, bottom] = [Math.min(y, start[1]), Math.max(y, start[1])];
    frame.style.left = `${left}px`;
    frame.style.top = `${top}px`;
    frame.style.width = `${right - left}px`;
    frame.style.height = `${bottom - top}px`;
    setSelection([...before, ...grid.touched(left, top, right, bottom)]);
  });

  const end = () => {
    if (frame) {
      frame.remove();
      // The click that follows belongs to the drag.
      const swallow = (event) => event.stopPropagation();
      view.addEventListener("click", swallow, { capture: true, once: true });
      setTimeout(() => view.removeEventListener("click", swallow, { capture: true }), 0);
    }
    start = frame = before = null;
  };
  view.addEventListener("pointerup", end);
  view.addEventListener("pointercancel", end);

  view.addEventListener("click", (event) => {
    const tile = event.target.closest(".tile");
    if (!tile) return;
    const picture = Number(tile.dataset.picture);
    if (event.shiftKey) grid.extend(picture);
    else select([picture], !state.selected.has(picture));
    grid.go(picture);
  });

  view.addEventListener("dblclick", (event) => {
    const tile = event.target.closest(".tile");
    if (tile) showLarge(Number(tile.dataset.picture));
  });
}
