/* Parse, speak and draw cards in the notation of the text formats: 7H, <7H> face down, XB=6 a joker declared as a 6. */

import { drawingOf, signOf } from "./faces.js";

export const SIGNS = { C: "\u2663\uFE0E", D: "\u2666\uFE0E", H: "\u2665\uFE0E", S: "\u2660\uFE0E" };
export const SUITS = { C: "clubs", D: "diamonds", H: "hearts", S: "spades" };
const RANKS = { A: "ace", J: "jack", Q: "queen", K: "king", T: "10" };
const UNKNOWN = "??";

export function readCard(token) {
  const isDown = token[0] === "<", text = isDown ? token.slice(1, -1) : token;
  const [name, as] = text.split("=");
  return { name, as, isDown, isJoker: name[0] === "X", isUnknown: name === UNKNOWN, rank: name[0], suit: name[1] };
}

export const cardsOf = text => text ? text.split(" ").map(readCard) : [];
export const shownRank = rank => rank === "T" ? "10" : rank;

/* A card in words; with isSecret nothing is told of one that lies face down. */
export function spokenCard(card, isSecret) {
  if (card.isDown && (isSecret || card.isUnknown)) return "face down card";
  const down = card.isDown ? "face down " : "";
  if (!card.isJoker) return down + (RANKS[card.rank] || card.rank) + " of " + SUITS[card.suit];
  const colour = card.suit === "B" ? "black joker" : "red joker";
  return down + colour + (card.as ? " as " + (RANKS[card.as] || card.as) : "");
}

export const escapeText = text => String(text).replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");

/* Text with the names of cards in it, as HTML with suit signs. */
export function pretty(text) {
  return escapeText(text).replace(/\b([A2-9TJQK])([CDHS])\b/g,
    (_, rank, suit) => `<span class="name ${suit}">${shownRank(rank)}${SIGNS[suit]}</span>`)
    .replace(/\b(X[BR])\b/g, '<span class="name $1">$1</span>');
}

/* A move as it is listed: 7S 10-f as the card with where it goes from and to. */
const PLACES = { s: "stock", w: "waste", f: "up", x: "out" }, placed = text => PLACES[text] || (text[0] === "f" ? "back" : text);
export const inWords = text => text.replace(/^(\S+) s-w/, "$1 turned").replace(/^(\S+ )(\w+)-(\w+)/, (_, card, from, to) => `${card}${placed(from)}\u2192${placed(to)}`)
  .replace(/^(\S+) (\w+)=(\w+)/, (_, card, place, rank) => `${card} is ${rank === "T" ? "10" : rank}`).replace(/^\?\? /, "card ");

/* The same for a title or a label, which have no colours. */
export const plain = text => String(text).replace(/\b([A2-9TJQK])([CDHS])\b/g,
  (_, rank, suit) => shownRank(rank) + SIGNS[suit]);

/* What is printed on a card, as HTML. */
export function faceOf(card) {
  if (card.isUnknown) return "";
  const index = !card.isJoker ? `<span>${shownRank(card.rank)}</span>${signOf(card.suit)}`
    : `${card.as ? `<span>${shownRank(card.as)}</span>` : ""}<span>\u2605</span>`;
  return `<div class="index">${index}</div>${drawingOf(card.name)}${card.isJoker ? `<small>${card.name}</small>` : ""}`;
}

export const classOf = card => ["card", card.isUnknown ? "" : card.isJoker ? "joker " + card.name : card.suit, card.isDown ? "down" : ""]
  .filter(name => name).join(" ");
