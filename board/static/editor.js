/* Editor of a table on the table itself: dashed places show the usual layout, the glowing place takes the
   next card of the palette, and the server says whether the table can be opened. */

import { escapeText, JOKER_PLACE, pretty, readCard, shownRank, spokenCard, SUITS } from "./cards.js";
import { dataOf, find, matches } from "./elements.js";
import { CARD_RANKS, CARD_SUITS, palette } from "./input.js";
import { lengthsOf, Table } from "./table.js";
import { choiceFields } from "./home.js";

/** @import { Answer, Ask, Open, Opened, Picture, Rules } from "./types.d.ts" */

/** Adds a button for a spot at `x` and `y` with a name and a card, if any; `kind` is the class of the button.
    @typedef {(
      place: string, depth: number, x: number, y: number, name: string, token?: string, kind?: string
    ) => void} AddSpot */

/** A place of the table and the depth of a card in it.
    @typedef {{ place: string; depth: number }} Spot */

const UNKNOWN = "??",
  JOKERS = ["XB", "XR"];
const CHECK_AFTER = 120; // milliseconds after a change
const ROWS = 5.1,
  LEAST = 60; // least height of the table in card widths; greatest card width in pixels on a low table
const WRITTEN = /^<?([A2-9TJQK][CDHS]|X[BR](=[A2-9TJQK])?|\?\?)>?$/;
const IN_PLAY_BUTTON = '<button type="button" data-do="in-play">This is a position in play</button>';
const IN_PLAY = /^\s*(#+\s*)?position\s*:\s*in[\s_-]+play\s*$/im;
/** The piles by their names in texts.
    @type {Record<string, string>} */
const READ = { stock: "stock", waste: "waste", talon: "waste", removed: "out" };
/** @type {(token: string) => string} */
const nameOf = token => token.replace(/[<>]|=.*/g, "");
/** @type {(token: string) => boolean} */
const isKnown = token => nameOf(token) !== UNKNOWN;
/** The words of a screen reader for a card.
    @type {(token: string | undefined) => string} */
function spoken(token) {
  if (token === undefined) return "empty";
  if (!WRITTEN.test(token)) return token;
  return isKnown(token) ? spokenCard(readCard(token)) : "unknown card";
}

/** @type {(number: number, what: string) => string} */
const count = (number, what) => `${number} ${what}${number === 1 ? "" : "s"}`;

export class Editor {
  /** The games on offer.
      @type {Rules[]} */
  games = [];
  /** The game whose table is laid out.
      @type {Rules} */
  game;
  /** The table on which it is shown.
      @type {Table} */
  table;
  /** The place with the glow, which takes the next card.
      @type {Spot} */
  at;
  /** The cards of each place, as in the text format; those of a foundation are its base and its top.
      @type {Record<string, string[]>} */
  cards;
  /** Places: the columns, all piles, and those of the piles that are foundations.
      @type {string[]} */
  columns;
  /** @type {string[]} */
  piles;
  /** @type {string[]} */
  foundations;
  /** The field with the table as text.
      @type {HTMLTextAreaElement} */
  area;
  /** The server's check of the table; null until it answers.
      @type {Answer<"check"> | null} */
  answer = null;
  /** The text that was pasted; null if cards were placed since.
      @type {string | null} */
  raw = null;
  /** The text that the server has checked last. */
  checked = "";
  /** The button with the glow.
      @type {HTMLButtonElement | undefined} */
  button;
  typed = ""; // the first letter of a card
  hint = ""; // why a card was refused
  isDown = false; // whether cards are placed face down
  isInPlay = false; // whether the table is a position in play
  #told = ""; // the message that is shown
  /** The timer of the next check.
      @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** `ask` sends a request; `open` opens a game and resolves to the answer; `leave` goes back to the previous
      page.
      @param {HTMLDialogElement} dialog
      @param {{ ask: Ask; open: (open: Open) => Promise<Opened>; leave: () => void }} on */
  constructor(dialog, on) {
    this.dialog = dialog;
    this.on = on;
    dialog.addEventListener("click", event => this.#click(event));
    dialog.addEventListener("change", event => this.#change(event));
    dialog.addEventListener("input", event => {
      if (matches(event, "textarea")) this.#paste(this.area.value);
    });
    dialog.addEventListener("keydown", event => {
      if (this.#press(event)) event.preventDefault();
    });
    dialog.addEventListener("paste", event => {
      if (matches(event, "textarea, input")) return;
      event.preventDefault();
      this.#paste(event.clipboardData?.getData("text/plain") || "");
    });
    dialog.addEventListener("cancel", event => {
      event.preventDefault();
      on.leave();
    });
    this.watcher = new ResizeObserver(() => this.#draw());
  }

  /** Show the editor for a game: empty, or with the cards of `picture`, as a position in play if `isInPlay`;
      with `isBack` it keeps its cards.
      @type {(game: Rules, start?: { picture?: Picture | null; isInPlay?: boolean; isBack?: boolean }) =>
        void} */
  show(game, { picture, isInPlay = false, isBack } = {}) {
    if (!isBack || this.game !== game) this.#setGame(game);
    if (picture) {
      this.#take(picture);
      this.isInPlay = isInPlay;
    }
    if (!this.dialog.open) this.dialog.showModal();
    this.#first();
    this.#changed();
    this.button?.focus();
  }

  close() {
    if (this.dialog.open) this.dialog.close();
  }

  /* --- The table ---------------------------------------------------------------------------------------- */

  /** @type {(game: Rules) => void} */
  #setGame(game) {
    const { has_stock: hasStock, jokers } = game;
    this.game = game;
    this.columns = game.sizes.map((_, i) => `c${i}`);
    this.foundations = game.runs ? [] : [...CARD_SUITS].map(suit => `f${suit}`);
    this.piles = [
      ...(hasStock ? ["stock", "waste"] : []),
      ...this.foundations,
      ...(hasStock && jokers ? ["out"] : []),
    ];
    this.#clear();
    this.dialog.innerHTML = this.#frame();
    this.#told = "";
    this.area = find(this.dialog, "textarea");
    this.table = new Table(find(this.dialog, ".felt"), find(this.dialog, ".table"), game.wing, 1);
    this.watcher.disconnect();
    this.watcher.observe(this.table.felt);
    this.table.isPeek = true; // face-up and face-down cards of a column are spread alike
  }

  /* The parts of the editor as HTML, empty. */
  #frame() {
    const { game, games } = this;
    const options = games.map(
      ({ game: name, title }) =>
        `<option value="${name}"${name === game.game ? " selected" : ""}>${escapeText(title)}</option>`,
    );
    const jokers = `<button type="button" class="XB" data-card="XB">Black joker</button
      ><button type="button" class="XR" data-card="XR">Red joker</button>`;
    const unknown = `<button type="button" class="unknown" data-card="??">Unknown</button
      ><button type="button" data-do="down" aria-pressed="false"
        title="A card that you know and that lies face down">Face down</button>`;
    const rest = '<button type="button" data-do="rest">Rest unknown</button>';
    const round = `<button type="button" data-do="round"
      title="For columns whose top cards were typed first">Turn the columns round</button>`;
    const rules = `<details><summary>Rules</summary>
      <div class="fields">${choiceFields(game)}</div></details>`;
    return `<div class="edit-bar"><h2 id="editor-title">Your own table</h2>
      <select data-do="game" aria-label="Game">${options.join("")}</select>
      <button type="button" data-do="leave">Close</button></div>
      <section class="felt" aria-label="Your table: choose a place, then its card"
        ><div class="table" aria-hidden="true"></div><div class="spots"></div></section>
      <section class="keys" aria-label="Cards">
      <p class="where"><b aria-live="polite"></b> <span class="count"></span></p>
      ${palette()}
      <p class="special">${game.jokers ? jokers : ""}
      ${game.has_stock ? unknown : ""}
      <button type="button" data-do="back">Remove</button
      ><button type="button" data-do="next">Next place</button></p>
      <div class="foot"><p class="told" role="status"></p>
      <p class="acts"><button type="button" class="main" data-do="open" disabled>Open the table</button
      >${game.has_stock ? rest : ""}${round}<button type="button" data-do="clear">Clear</button></p></div>
      ${Object.keys(game.choices || {}).length ? rules : ""}
      <details><summary>As text</summary>
      <textarea rows="8" aria-label="The table as text" spellcheck="false"></textarea></details></section>`;
  }

  /* The fields of rule options. */
  get #selects() {
    return [...this.dialog.querySelectorAll("select")].filter(({ dataset }) => dataset.choice);
  }

  /* The server's check of the table; null if it has not answered, or refuses. */
  get #known() {
    return this.answer?.type === "checked" ? this.answer : null;
  }

  #clear() {
    this.cards = Object.fromEntries([...this.columns, ...this.piles].map(place => [place, []]));
    Object.assign(this, { isDown: false, isInPlay: false, hint: "", typed: "" });
    this.at = { place: "c0", depth: 0 };
  }

  /** Take over the cards of the server's picture, except those that cannot be edited here, such as a joker on
      a foundation.
      @type {(picture: Picture) => void} */
  #take({ columns, piles }) {
    this.#clear();
    columns.forEach((text, i) => {
      this.cards[`c${i}`] = text
        ? text.split(" ").map(token => (token.includes(UNKNOWN) ? UNKNOWN : token))
        : [];
    });
    for (const { kind, name, cards, note } of piles) {
      const list = cards ? cards.split(" ").map(nameOf) : [];
      if (kind === "stock" && list.some(isKnown))
        this.cards.stock = list.reverse(); // the card turned next comes first
      else if (kind === "waste") this.cards.waste = list;
      else if (kind === "foundation" && list.length && !cards.includes("X"))
        this.cards[`f${name}`] = [list[0], list[list.length - 1]];
      else if (kind === JOKER_PLACE && note === "out") this.cards.out.push(name);
    }
  }

  /** The usual number of cards of a column; 0 for piles.
      @type {(place: string) => number} */
  #size(place) {
    return place[0] === "c" ? (this.game.sizes[+place.slice(1)] ?? 0) : 0;
  }

  /** @type {(place: string) => boolean} */
  #isColumn(place) {
    return /^c\d/.test(place);
  }

  /* All known cards with their places, including all those below the top of a foundation. */
  #named() {
    /** @type {(Spot & { name: string })[]} */
    const found = [];
    for (const [place, list] of Object.entries(this.cards)) {
      const tokens = place[0] === "f" && list.length ? this.#run(list) : list;
      tokens.forEach((token, depth) => {
        if (isKnown(token)) found.push({ name: nameOf(token), place, depth: place[0] === "f" ? 0 : depth });
      });
    }
    return found;
  }

  /** The cards of a foundation from its base to its top.
      @type {(ends: string[]) => string[]} */
  #run([base, top]) {
    const first = CARD_RANKS.indexOf(base[0]),
      size = ((CARD_RANKS.indexOf(top[0]) - first + 13) % 13) + 1;
    return Array.from({ length: size }, (_, i) => CARD_RANKS[(first + i) % 13] + base[1]);
  }

  /* The number of unknown cards of the stock. */
  get #left() {
    const whole = 52 * this.game.decks + (this.game.jokers ? 2 : 0);
    const placed =
      this.#named().length +
      Object.values(this.cards)
        .flat()
        .filter(token => !isKnown(token)).length;
    return Math.max(0, Math.min(this.game.stock - this.cards.stock.length, whole - placed));
  }

  /* The table in the text format of deals. */
  #write() {
    const { cards, game } = this,
      last = this.columns.findLastIndex(place => cards[place].length);
    const shown = (/** @type {string} */ place) =>
      cards[place].map(token => (token === UNKNOWN ? "<??>" : token)).join(" ") || ":";
    const tops = this.foundations
      .filter(place => cards[place].length)
      .map(place => {
        const [base, top] = cards[place];
        return `${place[1]}-${game.free_base ? `${base[0]}:` : ""}${top[0]}`;
      });
    const choices = this.#selects.map(({ dataset, value }) => `${dataset.choice}: ${value}`);
    const lines = [
      `# game: ${game.game}`,
      ...(this.isInPlay ? ["# position: in play, by columns"] : []),
      ...choices,
      ...this.columns.slice(0, last + 1).map(shown),
    ];
    if (tops.length) lines.push(`Foundations: ${tops.join(" ")}`);
    if (game.has_stock) {
      const left = this.#left;
      lines.push(
        `Stock: ${cards.stock.length ? [...cards.stock, ...Array(left).fill(UNKNOWN)].join(" ") : left}`,
      );
      if (cards.waste.length) lines.push(`Waste: ${cards.waste.join(" ")}`);
      if (cards.out?.length) lines.push(`Removed: ${cards.out.join(" ")}`);
    }
    return lines.join("\n") + "\n";
  }

  /** Read the columns and piles of a text; the server decides what the text is.
      @type {(text: string) => void} */
  #read(text) {
    this.#clear();
    this.isInPlay = IN_PLAY.test(text);
    for (const select of this.#selects) {
      const [, value] = new RegExp(`^${select.dataset.choice}\\s*:\\s*(\\S+)`, "im").exec(text) || [];
      if ([...select.options].some(option => option.value === value)) select.value = value;
    }
    let column = 0;
    for (const row of text.split("\n").map(line => line.split("#")[0].trim())) {
      const [, name, rest] = /^(\w*)\s*:(.*)$/.exec(row) || [null, "", row];
      if (!row) continue;
      const tokens = rest
        .trim()
        .split(/\s+/)
        .filter(token => token && !/^\d+$/.test(token))
        .map(token => token.toUpperCase().replace("10", "T"))
        .map(token => (/^<?\?\?>?$/.test(token) ? UNKNOWN : token));
      const field = name.toLowerCase(),
        place = field ? READ[field] : `c${column}`;
      if (!name) column += 1;
      if (field === "foundations") {
        for (const [, suit, base, top] of rest.toUpperCase().matchAll(/([CDHS])-(?:(\w+):)?(\w)\w?/g))
          if (top !== "0" && this.cards[`f${suit}`])
            this.cards[`f${suit}`] = [(base ? base[0] : "A") + suit, (top === "1" ? "T" : top) + suit];
      } else if (this.cards[place]) this.cards[place] = tokens;
    }
  }

  /** Take over a text that was pasted or typed as a whole: it is checked as written, and shown.
      @type {(text: string) => void} */
  #paste(text) {
    if (!text.trim()) return;
    this.#read(text);
    this.#first();
    this.#changed(text);
  }

  /* --- Changes ------------------------------------------------------------------------------------------ */

  /* Move the glow to the first free place, or to the last card. */
  #first() {
    const place = this.columns.find(one => this.cards[one].length < this.#size(one));
    this.at = place
      ? { place, depth: this.cards[place].length }
      : this.#last(this.columns[this.columns.length - 1]);
  }

  /** @type {(place: string) => Spot} */
  #last(place) {
    return { place, depth: Math.max(0, this.cards[place].length - 1) };
  }

  /** True if a full column ends with an unknown card, which lies face up and so has to be known.
      @type {(place: string) => boolean} */
  #isOpen(place) {
    return this.cards[place].at(-1) === UNKNOWN && this.cards[place].length >= this.#size(place);
  }

  /* Move the glow after a card was placed: to the next place of the column, then of the columns after it,
     then of those before it; then to a column whose last card is unknown. */
  #advance() {
    const { place } = this.at;
    if (!this.#isColumn(place) || this.cards[place].length < this.#size(place)) {
      this.at = { place, depth: this.cards[place].length };
      return;
    }
    const from = this.columns.indexOf(place),
      order = [...this.columns.slice(from + 1), ...this.columns.slice(0, from)];
    const next = order.find(one => this.cards[one].length < this.#size(one)),
      open = order.find(one => this.#isOpen(one));
    this.at = next ? { place: next, depth: this.cards[next].length } : this.#last(open || place);
  }

  #next(by = 1) {
    const all = [...this.columns, ...this.piles],
      place = all[(all.indexOf(this.at.place) + by + all.length) % all.length];
    this.at = {
      place,
      depth:
        this.#isColumn(place) && this.cards[place].length >= this.#size(place)
          ? Math.max(0, this.cards[place].length - 1)
          : this.cards[place].length,
    };
    this.#draw();
  }

  /** Place a card at the glow; if all copies of it are on the table already, move the glow to one of them.
      @type {(name: string, as?: string) => void} */
  #put(name, as = "") {
    const { place, depth } = this.at,
      list = this.cards[place],
      lies = this.#named().filter(one => one.name === name);
    const isSame = lies.some(one => one.place === place && one.depth === depth) && place[0] !== "f";
    this.hint = "";
    if (name !== UNKNOWN && lies.length >= (JOKERS.includes(name) ? 1 : this.game.decks) && !isSame) {
      const [there] = lies;
      if (place[0] !== "f" || there.place !== place) {
        this.at = { place: there.place, depth: there.depth };
        this.hint = `${name} lies in ${this.#nameOf(there.place)} already.`;
        this.#draw();
        return;
      }
    }
    const token =
      this.isDown && this.#isColumn(place) && name !== UNKNOWN ? `<${name}>` : as ? `${name}=${as}` : name;
    if (place[0] === "f") {
      if (!this.#putUp(place, name)) return;
    } else if (place === "out" && !JOKERS.includes(name)) {
      this.#refuse("Only jokers are put out of play.");
      return;
    } else list[Math.min(depth, list.length)] = token;
    this.#advance();
    this.#changed();
  }

  /** Put a card on a foundation as its top; in games with any base rank the first one is the base, too.
      @type {(place: string, name: string) => boolean} */
  #putUp(place, name) {
    if (name[1] !== place[1] || !isKnown(name) || JOKERS.includes(name)) {
      this.#refuse(`This foundation is for ${SUITS[place[1]]}.`);
      return false;
    }
    const other = this.foundations.map(one => this.cards[one][0]).find(base => base),
      base = this.game.free_base ? (other ? other[0] : name[0]) : "A";
    this.cards[place] = [base + place[1], name];
    return true;
  }

  /** @type {(text: string) => void} */
  #refuse(text) {
    this.hint = text;
    this.#draw();
  }

  #remove() {
    let { place, depth } = this.at;
    if (depth >= this.cards[place].length) {
      if (!this.cards[place].length) {
        const all = [...this.columns, ...this.piles],
          before = all
            .slice(0, all.indexOf(place))
            .reverse()
            .find(one => this.cards[one].length);
        if (!before) return;
        place = before;
      }
      depth = this.cards[place].length - 1;
    }
    if (place[0] === "f") this.cards[place] = [];
    else this.cards[place].splice(depth, 1);
    this.at = { place, depth: Math.min(depth, this.cards[place].length) };
    this.#changed();
  }

  /* Turn over the card at the glow; without one, switch the side of cards placed next. */
  #turn() {
    const { place, depth } = this.at,
      token = this.#isColumn(place) && this.cards[place][depth];
    if (token && isKnown(token)) {
      this.cards[place][depth] = token[0] === "<" ? nameOf(token) : `<${nameOf(token)}>`;
      this.#changed();
      return;
    }
    this.isDown = !this.isDown;
    this.#draw();
  }

  /* Reverse the cards of each column; the places of face-down cards stay. */
  #round() {
    for (const place of this.columns) {
      const list = this.cards[place],
        names = list.map(token => token.replace(/[<>]/g, "")).reverse();
      this.cards[place] = list.map((token, depth) => (token[0] === "<" ? `<${names[depth]}>` : names[depth]));
    }
    this.#changed();
  }

  #rest() {
    for (const place of this.columns)
      while (this.cards[place].length < this.#size(place)) this.cards[place].push(UNKNOWN);
    const open = this.columns.find(place => this.#isOpen(place));
    if (open) this.at = this.#last(open);
    this.#changed();
  }

  /** Check the changed table: as the text `raw` that it was read from, or as it lies.
      @type {(raw?: string | null) => void} */
  #changed(raw = null) {
    Object.assign(this, { raw, answer: null, checked: raw ?? this.#write() });
    if (document.activeElement !== this.area) this.area.value = this.checked;
    this.#check(this.checked);
    this.#draw();
  }

  /** @type {(text: string) => void} */
  #check(text) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(async () => {
      const answer = await this.on.ask({ type: "check", game: this.game.game, text });
      if (this.checked !== text || !this.dialog.open) return;
      if (this.raw !== null && answer.type === "checked" && answer.picture) {
        this.#take(answer.picture);
        this.isInPlay = IN_PLAY.test(text);
        this.#first();
      }
      this.answer = answer;
      this.#draw();
    }, CHECK_AFTER);
  }

  /* --- What is shown ------------------------------------------------------------------------------------ */

  /* The position as the table draws it; invalid words are drawn as unknown cards. */
  #picture() {
    const { cards, game } = this,
      drawn = (/** @type {string} */ token) => (!WRITTEN.test(token) || !isKnown(token) ? "<??>" : token);
    const piles = [];
    if (game.has_stock) {
      const left = this.#left + cards.stock.length;
      piles.push({
        kind: "stock",
        name: "stock",
        cards: cards.stock.length ? `<${nameOf(cards.stock[0])}>` : left ? "<??>" : "",
        note: String(left),
      });
      piles.push({
        kind: "waste",
        name: "waste",
        cards: cards.waste.slice(-1).map(drawn).join(" "),
        note: String(cards.waste.length),
      });
    }
    for (const place of this.foundations)
      piles.push({ kind: "foundation", name: place[1], cards: cards[place].slice(-1).join(" "), note: "" });
    if (cards.out)
      for (const name of JOKERS)
        piles.push({ kind: JOKER_PLACE, name, cards: cards.out.includes(name) ? name : "", note: "" });
    return {
      columns: this.columns.map(place => cards[place].map(drawn).join(" ")),
      piles,
      jokers: [],
      score: null,
    };
  }

  #draw() {
    if (!this.table || !this.dialog.open) return;
    const picture = this.#picture(),
      { felt } = this.table,
      room = felt.clientHeight - 16;
    const lengths = lengthsOf({ columns: this.columns.map((_, i) => picture.columns[i] || "") }).map(
      ([down, up], i) => [0, Math.max(down + up, this.#size(`c${i}`) - 1)],
    );
    this.table.widest = Math.max(LEAST, room / ROWS);
    this.table.measure(picture, lengths, room);
    this.table.draw(picture, false);
    const doubled = new Set(this.#known?.doubled);
    for (const { element, name, spot } of this.table.elements) {
      const [place, depth] = (spot || "").split("/"),
        token = this.cards[place]?.[+depth];
      element.classList.toggle("unknown", name === UNKNOWN && this.#isColumn(place));
      element.classList.toggle(
        "error",
        doubled.has(name || "") || (token !== undefined && !WRITTEN.test(token)),
      );
    }
    this.#drawSpots();
    this.#tell();
    this.button?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  /* Draw a button for each place, with or without a card; Tab leads to the glowing one. */
  #drawSpots() {
    const { h, strip } = this.table.size,
      spots = find(this.dialog, ".spots"),
      hadFocus = spots.contains(document.activeElement);
    /** @type {HTMLElement[]} */
    const rows = [];
    let lowest = 0;
    /** @type {AddSpot} */
    const add = (place, depth, x, y, name, token, kind = "") => {
      const isHere = this.at.place === place && (this.at.depth === depth || !this.#isColumn(place)),
        button = document.createElement("button");
      Object.assign(button, {
        type: "button",
        className: `spot${token === undefined ? " free" : ""}${kind}${isHere ? " here" : ""}`,
        tabIndex: isHere ? 0 : -1,
      });
      Object.assign(button.dataset, { place, depth: String(depth) });
      button.setAttribute("aria-label", `${name}: ${spoken(token)}`);
      if (isHere) {
        button.setAttribute("aria-current", "true");
        this.button = button;
        if (token === undefined) button.textContent = "+";
      }
      Object.assign(button.style, { left: `${x}px`, top: `${y}px`, zIndex: isHere ? 60 : depth + 1 });
      rows.push(button);
      lowest = Math.max(lowest, y + h);
    };
    this.columns.forEach((place, i) => {
      const { x, y } = this.table.zoneAt(place),
        list = this.cards[place],
        end = Math.max(list.length, this.#size(place), this.at.place === place ? this.at.depth + 1 : 0);
      for (let depth = 0; depth < end; depth++)
        add(place, depth, x, y + depth * strip, `Column ${i + 1}, card ${depth + 1}`, list[depth]);
      if (list.length >= this.#size(place) && end === list.length)
        add(place, end, x, y + end * strip, `Column ${i + 1}, one more`, undefined, " more");
    });
    this.piles.forEach((place, i) => {
      const { x, y } = this.table.zoneAt(`p${i}`),
        list = this.cards[place],
        name = this.#nameOf(place);
      if (place === "out") {
        const second = this.table.zoneAt(`p${i + 1}`).x,
          [black, red] = JOKERS.map(joker => list.find(one => one === joker));
        add(place, list.length, x, y, name, black, " half");
        add(place, list.length, second, y, name, red, " half second");
      } else add(place, list.length, x, y, name, place === "stock" ? undefined : list.at(-1));
    });
    spots.replaceChildren(...rows);
    Object.assign(spots.style, { "--w": "", height: `${lowest}px` });
    for (const name of ["--w", "--h", "--round"])
      spots.style.setProperty(name, this.table.table.style.getPropertyValue(name));
    this.table.table.style.height = `${lowest}px`;
    if (hadFocus) this.button?.focus({ preventScroll: true });
  }

  /** @type {(place: string) => string} */
  #nameOf(place) {
    if (this.#isColumn(place)) return `column ${+place.slice(1) + 1}`;
    if (place[0] === "f") return `the foundation of ${SUITS[place[1]]}`;
    return place === "out" ? "out of play" : `the ${place}`;
  }

  /* The card that is to be placed where the glow is, as HTML. */
  #wanted() {
    const { cards } = this,
      { place, depth } = this.at,
      token = cards[place][depth],
      size = this.#size(place);
    if (this.#isColumn(place)) {
      const column = `Column ${+place.slice(1) + 1}`;
      if (token !== undefined)
        return `${column}, change ${isKnown(token) ? pretty(nameOf(token)) : "the unknown card"}`;
      return `${column}, card ${depth + 1}${depth < size ? ` of ${size}` : ""}`;
    }
    if (place === "stock") return `Stock, card ${cards.stock.length + 1} to turn`;
    if (place === "waste") return `Waste, card ${cards.waste.length + 1}`;
    return place === "out" ? "Out of play" : `Foundation of ${SUITS[place[1]]}: its top card`;
  }

  #tell() {
    const { dialog, cards, game } = this,
      { place, depth } = this.at,
      token = cards[place][depth];
    const total = game.sizes.reduce((sum, one) => sum + one, 0),
      all = this.columns.flatMap(one => cards[one]);
    const placed = all.length,
      unknown = all.filter(one => !isKnown(one)).length;
    find(dialog, ".where b").innerHTML =
      this.#wanted() + (this.typed ? ` <kbd>${shownRank(this.typed)}</kbd>` : "");
    find(dialog, ".count").textContent =
      `${placed} of ${total} placed${unknown ? `, ${unknown} unknown` : ""}`;
    const lies = new Map();
    for (const one of this.#named()) lies.set(one.name, (lies.get(one.name) || 0) + 1);
    const doubled = new Set(this.#known?.doubled);
    for (const button of find(dialog, ".keys").querySelectorAll("button")) {
      const { card } = button.dataset;
      if (!card) continue;
      const isUsed = card !== UNKNOWN && (lies.get(card) || 0) >= (JOKERS.includes(card) ? 1 : game.decks);
      button.classList.toggle("gone", isUsed);
      button.setAttribute("aria-disabled", String(isUsed)); // choosing it leads to its place
      button.classList.toggle("doubled", doubled.has(card));
      if (card !== UNKNOWN) button.title = isUsed ? "It lies on the table: show where" : "";
    }
    const down = dialog.querySelector('[data-do="down"]'),
      isTurned = token !== undefined && isKnown(token) ? token[0] === "<" : this.isDown;
    down?.setAttribute("aria-pressed", String(isTurned));
    const [kind, html] = this.#message(),
      told = find(dialog, ".told");
    told.className = `told ${kind}`;
    if (this.#told !== html) told.innerHTML = this.#told = html;
    this.#enable("open", !!this.#known?.ok);
    this.#enable(
      "back",
      Object.values(cards).some(list => list.length > 0),
    );
    this.#enable("rest", placed < total);
    this.#enable(
      "round",
      this.columns.some(one => cards[one].length > 1),
    );
  }

  /** Enable or disable a button, where the game has it.
      @type {(name: string, isOn: boolean) => void} */
  #enable(name, isOn) {
    const button = this.dialog.querySelector(`[data-do="${name}"]`);
    if (button instanceof HTMLButtonElement) button.disabled = !isOn;
  }

  /** The line below the palette: errors, what is still missing, or that the table is complete.
      @type {() => [kind: string, html: string]} */
  #message() {
    const { answer, game, cards } = this,
      free = this.columns.reduce(
        (sum, place) => sum + Math.max(0, this.#size(place) - cards[place].length),
        0,
      );
    if (this.hint) return ["bad", pretty(this.hint)];
    if (!answer) return ["soft", "Checking ..."];
    if (answer.type !== "checked") return ["bad", escapeText(answer.why || "The server is gone.")];
    const { ok, doubled, missing, problems, note, unknown } = answer,
      isMarked = problems.some(({ code }) => code === "position" || code === "rows");
    if (doubled.length) {
      const [name] = doubled,
        there = this.#named()
          .filter(one => one.name === name)
          .map(one => this.#nameOf(one.place));
      const times = there.length > 2 ? `${there.length} times` : "twice",
        places = there.join(" and ").replace(/^column (\d+) and column /, "columns $1 and ");
      return ["bad", `${pretty(name)} lies here ${times}: ${places}.`];
    }
    const open = this.columns.find(place => this.#isOpen(place));
    if (open && !free && !ok) return ["soft", `The top of ${this.#nameOf(open)} lies face up: name it.`];
    if (problems.length && (!missing.length || problems[0].code === "card" || problems[0].code === "field")) {
      const [{ text, line, code }] = problems;
      if (isMarked) return ["bad", `These columns are not those of a deal. ${IN_PLAY_BUTTON}`];
      if (!free || code !== "board")
        return ["bad", `${this.raw !== null ? `Line ${line}: ` : ""}${escapeText(text)}`];
    }
    const left = game.has_stock ? this.#left : 0;
    if (ok) {
      const rest = left
        ? ` ${count(left, "card")} ${left === 1 ? "is" : "are"} left for the stock, in unknown order.`
        : answer.mode === "table"
          ? ""
          : " All cards are known.";
      return [
        "good",
        `${note ? `${escapeText(note)} ` : ""}Complete.${rest}`
          .replace("Complete. ", "Complete: ")
          .replace(/: All/, ": all"),
      ];
    }
    if (free && !game.has_stock) return ["soft", `${count(free, "more place")}.`];
    if (free) {
      const others = count(game.stock - cards.stock.length, "card");
      return ["soft", `${count(free, "more place")}; the other ${others} are the stock, in unknown order.`];
    }
    const more = missing.length - unknown,
      names = missing
        .slice(0, 8)
        .map(card => pretty(card))
        .join(" ");
    if (!unknown)
      return [
        "soft",
        `${count(missing.length, "card")} not on the table: ${names}${missing.length > 8 ? " ..." : ""}`,
      ];
    return [
      "soft",
      more > 0
        ? `${count(more, "card")} more to place; ${unknown} unknown.`
        : `${count(-more, "unknown card")} too many.`,
    ];
  }

  /* --- Events ------------------------------------------------------------------------------------------- */

  /** @type {(event: Event) => void} */
  #click(event) {
    const { place, depth } = dataOf(event, ".spot"),
      { card } = dataOf(event, ".keys [data-card]"),
      { do: what } = dataOf(event, "button[data-do]");
    if (!place && !card && !what) return;
    this.hint = this.typed = "";
    if (place) {
      this.at = { place, depth: Math.min(Number(depth), this.cards[place].length) };
      this.#draw();
    } else if (card) this.#put(card);
    else if (what === "back") this.#remove();
    else if (what === "next") this.#next();
    else if (what === "down") this.#turn();
    else if (what === "rest") this.#rest();
    else if (what === "round") this.#round();
    else if (what === "clear") {
      this.#clear();
      this.#changed();
    } else if (what === "in-play") {
      this.isInPlay = true;
      this.#changed(this.raw === null ? null : `# position: in play\n${this.raw}`);
    } else if (what === "open") this.#open();
    else if (what === "leave") this.on.leave();
  }

  /** @type {(event: Event) => void} */
  #change({ target }) {
    if (!(target instanceof HTMLSelectElement)) return;
    const chosen = this.games.find(({ game }) => game === target.value);
    if (target.dataset.do === "game" && chosen) this.show(chosen);
    if (target.dataset.choice) this.#changed();
  }

  /** Typed input: cards as 6h or 10s, ? for an unknown one, xb and xr for jokers, xb=6 for a declared one;
      arrow keys move the glow.
      @type {(event: KeyboardEvent) => boolean} */
  #press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || matches(event, "textarea, select, input"))
      return false;
    const key = event.key.length === 1 ? event.key.toUpperCase() : event.key,
      { typed } = this,
      { place, depth } = this.at;
    if (key === "ArrowLeft" || key === "ArrowRight") {
      this.#next(key === "ArrowRight" ? 1 : -1);
      this.button?.focus({ preventScroll: true });
      return true;
    }
    if (key === "ArrowUp" || key === "ArrowDown") {
      this.at = {
        place,
        depth: Math.max(0, Math.min(this.cards[place].length, depth + (key === "ArrowUp" ? -1 : 1))),
      };
      this.#draw();
      this.button?.focus({ preventScroll: true });
      return true;
    }
    if (key === "Backspace" || key === "Delete") {
      this.typed = "";
      this.#remove();
      return true;
    }
    if (key === "?") {
      this.typed = "";
      if (this.game.has_stock) this.#put(UNKNOWN);
      return true;
    }
    if (key === "=" && this.lastJoker) {
      this.typed = "=";
      return true;
    }
    if (key.length !== 1) return false;
    this.typed = "";
    if (typed === "=" && CARD_RANKS.includes(key)) this.#declare(key);
    else if (typed === "X" && "BR".includes(key) && this.game.jokers) this.#put(typed + key);
    else if (typed && typed !== "1" && CARD_SUITS.includes(key)) this.#put(typed + key);
    else if (typed === "1" && key === "0") this.typed = "T";
    else if ((CARD_RANKS + "1X").includes(key)) this.typed = key;
    else return false;
    this.hint = this.typed ? "" : this.hint;
    this.#tell();
    return true;
  }

  /* The joker in a column. */
  get lastJoker() {
    return this.columns
      .flatMap(place => this.cards[place].map((token, depth) => ({ place, depth, token })))
      .filter(({ token }) => token[0] === "X")
      .at(-1);
  }

  /** @type {(rank: string) => void} */
  #declare(rank) {
    if (!this.lastJoker) return;
    const { place, depth, token } = this.lastJoker;
    this.cards[place][depth] = `${nameOf(token)}=${rank}`;
    this.#changed();
  }

  async #open() {
    const choices = Object.fromEntries(
      this.#selects
        .map(({ dataset, value }) => [dataset.choice || "", value])
        .filter(([name, value]) => value !== this.game.choices[name][0]),
    );
    const answer = await this.on.open({
      game: this.game.game,
      mode: "analysis",
      from: { text: this.checked },
      choices,
    });
    if (answer.type !== "game") {
      this.hint = (answer.type !== "late" && answer.why) || "That did not work.";
      this.#draw();
    }
  }
}
