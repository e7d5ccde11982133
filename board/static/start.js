/* Dialog to choose a game and a deal. */

import { escapeText } from "./cards.js";
import { Editor } from "./editor.js";
import { keep, kept } from "./looks.js";

const CHOICES = {
  exchange: ["A card in the waste changes places with its joker", { turned: "when it is turned", exposed: "whenever it is on top" }],
  removal: ["Jokers may be put out of play", { undeclared: "while undeclared", exposed: "declared ones too, on top of a column" }],
  draw: ["Cards that a draw turns", {}],
  passes: ["Passes through the stock", {}],
  worrying_back: ["Cards may come back from the foundations", {}],
};

const FAMILY = ["chessboard", "simon-jester", "joker"];

/* The day, as the server reads it. */
export function today() {
  const now = new Date();
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map(part => String(part).padStart(2, "0")).join("-");
}

export class Start {
  /* `ask` talks to the server; `open(request)` opens a game and gives the answer. */
  constructor(dialog, on) {
    Object.assign(this, { dialog, on, games: [], game: null });
    dialog.addEventListener("change", event => this.#change(event.target));
    dialog.addEventListener("click", event => this.#click(event));
    dialog.addEventListener("submit", event => { event.preventDefault(); this.#deal(); });
    dialog.addEventListener("close", () => { if (this.isDealing) on.ask({ type: "cancel" }); });
  }

  take(hello) { this.games = hello.games; }

  show(problem = "") {
    if (!this.games.length) return;
    this.game = this.games.find(game => game.game === (this.game || {}).game) || this.games.find(game => game.game === kept("variant")) || this.games[0];
    this.isDealing = false;
    this.#drawGames(problem);
    if (!this.dialog.open) this.dialog.showModal();
  }

  /* Open a deal that was dropped or pasted; if its game is not named, the one chosen last. */
  async open(text) {
    const answer = await this.on.open({ ...(this.game && { game: this.game.game }), from: { text } });
    if (answer.type === "game") return;
    this.show();
    this.#drawDeals();
    this.dialog.querySelector('[name="deal"][value="text"]').click();
    this.dialog.querySelector("#text").value = text;
    this.#tell(answer.why);
  }

  /* How many deals were tried. */
  tell({ tried }) { this.#tell(`Looking for a deal: ${tried} tried`, "soft"); }

  #tell(text, kind = "problem") {
    const line = this.dialog.querySelector("#start-problem");
    if (!line) return;  // a deal that was asked for without this dialog
    line.className = kind;
    line.textContent = text;
  }

  /* The first step: the games, those of the family first. */
  #drawGames(problem) {
    const button = game => `<button type="button" name="game" value="${game.game}"${game === this.game ? " autofocus" : ""}><b>${escapeText(game.title)}</b><small>${escapeText(game.summary)}</small></button>`;
    const isFirst = game => FAMILY.includes(game.game);
    this.dialog.innerHTML = `<form method="dialog"><h2 id="start-title">New game <button type="button" data-do="close">Close</button></h2>
      <p id="start-problem" class="problem" role="alert">${escapeText(problem)}</p>
      <div class="games first" role="group" aria-label="Games">${FAMILY.map(name => this.games.find(game => game.game === name)).filter(game => game).map(button).join("")}</div>
      <h3>Their siblings</h3><div class="games" role="group" aria-label="More games">${this.games.filter(game => !isFirst(game)).map(button).join("")}</div></form>`;
  }

  /* The second step: the deal. */
  #drawDeals() {
    this.dialog.innerHTML = `<form method="dialog"><h2 id="start-title">${escapeText(this.game.title)} <span class="row"><button type="button" data-do="games">Other games</button>
      <button type="button" data-do="close">Close</button></span></h2><div id="deal-fields"></div>
      <div class="end"><p id="start-problem" class="problem" role="alert"></p>
      <p class="row"><button class="main" id="deal" autofocus>Deal</button> <button type="button" data-do="cancel" hidden>Stop looking</button></p></div></form>`;
    this.#drawFields();
    this.dialog.querySelector("#deal").focus();
  }

  #drawFields() {
    const { game } = this, chosen = kept("deal") || "winnable";
    const options = list => list.map(name => `<option>${name}</option>`).join("");
    const ways = [
      ["winnable", `A deal that can be won</span> ${game.scored
        ? `<select id="tier" aria-label="Goal">${Object.entries(game.tiers).filter(([, cards]) => cards).sort((a, b) => a[1] - b[1])
          .map(([tier, cards]) => `<option value="${tier === "win" ? "" : tier}">${cards === game.places ? `all ${cards}` : `${cards} cards or more`}</option>`).join("")}</select>` : ""}
        ${game.levels && game.levels.length ? `<select id="level" aria-label="Difficulty"><option value="">of any difficulty</option>${options(game.levels)}</select>` : ""}`],
      ["random", "Any deal</span>"],
      ["today", "The deal of the day</span>"],
    ];
    const more = [
      ["seed", 'By its number</span> <input type="text" id="seed" inputmode="numeric" size="12" aria-label="Number of the deal" placeholder="seed">'],
      ...(game.pysol ? [["pysol", 'PySolFC number</span> <input type="text" id="pysol" size="14" aria-label="Number in PySolFC">']] : []),
      ["text", "Text or JSON, pasted or dropped</span>"],
      ["table", "Cards of my own table</span>"],
    ];
    const labels = list => list.map(([value, html]) => `<label><input type="radio" name="deal" value="${value}"${value === chosen ? " checked" : ""}> <span>${html}</label>`).join("");
    const mode = game.modes.includes("player") ? `<label>Cards that are not turned yet: <select id="mode">
      <option value="player">hidden, as at a table</option><option value="analysis"${kept("mode") === "analysis" ? " selected" : ""}>known to the analysis</option></select></label>` : "";
    const choices = Object.entries(game.choices || {}).map(([name, values]) => `<label>${CHOICES[name][0]} <select data-choice="${name}" aria-label="${CHOICES[name][0]}">${
      values.map(value => `<option value="${value}">${CHOICES[name][1][value] || value}</option>`).join("")}</select></label>`).join("");
    const isMore = more.some(([value]) => value === chosen);
    this.dialog.querySelector("#deal-fields").innerHTML = `<fieldset><legend class="sr">Deal</legend><div class="games deals">${labels(ways)}</div>
      <details class="more"${isMore ? " open" : ""}><summary>A deal of my own</summary><div class="games deals">${labels(more)}</div></details></fieldset><div id="own"></div>
      <div class="fields">${mode}${choices}</div>`;
    if (!this.dialog.querySelector('[name="deal"]:checked')) this.dialog.querySelector('[name="deal"]').checked = true;
    this.#drawOwn();
  }

  #way() { return this.dialog.querySelector('[name="deal"]:checked').value; }

  #drawOwn() {
    const own = this.dialog.querySelector("#own"), way = this.#way();
    own.replaceChildren();
    this.editor = null;
    this.dialog.querySelector("#deal").textContent = way === "text" || way === "table" ? "Open" : "Deal";
    if (way === "text") own.innerHTML = '<textarea id="text" rows="9" aria-label="Deal as text or JSON" spellcheck="false" placeholder="3S 8H TH 5C ...&#10;a line a column"></textarea>';
    if (way === "table") this.editor = new Editor(own, this.game, this.on.ask);
  }

