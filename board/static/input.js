/* Pointer, keyboard and its focus, and questions to the person. */

import { pretty, shownRank, SIGNS } from "./cards.js";

/* --- Cards under the pointer: a press that becomes a drag or stays a click. The cards follow the pointer by transforms
   alone, once a frame; nothing is measured between the start and the end of a drag.
   --- */

const LEAST = 6; // pixels of movement that begin a drag

export class Drag {
  /* `table` is the Table. `on` has `start(place, count)`, whether these cards may be taken, `over(place)` for the place
     under them or null, `drop(place, count, target)`, `click(place, count)`, and `isReady()`. `signal` ends it. */
  constructor(table, on, signal) {
    Object.assign(this, { table, on, held: null });
    const element = table.table;
    element.addEventListener("pointerdown", event => this.#press(event), { signal });
    element.addEventListener("pointermove", event => this.#move(event), { signal });
    element.addEventListener("pointerup", event => this.#release(event, true), { signal });
    element.addEventListener("pointercancel", event => this.#release(event, false), { signal });
    element.addEventListener("lostpointercapture", event => this.#release(event, false), { signal });
  }

  cancel() {
    if (this.held) this.#end();
  }

  #press(event) {
    if (event.button || !event.isPrimary || !this.on.isReady()) return;
    const spot = event.target.closest("[data-spot]"),
      empty = event.target.closest("[data-place]");
    if (!spot && !empty) return;
    const [place, depth] = spot ? spot.dataset.spot.split("/") : [empty.dataset.place, null];
    const { cards } = this.table.zones.get(place).place;
    const isPile = place[0] === "p";
    if (isPile && depth !== null && +depth < cards.length - 1) return; // another card of a fan
    const count = depth === null ? 0 : isPile ? 1 : cards.length - depth;
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
    };
    this.table.table.setPointerCapture(event.pointerId);
  }

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
        element.style.zIndex = 1000 + i;
      });
    }
    if (!held.frame) held.frame = requestAnimationFrame(() => this.#follow(held));
  }

  #follow(held) {
    held.frame = 0;
    if (this.held !== held) return;
    for (const { element, x, y } of held.taken) {
      element.style.transform = `translate(${x + held.dx}px, ${y + held.dy}px)`;
    }
    const target = this.#under(held);
    if (target !== held.target) this.on.over((held.target = target));
  }

  /* The place that the first of the held cards overlaps most, other than its own; null if it overlaps none. */
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

  #release(event, isDone) {
    const { held } = this;
    if (!held || event.pointerId !== held.pointer) return;
    const target = held.isMoving ? this.#under(held) : null;
    this.#end();
    if (!isDone) this.on.drop(held.place, held.count, null);
    else if (held.isMoving) this.on.drop(held.place, held.count, target);
    else this.on.click(held.place, held.count);
  }

  #end() {
    const { held } = this;
    this.held = null;
    cancelAnimationFrame(held.frame);
    for (const { element } of held.taken) element.classList.remove("held");
    if (held.isMoving) this.on.over(null);
  }
}

/* --- Keyboard: keys of the line viewer first, then of the table, then of the buttons. --- */

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

export class Keys {
  /* `actions` are called by their names; `viewer` and `play()` take keys of their own; `isPlaying()` says whether there is a
     game. */
  constructor(actions, { viewer, play, isPlaying }) {
    Object.assign(this, { actions, viewer, play, isPlaying });
    document.addEventListener("keydown", event => {
      if (this.#press(event)) event.preventDefault();
    });
  }

  /* Perform the action of a key; returns whether it has one. */
  #press(event) {
    if (
      event.altKey ||
      document.querySelector("dialog[open], :popover-open") ||
      event.target.matches("input:not([type=checkbox]), select, textarea")
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
    if (!this.viewer.isOpen && this.play().key(key)) return true;
    if (!this.viewer.isOpen && key.startsWith("Arrow") && !event.target.matches("button, a, pre")) {
      this.play().focus();
      return true;
    }
    return this.#do(NAMES[key]);
  }

  #do(name) {
    if (!name) return false;
    this.actions[name]();
    return true;
  }
}

