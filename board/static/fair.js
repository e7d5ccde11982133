/* Review of a game with hidden cards by what its player saw: the figures of the game, and the moves that lost
   something. */

import { escapeText, pretty } from "./cards.js";
import { dataOf } from "./elements.js";
import { enter, keepFocus } from "./input.js";
import { moveInWords } from "./looks.js";

/** @import { Game } from "./game.js" */
/** @import { Ask, Fair, FairStep } from "./types.d.ts" */

export class FairReview {
  /** The game that is judged; null before the first.
      @type {Game | null} */
  #game = null;
  isJudging = false;

  /** `go` is called for the node of a move that was clicked, `changed` when the box was opened or closed.
      @param {HTMLElement} box
      @param {{ ask: Ask; go: (node: number) => void; changed: () => void }} on */
  constructor(box, on) {
    this.box = box;
    this.on = on;
    box.addEventListener("click", event => {
      const { do: what, node } = dataOf(event, "button");
      if (node) on.go(+node);
      if (what === "close") this.close();
    });
  }

  /** Ask for the review of the moves up to the position shown. Resolves to the reason of a refusal.
      @type {(game: Game) => Promise<string | null>} */
  async begin(game) {
    this.#game = game;
    this.isJudging = true;
    this.#draw("Judging the moves by what you saw", "", "Stop");
    enter(this.box);
    const answer = await this.on.ask({ type: "fair", on: true });
    if (answer.type === "done") return null;
    this.end();
    return answer.why || "The moves cannot be judged.";
  }

  /** @type {(message: Fair) => void} */
  take({ state, part, lines, steps }) {
    if (state === "judging") {
      if (this.isJudging) this.#draw(`Judging ${part || "the moves"} by what you saw`, "", "Stop");
      return;
    }
    this.isJudging = false;
    for (const step of steps || []) {
      const node = this.#game?.byNumber.get(step.node);
      if (node) node.fair = step;
    }
    const [moves, lost, ...others] = (lines || []).map(line => `<p>${escapeText(line)}</p>`),
      rows = (steps || []).map(step => this.#row(step)).join("");
    const html = [moves, lost, rows && `<ul class="rows">${rows}</ul>`, ...others].join("");
    this.#draw("Judged by what you saw", html, "Close");
  }

  /* Stop judging, and hide the box. */
  close() {
    if (this.isJudging) this.on.ask({ type: "fair", on: false });
    this.end();
  }

  /* The judging has stopped: the position has changed, or it failed. */
  stopped() {
    if (this.isJudging) this.end();
  }

  end() {
    this.isJudging = false;
    if (this.box.hidden) return;
    keepFocus(this.box, () => {
      this.box.hidden = true;
      this.on.changed();
    });
  }

  /** @type {(step: FairStep) => string} */
  #row({ node: number, text, better }) {
    const node = this.#game?.byNumber.get(number);
    if (!node) return "";
    const move = pretty(moveInWords(node.move || "", node.as)),
      best = better ? `; better: ${pretty(moveInWords(better))}` : "";
    return `<li><button type="button" data-node="${number}"><b>Move ${node.ply}</b> <span>${move}</span>
      <em class="bad">${escapeText(text).replace("-&gt;", "\u2192")}</em>${best}</button></li>`;
  }

  /** @type {(title: string, html: string, button: string) => void} */
  #draw(title, html, button) {
    const isNew = this.box.hidden;
    keepFocus(this.box, () => {
      this.box.hidden = false;
      this.box.innerHTML = `<h2><span role="status">${escapeText(title)}</span>
        <button type="button" data-do="close">${button}</button></h2>${html}`;
    });
    if (isNew) this.on.changed();
  }
}
