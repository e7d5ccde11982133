/* Editor of a hand-entered table: lines of cards and a palette, with the resulting text; the server reports missing,
   duplicated and invalid cards at once. */

import { SIGNS, escapeText, pretty, readCard, shownRank } from "./cards.js";

const RANKS = "A23456789TJQK", SUITS = "CDHS";
const CHECK_AFTER = 120;  // milliseconds after a change
const PILES = ["Foundations", "Stock", "Waste", "Removed"];

export class Editor {
  constructor(box, game, ask) {
    Object.assign(this, { box, game, ask, at: 0, isDown: false, checked: null });
    const names = Array.from({ length: game.columns }, (_, i) => `Column ${i + 1}`);
    const piles = game.has_stock ? PILES.filter(name => name !== "Removed" || game.jokers) : game.decks > 1 || !/chess|fort/.test(game.game) ? [] : ["Foundations"];
    this.lines = [...names, ...piles].map(name => ({ name, cards: [] }));
    box.innerHTML = `<div class="editor"><p class="soft">Choose a line, then click its cards, the deepest first; click a card in a line to take it away.</p>
      <div class="palette" role="group" aria-label="Cards"></div><p class="row extras"></p><div class="lines"></div><div class="told" role="status"></div>
      <details><summary>As text</summary><textarea rows="12" aria-label="The table as text" spellcheck="false"></textarea></details></div>`;
    this.area = box.querySelector("textarea");
    box.querySelector(".lines").addEventListener("click", event => this.#clickLine(event));
    box.querySelector(".palette").addEventListener("click", event => this.#add(event.target.closest("[data-card]")));
    box.querySelector(".extras").addEventListener("click", event => this.#extra(event.target.closest("[data-card], [data-do]")));
    this.area.addEventListener("input", () => { this.#read(); this.#drawLines(); this.#check(); });
    this.#drawPalette();
    this.#drawLines();
    this.#write();
  }

  get text() { return this.area.value; }

  #write() {
    const columns = this.lines.filter(line => line.name.startsWith("Column"));
    const last = columns.findLastIndex(line => line.cards.length);
    const rows = columns.slice(0, last + 1).map(line => line.cards.join(" ") || ":");
    const piles = this.lines.filter(line => !line.name.startsWith("Column") && line.cards.length);
    this.area.value = [`# game: ${this.game.game}`, ...rows, ...piles.map(line => `${line.name}: ${line.cards.join(" ")}`)].join("\n") + "\n";
    this.#check();
  }

  /* Take the lines from the text, as far as they are cards. */
  #read() {
    for (const line of this.lines) line.cards = [];
    let column = 0;
    for (const text of this.area.value.split("\n").map(row => row.split("#")[0].trim())) {
      const pile = /^(Foundations|Stock|Waste|Talon|Removed):(.*)$/i.exec(text), cards = (pile ? pile[2] : text.replace(/^:/, "")).trim();
      if (!text || !pile && /^\w+:/.test(text)) continue;
      const name = pile && (pile[1].toLowerCase() === "talon" ? "Waste" : pile[1][0].toUpperCase() + pile[1].slice(1).toLowerCase());
      const line = pile ? this.lines.find(one => one.name === name) : this.lines[column++];
      if (line) line.cards = cards ? cards.split(/\s+/) : [];
    }
  }

  #drawPalette() {
    this.box.querySelector(".palette").innerHTML = [...SUITS].map(suit => [...RANKS].map(rank =>
      `<button type="button" class="chip ${suit}" data-card="${rank}${suit}">${shownRank(rank)}${SIGNS[suit]}</button>`).join("")).join("");
    const jokers = this.game.jokers ? ["XB", "XR"].map(name => `<button type="button" class="chip ${name}" data-card="${name}">${name}</button>`).join("") : "";
    const down = this.game.has_stock ? `<button type="button" data-do="down" aria-pressed="false">Face down</button>
      <button type="button" class="chip down" data-card="&lt;??&gt;">unknown</button>` : "";
    this.box.querySelector(".extras").innerHTML = `${jokers}${down}<button type="button" data-do="clear">Clear the line</button>`;
  }

  #drawLines() {
    this.box.querySelector(".lines").innerHTML = this.lines.map((line, i) => `<div class="line" data-line="${i}"${i === this.at ? ' aria-current="true"' : ""}>
      <button type="button" data-line="${i}">${line.name}</button>${line.cards.map((text, at) => this.#chip(text, `data-line="${i}" data-at="${at}"`)).join("")}</div>`).join("");
  }

  #chip(text, attributes) {
    const card = readCard(text), isCard = /^<?(X[BR](=.)?|[A2-9TJQK][CDHS])>?$/.test(text);
    const face = isCard ? pretty(text.replace(/[<>]/g, "")) : escapeText(text.replace(/[<>]/g, ""));
    return `<button type="button" class="chip${card.isDown ? " down" : ""}" ${attributes} title="Take it away">${face}</button>`;
  }

