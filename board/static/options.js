/* Moves of a position with their verdicts or chances, and the best one as an arrow on the table. */

import { drawArrows } from "./arrow.js";
import { adviceRows, optionRows } from "./verdict.js";

export class Options {
  /* `make(text)` makes the move that a person clicks. */
  constructor(box, make) {
    Object.assign(this, { box, marks: {}, chances: null, isOn: false });
    box.addEventListener("click", event => {
      const button = event.target.closest("[data-text]");
      if (button) make(button.dataset.text);
    });
  }

  /* Forget what was known of another position. */
  clear() { this.marks = {}; this.chances = null; }

  /* Draw the moves of `position` where they may be seen, and their marks on the table through `play`. */
  draw(position, isScored, isSeen, table, play) {
    const isShown = this.isOn && isSeen, advice = this.chances ? adviceRows(this.chances.advice) : null;
    this.box.hidden = !isShown || !position.moves.length;
    if (!this.box.hidden) this.#fill(advice || optionRows(position.moves, this.marks, isScored));
    const move = isShown ? position.moves.find(one => one.text === this.#best()) : null;
    drawArrows(table, move ? [move] : []);
    play.mark(isShown && !this.chances ? this.marks : {});
  }

  #fill(rows) {
    const list = this.box.lastElementChild, scroll = this.box.scrollTop, { text } = document.activeElement.dataset;
    const isInside = list.contains(document.activeElement);
    list.replaceChildren(...rows);
    this.box.scrollTop = scroll;
    const same = isInside && [...list.querySelectorAll("[data-text]")].find(button => button.dataset.text === text);
    if (same) same.focus();
  }

  #best() {
    if (this.chances) { const [first] = this.chances.advice || []; return first && first.moves[0]; }
    return (Object.entries(this.marks).find(([, mark]) => mark.best && mark.keeps) || [])[0];
  }
}
