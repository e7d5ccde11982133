// What a page needs to draw a position, from the bytes of a table.
import { games } from "./games.js";

/** @import { Board, Move } from "./index.d.ts" */

const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"];
const SUITS = ["C", "D", "H", "S"];
const JOKERS = /** @type {const} */ (["XB", "XR"]);
const COLUMNS = 14,
  ROOM = 104;
const SIZES = 3,
  HIDDEN = SIZES + COLUMNS,
  CARDS = HIDDEN + COLUMNS,
  STOCK = CARDS + COLUMNS * ROOM;
const PILES = STOCK + 2,
  UP = PILES + 2 * ROOM;
const BASE = UP + 4,
  DRAW = BASE + 1,
  PASSES = BASE + 2,
  REDEALS = BASE + 3,
  BACKWARD = BASE + 4;
const HAS_JOKERS = BASE + 5;
const JOKER = HAS_JOKERS + 3;
const FIRST_JOKER = 52;

/** A card as text, "7S" or "XB".
    @type {(card: number) => string} */
function cardText(card) {
  return card < FIRST_JOKER ? RANKS[card >> 2] + SUITS[card & 3] : JOKERS[card - FIRST_JOKER];
}

/** @type {(table: Uint8Array, at: number, count: number) => string[]} */
function cardsAt(table, at, count) {
  return Array.from(table.subarray(at, at + count), cardText);
}

/** The position of a table as plain data.
    @type {(game: string, table: Uint8Array) => Board} */
export function boardOf(game, table) {
  const columns = Array.from({ length: table[2] }, (_, i) => ({
    cards: cardsAt(table, CARDS + ROOM * i, table[SIZES + i]),
    hidden: table[HIDDEN + i],
  }));
  const common = { game, columns, foundations: foundationsOf(game, table) };
  if (games[game].hasRuns) return common;
  if (!games[game].hasStock) return { ...common, base: rankText(table[BASE]) };
  const board = {
    ...common,
    stock: cardsAt(table, PILES, table[STOCK]),
    waste: cardsAt(table, PILES + ROOM, table[STOCK + 1]),
    draw: table[DRAW],
    passes: table[PASSES] || null,
    redeals: table[REDEALS],
    worryingBack: table[BACKWARD] === 1,
  };
  return table[HAS_JOKERS] ? { ...board, jokers: jokersOf(table) } : board;
}

/** @type {(game: string, table: Uint8Array) => Board["foundations"]} */
function foundationsOf(game, table) {
  const ranks = table[0],
    base = Math.max(0, signed(table[BASE]));
  const jokers = table[HAS_JOKERS] ? [0, 1].map(i => signed(table[JOKER + 4 * i + 1])) : [];
  const piles = SUITS.map((_, suit) =>
    Array.from({ length: table[UP + suit] }, (_, i) => {
      const card = 4 * ((base + i) % ranks) + suit;
      return cardText(jokers.includes(card) ? FIRST_JOKER + jokers.indexOf(card) : card);
    }),
  );
  const suits = SUITS.map((_, suit) => suit).filter(suit => (table[1] >> suit) & 1);
  const { hasRuns, copies } = games[game];
  const cardsOf = (/** @type {number} */ suit) => (hasRuns ? runsOf(table, suit, copies) : piles[suit]);
  return Object.fromEntries(suits.map(suit => [SUITS[suit], cardsOf(suit)]));
}

/** The cards of a suit that have left in runs, each from the king to the ace.
    @type {(table: Uint8Array, suit: number, copies: number) => string[]} */
function runsOf(table, suit, copies) {
  let left = 0;
  for (let i = 0; i < table[2]; i++) {
    const cards = table.subarray(CARDS + ROOM * i, CARDS + ROOM * i + table[SIZES + i]);
    left += cards.filter(card => card === suit).length;
  }
  const ranks = table[0];
  const length = (copies - left) * ranks;
  return Array.from({ length }, (_, i) => cardText(4 * (ranks - 1 - (i % ranks)) + suit));
}

/** @type {(table: Uint8Array) => Board["jokers"]} */
function jokersOf(table) {
  return [0, 1].map(i => {
    const [rank, place, isOpenAce, isOut] = table.subarray(JOKER + 4 * i, JOKER + 4 * i + 4);
    return {
      card: JOKERS[i],
      declared: rankText(rank),
      place: signed(place) < 0 ? null : cardText(place),
      isOpenAce: isOpenAce === 1,
      isOut: isOut === 1,
    };
  });
}

/** @type {(rank: number) => string | null} */
function rankText(rank) {
  return RANKS[signed(rank)] ?? null;
}

/** @type {(byte: number) => number} */
function signed(byte) {
  return (byte << 24) >> 24;
}

/** A move as plain data, from its text.
    @type {(text: string, bytes: Int8Array) => Move} */
export function moveOf(text, bytes) {
  const [card, places] = text.split(" ");
  const [, from, sign, to] = /** @type {RegExpExecArray} */ (/^(\w+)([-=])(\w+)$/.exec(places));
  const declares = sign === "=" ? { declares: to } : bytes[4] >= 0 ? { declares: RANKS[bytes[4]] } : {};
  return { move: text, card, from, to: sign === "=" ? from : to, count: bytes[2], ...declares };
}
