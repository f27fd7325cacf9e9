// What the page knows. Others change it through the functions here, and listen.

import { get, post, say } from "./api.js";
import { count } from "./words.js";

export const state = {
  files: [], // names of all pictures; a picture is its number
  skipped: [],
  unreadable: new Map(), // picture -> why it cannot be read, as far as is known
  reading: -1, // another number when more is known of that
  result: null,
  row: [], // row of each picture in the result, -1 if it is not there
  suggested: new Map(), // picture whose label looks wrong -> the cluster it seems to be of
  labels: new Map(),
  classes: [], // in the order in which they were named, also those that no picture has
  undo: "",
  redo: "",
  revision: -1,
  selected: new Set(),
  active: -1,
  range: null, // while Shift is held: where it began, and what was selected then
};

const listeners = [];
export const listen = (listener) => listeners.push(listener);
// what: "result", "labels" or "selection"
export const tell = (what) => listeners.forEach((listener) => listener(what));

// What the result says of a picture, or what stands for nothing.
const ofResult = (column, nothing) => (picture) => {
  const row = state.row[picture] ?? -1;
  return state.result === null || row < 0 ? nothing : state.result[column][row];
};
export const clusterOf = ofResult("cluster", -1);
export const sureness = ofResult("certainty", null);
export const novelty = ofResult("novelty", 0);
export const oddness = ofResult("outlier", 0);

export async function loadPictures() {
  const found = await get("/api/pictures");
  state.files = found.files;
  state.skipped = found.skipped;
  state.unreadable = new Map(found.unreadable);
  state.reading = found.version;
}

export async function loadResult() {
  const result = await get("/api/result");
  state.row = new Array(state.files.length).fill(-1);
  if (result) result.pictures.forEach((picture, row) => { state.row[picture] = row; });
  state.suggested = new Map((result?.wrong ?? []).map(([picture, k]) => [picture, k]));
  state.range = null;
  state.result = result;
  tell("result");
}

export function takeLabels(found) {
  if (found.revision < state.revision) return; // an older answer that was overtaken
  state.revision = found.revision;
  state.labels = new Map(found.pictures.map((picture, i) => [picture, found.labels[i]]));
  state.classes = found.classes;
  state.undo = found.undo;
  state.redo = found.redo;
  tell("labels");
}

export const loadLabels = async () => takeLabels(await get("/api/labels"));

export const selected = () => [...state.selected];

// The selected pictures or, if there are none, the one that the keyboard is on.
export function chosen() {
  if (state.selected.size) return [...state.selected];
  return state.active >= 0 ? [state.active] : [];
}

// One after the other: what is chosen next may depend on the answer before.
let last = Promise.resolve();
export function inTurn(action) {
  const mine = last.then(action);
  last = mine.catch(() => null);
  return mine;
}

export const label = (choose, name) => inTurn(() => labelNow(choose(), name));

async function labelNow(pictures, name) {
  if (!pictures.length) {
    say("Select pictures first: click, drag a frame, or press Space.", true);
    return;
  }
  takeLabels(await post("/api/label", { pictures, label: name }));
  const many = count(pictures.length, "picture");
  say(name ? `${many} labelled ${name}.` : `${many} without a label now.`);
  select(pictures, false); // others may have been selected meanwhile
}

export async function turnBack(path, said, nothing) {
  const found = await post(path);
  takeLabels(found);
  say(found.said ? `${said} ${found.said}.` : nothing);
}

// Every change of the selection ends what Shift began, unless it goes on with it.
export function setSelection(pictures, range = null) {
  state.selected = new Set(pictures);
  state.range = range;
  tell("selection");
}

export const clearSelection = () => setSelection([]);

export function select(pictures, on = true) {
  const changed = new Set(pictures);
  setSelection(on ? [...state.selected, ...changed] : selected().filter((picture) => !changed.has(picture)));
}
