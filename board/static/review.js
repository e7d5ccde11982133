/* Review of mistakes: visit each, try again without hints, or show a better move. */

import { pretty } from "./cards.js";
import { enter, focusTable, keepFocus } from "./focus.js";
import { moveText } from "./looks.js";

export class Review {
  /* `ask` and `act` talk to the server, `view(line)` shows a line, `showHints(isOn)` lets hints be seen or not. */
  constructor(box, on) {
    Object.assign(this, { box, on, mistake: null, isTrying: false, tried: null });
    box.addEventListener("click", event => {
      const what = event.target.dataset.do;
      if (what) this.#do(what);
    });
  }

  /* Go to the mistake after the one that is looked at, or to the first. */
  async jump(game) {
    const { mistakes } = game, last = this.mistake ? mistakes.findIndex(node => node.node === this.mistake.node) : -1;
    const next = mistakes[(last + 1) % mistakes.length];
    this.#try(false);
    this.mistake = null;
    await this.on.act({ type: "goto", node: next.node });
    Object.assign(this, { mistake: next, game });
    this.#draw(`Move ${next.ply}, ${moveText(next.move)}, ${next.loss}.`, ["try", "show", "next", "close"]);
    enter(this.box);
  }

  close() {
    this.#try(false);
    this.mistake = null;
    keepFocus(this.box, () => { this.box.hidden = true; });
  }

  /* The position changed: a move that was tried is to be judged, anything else ends the trial. */
  moved(game) {
    this.game = game;
    if (!this.mistake || this.isGoing) return;
    const { node } = game;
    if (this.isTrying && node && node.parent === this.mistake.parent) { this.tried = node.node; this.#judge(); }
    else if (!this.isTrying && node && node.node !== this.mistake.node) this.close();
    else if (this.isTrying && node && node.node !== this.mistake.parent && node.node !== this.tried) this.close();
  }

  learn(game, nodes) {
    if (this.isTrying && nodes.some(node => node.node === this.tried)) this.#judge();
  }

  #judge() {
    const node = this.game.byNumber.get(this.tried);
    if (!node) return;
    if (node.keeps === true) this.#draw(`Right: ${moveText(node.move)} keeps it.`, ["show", "next", "close"], "good");
    else if (node.keeps === false) this.#draw(`${moveText(node.move)} ${node.loss} as well.`, ["try", "show", "next", "close"], "bad");
    else this.#draw(`${moveText(node.move)}: thinking about it.`, ["try", "show", "close"]);
  }

  async #do(what) {
    if (what === "close") { this.close(); this.on.showHints(true); }
    if (what === "next") this.jump(this.game);
    if (what === "try") this.#again();
    if (what === "show") this.#show();
  }

  async #again() {
    this.#try(true);
    this.tried = null;
    await this.#goto(this.mistake.parent);
    this.#draw(`${moveText(this.mistake.move)} ${this.mistake.loss}. Find a move that keeps it.`, ["show", "next", "close"]);
    focusTable();
  }

  async #show() {
    const answer = await this.on.ask({ type: "better", node: this.mistake.node });
    this.#try(false);
    if (answer.type !== "line" || !answer.found) { this.#draw(answer.why || "No line is known.", ["try", "next", "close"], "bad"); return; }
    await this.#goto(this.mistake.parent);
    this.on.view(answer);
    this.#draw(`${moveText(answer.steps[1].move)} keeps it.`, ["try", "next", "close"], "good");
  }

  async #goto(node) {
    this.isGoing = true;
    await this.on.act({ type: "goto", node });
    this.isGoing = false;
  }

  #try(isOn) {
    this.isTrying = isOn;
    if (this.game) this.on.showHints(!isOn);
  }

  #draw(text, buttons, kind = "") {
    const { mistakes } = this.game, at = mistakes.findIndex(node => node.node === this.mistake.node) + 1;
    const names = { try: "Try again", show: "Show me", next: mistakes.length > 1 ? "Next mistake" : "", close: "Close" };
    this.box.hidden = false;
    const html = `<h2>Mistake ${at} of ${mistakes.length}</h2><p class="${kind}" role="status">${pretty(text)}</p><p class="row">${buttons.filter(name => names[name])
      .map((name, i) => `<button type="button" data-do="${name}"${i ? "" : ' class="main"'}>${names[name]}</button>`).join("")}</p>`;
    keepFocus(this.box, () => { this.box.innerHTML = html; });
  }
}
