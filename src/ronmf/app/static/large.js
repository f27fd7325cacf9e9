// One picture alone, in a dialog; the keys that walk and label work there too.

import { large } from "./api.js";
import { state } from "./state.js";
import { describe } from "./views.js";

const dialog = document.getElementById("large");
let onMap = false; // whether it was opened there, so that the keys walk there

export const isAlone = () => dialog.open;
export const aloneOnMap = () => onMap;
export const closeLarge = () => dialog.close();

export function showLarge(picture) {
  if (!dialog.open) onMap = document.activeElement?.tagName === "CANVAS";
  const image = dialog.querySelector("img");
  if (image.dataset.picture !== String(picture)) image.src = large(picture);
  image.dataset.picture = picture;
  image.hidden = state.unreadable.has(picture);
  dialog.querySelector("h2").textContent = state.files[picture];
  dialog.querySelector("p").textContent = describe(picture).slice(state.files[picture].length + 2);
  if (!dialog.open) dialog.showModal();
}

// After a change: what is told of the picture, or the one that took its place in the view.
export function refreshLarge() {
  if (!dialog.open) return;
  if (state.active >= 0) showLarge(state.active);
  else dialog.close();
}

// Give the keys back to the pictures.
export function focusPictures() {
  const list = document.querySelector(".tiles[tabindex='0']");
  (document.querySelector(".chart canvas") ?? list ?? document.getElementById("view")).focus({ preventScroll: true });
}

dialog.addEventListener("close", () => {
  if (document.activeElement.id !== "class-name") focusPictures(); // it may be closed to type there
});
