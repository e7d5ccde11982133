/* The table: its places and their sizes, its cards, arrows over it. */

import { cardsOf, classOf, faceOf, JOKER_PLACE, SIGNS, SUITS, withRank } from "./cards.js";

/** @import { CardElement, CardSpot, Corner, Frame, Move, Picture, Pile, Place, Shape } from "./types.d.ts" */
/** @import { Sizes, Tag, Zone } from "./types.d.ts" */

/* --- Places of a position (piles of the top row and columns) and their layout on a table. --- */

/** Every place with its cards: p0, p1, ... are the piles, c0, c1, ... the columns.
    @type {(step: { piles: Pile[]; columns: string[] }) => Place[]} */
export function placesOf(step) {
  const piles = step.piles.map((pile, i) => ({ id: "p" + i, pile, cards: cardsOf(pile.cards) }));
  const columns = step.columns.map((text, i) => ({ id: "c" + i, column: i, cards: cardsOf(text) }));
  return [...piles, ...columns];
}

/** The note of a pile in words: its cards and pass, its runs, its first rank.
    @type {(pile: Pile) => string} */
export function spokenNote({ kind, note }) {
  if (kind === "stock" || kind === "waste")
    return note
      .replace(/^0(, )?/, "")
      .replace(/^\d+/, count => `${count} ${count === "1" ? "card" : "cards"}`);
  return kind === "runs" ? note.replace("/", " of ") : withRank(note);
}

/** @type {(place: Place) => string} */
export function spokenPlace(place) {
  if (place.pile && place.pile.kind === JOKER_PLACE) {
    const { name, note } = place.pile;
    return `${name === "XB" ? "Black" : "Red"} joker ${note === "ace" ? "as an open ace" : "out of play"}`;
  }
  return place.pile
    ? `${SUITS[place.pile.name] || place.pile.name} ${place.pile.kind}`.replace(/^(\w+) \1$/, "$1")
    : `Column ${Number(place.column) + 1}`;
}

/** The number of face-down cards of each column, and of face-up cards under the last one.
    @type {(step: { columns: string[] }) => number[][]} */
export const lengthsOf = step =>
  step.columns.map(text => {
    const cards = cardsOf(text),
      down = cards.filter(card => card.isDown).length;
    return [down, Math.max(0, cards.length - down - 1)];
  });

const DOWN = 0.34; // height of the strip of a face-down card, as a share of that of a face-up card
const SMALL = 0.48; // size of the places for jokers out of play, as a share of a card
const LEAST_STRIP = 5,
  LEAST_CARD = 30, // in pixels, as the strip; narrower cards have their suit below their rank
  OVERLAP = 1, // pixels by which cards that would be narrower may cover each other
  RESERVED = 7, // strips for which space is reserved
  SPARE = 3, // strips by which columns may grow before strips that fill the space shrink
  TALL = 0.7; // greatest strip where there is space, as a share of a card's width

/** Where the piles lie: `wings`, foundations between the columns, `rails`, stock at the left and foundations
    at the right, or `top`, a row above the columns.
    @type {(frame: Pick<Frame, "piles" | "width" | "height" | "wing" | "isFixed">) => Shape} */
function shapeFor({ piles, width, height, wing, isFixed }) {
  if (!isFixed || width < 640 || width < 1.15 * height) return "top";
  return wing ? "wings" : piles[0]?.kind === "stock" ? "rails" : "top";
}

/** The sizes that depend on the width of a card.
    @param {number} w */
function sizesOf(w) {
  const isNarrow = w < LEAST_CARD,
    font = isNarrow ? w * 0.56 : Math.max(w * 0.21, Math.min(26, Math.max(11.5, w * 0.37))),
    padTop = Math.max(1, w * 0.035);
  return {
    h: Math.round(w * (isNarrow ? 1.75 : 1.42)),
    font,
    padTop,
    isNarrow,
    shortest: Math.ceil(padTop + font * (isNarrow ? 1.85 : 1.04) + 2),
  };
}

