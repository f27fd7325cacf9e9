// Which pictures each view shows, in which sections.

import { clusterOf, novelty, oddness, state, sureness } from "./state.js";
import { count } from "./words.js";

const DOUBTFUL = 60; // per cent of certainty
const ODD = 1.5; // outlier score; ordinary pictures have about 1
const NOVEL = 50; // per cent, above which a picture seems to be of no class that has a name

const many = (pictures) => count(pictures.length, "picture");
const bySureness = (a, b) => sureness(b) - sureness(a) || a - b;
export const isDoubtful = (picture) => sureness(picture) !== null && sureness(picture) < DOUBTFUL;
const isStranger = (picture) => novelty(picture) > NOVEL;

function members() {
  const groups = state.result.classes.map(() => []);
  for (const picture of state.result.pictures) groups[clusterOf(picture)].push(picture);
  groups.forEach((group) => group.sort(bySureness));
  return groups;
}

function clusters() {
  const all = state.files.map((_, picture) => picture);
  const broken = all.filter((picture) => state.unreadable.has(picture));
  const left = all.filter((picture) => clusterOf(picture) < 0 && !state.unreadable.has(picture));
  const found = [];
  if (!state.result) found.push({ title: "All pictures", note: many(left), pictures: left });
  else {
    members().forEach((pictures, k) => found.push({
      title: state.result.classes[k],
      named: k < state.result.named,
      note: many(pictures),
      href: `#cluster/${k}`,
      pictures,
    }));
    found.push({ title: "Not clustered", note: `${many(left)}, new or not read yet`, pictures: left });
  }
  found.push({ title: "Cannot be read", note: count(broken.length, "file"), pictures: broken });
  return found;
}

function cluster(k) {
  if (!state.result || !state.result.classes[k]) return [];
  const parts = { sure: [], doubtful: [], odd: [], strangers: [] };
  for (const picture of members()[k]) {
    if (isStranger(picture)) parts.strangers.push(picture);
    else if (isDoubtful(picture)) parts.doubtful.push(picture);
    else (oddness(picture) >= ODD ? parts.odd : parts.sure).push(picture);
  }
  const name = state.result.classes[k];
  const named = k < state.result.named;
  return [
    { title: name, named, note: `${many(parts.sure)}, the surest first`, pictures: parts.sure },
    { title: "Doubtful", note: `${many(parts.doubtful)} less than ${DOUBTFUL} % sure`, pictures: parts.doubtful },
    { title: "Odd", note: `${many(parts.odd)} unlike ${parts.odd.length === 1 ? "its" : "their"} neighbours`, pictures: parts.odd },
    { title: "Strangers", note: `${many(parts.strangers)} that ${parts.strangers.length === 1 ? "looks" : "look"} like no class that has a name`, pictures: parts.strangers },
  ];
}

function next() {
  if (!state.result) return [];
  const pictures = state.result.next.filter((picture) => !state.labels.has(picture));
  return [{ title: "Label these next", note: "the most useful first", pictures }];
}

function wrong() {
  if (!state.result) return [];
  const groups = new Map();
  for (const [picture, suggested] of state.result.wrong) {
    const given = state.labels.get(picture);
    const name = state.result.classes[suggested];
    if (!given || given === name) continue;
    const title = `labelled ${given}, looks like ${name}`;
    if (!groups.has(title)) groups.set(title, { title, suggests: true, pictures: [] });
    groups.get(title).pictures.push(picture);
  }
  return [...groups.values()].map((group) => ({ ...group, note: many(group.pictures) }));
}

function changes() {
  const groups = new Map();
  for (const [picture, was, now] of state.result ? state.result.moved : []) {
    const title = `${was} → ${now}`;
    if (!groups.has(title)) groups.set(title, []);
    groups.get(title).push(picture);
  }
  return [...groups]
    .map(([title, pictures]) => ({ title, note: many(pictures), pictures }))
    .sort((a, b) => b.pictures.length - a.pictures.length);
}

function map() {
  const pictures = [...state.selected];
  return [{ title: "Selected on the map", note: many(pictures), pictures }];
}

// In “Look wrong” a picture is shown as what it seems to be, elsewhere as what its cluster is.
export function clusterShown(picture) {
  const suggested = parse(location.hash).name === "wrong" ? state.suggested.get(picture) : undefined;
  return suggested ?? clusterOf(picture);
}

// The class that a label should be instead; "" outside “Look wrong”.
export function suggestion(picture) {
  if (parse(location.hash).name !== "wrong" || !state.suggested.has(picture)) return "";
  return state.result.classes[state.suggested.get(picture)];
}

export function describe(picture) {
  const k = clusterOf(picture);
  const given = state.labels.get(picture);
  const parts = [state.files[picture]];
  if (suggestion(picture)) parts.push(`looks like ${suggestion(picture)}`);
  else if (k >= 0) parts.push(state.result.classes[k], `${sureness(picture)} % sure`);
  if (isStranger(picture)) parts.push("looks like no class that has a name");
  else if (k >= 0 && oddness(picture) >= ODD) parts.push("unlike its neighbours");
  if (state.unreadable.has(picture)) parts.push(`cannot be read: ${state.unreadable.get(picture)}`);
  parts.push(given ? `labelled ${given}` : "no label");
  return parts.join(", ");
}

// What is said where there is nothing to show.
export const EMPTY = {
  next: ["Nothing to label next", "Once the pictures are clustered, those whose labels would help most are here."],
  wrong: ["No label looks wrong", "After clustering, labels that the others contradict are here."],
  changes: ["Nothing has changed", "After clustering again, pictures that went to another cluster are here."],
  map: ["No map yet", "It is drawn once the pictures are clustered."],
  cluster: ["There is no such cluster", "The last clustering may have renamed it."],
  clusters: ["No pictures", "There are no pictures in this folder."],
};

export function parse(hash) {
  const [name, rest] = hash.replace(/^#/, "").split("/");
  if (name === "cluster") return { name, number: Number(rest) };
  return { name: Object.hasOwn(EMPTY, name) ? name : "clusters", number: -1 };
}

export function sections(view) {
  const found = { clusters, next, wrong, changes, map, cluster: () => cluster(view.number) }[view.name]();
  return found.filter((section) => section.pictures.length || view.name === "map");
}
