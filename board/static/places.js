/* Places of a position (piles of the top row and columns) and their layout on a table of given width. */

import { SIGNS, SUITS, cardsOf } from "./cards.js";

/* Every place with its cards: p0, p1, ... are the piles, c0, c1, ... the columns. */
export function placesOf(step) {
  const piles = step.piles.map((pile, i) => ({ id: "p" + i, pile, cards: cardsOf(pile.cards) }));
  const columns = step.columns.map((text, i) => ({ id: "c" + i, column: i, cards: cardsOf(text) }));
  return piles.concat(columns);
}

export const spotsOf = step => placesOf(step).flatMap(place =>
  place.cards.map((card, depth) => ({ place, card, depth, id: place.id + "/" + depth })));

export function spokenPlace(place) {
  return place.pile ? `${SUITS[place.pile.name] || place.pile.name} ${place.pile.kind}`.replace(/^(\w+) \1$/, "$1")
    : `Column ${place.column + 1}`;
}

/* How many cards of each column lie face down and face up under the last one. */
export const lengthsOf = step => step.columns.map(text => {
  const cards = cardsOf(text), down = cards.filter(card => card.isDown).length;
  return [down, Math.max(0, cards.length - down - 1)];
});

/* The sizes for a table of `width` with `room` for the columns beneath each other; the strips shrink until the
   longest of `lengths` fits. No card is wider than `widest`. `wing` is the number of columns left of the gap between the wings, or null. */
export function sizesFor({ columns, piles, width, room, lengths, wing, widest, isPeek }) {
  const isSmall = width < 600;
  const across = Math.max(columns, piles.length), gap = isSmall ? 3 : 8, split = wing ? gap * (isSmall ? 2 : 4) : 0;
  const w = Math.min(widest, Math.floor((width - split - (across - 1) * gap) / across));
  const isNarrow = w < 28, font = isNarrow ? w * .58 : Math.min(Math.max(28, w * .25), Math.max(11.5, w * .38));
  const h = Math.round(w * (isNarrow ? 1.75 : 1.4));
  const least = isNarrow ? 2 * font : font + 3, best = isNarrow ? least : Math.max(least, w * .36);
  const ratio = isPeek ? 1 : .45;
  const longest = Math.max(1, ...lengths.map(([down, up]) => down * ratio + up));
  const strip = Math.max(least, Math.min(best, (room - 2 * h - 40) / longest));
  const left = (width - (columns * w + (columns - 1) * gap + split)) / 2;
  const leftPile = piles.length > columns ? (width - (piles.length * (w + gap) - gap)) / 2 : left;
  const isStock = piles.length && piles[0].kind === "stock";
  return {
    w, h, gap, width, strip, font, isNarrow, down: isPeek ? strip : Math.max(5, strip * ratio),
    xOfColumn: i => left + i * (w + gap) + (wing && i >= wing ? split : 0),
    xOfPile: i => isStock && i >= 2 ? width - leftPile - (piles.length - i) * (w + gap) + gap : leftPile + i * (w + gap),
  };
}

/* What is written over a place. */
export function nameOf(place, sizes) {
  if (!place.pile) return String(place.column + 1);
  const { kind, name, note } = place.pile;
  if (SIGNS[name]) return note;
  const [count, pass] = note.split(", pass ");
  if (pass && sizes.w < 130) return `${count}, ${pass.replace(" of ", "/")}`;  // that it does not run into the next one
  return kind === "joker" ? note || name : sizes.w < 50 ? note : `${name} ${note}`;
}