  #change(target) {
    if (target.dataset.choice && this.editor) this.editor.write();
    if (target.name !== "deal") return;
    target.closest("details")?.setAttribute("open", "");
    this.#drawOwn();
  }

  #click(event) {
    const what = event.target.dataset.do, game = event.target.closest('[name="game"]');
    if (game) {
      this.game = this.games.find(one => one.game === game.value);
      this.#drawDeals();
      return;
    }
    if (what === "games") this.#drawGames("");
    if (what === "close") this.dialog.close();
    if (what === "cancel") this.on.ask({ type: "cancel" });
    const field = event.target.closest("#seed, #pysol, #level, #tier");
    if (field) field.closest("label").querySelector('[name="deal"]').checked = true;
    if (field && this.dialog.querySelector("#own").childElementCount) this.#drawOwn();
  }

  #value(id) { const field = this.dialog.querySelector("#" + id); return field ? field.value.trim() : ""; }

  #from() {
    const way = this.#way();
    if (way === "winnable") {
      return { winnable: true, ...(this.#value("level") && { level: this.#value("level") }), ...(this.#value("tier") && { tier: this.#value("tier") }) };
    }
    if (way === "today") return { today: today() };
    if (way === "seed") return { seed: this.#value("seed") };
    if (way === "pysol") return { pysol: this.#value("pysol") };
    if (way === "text") return { text: this.#value("text") };
    return way === "table" ? { text: this.editor.text } : { random: true };
  }

  async #deal() {
    const way = this.#way(), isOwn = way === "text" || way === "table";
    const choices = Object.fromEntries([...this.dialog.querySelectorAll("[data-choice]")].map(select => [select.dataset.choice, select.value])
      .filter(([name, value]) => value !== this.game.choices[name][0]));
    const mode = this.game.modes.includes("player") ? this.#value("mode") : "analysis";
    keep("variant", this.game.game);
    if (!isOwn) keep("deal", way);
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
    if (answer.type !== "game" && this.dialog.open) this.#tell(answer.why || answer.text || "It was stopped.");
  }

  #setDealing(isOn) {
    this.isDealing = isOn;
    this.dialog.querySelector("#deal").disabled = isOn;
    this.dialog.querySelector('[data-do="cancel"]').hidden = !isOn;
  }
}
