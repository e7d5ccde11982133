/* The home page, and the dialogs that open a deal. */

import { escapeText, SIGNS } from "./cards.js";
import { keep, kept } from "./looks.js";

/* --- The home page: what the board is for, the games with a picture and a sentence each, and what opens
   another deal. --- */

const MAIN = {
  // the games shown first, with the rate of winnable deals from docs/rates.md
  chessboard: [
    "All cards open: build up or down in suit. The foundations begin at the rank you choose.",
    "76 % of deals can be won",
  ],
  "simon-jester": [
    "Two decks, all open: bring a suit together from king to ace, and the run leaves.",
    "98 % of deals can be won",
  ],
  joker: [
    "Klondike in one pass with two wild jokers: 15 cards win, 25 a double, all 52 a triple.",
    "96 % of deals can be won",
  ],
};
const SAYS = {
  fortress: "Chessboard with foundations from the ace.",
  "simple-simon": "Simon Jester with one deck.",
  "simon-jester-triangular": "Two decks in columns of 13 to 1.",
  "klondike-one-pass": "Joker Solitaire without the jokers.",
  klondike: "Three cards at a time, as often as you like.",
  "klondike-draw-one": "One card at a time, as often as you like.",
  "klondike-vegas": "Three cards at a time, three times through.",
  "klondike-vegas-one": "Once through. Cards may come back.",
};
const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];

export class Home {
  /* `on` has `today(game)` and `deal(game)` for a game, `paste()`, `edit(game)` and `resume()`; `kept()` is
     the game that can be gone on with, as a title and where it is, or null. */
  constructor(box, on) {
    Object.assign(this, { box, on, games: [] });
    box.addEventListener("click", event => {
      const button = event.target.closest("[data-do]"),
        game = this.games.find(one => one.game === button?.value);
      if (button) this.on[button.dataset.do](game);
    });
  }

  take(hello) {
    this.games = hello.games;
  }

  show(problem = "") {
    const kept = this.on.kept(),
      isDrawn = "drawn" in this.box.dataset; // it was in the page
    delete this.box.dataset.drawn;
    if (!isDrawn || problem || kept) this.box.innerHTML = homeHtml(this.games, { problem, kept });
  }
}

const RESUME = '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="m9 5 7 7-7 7"/></svg>';

/* The home page as HTML, made without the DOM. `problem` is what could not be opened, `kept` names the game
   that can be gone on with. */
