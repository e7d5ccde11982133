/* The cascade of cards at a win: all cards leap from their foundations and bounce off the table; none where less motion is
   asked for. */

import { classOf, faceOf, readCard } from "./cards.js";

const RANKS = "KQJT98765432A", APART = 70, STEP = 40;  // milliseconds from one card to the next, and between two keyframes
const GRAVITY = .0032, BOUNCE = .78;  // pixels per square millisecond; the part of the speed that is left

export function celebrate(table) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const box = document.createElement("div"), { w, h } = table.size;
  box.className = "cascade";
  for (const name of table.table.style) if (name.startsWith("--")) box.style.setProperty(name, table.table.style.getPropertyValue(name));
  table.felt.append(box);
  const piles = [...table.zones.values()].filter(({ place }) => place.pile && "CDHS".includes(place.pile.name));
  const leaps = [...RANKS].flatMap(rank => piles.map(zone => ({ card: readCard(rank + zone.place.pile.name), zone })))
    .map(({ card, zone }, i) => {
      const element = document.createElement("div");
      element.className = classOf(card);
      element.innerHTML = faceOf(card);
      box.append(element);
      const keyframes = path(zone, w, box.clientWidth, box.clientHeight - h).map(([x, y]) => ({ transform: `translate(${x}px, ${y}px)` }));
      const leap = element.animate(keyframes, { delay: i * APART, duration: keyframes.length * STEP, fill: "both" });
      return leap.finished.then(() => element.remove(), () => {});
    });
  Promise.all(leaps).then(() => box.remove());
}

/* Where a card goes until it has left the table at a side. */
function path({ x, y }, w, width, floor) {
  const places = [], across = (Math.random() < .5 ? -1 : 1) * (.12 + .4 * Math.random()) * Math.max(1, width / 900);
  for (let down = -.9 * Math.random(); x > -w && x < width && places.length < 120; x += across * STEP, y += down * STEP, down += GRAVITY * STEP) {
    if (y > floor) { y = floor; down *= -BOUNCE; }
    places.push([x, y]);
  }
  return [...places, [x, y]];
}
