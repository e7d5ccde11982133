/* Pointer, keyboard and its focus, and questions to the person. */

import { pretty, shownRank, SIGNS } from "./cards.js";
import { dataOf, find, matches } from "./elements.js";

/** @import { Play } from "./play.js" */
/** @import { Table } from "./table.js" */
/** @import { CardElement, Choice } from "./types.d.ts" */

/* --- Cards under the pointer: a press that becomes a drag or stays a click. The cards follow the pointer by
   transforms alone, once a frame; nothing is measured between the start and the end of a drag. --- */

const LEAST = 6; // pixels of movement that begin a drag

/** Hears of cards under the pointer: `start` says whether these may be taken, `over` is told the place under
    them or null, and `isReady` says whether cards can be moved at all.
    @typedef {{
      isReady: () => boolean;
      start: (place: string, count: number) => boolean;
      over: (place: string | null) => void;
      drop: (place: string, count: number, target: string | null) => void;
      click: (place: string, count: number) => void;
    }} DragListener */

/** The cards under a pressed pointer.
    @typedef {{
      pointer: number;
      x: number;
      y: number;
      dx: number;
      dy: number;
      place: string;
      count: number;
      isMoving: boolean;
      taken: CardElement[];
      frame: number;
      target: string | null;
    }} Held */

export class Drag {
  /** @type {Held | null} */
  held = null;

  /** `signal` ends it.
      @param {Table} table
      @param {DragListener} on
      @param {AbortSignal} signal */
  constructor(table, on, signal) {
    this.table = table;
    this.on = on;
    const element = table.table;
    element.addEventListener("pointerdown", event => this.#press(event), { signal });
    element.addEventListener("pointermove", event => this.#move(event), { signal });
    element.addEventListener("pointerup", event => this.#release(event, true), { signal });
    element.addEventListener("pointercancel", event => this.#release(event, false), { signal });
    element.addEventListener("lostpointercapture", event => this.#release(event, false), { signal });
  }

  cancel() {
    if (this.held) this.#end(this.held);
  }

  /** @type {(event: PointerEvent) => void} */
  #press(event) {
    if (event.button || !event.isPrimary || !this.on.isReady()) return;
    const { spot } = dataOf(event, "[data-spot]"),
      [place, depth] = spot ? spot.split("/") : [dataOf(event, "[data-place]").place];
    if (!place) return;
    const { cards } = this.table.zoneAt(place).place;
    const isPile = place[0] === "p";
    if (isPile && depth !== undefined && +depth < cards.length - 1) return; // another card of a fan
    const count = depth === undefined ? 0 : isPile ? 1 : cards.length - +depth;
    this.held = {
      pointer: event.pointerId,
      x: event.clientX,
      y: event.clientY,
      dx: 0,
      dy: 0,
      place,
      count,
      isMoving: false,
      taken: this.table.elementsOf(place).slice(count ? -count : Infinity),
      frame: 0,
      target: null,
    };
    this.table.table.setPointerCapture(event.pointerId);
  }

  /** @type {(event: PointerEvent) => void} */
  #move(event) {
    const { held } = this;
    if (!held || event.pointerId !== held.pointer) return;
    held.dx = event.clientX - held.x;
    held.dy = event.clientY - held.y;
    if (!held.isMoving) {
      if (Math.hypot(held.dx, held.dy) < LEAST || !held.taken.length) return;
      if (!this.on.start(held.place, held.count)) {
        this.held = null;
        return;
      }
      held.isMoving = true;
      held.taken.forEach(({ element }, i) => {
        element.classList.add("held");
        element.style.zIndex = String(1000 + i);
      });
    }
    if (!held.frame) held.frame = requestAnimationFrame(() => this.#follow(held));
  }

  /** @type {(held: Held) => void} */
  #follow(held) {
    held.frame = 0;
    if (this.held !== held) return;
    for (const { element, x, y } of held.taken) {
      element.style.transform = `translate(${x + held.dx}px, ${y + held.dy}px)`;
    }
    const target = this.#under(held);
    if (target !== held.target) this.on.over((held.target = target));
  }

  /** The place that the first of the held cards overlaps most, other than its own; null if it overlaps none.
      @type {(held: Held) => string | null} */
  #under({ taken, place, dx, dy }) {
    const { w, h } = this.table.size,
      left = taken[0].x + dx,
      top = taken[0].y + dy;
    let best = null,
      most = (w * h) / 8;
    for (const [id, zone] of this.table.zones) {
      if (id === place) continue;
      const bottom = zone.place.pile ? zone.last + zone.h : Infinity;
      const across = Math.min(left + w, zone.lastX + zone.w) - Math.max(left, zone.x);
      const along = Math.min(top + h, bottom) - Math.max(top, zone.y);
      const area = across > 0 && along > 0 ? across * along : 0;
      if (area > most) {
        most = area;
        best = id;
      }
    }
    return best;
  }

  /** @type {(event: PointerEvent, isDone: boolean) => void} */
  #release(event, isDone) {
    const { held } = this;
    if (!held || event.pointerId !== held.pointer) return;
    const target = held.isMoving ? this.#under(held) : null;
    this.#end(held);
    if (!isDone) this.on.drop(held.place, held.count, null);
    else if (held.isMoving) this.on.drop(held.place, held.count, target);
    else this.on.click(held.place, held.count);
  }

  /** @type {(held: Held) => void} */
  #end(held) {
    this.held = null;
    cancelAnimationFrame(held.frame);
    for (const { element } of held.taken) element.classList.remove("held");
    if (held.isMoving) this.on.over(null);
  }
}

