// Where the names of clusters stand on the map: beside their points, and never on each other.

const LINE = 18; // pixels from line to line
const GAP = 4;
const LONGEST = 24; // characters
const MOST_COVERED = 0.1; // of the points of a cluster: a name that hides more is left out

// From names, points [x, y, cluster] and a function from a name to its width to [name, x, y, cluster]
// of those that find room, the largest clusters first. x is the middle of a name, y its base line.
export function placeNames(names, points, widthOf, width, height) {
  const groups = names.map(() => []);
  for (const [x, y, k] of points) groups[k].push([x, y]);
  const order = names.map((_, k) => k).filter((k) => groups[k].length);
  order.sort((a, b) => groups[b].length - groups[a].length || a - b);
  const taken = [];
  const placed = [];
  for (const k of order) {
    const name = names[k].slice(0, LONGEST);
    const half = widthOf(name) / 2;
    let best = null;
    for (const [x, y] of candidates(groups[k], half, width)) {
      const box = [x - half - 2, y - LINE / 2, x + half + 2, y + LINE / 2];
      if (box[0] < 0 || box[1] < 0 || box[2] > width || box[3] > height) continue;
      if (taken.some((other) => touch(box, other))) continue;
      const covered = points.filter(([a, b]) => a > box[0] && a < box[2] && b > box[1] && b < box[3]).length;
      if (best === null || covered < best.covered) best = { box, covered, x, y };
    }
    if (best === null || best.covered > MOST_COVERED * groups[k].length) continue;
    taken.push(best.box);
    placed.push([name, best.x, best.y + 5, k]);
  }
  return placed;
}

const touch = (one, other) =>
  one[0] < other[2] && other[0] < one[2] && one[1] < other[3] && other[1] < one[3];

// Above, below and beside the bulk of a cluster: a few of its points lie far away.
function candidates(group, half, width) {
  const parts = (values) => {
    values.sort((a, b) => a - b);
    return [0.05, 0.5, 0.95].map((share) => values[Math.round(share * (values.length - 1))]);
  };
  const [left, middle, right] = parts(group.map(([x]) => x));
  const [top, centre, bottom] = parts(group.map(([, y]) => y));
  const inside = Math.min(Math.max(middle, half + 3), width - half - 3);
  const found = [];
  for (const away of [GAP, GAP + LINE / 2]) { // further away it might be the name of another
    found.push([inside, top - LINE / 2 - away], [inside, bottom + LINE / 2 + away]);
    found.push([right + half + 4 + away, centre], [left - half - 4 - away, centre]);
  }
  return found;
}
