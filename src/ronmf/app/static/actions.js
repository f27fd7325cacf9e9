// What buttons and keys both do.

import { post, say, sayWhere } from "./api.js";
import { inTurn, select, state, takeLabels, turnBack } from "./state.js";
import { clusterShown } from "./views.js";
import { count } from "./words.js";

export const undo = () => turnBack("/api/undo", "Undone:", "There is nothing to undo.");
export const redo = () => turnBack("/api/redo", "Done again:", "There is nothing to redo.");

// Give pictures the class that the view shows them as, if that has a name.
export const asShown = (choose) => inTurn(() => labelAsShown(choose()));

async function labelAsShown(chosen) {
  const groups = new Map();
  for (const picture of chosen) {
    const k = clusterShown(picture);
    if (k < 0 || k >= state.result.named) continue;
    const name = state.result.classes[k];
    groups.set(name, [...(groups.get(name) ?? []), picture]);
  }
  if (!groups.size) {
    say("None of the chosen pictures is in a cluster that has a name.", true);
    return;
  }
  for (const [label, pictures] of groups) takeLabels(await post("/api/label", { pictures, label }));
  say([...groups].map(([name, pictures]) => `${pictures.length} labelled ${name}`).join(", ") + ".");
  select(chosen, false);
}

export async function recluster() {
  const wanted = document.getElementById("how-many").value;
  say("Clustering. You can go on labelling."); // first: a fit may fail before the answer is read
  await post("/api/cluster", { clusters: /^\d+$/.test(wanted) ? Number(wanted) : wanted });
  document.dispatchEvent(new Event("look"));
}

export async function exportFolders() {
  say("Copying …");
  const found = await post("/api/export");
  const left = found.left_out ? ` (${count(found.left_out, "file")} cannot be read)` : "";
  sayWhere(`${count(found.count, "picture")} copied${left} into`, found.folder);
}
