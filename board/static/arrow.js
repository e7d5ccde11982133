/* Arrows over the table: from the cards of a move to its target, or from a card to one that it waits for. */

const SVG = "http://www.w3.org/2000/svg";

/* Draw `moves` instead of all arrows before; with `isTried` as moves that are only looked at. */
export function drawArrows(table, moves, isTried = false) {
  const ends = moves.filter(move => move.source !== move.target).map(move => {
    const from = table.zones.get(move.source), to = table.zones.get(move.target);
    const taken = elementAt(table, `${move.source}/${from.place.cards.length - move.count}`);
    return [taken || { x: from.lastX, y: from.last }, { x: to.lastX, y: to.last + table.size.h / 2 - lift(table) }];
  });
  draw(table, ends, isTried ? "tried" : "");
}

/* Draw an arrow from the card at `spot` to each of those at `others`. */
export function drawWaits(table, spot, others) {
  draw(table, others.map(other => [elementAt(table, spot), elementAt(table, other)]).filter(([from, to]) => from && to), "waits");
}

const elementAt = (table, id) => table.elements.find(({ spot }) => spot === id);
const lift = table => Math.min(table.size.h / 2, 14);

function draw(table, ends, kind) {
  let svg = table.table.querySelector("svg.arrows");
  if (svg) svg.remove();
  if (!ends.length) return;
  svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", `arrows ${kind}`);
  for (const [from, to] of ends) svg.append(...arrow(table, from, to));
  table.table.append(svg);
}

function arrow(table, from, to) {
  const middle = table.size.w / 2, x1 = from.x + middle, y1 = from.y + lift(table), x2 = to.x + middle, y2 = to.y + lift(table);
  const length = Math.hypot(x2 - x1, y2 - y1) || 1, back = Math.min(16, length / 3);
  const ux = (x2 - x1) / length, uy = (y2 - y1) / length;
  const bx = x2 - ux * back, by = y2 - uy * back;
  const line = shape("line", { x1, y1, x2: bx, y2: by });
  const head = shape("polygon", { points: [[x2, y2], [bx - uy * 9, by + ux * 9], [bx + uy * 9, by - ux * 9]].map(point => point.join(",")).join(" ") });
  return [line, head];
}

function shape(name, attributes) {
  const element = document.createElementNS(SVG, name);
  for (const key in attributes) element.setAttribute(key, attributes[key]);
  return element;
}
