/* The home page, and the dialogs that open a deal. */

import { escapeText, SIGNS } from "./cards.js";
import { closest, dataOf, find } from "./elements.js";
import { keep, kept } from "./looks.js";

/** @import { Ask, From, Hello, Mode, Open, Opened, Rules } from "./types.d.ts" */

/** The facts of a game that its picture shows.
    @typedef {Pick<Rules, "game" | "sizes" | "jokers" | "wing"> & { hasStock: boolean }} Layout */

/* --- The home page: what the board is for, the games with a picture and a sentence each, and what opens
   another deal. --- */

const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];

export class Home {
  /** The games on offer.
      @type {Rules[]} */
  games = [];

  /** `actions` are called with a game, or none, by the names of the buttons; `kept` is the game that can be
      gone on with, as a title and where it is, or null.
      @param {HTMLElement} box
      @param {Record<string, (game: Rules | undefined) => void>} actions
      @param {() => string | null} kept */
  constructor(box, actions, kept) {
    this.box = box;
    this.kept = kept;
    box.addEventListener("click", event => {
      const button = closest(event, "[data-do]"),
        name = button instanceof HTMLButtonElement ? button.value : "";
      if (button) actions[button.dataset.do || ""]?.(this.games.find(({ game }) => game === name));
    });
  }

  /** @type {(hello: Hello) => void} */
  take(hello) {
    this.games = hello.games;
  }

  /** @type {(problem?: string) => void} */
  show(problem = "") {
    const kept = this.kept(),
      isDrawn = "drawn" in this.box.dataset; // it was in the page
    delete this.box.dataset.drawn;
    if (!isDrawn || problem || kept) this.box.innerHTML = homeHtml(this.games, { problem, kept });
  }
}

const RESUME = '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="m9 5 7 7-7 7"/></svg>';

/** The home page as HTML, made without the DOM. `problem` is what could not be opened, `kept` names the game
    that can be gone on with.
    @type {(games: Rules[], say?: { problem?: string; kept?: string | null }) => string} */
export function homeHtml(games, { problem = "", kept = null } = {}) {
  const mains = games.filter(({ rate }) => rate),
    others = games.filter(({ rate }) => !rate);
  const resume = kept
    ? `<button type="button" class="resume" data-do="resume"><b>Go on where you stopped</b>
      <span>${escapeText(kept)}</span>${RESUME}</button>`
    : "";
  return `<section class="hero"><div><h1>Can it still be won?</h1>
    <p>A solver looks on while you play: after every move it proves whether the game can still be won, and
    shows which moves still win.</p></div>
    <div class="ways"><button type="button" class="main" data-do="today" value="${mains[0].game}">Play
    today\u2019s deal</button>
    <button type="button" data-do="paste">Paste a deal</button>
    <button type="button" data-do="edit">Lay out your cards</button></div></section>
    <p class="problem" role="alert"${problem ? "" : " hidden"}>${escapeText(problem)}</p>
    ${resume}
    <section class="mains" aria-label="Main games">${mains.map(tile).join("")}</section>
    <section class="others" aria-labelledby="more-games"><h2 id="more-games">More games</h2>
    <div class="smalls">${others.map(small).join("")}</div></section>
    <p class="foot">Deals of the day are the same for everyone. Nothing that you play leaves this machine.
    <a href="history.html">History</a></p>`;
}

/** @type {(game: Rules) => string} */
function tile({ game, title, blurb, rate, sizes, has_stock: hasStock, jokers, wing }) {
  const name = escapeText(title.split(",")[0]);
  return `<article class="tile">
    <span class="pic">${picture({ game, sizes, hasStock, jokers, wing }, 280, 100)}</span>
    <div class="txt"><h2>${name}</h2><p>${blurb}</p><p class="rate">${rate}</p>
    <p class="row"><button type="button" class="main" data-do="today" value="${game}"
    aria-label="Today\u2019s deal of ${name}">Today\u2019s deal</button>
    <button type="button" data-do="deal" name="game" value="${game}"
    aria-label="Another deal of ${name}">Another deal</button></p></div></article>`;
}