export function homeHtml(games, { problem = "", kept = null } = {}) {
  const mains = Object.keys(MAIN)
    .map(name => games.find(({ game }) => game === name))
    .filter(game => game);
  const others = games.filter(({ game }) => !MAIN[game]);
  const resume = kept
    ? `<button type="button" class="resume" data-do="resume"><b>Go on where you stopped</b>
      <span>${escapeText(kept)}</span>${RESUME}</button>`
    : "";
  return `<section class="hero"><div><h1>Can it still be won?</h1>
    <p>A solver looks on while you play: after every move it proves whether the game can still be won, and
    shows the moves that keep the win.</p></div>
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

function tile({ game, title, sizes, has_stock: hasStock, jokers, wing }) {
  const [says, rate] = MAIN[game],
    name = escapeText(title.split(",")[0]);
  return `<article class="tile">
    <span class="pic">${picture({ game, sizes, hasStock, jokers, wing }, 280, 100)}</span>
    <div class="txt"><h2>${name}</h2><p>${says}</p>${rate ? `<p class="rate">${rate}</p>` : ""}
    <p class="row"><button type="button" class="main" data-do="today" value="${game}"
    aria-label="Today\u2019s deal of ${name}">Today\u2019s deal</button>
    <button type="button" data-do="deal" name="game" value="${game}"
    aria-label="Another deal of ${name}">Another deal</button></p></div></article>`;
}

function small({ game, title, summary, sizes, has_stock: hasStock, jokers, wing }) {
  return `<button type="button" class="tiny" data-do="deal" name="game" value="${game}">
    <span class="pic">${picture({ game, sizes, hasStock, jokers, wing }, 110, 58)}</span>
    <span class="txt"><b>${escapeText(title)}</b>
    <small>${escapeText(SAYS[game] || summary)}</small></span></button>`;
}

/* The layout of a game as a small drawing; its cards are always the same. */
function picture({ game, sizes, hasStock, jokers, wing }, width, height) {
  let seed = [...game].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0, 7),
    out = "";
  const random = count => {
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
  const at = (x, y) => `x="${x.toFixed(1)}" y="${y.toFixed(1)}"`;
  const box = (kind, x, y) =>
    `<rect class="${kind}" ${at(x, y)} width="${w.toFixed(1)}" height="${h.toFixed(1)}" rx="2"/>`;
  const sign = (kind, x, y, size, text, anchor = "middle") =>
    `<text class="${kind}" ${at(x, y)} font-size="${size.toFixed(1)}" text-anchor="${anchor}">${text}</text>`;
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
  const slot = (x, y, text, kind = "") => {
    out += box(`t-slot ${kind}`, x, y) + sign("t-sign", x + w / 2, y + h * 0.66, w * 0.6, text);
  };
  const xOf = i => left + i * (w + gap),
    rowOf = i => top + i * Math.min(h + 3, (height - 2 * top - h) / 3);
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

const CHOICES = {
  exchange: [
    "A card in the waste changes places with its joker",
    { turned: "when it is turned", exposed: "whenever it is on top" },
  ],
  removal: [
    "Jokers may be put out of play",
    { undeclared: "while undeclared", exposed: "declared ones too, on top of a column" },
  ],
  draw: ["Cards that a draw turns", {}],
  passes: ["Passes through the stock", {}],
  worrying_back: ["Cards may come back from the foundations", {}],
};

/* Today's date in the form that the server reads. */
export function today() {
  const now = new Date();
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()]
    .map(part => String(part).padStart(2, "0"))
    .join("-");
}

/* The rule options of a game as HTML, a select element for each. */
export const choiceFields = game =>
  Object.entries(game.choices || {})
    .map(
      ([name, values]) =>
        `<label>${CHOICES[name][0]} <select data-choice="${name}" aria-label="${CHOICES[name][0]}">${values
          .map(value => `<option value="${value}">${CHOICES[name][1][value] || value}</option>`)
          .join("")}</select></label>`,
    )
    .join("");

/* The field for a deal as text. */
const textField = (more = "") =>
  `<textarea id="text" rows="9" aria-label="Deal as text or JSON" spellcheck="false"
  placeholder="3S 8H TH 5C ...&#10;a line a column" ${more}></textarea>`;

export class Start {
  /* `ask` talks to the server; `open(request)` opens a game and gives the answer; `edit(game)` lets a person
     lay out a table; `games()` shows all games. */
  constructor(dialog, on) {
    Object.assign(this, { dialog, on, games: [], game: null });
    dialog.addEventListener("change", event => this.#change(event.target));
    dialog.addEventListener("click", event => this.#click(event));
    dialog.addEventListener("submit", event => {
      event.preventDefault();
      this.#deal();
    });
    dialog.addEventListener("close", () => {
      if (this.isDealing) on.ask({ type: "cancel" });
    });
  }

  take(hello) {
    this.games = hello.games;
  }

  /* Show the dialog for a deal of `game`. */
  deal(game) {
    this.game = game;
    this.#show();
    this.#drawDeals();
  }

  /* Show the dialog for a pasted text, or again for `text`, which could not be opened because of `why`. */
  paste(text = "", why = "") {
    this.game ||= this.last;
    this.#show();
    this.#drawPaste();
    this.dialog.querySelector("#text").value = text;
    this.#tell(why);
  }

  /* Open a dropped deal; if it has no line that names the game, it is one of the game chosen last. */
  async open(text) {
    const answer = await this.on.open({ ...(this.game && { game: this.game.game }), from: { text } });
    if (!["game", "late"].includes(answer.type)) this.paste(text, answer.why);
  }

  /* The game chosen last. */
  get last() {
    return this.games.find(game => game.game === (this.game?.game || kept("variant"))) || this.games[0];
  }

  #show() {
    this.isDealing = false;
    if (!this.dialog.open) this.dialog.showModal();
  }

  /* Say what the dialog waits for; an empty text for nothing. */
  tell(text) {
    if (text || this.dialog.querySelector("#start-problem.soft")) this.#tell(text, "soft");
  }

  #tell(text, kind = "problem") {
    const line = this.dialog.querySelector("#start-problem");
    if (!line) return; // the deal was not requested in this dialog
    line.className = kind;
    line.textContent = text;
  }

  #drawPaste() {
    const chosen = game => (game === this.game ? " selected" : "");
    const games = this.games
      .map(game => `<option value="${game.game}"${chosen(game)}>${escapeText(game.title)}</option>`)
      .join("");
    this.dialog.innerHTML = `<form method="dialog"><h2 id="start-title">Paste a deal
      <button type="button" data-do="close">Close</button></h2>
      <p class="soft">A line a column, the deepest card first, or JSON, or a file dropped on the page.</p>
      <div class="fields"><label>Game, where the text does not name it:
      <select id="paste-game">${games}</select></label></div>
      ${textField("autofocus")}
      <div id="by-rows" class="warn" role="status" hidden><p></p>
      <button type="button" class="main" data-do="rows">Read it by rows</button></div>
      <div class="end"><p id="start-problem" class="problem" role="alert"></p>
      <p class="row"><button class="main" id="deal">Open</button></p></div></form>`;
  }

  /* Open the pasted text; a table that seems to be typed by rows is read so only after the person agrees. */
  async #openPasted(isByRows) {
    const text = this.dialog.querySelector("#text").value,
      named = /^\s*#*\s*game\s*:\s*([\w-]+)/im.exec(text)?.[1];
    const game =
      this.games.find(one => one.game === (named || this.dialog.querySelector("#paste-game").value)) ||
      this.last;
    const rows = this.dialog.querySelector("#by-rows");
    this.#tell("");
    if (!isByRows) {
      const { note } = await this.on.ask({ type: "check", game: game.game, text });
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
        rows.firstElementChild.textContent =
          `${lines.length} lines of up to ${Math.max(...lines)} cards: this looks typed by rows. ` +
          `${game.title} has ${game.sizes.length} columns of ${game.sizes.join(" ")} cards.`;
        rows.lastElementChild.focus();
        return;
      }
    }
    this.game = game;
    const answer = await this.on.open({ game: game.game, from: { text } });
    if (answer.type !== "game" && this.dialog.open)
      this.#tell(answer.why || answer.text || "It was stopped.");
  }

  #drawDeals() {
    this.dialog.innerHTML = `<form method="dialog"><h2 id="start-title">${escapeText(this.game.title)}
      <span class="row"><button type="button" data-do="games">Other games</button>
      <button type="button" data-do="close">Close</button></span></h2><div id="deal-fields"></div>
      <div class="end"><p id="start-problem" class="problem" role="alert"></p>
      <p class="row"><button class="main" id="deal" autofocus>Deal</button>
      <button type="button" data-do="cancel" hidden>Stop looking</button></p></div></form>`;
    this.#drawFields();
    this.dialog.querySelector("#deal").focus();
  }

  #drawFields() {
    const { game } = this,
      chosen = kept("deal") || "winnable";
    const levels = (game.levels || []).map(name => `<option>${name}</option>`).join("");
    const goalOf = cards => (cards === game.places ? `all ${cards}` : `${cards} cards or more`);
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
        'By its number</span> <input type="text" id="seed" inputmode="numeric" size="12" ' +
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
    const labels = list =>
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
    this.dialog.querySelector("#deal-fields").innerHTML =
      `<fieldset><legend class="sr">Deal</legend><div class="games deals">${labels(ways)}</div>
      <details class="more"${isMore ? " open" : ""}><summary>A deal of my own</summary>
      <div class="games deals">${labels(more)}</div></details></fieldset><div id="own"></div>
      <div class="fields">${mode}${choiceFields(game)}</div>`;
    if (!this.dialog.querySelector('[name="deal"]:checked'))
      this.dialog.querySelector('[name="deal"]').checked = true;
    this.#drawOwn();
  }

  #way() {
    return this.dialog.querySelector('[name="deal"]:checked').value;
  }

  #drawOwn() {
    const own = this.dialog.querySelector("#own"),
      way = this.#way();
    own.replaceChildren();
    this.dialog.querySelector("#deal").textContent =
      way === "table" ? "Lay them out" : way === "text" ? "Open" : "Deal";
    if (way === "text") own.innerHTML = textField();
  }

  #change(target) {
    if (target.name !== "deal") return;
    target.closest("details")?.setAttribute("open", "");
    this.#drawOwn();
  }

  #click(event) {
    const what = event.target.dataset.do;
    if (what === "games") {
      this.dialog.close();
      this.on.games();
    }
    if (what === "rows") this.#openPasted(true);
    if (what === "close") this.dialog.close();
    if (what === "cancel") this.on.ask({ type: "cancel" });
    const field = event.target.closest("#seed, #pysol, #level, #tier");
    if (field) field.closest("label").querySelector('[name="deal"]').checked = true;
    if (field && this.dialog.querySelector("#own").childElementCount) this.#drawOwn();
  }

  #value(id) {
    const field = this.dialog.querySelector("#" + id);
    return field ? field.value.trim() : "";
  }

  #from() {
    const way = this.#way();
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
    return way === "text" ? { text: this.#value("text") } : { random: true };
  }

  async #deal() {
    if (this.dialog.querySelector("#paste-game")) {
      await this.#openPasted(false);
      return;
    }
    const way = this.#way();
    if (way === "table") {
      this.dialog.close();
      this.on.edit(this.game);
      return;
    }
    const choices = Object.fromEntries(
      [...this.dialog.querySelectorAll("[data-choice]")]
        .map(select => [select.dataset.choice, select.value])
        .filter(([name, value]) => value !== this.game.choices[name][0]),
    );
    const mode = this.game.modes.includes("player") ? this.#value("mode") : "analysis";
    keep("variant", this.game.game);
    if (way !== "text") keep("deal", way);
    if (this.game.modes.includes("player")) keep("mode", mode);
    const request = { game: this.game.game, mode, from: this.#from(), choices };
    this.#setDealing(true);
    this.#tell("");
    let answer;
    try {
      answer = await this.on.open(request);
    } finally {
      this.#setDealing(false);
    }
    if (answer.type !== "game" && this.dialog.open)
      this.#tell(answer.why || answer.text || "It was stopped.");
  }

  #setDealing(isOn) {
    this.isDealing = isOn;
    this.dialog.querySelector("#deal").disabled = isOn;
    this.dialog.querySelector('[data-do="cancel"]').hidden = !isOn;
  }
}
