/* Editor of a table of one's own: the usual layout to be filled by typing, by clicking cards, or by pasting a text; the server
   reports missing, duplicated and invalid cards at once, and the table is shown. */

import { SIGNS, escapeText, pretty, readCard, shownRank } from "./cards.js";
import { keepFocus } from "./focus.js";
import { drawSmall } from "./rules.js";

const RANKS = "A23456789TJQK", SUITS = "CDHS", DOWN = "<??>";
const CHECK_AFTER = 120;  // milliseconds after a change
const PILES = ["Foundations", "Stock", "Waste", "Removed"];
const WRITTEN = /^(<?)(10|[A2-9TJQK])([CDHS])(>?)$|^(<?)(X[BR])(=\w+)?(>?)$|^<?\?\?>?$/i;

export class Editor {
  constructor(box, game, ask) {
    Object.assign(this, { box, game, ask, at: 0, isDown: false });
    const piles = game.has_stock ? PILES.filter(name => name !== "Removed" || game.jokers) : game.decks > 1 || !/chess|fort/.test(game.game) ? [] : ["Foundations"];
    const columns = game.sizes.map((size, i) => ({ name: `Column ${i + 1}`, size, cards: game.has_stock ? Array(i).fill(DOWN) : [] }));
    this.lines = [...columns, ...piles.map(name => ({ name, size: 0, cards: name === "Stock" ? [String(game.stock)] : [] }))];
    box.innerHTML = `<div class="editor"><p class="row"><input id="typed" type="text" size="16" spellcheck="false" autocapitalize="characters" aria-label="Cards to add" aria-describedby="typed-problem" placeholder="7H 10S KD"><button type="button" data-do="typed">Add</button>
      <span id="typed-problem" class="problem" role="status"></span>
      <span class="soft">Type cards or click them, the deepest first; the lines are filled one after the other. A whole table may be pasted.</span></p>
      <div class="palette" role="group" aria-label="Cards"></div><p class="row extras"></p><div class="lines"></div><div class="told" role="status"></div><div class="felt" hidden><div class="table" aria-hidden="true"></div></div>
      <details><summary>As text</summary><textarea rows="12" aria-label="The table as text" spellcheck="false"></textarea></details></div>`;
    this.area = box.querySelector("textarea");
    this.typed = box.querySelector("#typed");
    box.querySelector(".lines").addEventListener("click", event => this.#clickLine(event));
    box.querySelector(".palette").addEventListener("click", event => this.#add(event.target.closest("[data-card]")?.dataset.card));
    box.querySelector(".editor").addEventListener("click", event => this.#extra(event.target.closest(".extras [data-card], [data-do]")));
    this.area.addEventListener("input", () => { this.#read(this.area.value); this.#drawLines(); this.#check(); });
    this.typed.addEventListener("input", () => { if (/[\s,]$/.test(this.typed.value)) this.#type(); });
    this.typed.addEventListener("keydown", event => { if (event.key === "Enter") { event.preventDefault(); this.#type(); } });
    this.typed.addEventListener("paste", event => {
      const text = event.clipboardData.getData("text/plain");
      if (text.trim().includes("\n")) { event.preventDefault(); this.#read(text); this.#drawLines(); this.write(); }
    });
    this.#drawPalette();
    this.#drawLines();
    this.write();
  }

  get text() { return this.area.value; }

  /* Write the lines as text, with the rules that are chosen in the form. */
  write() {
    const columns = this.lines.filter(line => line.name.startsWith("Column"));
    const last = columns.findLastIndex(line => line.cards.length);
    const rows = columns.slice(0, last + 1).map(line => line.cards.join(" ") || ":");
    const piles = this.lines.filter(line => !line.name.startsWith("Column") && line.cards.length);
    const chosen = this.box.closest("form").querySelector('[data-choice="exchange"]');
    this.area.value = [`# game: ${this.game.game}`, ...(this.isInPlay ? ["# position: in play"] : []), ...(chosen ? [`Exchange: ${chosen.value}`] : []), ...rows, ...piles.map(line => `${line.name}: ${line.cards.join(" ")}`)].join("\n") + "\n";
    this.#check();
  }

  /* Take the lines from a text, as far as they are cards. */
  #read(whole) {
    for (const line of this.lines) line.cards = [];
    this.isInPlay = /^\s*(#+\s*)?position\s*:\s*in[\s_-]+play\s*$/im.test(whole);
    let column = 0;
    for (const text of whole.split("\n").map(row => row.split("#")[0].trim())) {
      const pile = /^(Foundations|Stock|Waste|Talon|Removed):(.*)$/i.exec(text), cards = (pile ? pile[2] : text.replace(/^:/, "")).trim();
      if (!text || !pile && /^\w+:/.test(text)) continue;
      const name = pile && (pile[1].toLowerCase() === "talon" ? "Waste" : pile[1][0].toUpperCase() + pile[1].slice(1).toLowerCase());
      const line = pile ? this.lines.find(one => one.name === name) : this.lines[column++];
      if (line) line.cards = cards ? cards.split(/\s+/) : [];
    }
  }

  /* Add the cards that were typed; a word that is none stays in the field with all that follows. */
  #type() {
    let rest = this.typed.value.trimStart();
    for (let word; (word = /^[^\s,]+/.exec(rest)?.[0]) && WRITTEN.test(word); rest = rest.slice(word.length).replace(/^[\s,]+/, "")) {
      this.#add(word.toUpperCase().replace("10", "T").replace(/^\?\?$/, DOWN));
    }
    this.typed.value = rest;
    this.typed.setAttribute("aria-invalid", !!rest);
    this.box.querySelector("#typed-problem").textContent = rest ? `${rest.split(/[\s,]/)[0].slice(0, 20)} is no card.` : "";
  }

  #drawPalette() {
    this.box.querySelector(".palette").innerHTML = [...SUITS].map(suit => [...RANKS].map(rank =>
      `<button type="button" class="chip ${suit}" data-card="${rank}${suit}">${shownRank(rank)}${SIGNS[suit]}</button>`).join("")).join("");
    const jokers = this.game.jokers ? ["XB", "XR"].map(name => `<button type="button" class="chip ${name}" data-card="${name}">${name}</button>`).join("") : "";
    const down = this.game.has_stock ? `<button type="button" data-do="down" aria-pressed="false">Face down</button>
      <button type="button" class="chip down" data-card="&lt;??&gt;">unknown</button>` : "";
    this.box.querySelector(".extras").innerHTML = `${jokers}${down}<button type="button" data-do="clear">Clear the line</button><button type="button" data-do="empty">Clear all</button>`;
  }

  #drawLines() {
    const lines = this.box.querySelector(".lines"), html = this.lines.map((line, i) => `<div class="line" data-line="${i}"${i === this.at ? ' aria-current="true"' : ""}>
      <button type="button" data-line="${i}">${line.name}</button>${line.cards.map((text, at) => this.#chip(text, `data-line="${i}" data-at="${at}"`)).join("")}${
      '<span class="chip open" aria-hidden="true"></span>'.repeat(Math.max(0, line.size - line.cards.length))}</div>`).join("");
    keepFocus(lines, () => { lines.innerHTML = html; });
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
    if (at !== undefined) this.write();
  }

  /* Add a card to the line; a column that has its usual number of cards hands on to the next. */
  #add(card) {
    if (!card) return;
    const line = this.lines[this.at], isColumn = line.name.startsWith("Column");
    if (line.name === "Foundations") this.#top(card);
    else if (line.name === "Stock" && card === DOWN) line.cards = [String(1 + (+line.cards[0] || 0))];
    else {
      if (line.name === "Stock" && /^\d+$/.test(line.cards[0])) line.cards = [];
      line.cards.push(this.isDown && card[0] !== "<" && isColumn ? `<${card}>` : card);
    }
    if (isColumn && line.cards.length === line.size && this.lines[this.at + 1]?.size) this.at += 1;
    this.#drawLines();
    this.write();
  }

  /* A card clicked into the foundations is the top of its suit. */
  #top(card) {
    const line = this.lines[this.at], [rank, suit] = card;
    line.cards = [...line.cards.filter(text => text[0] !== suit), `${suit}-${rank}`].sort();
  }

  #extra(button) {
    if (!button) return;
    const { card, do: what } = button.dataset;
    if (card) { this.#add(card); return; }
    if (what === "typed") { this.#type(); return; }
    if (what === "in-play") { this.isInPlay = true; this.write(); return; }
    if (what === "down") { this.isDown = !this.isDown; button.setAttribute("aria-pressed", this.isDown); return; }
    for (const line of what === "empty" ? this.lines : [this.lines[this.at]]) line.cards = [];
    if (what === "empty") { this.at = 0; this.isInPlay = false; }
    this.#drawLines();
    this.write();
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
      if (text === this.area.value && this.box.contains(this.area)) this.#tell(answer);
    }, CHECK_AFTER);
  }

  #tell(answer) {
    const told = this.box.querySelector(".told"), felt = this.box.querySelector(".felt");
    felt.hidden = !answer.picture;
    felt.innerHTML = '<div class="table" aria-hidden="true"></div>';
    if (answer.picture) drawSmall(felt, answer.picture, this.game.wing, 1);
    if (answer.type !== "checked") { told.innerHTML = `<p class="problem">${escapeText(answer.why || answer.text)}</p>`; return; }
    const { missing, doubled, problems, ok, note } = answer;
    const list = cards => cards.slice(0, 26).map(card => pretty(card)).join(" ") + (cards.length > 26 ? ` and ${cards.length - 26} more` : "");
    const lines = [
      ok ? `<p class="fine">${note ? `${escapeText(note)} ` : ""}This table can be opened.</p>` : "",
      doubled.length ? `<p class="problem">Too often: ${list(doubled)}</p>` : "",
      missing.length ? `<p class="soft">Missing: ${list(missing)}</p>` : "",
      ...(missing.length || doubled.length ? problems.filter(problem => !/is missing|once too often/.test(problem.text)) : problems)
        .slice(0, 3).map(({ line, text }) => `<p class="problem">${line ? `Line ${line}: ` : ""}${escapeText(text)}</p>`),
      problems.some(({ text }) => text.includes("# position: in play")) ? '<p><button type="button" data-do="in-play">This is a position in play</button></p>' : "",
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
