/* Card of a picked-up joker: the ranks it may take, a button for each place that accepts it, and for putting
   it out of play. */

import { pretty, shownRank, SUITS } from "./cards.js";
import { dataOf } from "./elements.js";
import { focusTable } from "./input.js";
import { drawTags } from "./table.js";

/** @import { Table } from "./table.js" */
/** @import { Card, Mark, Marks, Move } from "./types.d.ts" */

/** The choices of a joker on a table: the legal `moves` from its place `source`.
    @typedef {{ table: Table; source: string; moves: Move[] }} Picked */

/** The edges of a rectangle, in pixels.
    @typedef {{ left: number; top: number; right: number; bottom: number }} Box */

/** The cost of putting the card at a spot.
    @typedef {(left: number, top: number) => number} Cost */

const RANKS = "A23456789TJQK";
/** @type {Record<string, string>} */
const COLOURS = { B: "black", R: "red" };
const STEP = 16, // pixels between the spots that are tried
  APART = 8, // pixels between the card and the edges
  SMALL = 640; // greatest width of a screen on which the card is a sheet

/** The moves of a joker by what they do: it goes to another place, is named where it lies, or is put out of
    play.
    @type {(moves: Move[]) => { goes: Move[]; names: Move[]; out: Move | undefined }} */
export function sortMoves(moves) {
  const isOut = (/** @type {Move} */ { text }) => text.endsWith("-x"),
    isName = (/** @type {Move} */ { source, target, rank }) => source === target && !!rank;
  return {
    goes: moves.filter(move => !isOut(move) && !isName(move)),
    names: moves.filter(isName),
    out: moves.find(isOut),
  };
}

/** The spot in `area` for a box of `wide` and `high` whose `cost` is least, with that cost.
    @type {(area: Box, wide: number, high: number, cost: Cost) => number[]} */
export function bestSpot({ left, top, right, bottom }, wide, high, cost) {
  let best = [Infinity, left, top];
  for (let y = top + APART; y <= Math.max(top + APART, bottom - high - APART); y += STEP) {
    for (let x = left + APART; x <= Math.max(left + APART, right - wide - APART); x += STEP) {
      const found = cost(x, y);
      if (found < best[0]) best = [found, x, y];
    }
  }
  return best;
}

/** The area that two boxes share.
    @type {(one: Box, other: Box) => number} */
export function shared(one, other) {
  const across = Math.min(one.right, other.right) - Math.max(one.left, other.left),
    along = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  return across > 0 && along > 0 ? across * along : 0;
}

export class JokerCard {
  /** The choices that are shown; null if none are.
      @type {Picked | null} */
  #picked = null;

