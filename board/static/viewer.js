/* Viewer that steps through a line of play on the table, apart from the game. */

import { escapeText, pretty } from "./cards.js";
import { enter, keepFocus } from "./focus.js";

export class Viewer {
  /* `show(step)` draws a step; `close()` draws the game again; `keep({node, moves})` adds the line to the game,
     `other(goal)` shows the line to another goal. */
  constructor(box, on) {
    Object.assign(this, { box, on, isOpen: false, line: null, at: 0 });
    box.addEventListener("click", event => {
      const what = event.target.closest("[data-do]");
      if (what) this.#do(what.dataset.do);
    });
  }

  open(line) {
    const { other } = line;  // to the tier alone, or to the score
    Object.assign(this, { line, at: 0, isOpen: true });
    this.box.hidden = false;
    this.box.innerHTML = `<h2>A line of play <button type="button" data-do="close">Close</button></h2><p class="soft">${escapeText(line.text || "")}</p>
      <p class="row"><button type="button" data-do="first" aria-label="First">|\u25C0</button><button type="button" data-do="back" aria-label="Back">\u25C0</button>
      <button type="button" data-do="next" class="main" aria-label="Next">\u25B6</button><button type="button" data-do="last" aria-label="Last">\u25B6|</button>
      <b class="place"></b></p><p class="what"></p><p class="row"><button type="button" data-do="keep">Keep it as a variation</button>${
      other ? `<button type="button" data-do="other">${escapeText(other.text)}</button>` : ""}</p>`;
    this.#go(line.steps.length > 1 ? 1 : 0);
    enter(this.box);
  }

  /* Stop viewing, without a word to the table. */
  end() {
    this.isOpen = false;
    keepFocus(this.box, () => { this.box.hidden = true; });
  }

  redraw() { this.#go(this.at); }

  key(key) {
    const what = { ArrowRight: "next", ArrowLeft: "back", Home: "first", End: "last", Escape: "close" }[key];
    if (what) this.#do(what);
    return !!what;
  }

  #do(what) {
    const { steps } = this.line;
    if (what === "other") { this.on.other(this.line.other.goal); return; }
    if (what === "close" || what === "keep") {
      this.end();
      this.on.close();
      if (what === "keep") this.on.keep({ node: this.line.node, moves: steps.slice(1).map(step => step.move) });
      return;
    }
    this.#go({ first: 0, back: this.at - 1, next: this.at + 1, last: steps.length - 1 }[what]);
  }

  #go(to) {
    const { steps } = this.line;
    this.at = Math.max(0, Math.min(steps.length - 1, to));
    const step = steps[this.at];
    this.box.querySelector(".place").textContent = `${this.at} of ${steps.length - 1}`;
    this.box.querySelector(".what").innerHTML = this.at ? pretty(step.does) : "From here:";
    this.on.show(step);
  }
}
