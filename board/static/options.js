/* Moves of a position with their verdicts or chances, and the best one as an arrow on the table. Rows hold still under the
   pointer and the focus; the move they stand for is shown before a click makes it. */

import { drawArrows } from "./arrow.js";
import { keepFocus } from "./focus.js";
import { adviceRows, optionRows } from "./verdict.js";

export class Options {
  /* `make(text)` makes the move that a person clicks. */
  constructor(box, make) {
    Object.assign(this, { box, list: box.lastElementChild, marks: {}, chances: null, isOn: false, looked: null });
    const textOf = event => { const row = event.target.closest("[data-text]"); return row && row.dataset.text; };
    const look = event => this.#look(textOf(event));
    box.addEventListener("pointerover", event => { if (event.pointerType !== "touch") look(event); });
    box.addEventListener("focusin", event => { if (event.target.matches(":focus-visible")) look(event); });
    const leave = event => {
      if (event.pointerType === "touch" || box.contains(event.relatedTarget)) return;  // a finger leaves before its tap is a click
      this.#look(null);
      if (this.again) this.again();
    };
    for (const type of ["pointerleave", "focusout"]) box.addEventListener(type, leave);
    box.addEventListener("click", event => {
      const text = textOf(event);
      if (!text) return;
      if (event.pointerType === "touch" && this.looked !== text) this.#look(text);  // the first tap shows the move
      else make(text);
    });
  }

  /* Forget what was known of another position. */
  clear() { Object.assign(this, { marks: {}, chances: null, looked: null, node: null }); }

  /* Draw the moves of `position` where they may be seen, and their marks on the table through `play`. */
  draw(position, rules, isSeen, table, play) {
    const isShown = this.isOn && isSeen && position.over !== "won";
    Object.assign(this, { table, moves: position.moves, isShown, again: () => this.draw(position, rules, isSeen, table, play) });
    keepFocus(this.box, () => {
      this.box.hidden = !isShown || !position.moves.length;
      if (!this.box.hidden) this.#fill(this.chances ? adviceRows(this.chances.advice) : optionRows(position.moves, this.marks, rules), position.node);
    });
    this.#point();
    play.mark(isShown && !this.chances ? this.marks : {});
  }

  #look(text) {
    if (text === this.looked) return;
    this.looked = text;
    this.#point();
  }

  /* The arrow of the move that is looked at, or else of the best. */
  #point() {
    if (!this.table) return;
    const text = this.looked || this.#best(), move = this.isShown ? this.moves.find(one => one.text === text) : null;
    drawArrows(this.table, move ? [move] : [], !!this.looked);
  }

  #fill(rows, node) {
    const isHeld = this.node === node && (this.list.matches(":hover") || this.list.contains(document.activeElement));
    this.node = node;
    if (!isHeld) { this.list.replaceChildren(...rows); return; }
    const byText = list => new Map([...list].map(item => [(item.firstElementChild || item).dataset.text, item]));
    const news = byText(rows), olds = byText(this.list.children);
    for (const [text, item] of olds) {
      if (text && news.has(text)) item.firstElementChild.innerHTML = news.get(text).firstElementChild.innerHTML;
    }
    for (const [text, item] of news) if (!olds.has(text)) this.list.append(item);
  }

  #best() {
    if (this.chances) { const [first] = this.chances.advice || []; return first && first.moves[0]; }
    return (Object.entries(this.marks).find(([, mark]) => mark.best && mark.keeps) || [])[0];
  }
}