/** The sizes and places of a table of `width` and `height`: the widest card, up to `widest`, with which all
    fits, at least the longest of `lengths`. A low table has cards of 30 pixels, then shorter strips; on a
    high one the strips are longer. `wing` is the number of columns left of the gap between the wings, or
    null; `fan` that of the cards of the waste that are seen. A table that is not `isFixed` is as high as its
    cards are. Of the result, `strips` is the number of strips for which there is space.
    @type {(frame: Frame) => Sizes} */
export function sizesFor({ columns, piles, width, height, lengths, wing, fan, widest, isPeek, isFixed }) {
  const shape = shapeFor({ piles, width, height, wing, isFixed }),
    isTop = shape === "top",
    isStock = piles[0]?.kind === "stock";
  const jokers = piles.filter(({ kind }) => kind === JOKER_PLACE).length,
    row = piles.length - Math.max(0, jokers - 1);
  const across = shape === "wings" ? columns + 1 : shape === "rails" ? columns + 2 : Math.max(columns, row);
  const isTight = (width - (across - 1) * 3) / across < LEAST_CARD,
    least = isTight ? -OVERLAP : width < 600 ? 3 : 8,
    middle = width >= 600 ? 3 : 2,
    apart = shape === "wings" ? 2.4 : shape === "rails" ? 2.6 : wing ? middle : 0; // gaps more
  const label = width < 600 || height < 400 ? 16 : 20,
    ratio = isPeek ? 1 : DOWN;
  const longest = Math.max(isFixed ? RESERVED : 1, ...lengths.map(([down, up]) => down * ratio + up));
  const topOf = (/** @type {number} */ h) => (isTop ? 2 * label + h + 6 : label);
  const fits = (/** @type {number} */ w) => {
    const { h, shortest } = sizesOf(w);
    return topOf(h) + h + shortest * longest <= height && (isTop || label + 4 * h + 12 <= height);
  };
  let w = Math.floor(Math.min(widest, (width - (across - 1 + apart) * least) / across));
  if (isTight) w = Math.min(w, LEAST_CARD - 1);
  while (w > LEAST_CARD && !fits(w)) w--;
  let { h, font, padTop, isNarrow, shortest } = sizesOf(w);
  const gap = Math.max(least, Math.min(w * 0.32, (width - across * w) / (across - 1 + apart))),
    step = w + gap,
    top = topOf(h);
  const best = isNarrow ? shortest : Math.max(shortest, w * 0.46),
    space = height - top - h,
    most = isFixed ? Math.max(best, w * TALL) : best;
  const strip = Math.max(
    LEAST_STRIP,
    Math.min(best, space / longest),
    Math.min(most, space / (longest + SPARE)),
  );
  const below = (strip - 2 - padTop) / 1.85, // font with which the suit is below the rank
    isFlat = strip < shortest && !(isNarrow && below >= w * 0.42);
  if (isNarrow && !isFlat) font = Math.min(font, below);
  if (isFlat) font = Math.max(7, Math.min(font, w * 0.42, (strip - 2 - padTop) / 1.04));
  const left = (width - (across * w + (across - 1) * gap + gap * apart)) / 2;
  const ofColumns = isTop ? (width - (columns * w + (columns - 1) * gap + gap * apart)) / 2 : left;
  const down = isPeek ? strip : Math.max(5, Math.min(strip * DOWN, Math.max(12, w * 0.13))),
    beside = Math.min(Math.max(font * 1.45, w * 0.36), (w + gap) / 2);
  const rowStep = h + Math.max(4, Math.min(14, (height - top - 4 * h) / 3)),
    waste = top + h + 8 + label;
  /** @type {Sizes["columnAt"]} */
  const columnAt = i => {
    const isRight = wing && i >= wing;
    if (shape === "wings")
      return { x: left + (isRight ? i + 1 : i) * step + (isRight ? gap * apart : 0), y: top };
    if (shape === "rails") return { x: left + (i + 1) * step + (gap * apart) / 2, y: top };
    return { x: ofColumns + i * step + (isRight ? gap * apart : 0), y: top };
  };
  const firstUp = piles.findIndex(({ kind }) => kind !== "stock" && kind !== "waste"),
    joker = piles.findIndex(({ kind }) => kind === JOKER_PLACE);
  /** @type {Sizes["pileAt"]} */
  const pileAt = i => {
    const { kind } = piles[i],
      isOut = kind === JOKER_PLACE,
      small = isOut ? (i - joker) * w * 0.52 : 0;
    if (shape === "wings") return { x: left + Number(wing) * step + (gap * apart) / 2, y: top + i * rowStep };
    if (shape === "rails" && isOut)
      return { x: left + small, y: waste + h + (fan - 1) * strip + 8 + label, scale: SMALL };
    if (shape === "rails")
      return kind === "stock"
        ? { x: left, y: top }
        : kind === "waste"
          ? { x: left, y: waste, isDown: true }
          : { x: left + (columns + 1) * step + gap * apart, y: top + (i - firstUp) * rowStep };
    const start = row > columns ? (width - (row * step - gap)) / 2 : ofColumns,
      at = isOut ? joker : i;
    return {
      x: (isStock && i >= 2 ? width - start - (row - at) * step + gap : start + at * step) + small,
      y: label,
      ...(isOut && { scale: SMALL }),
    };
  };
  return {
    shape,
    w,
    h,
    gap,
    width,
    height,
    strip,
    strips: space / strip,
    font,
    padTop,
    isNarrow,
    isFlat,
    label,
    top,
    down,
    fan: beside,
    columnAt,
    pileAt,
  };
}

