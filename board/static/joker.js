/* Card of a picked-up joker: the ranks it may take, a button for each place that accepts it, and for putting it out of
   play. */

import { pretty, shownRank, SUITS } from "./cards.js";
import { focusTable } from "./input.js";
import { drawTags } from "./table.js";

const RANKS = "A23456789TJQK";
const COLOURS = { B: "black", R: "red" };
const STEP = 16,
  APART = 8,
  SMALL = 640; // pixels: step of the search for a free spot, distance from the edges, widest screen with a sheet

const isOut = move => move.text.endsWith("-x");
const isInPlace = move => move.source === move.target && move.rank;

export class JokerCard {
  /* `make(text)` makes the move of a button, `close()` puts the joker back. */
  constructor(box, on) {
    Object.assign(this, { box, on, source: null });
    box.addEventListener("click", event => {
      const { text, do: what } = event.target.closest("[data-text], [data-do]")?.dataset || {};
      if (text) this.on.make(text);
      else if (what) this.on.close();
    });
    box.addEventListener("keydown", event => this.#step(event));
  }

  get isOpen() {
    return !this.box.hidden;
  }

  /* Show the `moves` of `card`, a joker on top of `source`; `note` describes the joker, `judged` has the marks of the
     moves. */
  open(table, source, card, moves, note, judged) {
    Object.assign(this, { table, source, moves });
    const colour = COLOURS[card.suit],
      goes = moves.filter(move => !isOut(move) && !isInPlace(move)),
      ranks = moves.filter(isInPlace);
    const rows = goes.map(
      move =>
        `<li><button type="button" data-text="${move.text}"><b class="rank">${shownRank(move.as)}</b><span>${this.#where(move)}</span>${markOf(judged[move.text])}</button></li>`,
    );
    const named = [...RANKS].map(rank => {
      const move = ranks.find(one => one.rank === rank);
      const isBest = move && judged[move.text]?.best;
      return `<button type="button"${isBest ? ' class="main"' : ""}${move ? ` data-text="${move.text}"` : " disabled"} aria-label="name it ${shownRank(rank)}${isBest ? ", the best" : ""}">${shownRank(rank)}</button>`;
    });
    const out = moves.find(isOut);
    this.box.innerHTML = `<div class="head"><h2 id="joker-title"><span class="${card.name}" aria-hidden="true">\u2605</span> ${colour[0].toUpperCase()}${colour.slice(1)} joker</h2>
      <button type="button" data-do="close" aria-label="Put it back">\u2715</button></div>
      <p>${card.as ? pretty(`${note[0].toUpperCase()}${note.slice(1)}.`) : `May be any ${colour} card not yet on the table.`} ${rows.length ? "Here it fits now:" : "It fits nowhere now."}</p>
      ${rows.length ? `<ul${rows.length > 4 ? ' class="many"' : ""}>${rows.join("")}</ul>` : ""}
      ${ranks.length ? `<h3>Name it where it lies</h3><p class="ranks" role="group" aria-label="Ranks">${named.join("")}</p>` : ""}
      ${out ? `<p class="out"><button type="button" data-text="${out.text}">Put it out of play</button> <span>it stays out to the end</span></p>` : ""}`;
    this.box.hidden = false;
    this.redraw();
    this.box.focus({ preventScroll: true });
  }

  close() {
    if (this.box.hidden) return;
    const hadFocus = this.box.contains(document.activeElement);
    this.box.hidden = true;
    this.source = null;
    this.#tag([]);
    if (hadFocus) focusTable();
  }

  /* The text for a target: the card that the joker goes on, or the foundation. */
  #where({ targets: [target], suit }) {
    const { place } = this.table.zones.get(target),
      top = place.cards.at(-1);
    if (!place.pile) {
      const column = `column ${place.column + 1}`;
      return top
        ? `on ${pretty(top.isJoker ? `the ${COLOURS[top.suit]} joker` : top.name)}, ${column}`
        : `on empty ${column}`;
    }
    return suit ? `on the foundation of ${SUITS[suit]}` : "on an empty foundation";
  }

