/* The address of a game, as game/links.py writes and reads it. */

/** @import { From, Opening } from "./types.d.ts" */
/** @import { Mode, Picture, Rules } from "../../board/static/types.d.ts" */

const KEYS = ["game", "seed", "deal", "mode", "moves", "at", "level", "tier"];
const PILES = ["stock", "waste", "removed", "redeals"]; // of a table, beside its columns and foundations
const CARDS = /^(<?[0-9A-Z]{2}(=[0-9A-Z])?>?( |$))*$/; // a column, with face-down cards and ranks of jokers
const DRAWN = /^(<?[0-9A-Z?]{2}(=[0-9A-Z])?>?( |$))*$/; // the same with unknown cards
const RANKS = "A23456789TJQK",
  MOST_STOCK = 104, // cards
  MOST_PICTURE = 5000; // characters
const POSITIONS = ["in play", "in play, by columns"];
const MOST_SEED = 2n ** 64n - 1n;

/** The request to open the game of an address; null if only Python can read it, or say what is wrong with it.
    @type {(link: string, games: Rules[]) => Opening | null} */
export function requestOf(link, games) {
  const all = [...new URLSearchParams(link.replace(/^#/, ""))],
    fields = Object.fromEntries(all);
  const game = games.find(one => one.game === fields.game);
  if (!game || all.length !== Object.keys(fields).length) return null;
  const names = Object.keys(game.choices);
  /** @type {Record<string, string>} */
  const choices = {};
  for (const [key, value] of all) {
    if (names.includes(key)) choices[key] = value;
    else if (!KEYS.includes(key)) return null;
  }
  const { mode = "analysis", at } = fields,
    from = sourceOf(fields);
  if (!from || (at !== undefined && !/^\d{1,6}$/.test(at))) return null;
  const moves = fields.moves ? fields.moves.split(",") : [];
  return { game: game.game, mode: /** @type {Mode} */ (mode), choices, from, moves, ...(at && { at: +at }) };
}

/** The source that an address names; null for several deals, or a table that cannot be read here.
    @type {(fields: Record<string, string>) => From | null} */
function sourceOf({ seed, deal, level, tier }) {
  if (seed !== undefined) return deal === undefined ? { seed } : null;
  if (deal !== undefined) return objectIn(deal) && { table: objectIn(deal) };
  return level || tier ? { winnable: true, level, tier } : { random: true };
}

/** @type {(text: string) => object | null} */
function objectIn(text) {
  try {
    const found = JSON.parse(text);
    return typeof found === "object" ? found : null;
  } catch {
    return null;
  }
}

/** The text of a table that is given as an object; null if only Python can read it.
    @type {(game: Rules, table: any) => string | null} */
export function textOf(game, table) {
  const { game: name, position, columns, foundations = {}, ...rest } = table;
  const options = Object.keys(game.choices),
    lines = [`# game: ${game.game}`];
  if (name !== game.game || !Array.isArray(columns) || !columns.every(cards => CARDS.test(cards)))
    return null;
  if (position !== undefined && !POSITIONS.includes(position)) return null;
  if (Object.keys(rest).some(key => ![...PILES, ...options].includes(key))) return null;
  if (Object.entries(rest).some(([key, value]) => typeof value !== (key === "redeals" ? "number" : "string")))
    return null;
  if (!isOfTexts(foundations)) return null;
  if (position !== undefined) lines.push(`# position: ${position}`);
  /** @type {(key: string) => string[]} */
  const said = key =>
    key in rest ? [`${key[0].toUpperCase()}${key.slice(1).replace("_", " ")}: ${rest[key]}`] : [];
  const up = Object.entries(foundations).map(([suit, rank]) => `${suit}-${rank}`);
  lines.push(
    ...options.flatMap(said),
    ...columns.map(cards => cards || ":"),
    ...(up.length ? [`Foundations: ${up.join(" ")}`] : []),
  );
  lines.push(...PILES.flatMap(said));
  return lines.some(line => /[?\n]/.test(line)) ? null : lines.join("\n"); // "?" is an unknown card
}

/** @type {(value: any) => boolean} */
const isOfTexts = value =>
  Object.prototype.toString.call(value) === "[object Object]" &&
  Object.values(value).every(each => typeof each === "string");

/** The picture of a table that is given as an object, also with unknown cards; null if it cannot be drawn.
    @type {(game: Rules, hasRuns: boolean, table: any) => Picture | null} */
export function pictureOf(game, hasRuns, { columns, stock = "", waste = "", foundations = {} }) {
  if (!Array.isArray(columns) || columns.length !== game.columns || stock > MOST_STOCK) return null;
  const drawn =
    typeof stock === "number" ? Array(stock).fill("<??>") : stock.split(" ").filter(Boolean).reverse();
  const down = drawn.map((/** @type {string} */ card) => (card[0] === "<" ? card : `<${card}>`)).join(" ");
  const count = waste ? waste.split(" ").length : 0;
  const suits = Object.keys(foundations).length ? Object.keys(foundations) : [..."CDHS"];
  const piles = [
    { kind: "stock", name: "stock", cards: down, note: String(drawn.length) },
    { kind: "waste", name: "waste", cards: waste, note: String(count) },
    ...suits.map(suit => ({
      kind: hasRuns ? "runs" : "foundation",
      name: suit,
      cards: upTo(foundations[suit], suit),
      note: hasRuns ? `0/${game.decks}` : "",
    })),
  ];
  const picture = { columns, piles: game.has_stock ? piles : piles.slice(2), jokers: [], score: null };
  return JSON.stringify(picture).length < MOST_PICTURE && columns.every(cards => DRAWN.test(cards))
    ? picture
    : null;
}

/** The cards of a foundation, written as its highest rank, or as its first and highest rank, "J:Q".
    @type {(ranks: string | undefined, suit: string) => string} */
function upTo(ranks = "0", suit) {
  const [first, last = first] = ranks.includes(":") ? ranks.split(":") : ["A", ranks],
    start = RANKS.indexOf(first),
    count = RANKS.includes(last) ? ((RANKS.indexOf(last) - start + RANKS.length) % RANKS.length) + 1 : 0;
  return Array.from({ length: count }, (_, i) => RANKS[(start + i) % RANKS.length] + suit).join(" ");
}

/** The rule options that differ from the usual ones; null if one has a value that its game does not know.
    @type {(game: Rules, choices?: Record<string, string>) => Record<string, string> | null} */
export function unusual(game, choices = {}) {
  const given = Object.entries(choices);
  if (given.some(([name, value]) => !game.choices[name]?.includes(value))) return null;
  return Object.fromEntries(given.filter(([name, value]) => value !== game.choices[name][0]));
}

/** A seed as text, a whole number from 0 to 2^64 - 1; null for anything else.
    @type {(value: any) => string | null} */
export function seedOf(value) {
  const text = String(value);
  return /^\d{1,20}$/.test(text) && BigInt(text) <= MOST_SEED ? String(BigInt(text)) : null;
}

/** The address of a game: `fields` are pairs of a key and a value. @type {(fields: any[][]) => string} */
export const linkOf = fields => "#" + fields.map(([key, value]) => `${key}=${quoted(value)}`).join("&");

/** @type {(value: any) => string} */
const quoted = value => encodeURIComponent(value).replace(/%(3D|2C|2B|28|29|3F)/g, decodeURIComponent);