/** The label above a place.
    @type {(place: Place, sizes: Sizes) => string} */
function nameOf(place, sizes) {
  if (!place.pile) return String(Number(place.column) + 1);
  const { kind, name, note } = place.pile;
  if (SIGNS[name]) return withRank(note);
  const [count, pass] = note.split(", pass ");
  // The longer text would run into the next label.
  if (pass && sizes.w < 130) return `${count}, ${pass.replace(" of ", "/")}`;
  if (kind === JOKER_PLACE)
    return note === "ace"
      ? sizes.w < 60
        ? "ace"
        : "open ace"
      : name === "XR"
        ? ""
        : sizes.w < 60
          ? "out"
          : "out of play";
  return sizes.w < 50 ? note : `${name} ${note}`;
}

/* --- The table: one element per card for the whole game, so that cards glide between places. --- */

/** @typedef {(held: CardElement) => boolean} Fits */

/** The place of a spot such as c3/5, and the depth in it.
    @type {(spot: string | null) => string} */
const placeOf = spot => (spot || "").split("/")[0];
/** @type {(spot: string | null) => number} */
const depthOf = spot => Number((spot || "").split("/")[1]);

export class Table {
  /** The elements of the cards.
      @type {CardElement[]} */
  elements = [];
  /** The labels and empty places, such as `label c3`.
      @type {Map<string, HTMLElement>} */
  marks = new Map();
  /** Where the places lie, by their names.
      @type {Map<string, Zone>} */
  zones = new Map();
  /** The position that is drawn.
      @type {Picture} */
  step = { columns: [], piles: [], jokers: [], score: null };
  /** The sizes; null before they are measured.
      @type {Sizes | null} */
  #size = null;
  height = 0;
  isPeek = false; // whether cards that are face down are seen
  isFixed = false; // whether the table fills its height, in place of being as high as its cards