/* --- Keyboard: keys of the line viewer first, then of the table, then of the buttons. --- */

/** @type {Record<string, string>} */
const NAMES = {
  u: "undo",
  r: "redo",
  a: "auto",
  h: "hints",
  l: "line",
  m: "mistakes",
  n: "new",
  "?": "help",
  Home: "restart",
};

/** @typedef {{
      viewer: { isOpen: boolean; key: (key: string) => boolean };
      play: () => Play | null;
      isPlaying: () => boolean;
    }} KeyTakers */

export class Keys {
  /** `actions` are called by their names; `viewer` and `play` take keys of their own; `isPlaying` says
      whether there is a game.
      @param {Record<string, () => unknown>} actions
      @param {KeyTakers} takers */
  constructor(actions, { viewer, play, isPlaying }) {
    this.actions = actions;
    this.viewer = viewer;
    this.play = play;
    this.isPlaying = isPlaying;
    document.addEventListener("keydown", event => {
      if (this.#press(event)) event.preventDefault();
    });
  }

  /** Perform the action of a key; returns whether it has one.
      @type {(event: KeyboardEvent) => boolean} */
  #press(event) {
    if (
      event.altKey ||
      document.querySelector("dialog[open], :popover-open") ||
      matches(event, "input:not([type=checkbox]), select, textarea")
    )
      return false;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (event.ctrlKey || event.metaKey) {
      const name = key === "z" ? (event.shiftKey ? "redo" : "undo") : key === "y" ? "redo" : null;
      if (name) this.actions[name]();
      return !!name;
    }
    if (this.viewer.isOpen && this.viewer.key(key)) return true;
    if (!this.isPlaying()) return false;
    const play = this.viewer.isOpen ? null : this.play();
    if (play?.key(key)) return true;
    if (play && key.startsWith("Arrow") && !matches(event, "button, a, pre")) {
      play.focus();
      return true;
    }
    return this.#do(NAMES[key]);
  }

  /** @type {(name: string | undefined) => boolean} */
  #do(name) {
    if (!name) return false;
    this.actions[name]();
    return true;
  }
}

/* --- Keyboard focus while elements appear and disappear. --- */

/** For each box the element that had the focus before it was opened.
    @type {WeakMap<Element, Element | null>} */
const openers = new WeakMap();
/** True if an element can have the focus.
    @param {Element | null | undefined | false} element
    @returns {element is HTMLElement} */
const canHave = element =>
  element instanceof HTMLElement &&
  element.isConnected &&
  !element.matches(":disabled") &&
  element.checkVisibility() &&
  element !== document.body;

