/* Moves by pointer and keyboard: the server determines which move a drag, click or key stands for. */

import { JOKER_PLACE, spokenCard } from "./cards.js";
import { dataOf } from "./elements.js";
import { Drag } from "./input.js";
import { tagOf } from "./panel.js";
import { drawTags, spokenNote, spokenPlace } from "./table.js";

/** @import { JokerCard } from "./joker.js" */
/** @import { Table } from "./table.js" */
/** @import { Act, Card, Marks, Move, MoveRequest, Place, Say, Zone } from "./types.d.ts" */

/** The surroundings of a move: `make` sends one, `joker` is the card of a picked-up joker, `say` shows a
    message, and `isReady` says whether moves can be made.
    @typedef {{ make: Act; joker: JokerCard; say: Say; isReady: () => boolean }} Hands */

const STOCK = "p0";

export class Play {
  /** The cards that are chosen: the top ones of a place; null if none are.
      @type {{ place: string; count: number } | null} */
  chosen = null;
  /** The legal moves.
      @type {Move[]} */
  moves = [];
  /** The marks of the moves, by their texts.
      @type {Marks} */
  judged = {};
  /** The buttons of the places.
      @type {Map<string, HTMLButtonElement>} */
  buttons = new Map();
  cursor = "c0"; // the place that has the focus, or had it last
  #ending = new AbortController();

  /** @param {Table} table
      @param {HTMLElement} places
      @param {Hands} hands */
  constructor(table, places, { make, joker, say, isReady }) {
    this.table = table;
    this.places = places;
    this.make = make;
    this.joker = joker;
    this.say = say;
    this.isReady = isReady;
    const { signal } = this.#ending;
    this.drag = new Drag(
      table,
      {
        isReady,
        start: (place, count) => this.#mayTake(place, count) && this.#choose(place, count),
        over: place => this.#hover(place),
        drop: (place, count, target) => this.#drop(place, count, target),
        click: (place, count) => this.#click(place, count),
      },
      signal,
    );
    const placeOf = (/** @type {Event} */ event) => dataOf(event, "[data-place]").place;
    places.addEventListener("focusin", event => this.#point(placeOf(event)), { signal });
    places.addEventListener(
      "click",
      event => {
        const place = placeOf(event);
        if (place) this.#enter(place);
      },
      { signal },
    );
  }

  /* Stop listening to the table, before another game is played on it. */
  end() {
    this.#ending.abort();
  }

  /** Take over the legal moves of the position that the table shows.
      @type {(moves: Move[]) => void} */
  show(moves) {
    this.moves = moves;
    this.judged = {};
    this.drag.cancel();
    this.release();
    this.#drawButtons();
  }

  /* Redraw after the table changed its size; chosen cards stay chosen. */
  resize() {
    this.drag.cancel();
    this.#drawButtons();
    this.#light();
    this.joker.redraw();
  }

  release() {
    this.chosen = null;
    this.joker.close();
    this.#light();
  }

  /** Perform the action of a key; returns whether it has one.
      @type {(key: string) => boolean} */
  key(key) {
    const zone = this.table.zones.get(this.cursor);
    if (key === "Escape") {
      if (!this.chosen) return false;
      this.release();
      this.say("Put back.");
      return true;
    }
    if (key === "t") return this.#turn();
    if (key === "f") return this.#lift(this.cursor, 1);
    if (!zone || !this.places.contains(document.activeElement)) return false;
    if (key === "ArrowLeft" || key === "ArrowRight") {
      this.#step(key === "ArrowRight" ? 1 : -1);
      return true;
    }
    if (key === "ArrowUp" || key === "ArrowDown") {
      this.#climb(zone, key === "ArrowUp" ? 1 : -1);
      return true;
    }
    return false;
  }

  focus() {
    const button = this.buttons.get(this.cursor) || this.buttons.values().next().value;
    if (button) button.focus();
  }

  /** @type {(place: string, count: number) => Move[]} */
  #from(place, count) {
    return this.moves.filter(move => move.source === place && move.count === count);
  }