/** @type {(game: Rules) => string} */
function small({ game, title, blurb, summary, sizes, has_stock: hasStock, jokers, wing }) {
  return `<button type="button" class="tiny" data-do="deal" name="game" value="${game}">
    <span class="pic">${picture({ game, sizes, hasStock, jokers, wing }, 110, 58)}</span>
    <span class="txt"><b>${escapeText(title)}</b>
    <small>${escapeText(blurb || summary)}</small></span></button>`;
}

/** The layout of a game as a small drawing; its cards are always the same.
    @type {(layout: Layout, width: number, height: number) => string} */
function picture({ game, sizes, hasStock, jokers, wing }, width, height) {
  let seed = [...game].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0, 7),
    out = "";
  const random = (/** @type {number} */ count) => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return (seed >>> 16) % count;
  };
  const columns = sizes.length,
    across = columns + (wing ? 1 : 0) + (hasStock ? 2 : 0);
  const w = Math.min(26, (width - 18) / across - 3),
    h = w * 1.4,
    gap = Math.min(7, (width - 18 - across * w) / (across - 1));
  const left = (width - (across * w + (across - 1) * gap)) / 2,
    top = Math.min(8, height * 0.08),
    strip = Math.min(w * 0.5, (height - 2 * top - h) / Math.max(...sizes.map(size => size - 1)));
  /** @type {(x: number, y: number) => string} */
  const at = (x, y) => `x="${x.toFixed(1)}" y="${y.toFixed(1)}"`;
  /** @type {(kind: string, x: number, y: number) => string} */
  const box = (kind, x, y) =>
    `<rect class="${kind}" ${at(x, y)} width="${w.toFixed(1)}" height="${h.toFixed(1)}" rx="2"/>`;
  /** @type {(kind: string, x: number, y: number, size: number, text: string, anchor?: string) => string} */
  const sign = (kind, x, y, size, text, anchor = "middle") =>
    `<text class="${kind}" ${at(x, y)} font-size="${size.toFixed(1)}" text-anchor="${anchor}">${text}</text>`;
  /** @type {(x: number, y: number, isTop: boolean) => void} */
  const card = (x, y, isTop) => {
    const suit = "SHCD"[random(4)],
      rank = RANKS[random(13)],
      size = Math.min(w * 0.52, 13);
    out += box("t-card", x, y);
    if (strip >= size * 0.8 || isTop)
      out += sign(
        "t-" + suit,
        x + 1.5,
        y + size * 0.92,
        rank === "10" && w < 24 ? size * 0.8 : size,
        (w > 13 ? rank : "") + SIGNS[suit],
        "start",
      );
  };
  /** @type {(x: number, y: number, text: string, kind?: string) => void} */
  const slot = (x, y, text, kind = "") => {
    out += box(`t-slot ${kind}`, x, y) + sign("t-sign", x + w / 2, y + h * 0.66, w * 0.6, text);
  };
  const xOf = (/** @type {number} */ i) => left + i * (w + gap),
    rowOf = (/** @type {number} */ i) => top + i * Math.min(h + 3, (height - 2 * top - h) / 3);
  sizes.forEach((size, i) => {
    const x = xOf(wing && i >= wing ? i + 1 : hasStock ? i + 1 : i);
    for (let k = 0; k < size; k++) {
      const y = top + k * strip,
        isTop = k === size - 1;
      if (hasStock && !isTop) out += box("t-down", x, y);
      else if (jokers && i === 3)
        out += box("t-card", x, y) + sign("t-XB", x + w / 2, y + h * 0.68, w * 0.85, "\u2605");
      else card(x, y, isTop);
    }
  });
  if (wing || hasStock)
    [..."CDHS"].forEach((suit, i) => {
      slot(xOf(wing || columns + 1), rowOf(i), SIGNS[suit]);
    });
  if (hasStock) {
    out += box("t-down", xOf(0), rowOf(0));
    slot(xOf(0), rowOf(1), "");
    if (jokers) slot(xOf(0), rowOf(3), "\u2605", "t-out");
  }
  return `<svg class="thumb" viewBox="0 0 ${width} ${height}" aria-hidden="true">${out}</svg>`;
}

/* --- Dialog to choose a deal of a game, or to paste one. --- */

/* Today's date in the form that the server reads. */
export function today() {
  const now = new Date();
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()]
    .map(part => String(part).padStart(2, "0"))
    .join("-");
}

/** The rule options of a game as HTML, a select element for each.
    @type {(game: Rules) => string} */
