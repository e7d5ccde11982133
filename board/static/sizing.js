/* Card size: the table fills the space that the page leaves, and keeps its size while columns grow slightly. */

import { lengthsOf } from "./places.js";

const LEAST = 60;  // pixels of the widest card of a table that is very low
const ROWS = 5.1;  // the least height of a table in widths of a card
const NARROW = 900, LOW = 500, ASIDE = 560;  // pixels of screens, as in board.css
const PHONE = 196, EDGES = 22;  // pixels that are no table: on a phone, on a low screen

export class Sizing {
  constructor(felt) { Object.assign(this, { felt, key: null, table: null, lengths: [] }); }

  /* Have everything measured again. */
  forget() { this.key = null; }

  /* Give `table` the sizes for `picture`, unless it has them. */
  fit(table, picture) {
    const lengths = lengthsOf(picture), key = [picture.columns.length, innerWidth, innerHeight, this.felt.clientWidth].join("/");
    const cards = ([down, up]) => down * .45 + up, longest = list => Math.max(...list.map(cards));
    if (this.key === key && this.table === table && longest(lengths) <= longest(this.lengths)) return;
    Object.assign(this, { key, table, lengths });
    const isLow = innerHeight <= LOW && innerWidth > innerHeight && innerWidth >= ASIDE, isNarrow = innerWidth <= NARROW;
    const room = isLow ? innerHeight - EDGES : isNarrow ? innerHeight - PHONE : innerHeight - this.felt.getBoundingClientRect().top - scrollY - this.#below();
    table.widest = Math.max(isLow ? 0 : LEAST, room / ROWS);
    table.measure(picture, lengths, Math.max(isLow ? 0 : isNarrow ? 260 : 300, room));
  }

  /* The pixels of what stands below the table on a desktop. */
  #below() {
    return [...document.querySelectorAll(".tools, .say")].reduce((sum, element) => sum + element.offsetHeight + 8, 34);
  }
}