  #clickLine(event) {
    const clicked = event.target.closest("[data-at]") || event.target.closest("[data-line]");
    if (!clicked) return;  // between the lines
    const { line, at } = clicked.dataset;
    this.at = +line;
    if (at !== undefined) this.lines[line].cards.splice(+at, 1);
    this.#drawLines();
    if (at !== undefined) this.#write();
  }

  #add(button) {
    if (!button) return;
    const { card } = button.dataset, line = this.lines[this.at];
    if (line.name === "Foundations") this.#top(card);
    else if (line.name === "Stock" && card === "<??>") line.cards = [String(1 + (+line.cards[0] || 0))];
    else line.cards.push(this.isDown && card[0] !== "<" && line.name.startsWith("Column") ? `<${card}>` : card);
    this.#drawLines();
    this.#write();
  }

  /* A card clicked into the foundations is the top of its suit. */
  #top(card) {
    const line = this.lines[this.at], [rank, suit] = card;
    line.cards = [...line.cards.filter(text => text[0] !== suit), `${suit}-${rank}`].sort();
  }

  #extra(button) {
    if (!button) return;
    if (button.dataset.card) { this.#add(button); return; }
    if (button.dataset.do === "down") { this.isDown = !this.isDown; button.setAttribute("aria-pressed", this.isDown); return; }
    this.lines[this.at].cards = [];
    this.#drawLines();
    this.#write();
  }

  /* Whether something of the suit of a card is on the foundations. */
  #isUp(card) {
    const line = this.lines.find(({ name }) => name === "Foundations");
    return !!line && line.cards.some(text => text[0] === card[1]);
  }

  #check() {
    clearTimeout(this.timer);
    this.timer = setTimeout(async () => {
      const text = this.area.value, answer = await this.ask({ type: "check", game: this.game.game, text });
      if (text === this.area.value) this.#tell(answer);
    }, CHECK_AFTER);
  }

  #tell(answer) {
    const told = this.box.querySelector(".told");
    if (answer.type !== "checked") { told.innerHTML = `<p class="problem">${escapeText(answer.why || answer.text)}</p>`; return; }
    const { missing, doubled, problems, ok } = answer;
    const list = cards => cards.slice(0, 26).map(card => pretty(card)).join(" ") + (cards.length > 26 ? ` and ${cards.length - 26} more` : "");
    const lines = [
      ok ? '<p class="fine">This table can be opened.</p>' : "",
      doubled.length ? `<p class="problem">Too often: ${list(doubled)}</p>` : "",
      missing.length ? `<p class="soft">Missing: ${list(missing)}</p>` : "",
      ...(missing.length || doubled.length ? problems.filter(problem => !/is missing|once too often/.test(problem.text)) : problems)
        .slice(0, 3).map(({ line, text }) => `<p class="problem">${line ? `Line ${line}: ` : ""}${escapeText(text)}</p>`),
    ];
    told.innerHTML = lines.join("");
    const placed = new Set(this.lines.flatMap(line => line.cards.map(text => text.replace(/[<>]|=.*/g, ""))));
    for (const chip of this.box.querySelectorAll(".palette .chip, .extras [data-card]")) {
      const { card } = chip.dataset;
      if (card[0] === "<") continue;
      chip.classList.toggle("gone", !missing.includes(card) && (placed.has(card) || this.#isUp(card)));
      chip.classList.toggle("doubled", doubled.includes(card));
    }
  }
}