export const choiceFields = game =>
  Object.entries(game.choices || {})
    .map(([name, values]) => {
      const { title, values: words } = game.options[name],
        options = values.map(value => `<option value="${value}">${words[value] || value}</option>`);
      return `<label>${title} <select data-choice="${name}" aria-label="${title}"
        >${options.join("")}</select></label>`;
    })
    .join("");

/** The field for a deal as text.
    @type {() => string} */
const textField = () =>
  `<textarea id="text" rows="9" aria-label="Deal as text or JSON" spellcheck="false"
  placeholder="3S 8H TH 5C ...&#10;one line for each column"></textarea>`;

/** `ask` talks to the server; `open` opens a game and gives the answer; `edit` lets a person lay out a table;
    `games` shows all games.
    @typedef {{
      ask: Ask;
      open: (request: Open) => Promise<Opened>;
      edit: (game: Rules) => void;
      games: () => void;
    }} Starters */

export class Start {
  /** The games on offer.
      @type {Rules[]} */
  games = [];
  /** The game whose deals are offered, or that was played last; null before the first.
      @type {Rules | null} */
  game = null;
  isDealing = false; // whether a deal is looked for

  /** @param {HTMLDialogElement} dialog
      @param {Starters} on */
  constructor(dialog, on) {
    this.dialog = dialog;
    this.on = on;
    dialog.addEventListener("change", event => this.#change(event));
    dialog.addEventListener("click", event => this.#click(event));
    dialog.addEventListener("submit", event => {
      event.preventDefault();
      this.#deal();
    });
    dialog.addEventListener("close", () => {
      if (this.isDealing) on.ask({ type: "cancel" });
    });
  }

  /** @type {(hello: Hello) => void} */
  take(hello) {
    this.games = hello.games;
  }

  /** Show the dialog for a deal of `game`.
      @type {(game: Rules) => void} */
  deal(game) {
    this.game = game;
    this.#show();
    this.#drawDeals(game);
  }

  /** Show the dialog for a pasted text, or again for `text`, which could not be opened because of `why`.
      @type {(text?: string, why?: string) => void} */
  paste(text = "", why = "") {
    this.game ||= this.last;
    this.#show();
    this.#drawPaste();
    this.#text.value = text;
    this.#text.focus();
    this.#tell(why);
  }

  /** Open a dropped deal; if it has no line that names the game, it is one of the game chosen last.
      @type {(text: string) => Promise<void>} */
  async open(text) {
    const answer = await this.on.open({ ...(this.game && { game: this.game.game }), from: { text } });
    if (answer.type !== "game" && answer.type !== "late") this.paste(text, answer.why || "");
  }

  /** The game chosen last.
      @returns {Rules} */
  get last() {
    return this.games.find(game => game.game === (this.game?.game || kept("variant"))) || this.games[0];
  }

  /* The field for a deal as text. */
  get #text() {
    return find(this.dialog, "textarea");
  }

  #show() {
    this.isDealing = false;
    if (!this.dialog.open) this.dialog.showModal();
  }

  /** Say what the dialog waits for; an empty text for nothing.
      @type {(text: string) => void} */
  tell(text) {
    if (text || this.dialog.querySelector("#start-problem.soft")) this.#tell(text, "soft");
  }