  /** `felt` is the element around `table`; `wing` is the number of columns of the left wing, or null; `fan`
      the number of waste cards shown side by side; `widest` the greatest card width in pixels.
      @param {HTMLElement} felt
      @param {HTMLElement} table
      @param {number | null} wing */
  constructor(felt, table, wing, fan = 1, widest = 96) {
    this.felt = felt;
    this.table = table;
    this.wing = wing;
    this.fan = fan;
    this.widest = widest;
  }

  /** The sizes. Throws an error before they are measured. */
  get size() {
    if (!this.#size) throw new Error("a table that was not measured");
    return this.#size;
  }

  /** The zone of a place. Throws an error if the table has no such place.
      @type {(place: string) => Zone} */
  zoneAt(place) {
    const zone = this.zones.get(place);
    if (!zone) throw new Error(`${place}: no such place`);
    return zone;
  }

  /** Compute the sizes for the shape of `step`; columns of the `lengths` must fit into `height` pixels.
      @type {(step: Picture, lengths: number[][], height: number) => void} */
  measure(step, lengths, height) {
    const style = getComputedStyle(this.felt);
    const width = this.felt.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    const { columns, piles } = step,
      { wing, fan, widest, isPeek, isFixed } = this;
    const size = (this.#size = sizesFor({
      columns: columns.length,
      piles,
      width,
      height,
      lengths,
      wing,
      fan,
      widest,
      isPeek,
      isFixed,
    }));
    const variables = {
      "--w": size.w + "px",
      "--h": size.h + "px",
      "--font": size.font + "px",
      "--round": Math.max(3, size.w * 0.08) + "px",
      "--pad": Math.max(1, size.w * 0.06) + "px",
      "--pad-top": size.padTop + "px",
    };
    for (const [name, value] of Object.entries(variables)) this.table.style.setProperty(name, value);
    this.table.classList.toggle("narrow", size.isNarrow);
    this.table.classList.toggle("flat", size.isFlat);
    this.height = 0;
  }

  /** Draw a position. If `marks` is true, cards that change their place are marked; if false, no card is; if
      undefined, marks stay as they are.
      @type {(step: Picture, marks?: boolean) => void} */
  draw(step, marks) {
    if (!this.#size) this.measure(step, lengthsOf(step), innerHeight);
    this.step = step;
    const { spots, lowest } = this.#layOut(step);
    this.height = Math.max(this.height, lowest);
    if (!this.isFixed) this.table.style.height = this.height + "px";
    for (const [spot, held] of this.#assign(spots)) {
      if (marks !== undefined)
        held.hasMoved = marks && held.spot !== null && placeOf(held.spot) !== spot.place.id;
      this.#drawCard(spot, held);
    }
  }

  /** The elements of the cards at a place, the deepest first.
      @type {(place: string) => CardElement[]} */
  elementsOf(place) {
    return this.elements
      .filter(({ spot }) => placeOf(spot) === place)
      .sort((a, b) => depthOf(a.spot) - depthOf(b.spot));
  }

  /* Draw the position again, so that every card is in its place. */
  redraw() {
    this.draw(this.step);
  }

  /** Mark the cards that a move brought to `lies`: a column with the depth of the first of them, such as
      c3/5, or a pile, such as p2. With `isMore` cards already marked stay marked.
      @type {(lies: string, isMore: boolean) => void} */
  markLying(lies, isMore) {
    const [place, depth] = lies.split("/");
    for (const held of this.elements) held.hasMoved &&= isMore;
    for (const held of this.elementsOf(place).slice(depth === undefined ? -1 : +depth)) held.hasMoved = true;
    this.redraw();
  }

  /** @type {(spot: CardSpot, held: CardElement) => void} */
  #drawCard(spot, held) {
    const { card } = spot,
      { element } = held;
    element.className =
      classOf(card) +
      (held.hasMoved ? " moved" : "") +
      (spot.isFanned ? " fanned" : "") +
      (spot.isDeep ? " deep" : "");
    const face = faceOf(card);
    if (held.face !== face) element.innerHTML = held.face = face;
    element.style.zIndex = String((held.hasMoved ? 200 : 0) + spot.depth);
    const scale = spot.scale ? ` scale(${spot.scale})` : "";
    element.style.transform = `translate(${spot.x}px, ${spot.y}px)${scale}`;
    element.dataset.spot = spot.id;
    element.dataset.name = card.name;
    Object.assign(held, { spot: spot.id, name: card.name, x: spot.x, y: spot.y });
  }

  /** Compute the spot of each card of `step`, and draw the labels and empty places.
      @type {(step: Picture) => { spots: CardSpot[]; lowest: number }} */
  #layOut(step) {
    const { size } = this,
      above = size.label,
      { top } = size;
    /** @type {CardSpot[]} */
    const spots = [];
    let lowest = top + size.h;
    this.zones = new Map();
    const unused = new Set(this.marks.keys());
    for (const place of placesOf(step)) {
      const { pile } = place,
        isPile = !!pile,
        at = +place.id.slice(1),
        { x, y: first, scale, isDown } = isPile ? size.pileAt(at) : size.columnAt(at);
      let y = first;
      unused.delete("label " + place.id);
      unused.delete("slot " + place.id);
      this.#mark("label", place.id, x, y - above, this.#isNamed(place) ? nameOf(place, size) : "");
      this.#mark(
        "slot",
        place.id,
        x,
        y,
        pile ? SIGNS[pile.name] || (scale ? "\u2605" : "") : "",
      ).classList.toggle("half", !!scale);
      const zone = { place, x, y, last: y, lastX: x, w: size.w * (scale || 1), h: size.h * (scale || 1) },
        isFan = pile?.kind === "waste" && this.fan > 1;
      place.cards.forEach((card, depth) => {
        const isBeside = isFan && depth > Math.max(0, place.cards.length - this.fan);
        if (isBeside && isDown) y += size.strip;
        else if (isBeside) zone.lastX += size.fan;
        spots.push({
          place,
          card,
          depth,
          id: place.id + "/" + depth,
          x: zone.lastX,
          y,
          scale,
          isFanned: isFan && !isDown && depth + 1 < place.cards.length,
          isDeep: isPile && !isFan && depth + 2 < place.cards.length,
        });
        zone.last = y;
        lowest = Math.max(lowest, y + size.h);
        if (!isPile) y += card.isDown ? size.down : size.strip;
      });
      this.zones.set(place.id, zone);
    }
    if (this.wing && size.shape === "top" && step.columns.length > this.wing) {
      unused.delete("wing");
      const mark = this.#mark(
        "wing",
        "",
        (size.columnAt(this.wing - 1).x + size.w + size.columnAt(this.wing).x) / 2 - 1,
        top,
        "",
      );
      mark.style.height = lowest - top + "px";
    }
    for (const key of unused) {
      this.marks.get(key)?.remove();
      this.marks.delete(key);
    }
    return { spots, lowest };
  }

  /** True if a place has space for a label; of foundations one above the other only the first one has.
      @type {(place: Place) => boolean} */
  #isNamed({ pile, id }) {
    return (
      !pile ||
      this.size.shape === "top" ||
      pile.kind !== "foundation" ||
      this.size.pileAt(+id.slice(1)).y === this.size.top
    );
  }

  /** @type {(kind: string, id: string, x: number, y: number, text: string) => HTMLElement} */
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

  /** Assign an element to each spot: one with the same card at that spot, in that place, or anywhere, in this
      order; then one whose unknown card was turned up.
      @type {(spots: CardSpot[]) => Map<CardSpot, CardElement>} */
  #assign(spots) {
    const free = new Set(this.elements),
      taken = new Map();
    /** @type {Map<string | null, CardElement[]>} */
    const byName = new Map();
    for (const held of free) byName.set(held.name, [...(byName.get(held.name) || []), held]);
    /** @type {(spot: CardSpot, among: Iterable<CardElement>, fits: Fits) => void} */
    const take = (spot, among, fits) => {
      for (const held of among) {
        if (free.has(held) && fits(held)) {
          free.delete(held);
          taken.set(spot, held);
          return;
        }
      }
    };
    /** @type {((held: CardElement, spot: CardSpot) => boolean)[]} */
    const steps = [
      (held, spot) => held.spot === spot.id,
      (held, spot) => placeOf(held.spot) === spot.place.id,
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
    for (const held of free) {
      held.element.remove();
      this.elements.splice(this.elements.indexOf(held), 1);
    }
    return taken;
  }

  /** @type {() => CardElement} */
  #makeCard() {
    const element = document.createElement("div"),
      held = { element, name: null, spot: null, face: null, hasMoved: false, x: 0, y: 0 };
    this.table.append(held.element);
    this.elements.push(held);
    return held;
  }
}

