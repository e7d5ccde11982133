/* Places of a position (piles of the top row and columns) and their layout on a table of given width. */

import { SIGNS, SUITS, cardsOf, withRank } from "./cards.js";

/* Every place with its cards: p0, p1, ... are the piles, c0, c1, ... the columns. */
export function placesOf(step) {
  const piles = step.piles.map((pile, i) => ({ id: "p" + i, pile, cards: cardsOf(pile.cards) }));
  const columns = step.columns.map((text, i) => ({ id: "c" + i, column: i, cards: cardsOf(text) }));
  return piles.concat(columns);
}

/* The note of a pile in words: its cards and pass, its runs, its first rank. */
export function spokenNote({ kind, note }) {
  if (kind === "stock" || kind === "waste") return note.replace(/^0(, )?/, "").replace(/^\d+/, count => `${count} ${count === "1" ? "card" : "cards"}`);
  return kind === "runs" ? note.replace("/", " of ") : withRank(note);
}

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
  const across = Math.max(columns, piles.length), least = width < 600 ? 3 : 8, apart = wing ? 2 + (width >= 600) : 0;  // gaps between the wings
  const w = Math.floor(Math.min(widest, (width - (across - 1 + apart) * least) / across));
  const gap = Math.max(least, Math.min(w * .34, (width - across * w) / (across - 1 + apart))), split = gap * apart;
  const isNarrow = w < 28, font = isNarrow ? w * .58 : Math.max(w * .21, Math.min(24, Math.max(11.5, w * .38)));
  const h = Math.round(w * (isNarrow ? 1.75 : 1.42)), padTop = Math.max(1, w * .035);
  const shortest = Math.ceil(padTop + font * (isNarrow ? 1.85 : 1.04) + 2), best = isNarrow ? shortest : Math.max(shortest, w * .42);
  const ratio = isPeek ? 1 : .45;
  const longest = Math.max(1, ...lengths.map(([down, up]) => down * ratio + up));
  const strip = Math.max(shortest, Math.min(best, (room - 2 * h - 56) / longest));
  const left = (width - (columns * w + (columns - 1) * gap + split)) / 2;
  const leftPile = piles.length > columns ? (width - (piles.length * (w + gap) - gap)) / 2 : left;
  const isStock = piles.length && piles[0].kind === "stock";
  return {
    w, h, gap, width, strip, font, padTop, isNarrow, label: Math.min(24, Math.max(16, w * .11)), down: isPeek ? strip : Math.max(5, strip * ratio), fan: Math.min(Math.max(font * 1.45, w * .36), (w + gap) / 2),
    xOfColumn: i => left + i * (w + gap) + (wing && i >= wing ? split : 0),
    xOfPile: i => isStock && i >= 2 ? width - leftPile - (piles.length - i) * (w + gap) + gap : leftPile + i * (w + gap),
  };
}

/* What is written over a place. */
export function nameOf(place, sizes) {
  if (!place.pile) return String(place.column + 1);
  const { kind, name, note } = place.pile;
  if (SIGNS[name]) return withRank(note);
  const [count, pass] = note.split(", pass ");
  if (pass && sizes.w < 130) return `${count}, ${pass.replace(" of ", "/")}`;  // that it does not run into the next one
  return kind === "joker" ? note || name : sizes.w < 50 ? note : `${name} ${note}`;
}
