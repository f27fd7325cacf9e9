// Which pictures each view shows, in which sections.

import { clusterOf, state, strangeness, sureness } from "./state.js";

const DOUBTFUL = 60; // per cent of certainty
const STRANGE = 1.5; // outlier score; ordinary pictures have about 1

const count = (n) => (n === 1 ? "1 picture" : `${n.toLocaleString("en")} pictures`);
const bySureness = (a, b) => sureness(b) - sureness(a) || a - b;
export const isDoubtful = (picture) => sureness(picture) !== null && sureness(picture) < DOUBTFUL;

function members() {
  const groups = state.result.classes.map(() => []);
  for (const picture of state.result.pictures) groups[clusterOf(picture)].push(picture);
  groups.forEach((group) => group.sort(bySureness));
  return groups;
}

function clusters() {
  const all = state.files.map((_, picture) => picture);
  if (!state.result) return [{ title: "All pictures", note: count(all.length), pictures: all }];
  const found = members().map((pictures, k) => ({
    title: state.result.classes[k],
    named: k < state.result.named,
    note: count(pictures.length),
    href: `#cluster/${k}`,
    pictures,
  }));
  const left = all.filter((picture) => state.row[picture] < 0);
  if (left.length) found.push({ title: "Not clustered", note: `${count(left.length)}, new or unreadable`, pictures: left });
  return found;
}

function cluster(k) {
  if (!state.result || !state.result.classes[k]) return [];
  const parts = { sure: [], doubtful: [], strange: [] };
  for (const picture of members()[k]) {
    if (isDoubtful(picture)) parts.doubtful.push(picture);
    else (strangeness(picture) >= STRANGE ? parts.strange : parts.sure).push(picture);
  }
  const name = state.result.classes[k];
  const named = k < state.result.named;
  return [
    { title: name, named, note: `${count(parts.sure.length)}, the surest first`, pictures: parts.sure },
    { title: "Doubtful", note: `${count(parts.doubtful.length)} less than ${DOUBTFUL} % sure`, pictures: parts.doubtful },
    { title: "Strange", note: `${count(parts.strange.length)} unlike their neighbours`, pictures: parts.strange },
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
  for (const [picture, suggested, quality] of state.result.wrong) {
    const given = state.labels.get(picture);
    const name = state.result.classes[suggested];
    if (!given || given === name) continue;
    const title = `labelled ${given}, looks like ${name}`;
    if (!groups.has(title)) groups.set(title, { title, note: "", pictures: [], quality });
    groups.get(title).pictures.push(picture);
  }
  return [...groups.values()].map((group) => ({ ...group, note: count(group.pictures.length) }));
}

function changes() {
  const groups = new Map();
  for (const [picture, was, now] of state.result ? state.result.moved : []) {
    const title = `${was} → ${now}`;
    if (!groups.has(title)) groups.set(title, []);
    groups.get(title).push(picture);
  }
  return [...groups]
    .map(([title, pictures]) => ({ title, note: count(pictures.length), pictures }))
    .sort((a, b) => b.pictures.length - a.pictures.length);
}

function map() {
  const pictures = [...state.selected];
  return [{ title: "Selected on the map", note: count(pictures.length), pictures }];
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
