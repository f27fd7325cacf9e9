// Buttons, the classes at the bottom, and how far the clustering has come.

import { attempt, post, say } from "./api.js";
import { asShown, exportFolders, recluster, redo, undo } from "./actions.js";
import { focusPictures } from "./large.js";
import { inTurn, label, selected, state, takeLabels } from "./state.js";
import { count } from "./words.js";

const $ = (id) => document.getElementById(id);
const STAGES = {
  starting: "Starting",
  pictures: "Reading pictures",
  counting: "Looking how many clusters there are",
  reading: "Preparing",
  graph: "Comparing pictures",
  neighbors: "Looking for similar pictures",
  "hidden labels": "Testing on hidden labels",
  start: "First guess",
  sweeps: "Clustering",
  looking: "Summing up",
  judging: "Judging labels; the clusters are there",
};

export function watchToolbar() {
  const select = $("how-many");
  for (let n = 2; n <= 30; n += 1) select.add(new Option(String(n), String(n)));
  const asked = select.dataset.asked;
  if (![...select.options].some((option) => option.value === asked)) select.add(new Option(asked, asked));
  select.value = asked;
  $("undo").addEventListener("click", () => attempt(undo));
  $("redo").addEventListener("click", () => attempt(redo));
  $("recluster").addEventListener("click", () => attempt(recluster));
  $("cancel").addEventListener("click", () => attempt(() => post("/api/cancel")));
  $("unlabel").addEventListener("click", () => attempt(() => label(selected, "")));
  $("as-shown").addEventListener("click", () => attempt(() => asShown(selected)));
  $("export-folders").addEventListener("click", () => attempt(exportFolders));
  $("help-open").addEventListener("click", () => $("help").showModal());
  $("new-class").addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(addClass);
  });
  $("class-name").addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      event.stopPropagation();
      leaveInput();
    }
  });
  document.addEventListener("click", (event) => {
    if (!event.target.closest("summary")) $("export").open = false; // also when a choice is made
  });
}

function leaveInput() {
  $("class-name").value = "";
  focusPictures();
}

// A name that is typed labels what is selected, or waits as a button.
async function addClass() {
  const name = $("class-name").value.trim().replace(/\s+/g, " ");
  if (!name) return;
  if (state.selected.size) await label(selected, name);
  else {
    await inTurn(async () => takeLabels(await post("/api/add_class", { name })));
    say(`Class ${name}: select pictures and press its number.`);
  }
  leaveInput();
}

export function drawClasses() {
  const counts = new Map();
  for (const name of state.labels.values()) counts.set(name, (counts.get(name) ?? 0) + 1);
  const buttons = state.classes.map((name, i) => {
    const button = document.createElement("button");
    button.type = "button";
    if (i < 9) {
      const key = document.createElement("kbd");
      key.textContent = i + 1;
      button.append(key);
      button.setAttribute("aria-keyshortcuts", i + 1);
    }
    const n = counts.get(name) ?? 0;
    const many = document.createElement("small");
    many.textContent = n;
    const shown = document.createElement("bdi"); // a name may run from right to left
    shown.textContent = name;
    button.append(shown, many);
    button.setAttribute("aria-label", `Label as ${name}; ${count(n, "picture")} ${n === 1 ? "has" : "have"} this label`);
    button.addEventListener("click", () => attempt(() => label(selected, name)));
    return button;
  });
  $("class-buttons").replaceChildren(...buttons);
  $("undo").disabled = !state.undo;
  $("redo").disabled = !state.redo;
  $("undo").title = state.undo ? `Undo ${state.undo} (Ctrl+Z)` : "Undo (Ctrl+Z)";
  $("redo").title = state.redo ? `Redo ${state.redo} (Ctrl+Shift+Z)` : "Redo (Ctrl+Shift+Z)";
}

export function drawSelection() {
  const n = state.selected.size;
  $("selection").textContent = n ? `${n.toLocaleString("en")} selected` : "None selected";
}

export function drawCounts() {
  const result = state.result;
  const wrong = result ? result.wrong.filter(([p, k]) => state.labels.has(p) && state.labels.get(p) !== result.classes[k]) : [];
  $("wrong-count").textContent = wrong.length || "";
  $("changes-count").textContent = result && result.moved.length ? result.moved.length : "";
}

export function drawProgress(fit) {
  $("progress").hidden = !fit.working;
  $("recluster").disabled = fit.working;
  if (!fit.working) return;
  const bar = document.querySelector("#progress progress");
  if (fit.most > 1) bar.value = fit.done / fit.most;
  else bar.removeAttribute("value");
  const steps = fit.most > 1 && fit.stage === "pictures" ? ` ${fit.done} of ${fit.most}` : "";
  const stage = fit.cancelling ? "Cancelling" : STAGES[fit.stage] ?? fit.stage;
  $("progress-text").textContent = `${stage}${steps} … ${Math.round(fit.seconds)} s`;
  $("cancel").disabled = fit.cancelling;
}