/* Put the focus on the place of the table where arrow keys start. */
export function focusTable() {
  const button = document.querySelector('#places [tabindex="0"]');
  if (button instanceof HTMLElement) button.focus({ preventScroll: true });
}

/** Put the focus on the first button of the newly opened `box`; on a phone the table stays in view.
    @type {(box: Element) => void} */
export function enter(box) {
  if (!box.contains(document.activeElement)) openers.set(box, document.activeElement);
  const first = box.querySelector(".main") || box.querySelector("button");
  if (first instanceof HTMLElement) first.focus({ preventScroll: innerWidth <= 900 });
}

/** Change `box` by `draw()` and restore the focus: to the same button, else to another one of the box, to the
    element that had the focus before the box was opened, or to the table.
    @type {(box: HTMLElement, draw: () => void) => void} */
export function keepFocus(box, draw) {
  const { activeElement } = document,
    held = activeElement instanceof HTMLElement && box.contains(activeElement) ? activeElement : null;
  draw();
  if (!held || canHave(held)) return;
  const data = (/** @type {HTMLElement} */ element) => JSON.stringify({ ...element.dataset });
  const same = [...box.querySelectorAll("button")].find(button => data(button) === data(held));
  const others = [".main", "[aria-current] button"].map(selector => box.querySelector(selector));
  const found = [same, ...others, box.matches('[tabindex="-1"]') && box, openers.get(box)].find(canHave);
  if (found) found.focus({ preventScroll: true });
  else focusTable();
}

/* --- Dialog to pick one of several choices, and the palette of all cards. --- */

export const CARD_RANKS = "A23456789TJQK",
  CARD_SUITS = "CDHS";

/** All cards as HTML: one row per suit, or two on a narrow screen, with ranks aligned. If `free` is given,
    only its cards can be chosen.
    @type {(free?: string[]) => string} */
export function palette(free) {
  /** @type {(rank: string, suit: string) => string} */
  const chip = (rank, suit) => `<button type="button" class="chip ${suit}" data-card="${rank}${suit}"
    ${free && !free.includes(rank + suit) ? "disabled" : ""}
    ><span>${shownRank(rank)}</span><span>${SIGNS[suit]}</span></button>`;
  const chips = [...CARD_SUITS].flatMap(suit => [...CARD_RANKS].map(rank => chip(rank, suit)));
  return `<div class="palette" role="group" aria-label="Cards">${chips.join("")}</div>`;
}

/** Ask the person to choose; resolves to the value chosen, null for none.
    @template Value
    @param {HTMLDialogElement} dialog
    @param {string} title
    @param {Choice<Value>[]} choices
    @returns {Promise<Value | null>} */
export function askOne(dialog, title, choices) {
  const cards = choices.map(({ label }) => label).filter(label => /^[A2-9TJQK][CDHS]$/.test(label));
  dialog.innerHTML = `<h2 id="picker-title">${pretty(title)}</h2><ul class="rows"></ul>
    ${cards.length ? palette(cards) : ""}<p class="row"><button type="button">Cancel</button></p>`;
  const list = find(dialog, "ul");
  return new Promise(resolve => {
    /** @type {Value | null} */
    let value = null;
    const close = (/** @type {Value | null} */ chosen) => {
      value = chosen;
      dialog.close();
    };
    dialog.querySelector(".palette")?.addEventListener("click", event => {
      const { card } = dataOf(event, "[data-card]"),
        found = choices.find(({ label }) => label === card);
      if (found) close(found.value);
    });
    for (const choice of choices.filter(({ label }) => !cards.includes(label))) {
      const item = document.createElement("li"),
        button = document.createElement("button");
      button.type = "button";
      button.innerHTML = pretty(choice.label);
      button.title = choice.label;
      button.onclick = () => close(choice.value);
      item.append(button);
      list.append(item);
    }
    find(dialog, ".row button").onclick = () => close(null);
    dialog.onclose = () => resolve(value);
    dialog.showModal();
  });
}
