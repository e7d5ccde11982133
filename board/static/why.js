/* Why a position is lost: the cards that block each other, marked on the table, each with arrows to what it waits for. */

import { drawWaits } from "./arrow.js";
import { escapeText, pretty } from "./cards.js";
import { enter, keepFocus } from "./focus.js";

export class Why {
  /* `redraw()` draws the arrows of the position again. */
  constructor(box, redraw) {
    Object.assign(this, { box, redraw, cards: [], table: null });
    box.addEventListener("click", event => { if (event.target.dataset.do === "close") this.close(); });
    for (const type of ["pointerover", "focusin", "click"]) box.addEventListener(type, event => this.#look(event.target.closest("[data-card]")));
  }

  open({ text, cards }, table) {
    Object.assign(this, { cards, table });
    const rows = cards.map((card, i) => `<li><button type="button" data-card="${i}">${pretty(card.text)}</button></li>`).join("");
    this.box.innerHTML = `<h2>Why it is lost <button type="button" data-do="close">Close</button></h2><p role="status">${escapeText(text)}</p><ul class="rows">${rows}</ul>`;
    this.box.hidden = false;
    enter(this.box);
    const spots = new Set(cards.map(card => card.spot));
    for (const { element, spot } of table.elements) element.classList.toggle("blocks", spots.has(spot));
  }

  close() {
    if (this.box.hidden) return;
    keepFocus(this.box, () => { this.box.hidden = true; });
    for (const { element } of this.table.elements) element.classList.remove("blocks");
    this.redraw();
  }

  #look(row) {
    if (!row) return;
    const { spot, waits } = this.cards[row.dataset.card];
    drawWaits(this.table, spot, waits);
  }
}
