/* The table: one element per card for the whole game, so that cards glide between places. */

import { SIGNS, classOf, faceOf } from "./cards.js";
import { lengthsOf, nameOf, placesOf, sizesFor } from "./places.js";

export class Table {
  /* `felt` is the element around `table`; `wing` the number of columns of the left wing, or null; `fan` that of the
     cards of the waste that lie beside each other; no card is wider than `widest` pixels. */
  constructor(felt, table, wing, fan = 1, widest = 96) {
    Object.assign(this, { felt, table, wing, fan, widest, elements: [], marks: new Map(), height: 0, isPeek: false });
  }

  /* Take the sizes for the shape of `step`; `lengths` are those of the columns that are to fit into `room` pixels. */
  measure(step, lengths, room) {
    const style = getComputedStyle(this.felt);
    const width = this.felt.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    const { columns, piles } = step;
    const shape = { columns: columns.length, piles, width, room, lengths, wing: this.wing, widest: this.widest, isPeek: this.isPeek };
    const size = this.size = sizesFor(shape);
    const variables = {
      "--w": size.w + "px", "--h": size.h + "px", "--font": size.font + "px", "--round": Math.max(3, size.w * .08) + "px",
      "--pad": Math.max(1, size.w * .06) + "px", "--pad-top": size.padTop + "px",
    };
    for (const name in variables) this.table.style.setProperty(name, variables[name]);
    this.table.classList.toggle("narrow", size.isNarrow);
    this.height = 0;
  }

  /* Draw a position. With `marks` true the cards that change their place are marked, with false none is; without
     it they stay as they are. */
  draw(step, marks) {
    if (!this.size) this.measure(step, lengthsOf(step), innerHeight);
    this.step = step;
    const { spots, lowest } = this.#layOut(step);
    this.height = Math.max(this.height, lowest);
    this.table.style.height = this.height + "px";
    for (const [spot, held] of this.#assign(spots)) {
      if (marks !== undefined) held.hasMoved = marks && held.spot !== null && held.spot.split("/")[0] !== spot.place.id;
      this.#drawCard(spot, held);
    }
  }

  /* The cards that lie at a place, from the deepest on. */
  elementsOf(place) {
    return this.elements.filter(({ spot }) => spot.split("/")[0] === place).sort((a, b) => a.spot.split("/")[1] - b.spot.split("/")[1]);
  }

  /* Put every card where it belongs. */
  redraw() { this.draw(this.step); }

  /* Mark the cards that a move brought to `lies`, a place with the depth of the first of them, or a pile; those that are
     marked already stay so with `isMore`. */
  markLying(lies, isMore) {
    const [place, depth] = lies.split("/");
    for (const held of this.elements) held.hasMoved &&= isMore;
    for (const held of this.elementsOf(place).slice(depth === undefined ? -1 : +depth)) held.hasMoved = true;
    this.redraw();
  }

  #drawCard(spot, held) {
    const { card } = spot, { element } = held;
    element.className = classOf(card) + (held.hasMoved ? " moved" : "") + (spot.isFanned ? " fanned" : "");
    const face = faceOf(card);
    if (held.face !== face) element.innerHTML = held.face = face;
    element.style.zIndex = (held.hasMoved ? 200 : 0) + spot.depth;
    element.style.transform = `translate(${spot.x}px, ${spot.y}px)`;
    element.dataset.spot = spot.id;
    element.dataset.name = card.name;
    Object.assign(held, { spot: spot.id, name: card.name, x: spot.x, y: spot.y });
  }

  /* Where each card of `step` lies, and the labels and empty places. */
  #layOut(step) {
    const { size } = this, above = size.label, top = 2 * above + size.h + 6, spots = [];
    let lowest = top + size.h;
    this.zones = new Map();
    const unused = new Set(this.marks.keys());
    for (const place of placesOf(step)) {
      const isPile = !!place.pile;
      const x = isPile ? size.xOfPile(+place.id.slice(1)) : size.xOfColumn(place.column);
      let y = isPile ? above : top;
      unused.delete("label " + place.id); unused.delete("slot " + place.id);
      this.#mark("label", place.id, x, y - above, nameOf(place, size));
      this.#mark("slot", place.id, x, y, isPile ? SIGNS[place.pile.name] || "" : "");
      const zone = { place, x, y, last: y, lastX: x }, isFanned = isPile && place.pile.kind === "waste" && this.fan > 1;
      place.cards.forEach((card, depth) => {
        if (isFanned && depth > Math.max(0, place.cards.length - this.fan)) zone.lastX += size.fan;
        spots.push({ place, card, depth, id: place.id + "/" + depth, x: zone.lastX, y, isFanned: isFanned && depth + 1 < place.cards.length });
        zone.last = y;
        lowest = Math.max(lowest, y + size.h);
        if (!isPile) y += card.isDown ? size.down : size.strip;
      });
      this.zones.set(place.id, zone);
    }
    if (this.wing && step.columns.length > this.wing) {
      unused.delete("wing");
      const mark = this.#mark("wing", "", (size.xOfColumn(this.wing - 1) + size.w + size.xOfColumn(this.wing)) / 2 - 1, top, "");
      mark.style.height = lowest - top + "px";
    }
    for (const key of unused) { this.marks.get(key).remove(); this.marks.delete(key); }
    return { spots, lowest };
  }

  #mark(kind, id, x, y, text) {
    const key = (kind + " " + id).trim();
    let element = this.marks.get(key);
    if (!element) {
      element = document.createElement("div");
      element.className = kind;
      if (id) element.dataset.place = id;
      this.marks.set(key, element);
      this.table.prepend(element);
    }
    if (element.textContent !== text) element.textContent = text;
    element.style.left = x + "px";
    element.style.top = y + "px";
    if (kind === "label") element.style.minWidth = this.size.w + "px";
    return element;
  }

  /* The element of each spot: the card that lay there, in that place, anywhere; then those that change their name,
     since they were unknown; equal cards keep their places if they can. */
  #assign(spots) {
    const free = new Set(this.elements), taken = new Map();
    const byName = new Map();
    for (const held of free) byName.set(held.name, [...(byName.get(held.name) || []), held]);
    const take = (spot, among, fits) => {
      for (const held of among) {
        if (free.has(held) && fits(held)) { free.delete(held); taken.set(spot, held); return; }
      }
    };
    const steps = [
      (held, spot) => held.spot === spot.id,
      (held, spot) => held.spot.split("/")[0] === spot.place.id,
      () => true,
    ];
    for (const fits of steps) {
      for (const spot of spots) {
        if (!taken.has(spot)) take(spot, byName.get(spot.card.name) || [], held => fits(held, spot));
      }
    }
    for (const fits of steps) {
      for (const spot of spots) if (!taken.has(spot) && free.size) take(spot, free, held => fits(held, spot));
    }
    for (const spot of spots) if (!taken.has(spot)) taken.set(spot, this.#makeCard());
    for (const held of free) { held.element.remove(); this.elements.splice(this.elements.indexOf(held), 1); }
    return taken;
  }

  #makeCard() {
    const held = { element: document.createElement("div"), name: null, spot: null, face: null, hasMoved: false };
    this.table.append(held.element);
    this.elements.push(held);
    return held;
  }
}
