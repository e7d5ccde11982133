// The searches. A request is plain data, so that a worker can run it, and so is its result.
import { moveOf } from "./board.js";
import { WinnableError, plainSeed } from "./errors.js";
import { games } from "./games.js";
import { Instance } from "./instance.js";

/** @import { Hint, Limits, Move, Progress, Verdict } from "./index.d.ts" */
/** @import { Ended, Figures, Found, Listeners, Made, Request } from "./types.d.ts" */

const MOST_SEED = 2n ** 64n - 1n;
const BETWEEN = 100; // milliseconds from one report to the next
const LARGE = 2 ** 27; // bytes of memory that are given back after a search

/** Runs requests {kind, game, options, table, limits}, one after the other. */
export class Searcher {
  #module;
  /** The instance; null until a request comes.
      @type {Instance | null} */
  #instance = null;
  /** Its engines: two for each game.
      @type {Record<string, number>} */
  #engines = {};
  #isBusy = false;

  /** @param {WebAssembly.Module} module */
  constructor(module) {
    this.#module = module;
  }

  /** The result of a request. `onProgress` is told of its progress, and `isStopped` is asked at each poll. A
      search that is stopped throws.
      @type {(request: Request, listeners: Listeners) => unknown} */
  run(request, listeners) {
    this.#refuseIfBusy();
    const wasm = (this.#instance ??= Instance.of(this.#module));
    const engines = ["search", "scout"].map(place => this.#engine(wasm, request.game, place));
    this.#isBusy = true;
    try {
      return new Search(wasm, engines, request, listeners)[request.kind]();
    } finally {
      this.#isBusy = false;
      if (wasm.size > LARGE) this.close();
    }
  }

  #refuseIfBusy() {
    if (this.#isBusy) throw new WinnableError("busy", "a search of this engine is running");
  }

  /** @type {(wasm: Instance, game: string, place: string) => number} */
  #engine(wasm, game, place) {
    return (this.#engines[`${game} ${place}`] ??= wasm.open(game, {}));
  }

  /** Free the memory; a later request takes its own. */
  close() {
    this.#refuseIfBusy();
    for (const engine of Object.values(this.#engines)) this.#instance?.call("close", engine);
    this.#instance = null;
    this.#engines = {};
  }
}

/** Thrown within a search that was stopped. */
export class Stopped extends Error {}

class Search {
  #spent = 0; // units of work and states of the parts that are over
  #states = 0;
  #began = performance.now();
  /** Figures of the engine when the search began.
      @type {Figures} */
  #before;
  #said = -Infinity; // when the listener was told last
  /** The error that a listener has thrown.
      @type {unknown} */
  #failed = null;
  /** The facts of a report besides the figures.
      @type {Partial<Progress>} */
  #about = {};

  /** The second engine replays lines.
      @param {Instance} wasm
      @param {number[]} engines
      @param {Request} request
      @param {Listeners} listeners */
  constructor(wasm, [engine, scout], request, { onProgress, isStopped }) {
    this.wasm = wasm;
    this.engine = engine;
    this.scout = scout;
    this.request = request;
    this.onProgress = onProgress;
    this.isStopped = isStopped;
    wasm.ask = () => this.#poll();
    wasm.hear = at => this.#hear(at);
    wasm.check(engine, "on_host");
    wasm.call("resume", engine); // after a search that was ended at a poll
    this.#before = wasm.progress(engine);
    if (request.table) wasm.lay(engine, request.table);
    else wasm.choose(engine, request.options); // a table that was laid out may have others
  }

  /** Decide the position. */
  solve() {
    const answer = this.#solve(this.request.limits);
    const { verdict, reason, length, states, work, score, scoreBound, exact } = answer;
    const moves = this.#lineText();
    const found = { verdict, reason, moves: length === null ? null : moves, length, states, work };
    return { ...found, score, scoreBound, exact };
  }

  /** Find a shortest line. */
  shortest() {
    const first = this.#solve(this.request.limits);
    const isOver = first.reason !== null || !first.length;
    const best = isOver ? { ...first, shortest: first.length === 0 } : this.#shorten();
    const { length, shortest, lowerBound, reason } = best;
    const moves = length === null ? null : this.#lineText();
    const { score, scoreBound, exact, verdict } = first;
    const bound = shortest ? length : lowerBound;
    const figures = { states: this.#states, work: this.#spent };
    const found = { verdict, reason, moves, length, shortest, lowerBound: bound };
    return { ...found, score, scoreBound, exact, ...figures };
  }

  /** Find the most cards that can be up. */
  score() {
    const { game, limits } = this.request;
    const first = this.#solve(limits);
    const hasTiers = Object.keys(games[game].tiers).length > 0;
    const isLost = !hasTiers && first.verdict === "unwinnable";
    const found = isLost ? this.#search("score", this.#left(limits)) : first;
    const moves = found.length === null ? null : this.#lineText();
    const { reason, length, shortest, lowerBound } = found;
    const known = !hasTiers && !isLost ? this.#scoreOfVerdict(first) : found;
    const { score, scoreBound, exact } = known;
    const figures = { states: this.#states, work: this.#spent };
    const line = { moves, length, shortest, lowerBound };
    return { verdict: first.verdict, reason, ...line, score, scoreBound, exact, ...figures };
  }

  /** Judge each legal move. */
  hint() {
    const { wasm } = this,
      { limits, table } = this.request;
    const whole = this.#solve(this.#share(limits, 2));
    const [best] = whole.length ? this.#lineText() : [];
    /** @type {Made[]} */
    const moves = wasm.legal(this.engine).map(bytes => {
      const made = moveOf(wasm.moveText(this.engine, bytes), bytes);
      return { bytes, made, isBest: made.move === best };
    });
    const isLost = whole.verdict === "unwinnable" && whole.score === null;
    /** @type {Hint[]} */
    const judged = [];
    moves.sort((a, b) => Number(b.isBest) - Number(a.isBest));
    for (const [i, { bytes, made, isBest }] of moves.entries()) {
      this.#about = { done: i, total: moves.length };
      this.#report();
      const isKnown = isLost || (isBest && whole.reason === null);
      const answer = isKnown
        ? { ...whole, length: whole.length && whole.length - 1 }
        : this.#judge(table, bytes, this.#share(this.#left(limits), moves.length - i));
      const { verdict, reason, length, score } = answer;
      judged.push({ ...made, verdict, reason, length: length === null ? null : length + 1, score });
    }
    return judged.sort(byWorth);
  }

  /** Find the next seed whose deal can be won, or reaches the score `wanted.goal`. */
  deal() {
    const { wasm } = this,
      { game, limits, wanted } = this.request;
    if (!wanted) throw new Error("a search for a deal that does not say which");
    const hasTiers = Object.keys(games[game].tiers).length > 0;
    const goal = wanted.goal || (hasTiers ? Math.min(...Object.values(games[game].tiers)) : 0);
    if (goal) wasm.check(this.engine, "set_goal", goal);
    try {
      for (let seed = wanted.seed, tried = 1; seed <= MOST_SEED; seed++, tried++) {
        this.#about = { seed: plainSeed(seed), tried };
        this.#report();
        wasm.check(this.engine, "deal", seed);
        const { verdict, score } = this.#solve(limits);
        if (goal ? (score ?? 0) >= goal : verdict === "winnable") return seed;
      }
    } finally {
      if (goal) wasm.check(this.engine, "set_goal", 0);
    }
    const expected = `expected a deal from ${wanted.seed} to 2^64 - 1 that can be won`;
    throw new WinnableError("no-deal", `seed: ${expected}, got none`);
  }

  /** @type {(table: Uint8Array | undefined, move: Int8Array, limits: Limits) => Found} */
  #judge(table, move, limits) {
    if (table) this.wasm.lay(this.engine, table);
    this.wasm.play(this.engine, move);
    return this.#solve(limits);
  }

  /** @type {(limits: Limits) => Found} */
  #solve(limits) {
    return this.#search("solve", limits);
  }

  /** @type {(name: string, limits: Limits) => Found} */
  #search(name, limits) {
    this.#halt();
    this.wasm.limit(this.engine, limits);
    return this.#over(this.wasm.search(this.engine, name));
  }

  #shorten() {
    return this.#over(this.wasm.search(this.engine, "shorten_on_host", 0, 0), true);
  }

  /** Count what a search did; throws if it was stopped.
      @type {(answer: Ended, goesOn?: boolean) => Found} */
  #over(answer, goesOn = false) {
    if (this.#failed) throw this.#failed;
    this.#states = answer.states + (goesOn ? 0 : this.#states);
    this.#spent = answer.work + (goesOn ? 0 : this.#spent);
    const { reason } = answer;
    if (reason === "interrupted") throw new Stopped();
    return { ...answer, reason };
  }

  #halt() {
    if (this.isStopped()) throw new Stopped();
  }

  /** @type {(limits: Limits) => Limits} */
  #left({ work = Infinity, nodes = Infinity, seconds = Infinity, megabytes }) {
    const passed = (performance.now() - this.#began) / 1000;
    return {
      work: Math.max(0, work - this.#spent),
      nodes: Math.max(0, nodes - this.#states),
      seconds: Math.max(0, seconds - passed),
      megabytes,
    };
  }

  /** @type {(limits: Limits, parts: number) => Limits} */
  #share({ work = Infinity, nodes = Infinity, seconds = Infinity, megabytes }, parts) {
    return { work: work / parts, nodes: nodes / parts, seconds: seconds / parts, megabytes };
  }

  /** @type {(answer: Found) => Pick<Found, "score" | "scoreBound" | "exact">} */
  #scoreOfVerdict({ verdict }) {
    const { table } = this.request;
    if (!table) throw new Error("a score of no position");
    const all = table[0] * [0, 1, 2, 3].filter(suit => (table[1] >> suit) & 1).length;
    const isWon = verdict === "winnable";
    return { score: isWon ? all : null, scoreBound: all, exact: isWon };
  }

  #lineText() {
    const { wasm, scout } = this;
    const moves = wasm.line(this.engine);
    wasm.lay(scout, wasm.position(this.engine));
    return moves.map(move => {
      const text = wasm.moveText(scout, move);
      wasm.play(scout, move);
      return text;
    });
  }