/* --- Card size: the table fills the space that the page leaves, and keeps its size while columns grow
   slightly. --- */

const WIDEST = 220; // greatest card width in pixels

const SMALL_SCREEN = 700,
  MESSAGE = 34; // pixels that the message about a move takes at the bottom of a small screen

export class Sizing {
  /** The facts that the sizes depend on; null if they have to be measured.
      @type {string | null} */
  #key = null;
  /** The table that has them.
      @type {Table | null} */
  #table = null;

  /** @param {HTMLElement} felt */
  constructor(felt) {
    this.felt = felt;
  }

  /* Discard the sizes, so that they are measured again. */
  forget() {
    this.#key = null;
  }

  /** Set the sizes of `table` for `picture`, unless they are set already.
      @type {(table: Table, picture: Picture) => void} */
  fit(table, picture) {
    const { clientWidth: width, clientHeight: height } = this.felt,
      style = getComputedStyle(this.felt);
    if (!width) return; // the home page is shown instead
    const lengths = lengthsOf(picture),
      key = [picture.columns.length, width, height, table.isPeek].join("/");
    const longest = Math.max(...lengths.map(([down, up]) => down * (table.isPeek ? 1 : DOWN) + up));
    if (this.#key === key && this.#table === table && longest <= table.size.strips) return;
    this.#key = key;
    this.#table = table;
    Object.assign(table, { widest: WIDEST, isFixed: true });
    const free = height - parseFloat(style.paddingTop) - parseFloat(style.paddingBottom);
    table.measure(picture, lengths, width < SMALL_SCREEN ? free - MESSAGE : free);
  }
}

/* --- Arrows over the table: from cards of a move to its target, or from a card to what it waits for. --- */

/** A place on the table, in pixels.
    @typedef {{ x: number; y: number }} Point */

const SVG = "http://www.w3.org/2000/svg";

/** Draw arrows for `moves`, replacing earlier arrows; with `isTried` in the style of moves that are only
    looked at.
    @type {(table: Table, moves: Move[], isTried?: boolean) => void} */
export function drawArrows(table, moves, isTried = false) {
  const ends = moves
    .filter(move => move.source !== move.target)
    .map(move => {
      const from = table.zoneAt(move.source),
        to = table.zoneAt(move.target);
      const taken = elementAt(table, `${move.source}/${from.place.cards.length - move.count}`);
      return [
        taken || { x: from.lastX, y: from.last },
        { x: to.lastX - (table.size.w - to.w) / 2, y: to.last + to.h / 2 - lift(table) },
      ];
    });
  draw(table, ends, isTried ? "tried" : "");
  for (const old of table.table.querySelectorAll(".ghost")) old.remove();
  for (const { element } of table.elements) element.classList.remove("from");
  if (isTried) for (const move of moves) drawGhosts(table, move);
}

/** Draw the cards of a move dimmed where they lie, and at their target.
    @type {(table: Table, move: Move) => void} */
function drawGhosts(table, { source, target, count }) {
  const to = table.zoneAt(target),
    isColumn = !to.place.pile;
  if (source === target || table.zoneAt(source).place.pile?.kind === "stock") return;
  const first = isColumn && to.place.cards.length ? to.last + table.size.strip : isColumn ? to.y : to.last,
    scale = to.w < table.size.w ? ` scale(${to.w / table.size.w})` : "";
  table
    .elementsOf(source)
    .slice(-count)
    .forEach(({ element }, i) => {
      const ghost = /** @type {HTMLElement} */ (element.cloneNode(true));
      element.classList.add("from");
      ghost.classList.add("ghost");
      delete ghost.dataset.spot;
      Object.assign(ghost.style, {
        transform: `translate(${to.lastX}px, ${first + i * table.size.strip}px)${scale}`,
        zIndex: 500 + i,
      });
      table.table.append(ghost);
    });
}

/** Put tags on places instead of all tags before: each has the `target`, its `text`, and whether the move
    there `loses`.
    @type {(table: Table, tags: Tag[]) => void} */
export function drawTags(table, tags) {
  for (const old of table.table.querySelectorAll(".tag")) old.remove();
  for (const { target, text, loses } of tags) {
    const zone = table.zoneAt(target),
      tag = document.createElement("span");
    tag.className = loses ? "tag loses" : "tag";
    tag.textContent = text;
    table.table.append(tag);
    const { w, h } = table.size,
      left = zone.lastX + (w - tag.offsetWidth) / 2,
      most = table.table.clientWidth - tag.offsetWidth,
      x = Math.max(0, Math.min(most, left));
    tag.style.transform = `translate(${x}px, ${zone.last + h - tag.offsetHeight}px)`;
  }
}

/** Draw an arrow from the card at `spot` to each of those at `others`.
    @type {(table: Table, spot: string, others: string[]) => void} */
export function drawWaits(table, spot, others) {
  draw(
    table,
    others.flatMap(other => {
      const from = elementAt(table, spot),
        to = elementAt(table, other);
      return from && to ? [[from, to]] : [];
    }),
    "waits",
  );
}

/** @type {(table: Table, id: string) => CardElement | undefined} */
const elementAt = (table, id) => table.elements.find(({ spot }) => spot === id);
/** @type {(table: Table) => number} */
const lift = table => Math.min(table.size.h / 2, 14);

/** @type {(table: Table, ends: Point[][], kind: string) => void} */
function draw(table, ends, kind) {
  let svg = table.table.querySelector("svg.arrows");
  if (svg) svg.remove();
  if (!ends.length) return;
  svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", `arrows ${kind}`);
  for (const [from, to] of ends) svg.append(...arrow(table, from, to));
  table.table.append(svg);
}

/** @type {(table: Table, from: Point, to: Point) => SVGElement[]} */
function arrow(table, from, to) {
  const middle = table.size.w / 2,
    x1 = from.x + middle,
    y1 = from.y + lift(table),
    x2 = to.x + middle,
    y2 = to.y + lift(table);
  const length = Math.hypot(x2 - x1, y2 - y1) || 1,
    back = Math.min(16, length / 3);
  const ux = (x2 - x1) / length,
    uy = (y2 - y1) / length;
  const bx = x2 - ux * back,
    by = y2 - uy * back;
  const line = shape("line", { x1, y1, x2: bx, y2: by });
  const head = shape("polygon", {
    points: [
      [x2, y2],
      [bx - uy * 9, by + ux * 9],
      [bx + uy * 9, by - ux * 9],
    ]
      .map(point => point.join(","))
      .join(" "),
  });
  return [line, head];
}

/** @type {(name: string, attributes: Record<string, string | number>) => SVGElement} */
function shape(name, attributes) {
  const element = document.createElementNS(SVG, name);
  for (const key in attributes) element.setAttribute(key, String(attributes[key]));
  return element;
}