  /** @type {(text: string, kind?: string) => void} */
  #tell(text, kind = "problem") {
    const line = this.dialog.querySelector("#start-problem");
    if (!line) return; // the deal was not requested in this dialog
    line.className = kind;
    line.textContent = text;
  }

  #drawPaste() {
    const chosen = (/** @type {Rules} */ game) => (game === this.game ? " selected" : "");
    const games = this.games
      .map(game => `<option value="${game.game}"${chosen(game)}>${escapeText(game.title)}</option>`)
      .join("");
    this.dialog.innerHTML = `<form method="dialog"><h2 id="start-title">Paste a deal
      <button type="button" data-do="close">Close</button></h2>
      <p class="soft">One line for each column, its top card last. JSON is read too,
      and a file dropped on the page.</p>
      <div class="fields"><label>Game, where the text does not name it:
      <select id="paste-game">${games}</select></label></div>
      ${textField()}
      <div id="by-rows" class="warn" role="status" hidden><p></p>
      <button type="button" class="main" data-do="rows">Read it by rows</button></div>
      <div class="end"><p id="start-problem" class="problem" role="alert"></p>
      <p class="row"><button class="main" id="deal">Open</button></p></div></form>`;
  }

  /** Open the pasted text; a table that seems to be typed by rows is read so only after the person agrees.
      @type {(isByRows: boolean) => Promise<void>} */
  async #openPasted(isByRows) {
    const text = this.#text.value,
      named = /^\s*#*\s*game\s*:\s*([\w-]+)/im.exec(text)?.[1];
    const game = this.games.find(one => one.game === (named || this.#value("paste-game"))) || this.last;
    const rows = find(this.dialog, "#by-rows");
    this.#tell("");
    if (!isByRows) {
      const checked = await this.on.ask({ type: "check", game: game.game, text }),
        note = checked.type === "checked" && checked.note;
      rows.hidden = !note;
      if (note) {
        const lines = text
          .split("\n")
          .map(
            line =>
              line
                .split("#")[0]
                .trim()
                .split(/\s+/)
                .filter(word => word).length,
          )
          .filter(count => count > 1);
        find(rows, "p").textContent =
          `${lines.length} lines of up to ${Math.max(...lines)} cards: this looks typed by rows. ` +
          `${game.title} has ${game.sizes.length} columns of ${game.sizes.join(" ")} cards.`;
        find(rows, "button").focus();
        return;
      }
    }
    this.game = game;
    this.#tellFailure(await this.on.open({ game: game.game, from: { text } }));
  }

  /** @type {(game: Rules) => void} */
  #drawDeals(game) {
    this.dialog.innerHTML = `<form method="dialog"><h2 id="start-title">${escapeText(game.title)}
      <span class="row"><button type="button" data-do="games">Other games</button>
      <button type="button" data-do="close">Close</button></span></h2><div id="deal-fields"></div>
      <div class="end"><p id="start-problem" class="problem" role="alert"></p>
      <p class="row"><button class="main" id="deal" autofocus>Deal</button>
      <button type="button" data-do="cancel" hidden>Stop looking</button></p></div></form>`;
    this.#drawFields(game);
    find(this.dialog, "#deal").focus();
  }

  /** @type {(game: Rules) => void} */
  #drawFields(game) {
    const chosen = kept("deal") || "winnable";
    const levels = (game.levels || []).map(name => `<option>${name}</option>`).join("");
    const goalOf = (/** @type {number} */ cards) =>
      cards === game.places ? `all ${cards}` : `${cards} cards or more`;
    const tiers = Object.entries(game.tiers || {})
      .filter(([, cards]) => cards)
      .sort((a, b) => a[1] - b[1])
      .map(([tier, cards]) => `<option value="${tier === "win" ? "" : tier}">${goalOf(cards)}</option>`)
      .join("");
    const anyLevel = '<option value="">of any difficulty</option>';
    const ways = [
      [
        "winnable",
        `A deal that can be won</span>
        ${game.scored ? `<select id="tier" aria-label="Goal">${tiers}</select>` : ""}
        ${levels ? `<select id="level" aria-label="Difficulty">${anyLevel}${levels}</select>` : ""}`,
      ],
      ["random", "Any deal</span>"],
      ["today", "The deal of the day</span>"],
    ];
    const more = [
      [
        "seed",
        'Number</span> <input type="text" id="seed" inputmode="numeric" size="12" ' +
          'aria-label="Number of the deal" placeholder="seed">',
      ],
      ...(game.pysol
        ? [
            [
              "pysol",
              'PySolFC number</span> <input type="text" id="pysol" size="14" aria-label="Number in PySolFC">',
            ],
          ]
        : []),
      ["text", "Text or JSON, pasted or dropped</span>"],
      ["table", "Cards of my own table</span>"],
    ];
    const labels = (/** @type {string[][]} */ list) =>
      list
        .map(
          ([value, html]) =>
            `<label><input type="radio" name="deal" value="${value}"${value === chosen ? " checked" : ""}>
            <span>${html}</label>`,
        )
        .join("");
    const mode = game.modes.includes("player")
      ? `<label>Cards that are not turned yet: <select id="mode">
      <option value="player">hidden, as at a table</option>
      <option value="analysis"${kept("mode") === "analysis" ? " selected" : ""}>known to the analysis</option>
      </select></label>`
      : "";
    const isMore = more.some(([value]) => value === chosen);
    find(this.dialog, "#deal-fields").innerHTML =
      `<fieldset><legend class="sr">Deal</legend><div class="games deals">${labels(ways)}</div>
      <details class="more"${isMore ? " open" : ""}><summary>By its number, or my own cards</summary>
      <div class="games deals">${labels(more)}</div></details></fieldset><div id="own"></div>
      <div class="fields">${mode}${choiceFields(game)}</div>`;
    if (!this.#ways.some(({ checked }) => checked)) this.#ways[0].checked = true;
    this.#drawOwn();
  }

  /* The buttons of the ways to a deal. */
  get #ways() {
    return [...this.dialog.querySelectorAll("input")].filter(({ name }) => name === "deal");
  }

  get #way() {
    return this.#ways.find(({ checked }) => checked)?.value || "";
  }

  #drawOwn() {
    const own = find(this.dialog, "#own"),
      way = this.#way;
    own.replaceChildren();
    find(this.dialog, "#deal").textContent =
      way === "table" ? "Lay them out" : way === "text" ? "Open" : "Deal";
    if (way === "text") own.innerHTML = textField();
  }

  /** @type {(event: Event) => void} */
  #change({ target }) {
    if (!(target instanceof HTMLInputElement) || target.name !== "deal") return;
    target.closest("details")?.setAttribute("open", "");
    this.#drawOwn();
  }

  /** @type {(event: Event) => void} */
  #click(event) {
    const { do: what } = dataOf(event, "button");
    if (what === "games") {
      this.dialog.close();
      this.on.games();
    }
    if (what === "rows") this.#openPasted(true);
    if (what === "close") this.dialog.close();
    if (what === "cancel") this.on.ask({ type: "cancel" });
    const way = closest(event, "#seed, #pysol, #level, #tier")?.closest("label")?.querySelector("input");
    if (!way) return;
    way.checked = true;
    if (find(this.dialog, "#own").childElementCount) this.#drawOwn();
  }

  /** @type {(id: string) => string} */
  #value(id) {
    const field = this.dialog.querySelector("#" + id);
    return field instanceof HTMLInputElement || field instanceof HTMLSelectElement ? field.value.trim() : "";
  }

  /** @type {() => From} */
  #from() {
    const way = this.#way;
    if (way === "winnable") {
      return {
        winnable: true,
        ...(this.#value("level") && { level: this.#value("level") }),
        ...(this.#value("tier") && { tier: this.#value("tier") }),
      };
    }
    if (way === "today") return { today: today() };
    if (way === "seed") return { seed: this.#value("seed") };
    if (way === "pysol") return { pysol: this.#value("pysol") };
    return way === "text" ? { text: this.#text.value.trim() } : { random: true };
  }

  async #deal() {
    if (this.dialog.querySelector("#paste-game")) {
      await this.#openPasted(false);
      return;
    }
    const way = this.#way,
      game = this.last;
    if (way === "table") {
      this.dialog.close();
      this.on.edit(game);
      return;
    }
    const choices = Object.fromEntries(
      [...this.dialog.querySelectorAll("select")]
        .map(({ dataset, value }) => [dataset.choice || "", value])
        .filter(([name, value]) => name && value !== game.choices[name][0]),
    );
    const isPlayer = game.modes.includes("player"),
      mode = isPlayer && this.#value("mode") === "player" ? "player" : "analysis";
    keep("variant", game.game);
    if (way !== "text") keep("deal", way);
    if (isPlayer) keep("mode", mode);
    this.#setDealing(true);
    this.#tell("");
    let answer;
    try {
      answer = await this.on.open({ game: game.game, mode, from: this.#from(), choices });
    } finally {
      this.#setDealing(false);
    }
    this.#tellFailure(answer);
  }

  /** Say why no game was opened, unless one was.
      @type {(answer: Opened) => void} */
  #tellFailure(answer) {
    if (answer.type === "game" || !this.dialog.open) return;
    this.#tell((answer.type !== "late" && answer.why) || "It was stopped.");
  }

  /** @type {(isOn: boolean) => void} */
  #setDealing(isOn) {
    this.isDealing = isOn;
    find(this.dialog, "#deal").toggleAttribute("disabled", isOn);
    find(this.dialog, '[data-do="cancel"]').hidden = !isOn;
  }
}