  /** `make` makes the move of a button, `close` puts the joker back.
      @param {HTMLElement} box
      @param {{ make: (text: string) => void; close: () => void }} on */
  constructor(box, on) {
    this.box = box;
    this.on = on;
    box.addEventListener("click", event => {
      const { text, do: what } = dataOf(event, "[data-text], [data-do]");
      if (text) this.on.make(text);
      else if (what) this.on.close();
    });
    box.addEventListener("keydown", event => this.#step(event));
  }

  get isOpen() {
    return !this.box.hidden;
  }

  /** Show the `moves` of `card`, a joker on top of `source`; `note` describes the joker, `judged` has the
      marks of the moves.
      @param {Table} table
      @param {string} source
      @param {Card} card
      @param {Move[]} moves
      @param {string} note
      @param {Marks} judged */
  open(table, source, card, moves, note, judged) {
    this.#picked = { table, source, moves };
    const colour = COLOURS[card.suit],
      { goes, names, out } = sortMoves(moves);
    const rows = goes.map(
      move => `<li><button type="button" data-text="${move.text}"
        ><b class="rank">${shownRank(move.as || "")}</b><span>${whereOf(table, move)}</span
        >${markOf(judged[move.text])}</button></li>`,
    );
    const ranks = [...RANKS].map(rank => {
      const move = names.find(one => one.rank === rank);
      return nameButton(rank, move, !!move && !!judged[move.text]?.best);
    });
    const told = card.as ? pretty(`${capital(note)}.`) : `May be any ${colour} card not yet on the table.`;
    this.box.innerHTML = `<div class="head"><h2 id="joker-title"
        ><span class="${card.name}" aria-hidden="true">\u2605</span> ${capital(colour)} joker</h2>
      <button type="button" data-do="close" aria-label="Put it back">\u2715</button></div>
      <p>${told} ${rows.length ? "Here it fits now:" : "It fits nowhere now."}</p>
      ${rows.length ? `<ul${rows.length > 4 ? ' class="many"' : ""}>${rows.join("")}</ul>` : ""}
      ${names.length ? `<h3>Name it where it lies</h3>${group(ranks)}` : ""}
      ${out ? outButton(out) : ""}`;
    this.box.hidden = false;
    this.redraw();
    this.box.focus({ preventScroll: true });
  }

  close() {
    if (this.box.hidden || !this.#picked) return;
    const hadFocus = this.box.contains(document.activeElement);
    this.box.hidden = true;
    drawTags(this.#picked.table, []);
    this.#picked = null;
    if (hadFocus) focusTable();
  }

  /* Move the tags and the card to the present places of the table. */
  redraw() {
    if (this.box.hidden || !this.#picked) return;
    const { table, moves } = this.#picked,
      { goes } = sortMoves(moves);
    const tag = (/** @type {Move} */ { targets, as }) =>
      targets.map(target => ({ target, text: `as ${shownRank(as || "")}` }));
    drawTags(table, goes.flatMap(tag)); // on each target the rank that the joker takes there
    this.#place(this.#picked);
  }

  /** Put the card where it covers neither the joker nor a target, and few cards; on a narrow table it is a
      sheet at the bottom.
      @type {(picked: Picked) => void} */
  #place({ table, source, moves }) {
    const { box } = this,
      isSheet = innerWidth < SMALL;
    box.classList.toggle("foot", isSheet);
    if (isSheet) {
      box.style.left = box.style.top = "";
      return;
    }
    const { w, h } = table.size,
      inner = table.table.getBoundingClientRect(),
      wanted = new Set([source, ...moves.flatMap(move => move.targets)]);
    const boxes = [...table.zones].flatMap(([id, zone]) => {
      const cards = table.elementsOf(id).map(({ x, y }) => [x, y, 1]);
      return wanted.has(id) ? [...cards, [zone.lastX, zone.last, 1000]] : cards;
    });
    const covered = boxes.map(([x, y, weight]) => ({
      card: {
        left: inner.left + x,
        top: inner.top + y,
        right: inner.left + x + w,
        bottom: inner.top + y + h,
      },
      weight,
    }));
    const from = table.zoneAt(source),
      wide = box.offsetWidth,
      high = box.offsetHeight;
    /** @type {Cost} */
    const cost = (left, top) => {
      const here = { left, top, right: left + wide, bottom: top + high },
        across = left + (wide - w) / 2 - inner.left - from.lastX,
        along = top + (high - h) / 2 - inner.top - from.last;
      let sum = Math.hypot(across, along) / 200;
      for (const { card, weight } of covered) {
        const area = shared(here, card);
        if (area) sum += weight * (1 + area / (w * h));
      }
      return sum;
    };
    const felt = table.felt.getBoundingClientRect(),
      screen = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    const seen = {
      left: Math.max(screen.left, felt.left),
      top: Math.max(screen.top, felt.top),
      right: Math.min(screen.right, felt.right),
      bottom: Math.min(screen.bottom, felt.bottom),
    };
    let [least, x, y] = bestSpot(seen, wide, high, cost);
    if (least >= 1000) [least, x, y] = bestSpot(screen, wide, high, cost); // no spot on the table: beside it
    Object.assign(box.style, { left: `${x - felt.left}px`, top: `${y - felt.top}px` });
  }

  /** Arrow keys move between the buttons, Escape puts the joker back.
      @type {(event: KeyboardEvent) => void} */
  #step(event) {
    const { key } = event,
      by =
        key === "ArrowDown" || key === "ArrowRight" ? 1 : key === "ArrowUp" || key === "ArrowLeft" ? -1 : 0;
    const buttons = [...this.box.querySelectorAll("button")].filter(
        ({ disabled, dataset }) => !disabled && !dataset.do,
      ),
      held = buttons.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
    if (key === "Escape") this.on.close();
    else if (by && buttons.length) buttons[(held + by + buttons.length) % buttons.length].focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

/** The text for a target: the card that the joker goes on, or the foundation.
    @type {(table: Table, move: Move) => string} */
function whereOf(table, { targets: [target], suit }) {
  const { place } = table.zoneAt(target),
    top = place.cards.at(-1);
  if (place.pile) return suit ? `on the foundation of ${SUITS[suit]}` : "on an empty foundation";
  const column = `column ${Number(place.column) + 1}`;
  if (!top) return `on empty ${column}`;
  return `on ${pretty(top.isJoker ? `the ${COLOURS[top.suit]} joker` : top.name)}, ${column}`;
}

/** The button that names the joker where it lies, disabled if there is no such move.
    @type {(rank: string, move: Move | undefined, isBest: boolean) => string} */
function nameButton(rank, move, isBest) {
  const shown = shownRank(rank),
    label = `name it ${shown}${isBest ? ", the best" : ""}`;
  return `<button type="button"${isBest ? ' class="main"' : ""}
    ${move ? `data-text="${move.text}"` : "disabled"} aria-label="${label}">${shown}</button>`;
}

/** @type {(buttons: string[]) => string} */
const group = buttons => `<p class="ranks" role="group" aria-label="Ranks">${buttons.join("")}</p>`;

/** @type {(move: Move) => string} */
const outButton = ({
  text,
}) => `<p class="out"><button type="button" data-text="${text}">Put it out of play</button>
  <span>it stays out to the end</span></p>`;

/** @type {(text: string) => string} */
const capital = text => `${text[0].toUpperCase()}${text.slice(1)}`;

/** The mark of a move as HTML.
    @type {(mark: Mark | undefined) => string} */
function markOf(mark) {
  if (!mark || mark.keeps === null) return "";
  if (!mark.keeps) return '<em class="bad" role="img" aria-label="loses">\u2717</em>';
  const label = mark.best ? "best" : "keeps the best result";
  return `<em class="good" role="img" aria-label="${label}">${mark.best ? "\u2605" : "\u2713"}</em>`;
}
