/* Arrows over the table, from the cards of a move to its target. */

const SVG = "http://www.w3.org/2000/svg";

export function drawArrows(table, moves) {
  let svg = table.table.querySelector("svg.arrows");
  if (svg) svg.remove();
  if (!moves.length) return;
  svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", "arrows");
  for (const move of moves) svg.append(...arrow(table, move));
  table.table.append(svg);
}

function arrow(table, move) {
  const { w, h } = table.size, from = table.zones.get(move.source), to = table.zones.get(move.target);
  const taken = table.elements.find(({ spot }) => spot === `${move.source}/${from.place.cards.length - move.count}`);
  if (move.source === move.target) return [];
  const x1 = (taken ? taken.x : from.lastX) + w / 2, y1 = (taken ? taken.y : from.last) + Math.min(h / 2, 14);
  const x2 = to.lastX + w / 2, y2 = to.last + h / 2;
  const length = Math.hypot(x2 - x1, y2 - y1), back = Math.min(16, length / 3);
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
