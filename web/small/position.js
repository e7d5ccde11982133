// The position of an engine, which is played in the calling thread.
import { boardOf, moveOf } from "./board.js";
import {
  WinnableError,
  checkGame,
  checkOptions,
  checkSearch,
  checkSeed,
  either,
  plainSeed,
  shown,
} from "./errors.js";
import { games } from "./games.js";
import { Instance } from "./instance.js";
import { compiled } from "./module.js";

/** @import { Board, Move } from "./index.d.ts" */
/** @import { CheckedSearch } from "./errors.js" */

/** A position of a game, with what both kinds of engines do at once. */
export class Position {
  #game;
  /** The instance; null once the engine is closed.
      @type {Instance | null} */
  #instance;
  #engine;
  #isDealt = false;
  /** The positions before the moves played, as texts.
      @type {string[]} */
  #before = [];
  /** The moves of the last answer.
      @type {string[]} */
  #line = [];
  #changes = 0;

  /** @param {string} game
      @param {Record<string, string>} [options] */
  constructor(game, options) {
    this.#game = checkGame(game);
    const chosen = checkOptions(game, options);
    const wasm = Instance.of(compiled());
    this.#instance = wasm;
    this.#engine = wasm.open(game, chosen);
    wasm.check(this.#engine, "deal", 1n); // again, by the options
  }

  /** The name of the game. */
  get game() {
    return this.#game;
  }

  /** The rule options of deals, by name. */
  get options() {
    return this.#wasm.options(this.#engine, Object.keys(games[this.game].options));
  }

  /** The seed of the deal that the position comes from: a number, a BigInt above 2^53 - 1, or null. */
  get seed() {
    const origin = this.#wasm.origin(this.#engine);
    return origin && plainSeed(origin.seed);
  }

  /** The number of moves made since the deal, or since a text without a seed was read. */
  get movesMade() {
    return this.#wasm.origin(this.#engine)?.moves ?? this.#before.length;
  }

  /** True if all cards are up. Which tiers are reached, `cardsUp` says. */
  get isWon() {
    return this.#wasm.call("is_won", this.#engine) === 1;
  }

  /** The number of cards on the foundations, or that have left in runs. */
  get cardsUp() {
    return this.#wasm.call("cards_up", this.#engine);
  }

  /** The position as text, which `read` reads. */
  get text() {
    return this.#wasm.write(this.#engine);
  }

  /** The moves of the last answer, an empty array if it has none. */
  get line() {
    return [...this.#line];
  }

  /** Lay out a position given as text.
      @type {(text: string) => void} */
  read(text) {
    if (typeof text !== "string") throw new TypeError(`read: expected a string, got ${shown(text)}`);
    this.#wasm.read(this.#engine, "read", text.replace(/\r\n?/g, "\n"));
    this.#isDealt = true;
    this.#forget();
  }

  /** The position as plain data, with all that a page needs to draw it.
      @type {() => Board} */
  board() {
    return boardOf(this.game, this.#wasm.position(this.#engine));
  }

  /** The legal moves.
      @type {() => Move[]} */
  legal() {
    const wasm = this.#wasm;
    return wasm.legal(this.#engine).map(move => moveOf(wasm.moveText(this.#engine, move), move));
  }

  /** Play a move, given as text or as `legal` returns it; returns the move.
      @type {(move: string | { move: string }) => Move} */
  play(move) {
    const text = typeof move === "string" ? move : move?.move;
    if (typeof text !== "string") {
      const given = shown(move) + (move !== null && typeof move === "object" ? ' without "move"' : "");
      const expected = `expected a move such as ${this.#example()}, or one of legal()`;
      throw new TypeError(`play: ${expected}, got ${given}`);
    }
    const wasm = this.#wasm,
      engine = this.#engine;
    const bytes = wasm.readMove(engine, text);
    const made = moveOf(wasm.moveText(engine, bytes), bytes);
    const before = wasm.write(engine);
    wasm.play(engine, bytes);
    this.#changes++;
    this.#before.push(before);
    return made;
  }

  /** Undo the last move played; returns false if there is none. */
  undo() {
    const wasm = this.#wasm;
    const before = this.#before.at(-1);
    if (before === undefined) return false;
    wasm.read(this.#engine, "read", before);
    this.#changes++;
    this.#before.pop();
    return true;
  }

  /** Free the engine. Whatever is used afterwards throws an error. */
  close() {
    this.#instance?.call("close", this.#engine);
    this.#instance = null;
  }

  /** For the engines: lay out a seed, which was checked.
      @type {(seed: bigint) => number | bigint} */
  _lay(seed) {
    this.#wasm.check(this.#engine, "deal", seed);
    this.#isDealt = true;
    this.#forget();
    return plainSeed(seed);
  }

  /** For the engines: the seed after the present one, or one by chance before the first deal.
      @type {() => bigint} */
  _nextSeed() {
    const origin = this.#isDealt && this.#wasm.origin(this.#engine);
    return origin ? origin.seed + 1n : BigInt(Math.floor(Math.random() * 2 ** 32));
  }

  /** For the engines: the position as a search takes it.
      @type {() => { game: string; options: Record<string, string>; table: Uint8Array }} */
  _asked() {
    return { game: this.game, options: this.options, table: this.#wasm.position(this.#engine) };
  }

  /** For the engines: the number of changes of the position. */
  get _changes() {
    return this.#changes;
  }

  /** For the engines: keep the line of an answer to the position after `changes` changes.
      @type {<Given extends { moves: string[] | null }>(answer: Given, changes?: number) => Given} */
  _answered(answer, changes = this.#changes) {
    if (changes === this.#changes) this.#line = [...(answer.moves ?? [])];
    return answer;
  }

  /** For the engines: refuse a closed one. */
  _check() {
    if (!this.#instance) throw new WinnableError("closed", "the engine is closed");
  }

  get #wasm() {
    this._check();
    return /** @type {Instance} */ (this.#instance);
  }

  #example() {
    const [first] = this.legal();
    return first ? shown(first.move) : '"7S 10-f"';
  }

  #forget() {
    this.#changes++;
    this.#before = [];
    this.#line = [];
  }
}

/** A seed, or a search for a deal.
    @typedef {{ seed: bigint; wanted?: undefined } | Wanted} CheckedDeal
    @typedef {CheckedSearch & { seed?: undefined; wanted: { seed: bigint; goal: number } }} Wanted */

const MOST_SEED = 2n ** 64n - 1n;
const WANTED = ["seed", "winnable", "tier"];

/** The parameters of `deal`: a seed alone, or what deal to look for.
    @type {(position: Position, given: any) => CheckedDeal} */
export function checkDeal(position, given) {
  if (given === null || typeof given !== "object") return { seed: checkSeed(given) };
  const search = checkSearch("deal", given, { work: 2_000_000 }, WANTED);
  const { seed, winnable, tier } = given;
  if (winnable !== undefined && typeof winnable !== "boolean")
    throw new TypeError(`winnable: expected true or false, got ${shown(winnable)}`);
  const goal = tier === undefined ? 0 : goalOf(position.game, tier);
  const first = seed === undefined ? position._nextSeed() : checkSeed(seed);
  if (first > MOST_SEED)
    throw new RangeError("seed: expected one, since none follows 2^64 - 1, got undefined");
  if (!winnable && tier === undefined) return { seed: first };
  const [none] = Object.entries(search.limits).find(([, most]) => most === 0) ?? [];
  if (none) throw new RangeError(`${none}: expected more than 0 for each deal, got 0`);
  if (winnable === false) throw new RangeError("winnable: expected true with a tier, got false");
  return { wanted: { seed: first, goal }, ...search };
}

/** @type {(game: string, tier: unknown) => number} */
function goalOf(game, tier) {
  const { tiers } = games[game];
  const names = Object.keys(tiers);
  if (!names.length)
    throw new RangeError(`tier: expected none, since ${game} has no tiers, got ${shown(tier)}`);
  if (typeof tier === "string" && Object.hasOwn(tiers, tier)) return tiers[tier];
  throw new RangeError(`tier: expected ${either(names)}, got ${shown(tier)}`);
}