/* --- Keyboard focus while elements appear and disappear. --- */

const openers = new WeakMap(); // for each box the element that had the focus before it was opened
const canHave = element =>
  !!element &&
  element.isConnected &&
  !element.disabled &&
  element.checkVisibility() &&
  element !== document.body;

/* Put the focus on the place of the table where arrow keys start. */
export function focusTable() {
  document.querySelector('#places [tabindex="0"]')?.focus({ preventScroll: true });
}

/* Put the focus on the first button of the newly opened `box`; on a phone the table stays in view. */
export function enter(box) {
  if (!box.contains(document.activeElement)) openers.set(box, document.activeElement);
  (box.querySelector(".main") || box.querySelector("button")).focus({ preventScroll: innerWidth <= 900 });
}

/* Change `box` by `draw()` and restore the focus: to the same button, else to another one of the box, to the element
   that had the focus before the box was opened, or to the table. */
export function keepFocus(box, draw) {
  const held = box.contains(document.activeElement) ? document.activeElement : null;
  draw();
  if (!held || canHave(held)) return;
  const data = element => JSON.stringify({ ...element.dataset });
  const same = [...box.querySelectorAll("button")].find(button => data(button) === data(held));
  const others = [".main", "[aria-current] button"].map(selector => box.querySelector(selector));
  const found = [same, ...others, box.matches('[tabindex="-1"]') && box, openers.get(box)].find(canHave);
  if (found) found.focus({ preventScroll: true });
  else focusTable();
}

/* --- Dialog to pick one of several choices, and the palette of all cards. --- */

export const CARD_RANKS = "A23456789TJQK",
  CARD_SUITS = "CDHS";

/* All cards as HTML: one row per suit, or two on a narrow screen, with ranks aligned. If `free` is given, only its
   cards can be chosen. */
export function palette(free) {
  return `<div class="palette" role="group" aria-label="Cards">${[...CARD_SUITS]
    .flatMap(suit =>
      [...CARD_RANKS].map(
        rank =>
          `<button type="button" class="chip ${suit}" data-card="${rank}${suit}"${free && !free.includes(rank + suit) ? " disabled" : ""}><span>${shownRank(rank)}</span><span>${SIGNS[suit]}</span></button>`,
      ),
    )
    .join("")}</div>`;
}

/* Ask the person to choose; resolves to the value chosen, null for none. Each of `choices` has a `label` and a `value`.
 */
export function askOne(dialog, title, choices) {
  const cards = choices.map(({ label }) => label).filter(label => /^[A2-9TJQK][CDHS]$/.test(label));
  dialog.innerHTML = `<h2 id="picker-title">${pretty(title)}</h2><ul class="rows"></ul>
    ${cards.length ? palette(cards) : ""}<p class="row"><button type="button">Cancel</button></p>`;
  const list = dialog.querySelector("ul");
  return new Promise(resolve => {
    let value = null;
    dialog.querySelector(".palette")?.addEventListener("click", event => {
      const found = choices.find(({ label }) => label === event.target.closest("[data-card]")?.dataset.card);
      if (found) {
        ({ value } = found);
        dialog.close();
      }
    });
    for (const choice of choices.filter(({ label }) => !cards.includes(label))) {
      const item = document.createElement("li"),
        button = document.createElement("button");
      button.type = "button";
      button.innerHTML = pretty(choice.label);
      button.title = choice.label;
      if (choice.value.text) button.dataset.text = choice.value.text;
      button.onclick = () => {
        value = choice.value;
        dialog.close();
      };
      item.append(button);
      list.append(item);
    }
    dialog.lastElementChild.firstElementChild.onclick = () => dialog.close();
    dialog.onclose = () => resolve(value);
    dialog.showModal();
  });
}