  /* Show on each target the rank that the joker takes there. */
  #tag(moves) {
    drawTags(
      this.table,
      moves.flatMap(move => move.targets.map(target => ({ target, text: `as ${shownRank(move.as)}` }))),
    );
  }

  /* Move the tags and the card to the present places of the table. */
  redraw() {
    if (this.box.hidden) return;
    this.#tag(this.moves.filter(move => !isOut(move) && !isInPlace(move)));
    this.#place();
  }

  /* Put the card where it covers neither the joker nor a target, and few cards; on a narrow table it is a sheet at the
     bottom. */
  #place() {
    const { box, table } = this,
      felt = table.felt.getBoundingClientRect(),
      isSheet = innerWidth < SMALL;
    box.classList.toggle("foot", isSheet);
    if (isSheet) {
      box.style.left = box.style.top = "";
      return;
    }
    const { w, h } = table.size,
      inner = table.table.getBoundingClientRect(),
      wanted = new Set([this.source, ...this.moves.flatMap(move => move.targets)]);
    const boxes = [...table.zones]
      .flatMap(([id, zone]) => {
        const cards = table.elementsOf(id).map(({ x, y }) => [x, y, 1]);
        return wanted.has(id) ? [...cards, [zone.lastX, zone.last, 1000]] : cards;
      })
      .map(([x, y, weight]) => ({ left: inner.left + x, top: inner.top + y, weight }));
    const from = table.zones.get(this.source),
      wide = box.offsetWidth,
      high = box.offsetHeight;
    const cost = (left, top) =>
      boxes.reduce(
        (sum, one) => {
          const across = Math.min(left + wide, one.left + w) - Math.max(left, one.left),
            along = Math.min(top + high, one.top + h) - Math.max(top, one.top);
          return across > 0 && along > 0 ? sum + one.weight * (1 + (across * along) / (w * h)) : sum;
        },
        Math.hypot(
          left + (wide - w) / 2 - inner.left - from.lastX,
          top + (high - h) / 2 - inner.top - from.last,
        ) / 200,
      );
    const spots = ({ left, top, right, bottom }) => {
      const found = [];
      for (let y = top + APART; y <= Math.max(top + APART, bottom - high - APART); y += STEP) {
        for (let x = left + APART; x <= Math.max(left + APART, right - wide - APART); x += STEP)
          found.push([cost(x, y), x, y]);
      }
      return found.reduce((best, spot) => (spot[0] < best[0] ? spot : best));
    };
    const seen = {
      left: Math.max(0, felt.left),
      top: Math.max(0, felt.top),
      right: Math.min(innerWidth, felt.right),
      bottom: Math.min(innerHeight, felt.bottom),
    };
    let [least, x, y] = spots(seen);
    if (least >= 1000) [least, x, y] = spots({ left: 0, top: 0, right: innerWidth, bottom: innerHeight }); // no spot on the table: beside it
    Object.assign(box.style, { left: `${x - felt.left}px`, top: `${y - felt.top}px` });
  }

  /* Arrow keys move between the buttons, Escape puts the joker back. */
  #step(event) {
    const by = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key],
      buttons = [...this.box.querySelectorAll("button:enabled:not([data-do])")];
    if (event.key === "Escape") this.on.close();
    else if (by && buttons.length)
      buttons[(buttons.indexOf(document.activeElement) + by + buttons.length) % buttons.length].focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

const markOf = mark =>
  !mark || mark.keeps === null
    ? ""
    : mark.keeps
      ? `<em class="good" role="img" aria-label="${mark.best ? "best" : "keeps the best result"}">${mark.best ? "\u2605" : "\u2713"}</em>`
      : '<em class="bad" role="img" aria-label="loses">\u2717</em>';