  #poll() {
    return this.#guarded(() => {
      this.#report();
      return !this.isStopped();
    });
  }

  /** @type {(at: number) => boolean} */
  #hear(at) {
    return this.#guarded(() => {
      const { length, lowerBound, score } = this.wasm.answerAt(at);
      this.#say({ length, lowerBound, score });
      return !this.isStopped();
    });
  }

  /** Tell the listener of the progress, unless it was told just now. */
  #report() {
    if (performance.now() - this.#said >= BETWEEN) this.#say({});
  }

  /** @type {(news: Partial<Progress>) => void} */
  #say(news) {
    this.#said = performance.now();
    if (!this.onProgress) return;
    const { states, work, ...figures } = this.wasm.progress(this.engine);
    const done = { states: states - this.#before.states, work: work - this.#before.work };
    this.onProgress({ ...figures, ...done, ...news, ...this.#about });
  }

  /** The value that `action` returns; an error that it throws ends the search, whose caller throws it again.
      @type {(action: () => boolean) => boolean} */
  #guarded(action) {
    try {
      return action();
    } catch (error) {
      this.#failed = error;
      return false;
    }
  }
}

/** @type {Record<Verdict, number>} */
const WORTH = { winnable: 0, undecided: 1, unwinnable: 2 };

/** @type {(a: Hint, b: Hint) => number} */
function byWorth(a, b) {
  return (
    WORTH[a.verdict] - WORTH[b.verdict] ||
    (b.score ?? -1) - (a.score ?? -1) ||
    (a.length ?? Infinity) - (b.length ?? Infinity) ||
    0
  );
}