  /** @type {(place: string) => Card[]} */
  #cards(place) {
    return this.table.zoneAt(place).place.cards;
  }

  /** @type {(place: string, count: number) => boolean} */
  #mayTake(place, count) {
    const cards = this.#cards(place).slice(-count);
    return count > 0 && place !== STOCK
      ? cards.every(card => !card.isDown)
      : this.#from(place, count).length > 0;
  }

  /** @type {(place: string, count: number) => boolean} */
  #choose(place, count) {
    this.chosen = { place, count };
    this.joker.close();
    this.#light();
    return true;
  }

  /** Show the card of the joker on top of a place, with all its moves.
      @type {(place: string) => void} */
  #explain(place) {
    const [card] = this.#cards(place).slice(-1),
      note = this.table.step.jokers.find(text => text.startsWith(`${card.name}: `)) || "";
    this.#choose(place, 1);
    this.joker.open(this.table, place, card, this.#from(place, 1), note.slice(4), this.judged);
  }

  /** Handle a click: turn the stock, choose cards, or move chosen cards to the place.
      @type {(place: string, count: number) => void} */
  #click(place, count) {
    const { chosen } = this;
    if (this.#isStock(place)) {
      if (!this.#turn()) this.say("The stock is empty.");
      return;
    }
    if (chosen && chosen.place === place && chosen.count === count) {
      this.#again(place, count);
      return;
    }
    if (chosen && chosen.place !== place) {
      this.#drop(chosen.place, chosen.count, place);
      return;
    }
    if (!count || !this.#mayTake(place, count)) {
      this.release();
      return;
    }
    if (count === 1 && this.#cards(place).at(-1)?.isJoker && this.#from(place, 1).length)
      this.#explain(place);
    else this.#choose(place, count);
    this.#tellChoice(place, count);
  }

  /** Handle a second click on chosen cards: put a joker back, move other cards to their foundation, or make
      their only move.
      @type {(place: string, count: number) => void} */
  #again(place, count) {
    const moves = this.#from(place, count),
      up = this.#up(place, count);
    if (this.joker.isOpen) this.release();
    else if (up.length === 1) this.#send({ text: up[0].text });
    else if (moves.length === 1) this.#send({ text: moves[0].text });
    else this.release();
  }

  /** @type {(place: string, count: number) => boolean} */
  #lift(place, count) {
    if (!this.#makeOne(this.#up(place, count))) this.say("Nothing goes up from there.");
    return true;
  }

  /** The moves to a foundation; one that makes a joker an open ace has a place of its own as target.
      @type {(place: string, count: number) => Move[]} */
  #up(place, count) {
    const isUp = (/** @type {Move} */ { text, target }) =>
      this.#kind(target) === "foundation" || (this.#kind(target) === JOKER_PLACE && text.endsWith("-f"));
    return this.#from(place, count).filter(isUp);
  }

  /** Make the only one of `moves`, or show the choices of a joker; returns whether there is any move.
      @type {(moves: Move[]) => boolean} */
  #makeOne(moves) {
    if (moves.length === 1) this.#send({ text: moves[0].text });
    else if (moves.length) {
      this.table.redraw();
      this.#explain(moves[0].source);
    }
    return moves.length > 0;
  }

  #turn() {
    const turn = this.moves.find(move => this.#isStock(move.source));
    if (turn) this.#send({ text: turn.text });
    return !!turn;
  }

  /** @type {(place: string) => string} */
  #kind(place) {
    return this.table.zoneAt(place).place.pile?.kind ?? "column";
  }
  /** @type {(place: string) => boolean} */
  #isStock(place) {
    return this.#kind(place) === "stock";
  }

  /** @type {(place: string, count: number, target: string | null) => void} */
  #drop(place, count, target) {
    if (!target) {
      this.release();
      this.table.redraw();
      return;
    }
    const moves = this.#from(place, count);
    if (
      this.#makeOne(moves.filter(move => move.targets.includes(target))) ||
      this.#makeOne(moves.filter(move => move.target === target))
    )
      return;
    // Suits have their own foundations; a card dropped on another one goes to its own if it goes up at all.
    if (this.#kind(target) === "foundation" && this.#makeOne(this.#up(place, count))) return;
    this.#send({ source: place, count, target });
  }

  /** @type {(move: MoveRequest) => Promise<void>} */
  async #send(message) {
    this.release();
    if (!(await this.make({ type: "move", ...message }))) this.table.redraw();
  }

  /** @type {(place: string, count: number) => void} */
  #tellChoice(place, count) {
    const moves = this.#from(place, count),
      cards = this.#cards(place).slice(-count);
    const names = cards.map(card => spokenCard(card, true)).join(", ");
    const targets = [...new Set(moves.flatMap(move => move.targets))].filter(target => target !== place);
    const columns = targets.filter(target => target[0] === "c").map(target => +target.slice(1) + 1);
    const where = [
      ...targets
        .filter(target => target[0] !== "c")
        .map(target =>
          this.#kind(target) === JOKER_PLACE ? "out of play" : spokenPlace(this.table.zoneAt(target).place),
        ),
      ...(columns.length ? [`${columns.length === 1 ? "column" : "columns"} ${columns.join(", ")}`] : []),
    ].join(", ");
    this.say(`${names}: ${where ? "to " + where : "no place to go"}`, "quiet");
  }

  /* Highlight the chosen cards and their targets, with the moves left to the win where they are known. */
  #light() {
    const lit = ["chosen", "legal", "hover", "loses"];
    for (const { element } of this.table.elements) element.classList.remove(...lit);
    for (const mark of this.table.marks.values()) mark.classList.remove(...lit);
    if (!this.joker.isOpen) drawTags(this.table, []);
    if (!this.chosen) return;
    const { place, count } = this.chosen,
      tags = [];
    for (const { element } of this.table.elementsOf(place).slice(-count)) element.classList.add("chosen");
    for (const move of this.#from(place, count)) {
      if (move.target === place) continue;
      const mark = this.judged[move.text];
      const look = mark && mark.keeps === false ? "loses" : "legal",
        text = tagOf(mark);
      for (const target of move.targets) {
        this.#top(target)?.classList.add(look);
        if (text) tags.push({ target, text, loses: look === "loses" });
      }
    }
    if (!this.joker.isOpen) drawTags(this.table, tags);
  }

  /** Take over the marks of the moves, by move text, to colour the targets.
      @type {(marks: Marks) => void} */
  mark(marks) {
    this.judged = marks;
    this.#light();
  }

  /** @type {(place: string | null) => void} */
  #hover(place) {
    for (const element of this.table.table.querySelectorAll(".hover")) element.classList.remove("hover");
    if (place) this.#top(place)?.classList.add("hover");
  }

  /** @type {(place: string) => HTMLElement | undefined} */
  #top(place) {
    return this.table.elementsOf(place).at(-1)?.element || this.table.marks.get("slot " + place);
  }

  /** @type {(place: string) => HTMLButtonElement} */
  #button(place) {
    const button = this.buttons.get(place);
    if (!button) throw new Error(`${place}: no such place`);
    return button;
  }

  /* Draw one button per place, for keys and screen readers; they lie over the table and ignore the mouse. */
  #drawButtons() {
    for (const [id, button] of this.buttons)
      if (!this.table.zones.has(id)) {
        button.remove();
        this.buttons.delete(id);
      }
    if (!this.table.zones.has(this.cursor)) this.cursor = "c0";
    for (const [id, zone] of this.table.zones) {
      let button = this.buttons.get(id);
      if (!button) {
        button = document.createElement("button");
        button.type = "button";
        button.dataset.place = id;
        this.buttons.set(id, button);
        this.places.append(button);
      }
      button.tabIndex = id === this.cursor ? 0 : -1;
      Object.assign(button.style, {
        left: zone.x - 3 + "px",
        top: zone.y - 3 + "px",
        width: zone.lastX - zone.x + zone.w + 6 + "px",
        height: zone.last + zone.h - zone.y + 6 + "px",
      });
      button.setAttribute("aria-label", this.#label(id, zone.place));
    }
  }

  /** @type {(id: string, place: Place) => string} */
  #label(id, place) {
    const { cards } = place,
      shown = place.pile ? cards.slice(-1) : cards.filter(card => !card.isDown);
    const down = place.pile ? 0 : cards.length - shown.length;
    const count = this.moves.filter(move => move.source === id).length;
    const texts = [
      spokenPlace(place),
      place.pile ? spokenNote(place.pile) : "",
      down ? `${down} face down` : "",
      shown.map(card => spokenCard(card, true)).join(", ") || "empty",
      count ? `${count} ${count === 1 ? "move" : "moves"}` : "",
    ];
    return texts.filter(text => text).join(", ");
  }

  /** @type {(place: string | undefined) => void} */
  #point(place) {
    if (!place || place === this.cursor) return;
    this.#button(this.cursor).tabIndex = -1;
    this.cursor = place;
    this.#button(place).tabIndex = 0;
  }

  /** @type {(by: number) => void} */
  #step(by) {
    const ids = [...this.table.zones.keys()].filter(id => id[0] === this.cursor[0]);
    this.#button(ids[(ids.indexOf(this.cursor) + by + ids.length) % ids.length]).focus();
  }

  /** Arrow up and down: choose more or fewer cards of a column, or change between piles and columns.
      @type {(zone: Zone, by: number) => void} */
  #climb(zone, by) {
    const isColumn = !zone.place.pile,
      { chosen } = this;
    if (isColumn && chosen?.place === this.cursor) {
      const counts = [
        ...new Set(this.moves.filter(move => move.source === this.cursor).map(move => move.count)),
      ].sort((a, b) => a - b);
      const next = counts[counts.indexOf(chosen.count) + by];
      if (next) {
        this.#choose(this.cursor, next);
        this.#tellChoice(this.cursor, next);
      }
      return;
    }
    if (isColumn === by > 0) this.#nearest(zone, isColumn ? "p" : "c");
  }

  /** @type {(zone: Zone, row: string) => void} */
  #nearest(zone, row) {
    const others = [...this.table.zones].filter(([id]) => id[0] === row);
    if (!others.length) return;
    const [id] = others.reduce((best, other) =>
      Math.abs(other[1].x - zone.x) < Math.abs(best[1].x - zone.x) ? other : best,
    );
    this.#button(id).focus();
  }

  /** @type {(place: string) => void} */
  #enter(place) {
    const { chosen } = this;
    if (!this.isReady()) return;
    if (chosen) {
      this.#click(place, chosen.place === place ? chosen.count : 0);
      return;
    }
    const counts = this.moves.filter(move => move.source === place).map(move => move.count);
    if (!counts.length && !this.#isStock(place)) {
      this.say(`${spokenPlace(this.table.zoneAt(place).place)}: no move from here.`);
      return;
    }
    this.#click(place, Math.min(...counts));
  }
}
