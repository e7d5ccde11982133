// One instance of the WebAssembly module: its memory, its strings, and the structures of winnable.h.
import { WinnableError } from "./errors.js";

/** @import { Limits, Progress, Verdict } from "./index.d.ts" */
/** @import { Ended, Exports, Figures } from "./types.d.ts" */

const CODES = [
  "ok",
  "misuse",
  "no-memory",
  "bad-option",
  "bad-deck",
  "bad-position",
  "bad-text",
  "bad-move",
  "bad-line",
  "no-search",
];
/** @type {Progress["stage"][]} */
const STAGES = [
  "search",
  "depth-first",
  "breadth-first",
  "best-first",
  "relaxation",
  "positions",
  "beam",
  "a-star",
  "sampling",
];
/** @type {Verdict[]} */
const VERDICTS = ["unwinnable", "winnable", "undecided"];
/** @type {Ended["reason"][]} */
const REASONS = [null, "nodes", "seconds", "memory", "interrupted", "work"];
const ANSWER = 56,
  LIMITS = 32,
  PROGRESS = 40,
  MOVE = 5,
  MOST_MOVES = 4096,
  TEXT = 32768;
const NONE = 2n ** 64n - 1n;

/** The bytes of `winnable_table`. */
export const TABLE = 1717;

/** An instance of the module. Its searches call `ask` at each poll, and `hear` with the address of each
    better answer. Both return whether the search goes on. */
export class Instance {
  /** The exports of the module, once it is instantiated.
      @type {Exports} */
  #wasm = Object.create(null);
  /** The addresses where functions of the library write and read. */
  answer = 0;
  limits = 0;
  table = 0;
  moves = 0;
  text = 0;
  ask = () => true;
  /** @type {(at: number) => boolean} */
  hear = () => true;

  /** @type {Instance | null} */
  static #prepared = null;

  /** An instance; or the one that was prepared, where none can be made at once.
      @type {(module: WebAssembly.Module) => Instance} */
  static of(module) {
    const made = new Instance();
    try {
      return made.#begin(new WebAssembly.Instance(module, made.#imports()));
    } catch (error) {
      if (Instance.#prepared) return Instance.#prepared;
      throw error;
    }
  }

  /** Prepare an instance if none can be made at once, as in Chrome before version 114.
      @type {(module: WebAssembly.Module) => Promise<void>} */
  static async prepare(module) {
    try {
      Instance.of(module);
    } catch {
      const made = new Instance();
      Instance.#prepared = made.#begin(await WebAssembly.instantiate(module, made.#imports()));
    }
  }

  #imports() {
    /** @type {(clock: number, precision: bigint, at: number) => number} */
    const clock = (_clock, _precision, at) => {
      const nanoseconds = BigInt(Math.round(performance.now() * 1e6));
      this.#view(at, 8).setBigUint64(0, nanoseconds, true);
      return 0;
    };
    /** @type {(engine: number, at: number) => number} */
    const hear = (_engine, at) => Number(this.hear(at));
    return {
      wasi_snapshot_preview1: { clock_time_get: clock },
      winnable: { ask: () => Number(this.ask()), hear },
    };
  }

  /** @type {(instance: WebAssembly.Instance) => Instance} */
  #begin(instance) {
    const exports = /** @type {Exports} */ (instance.exports);
    this.#wasm = exports;
    exports._initialize();
    this.answer = exports.malloc(ANSWER);
    this.limits = exports.malloc(LIMITS);
    this.table = exports.malloc(TABLE);
    this.moves = exports.malloc(MOVE * MOST_MOVES);
    this.text = exports.malloc(TEXT);
    return this;
  }

  /** The bytes of the memory, which never shrinks. */
  get size() {
    return this.#wasm.memory.buffer.byteLength;
  }

  /** Call `winnable_NAME`; a returned code other than OK is thrown as an error.
      @type {(engine: number, name: string, ...given: (number | bigint)[]) => void} */
  check(engine, name, ...given) {
    const code = this.call(name, engine, ...given);
    if (!code) return;
    const message = this.string(this.call("message", engine)) || `winnable_${name} failed`;
    throw new WinnableError(CODES[code] ?? "failed", message);
  }

  /** Call `winnable_NAME` and return its result.
      @type {(name: string, ...given: (number | bigint)[]) => number} */
  call(name, ...given) {
    return this.#wasm[`winnable_${name}`](...given);
  }

  /** An engine of the library for a game.
      @type {(game: string, options: Record<string, string>) => number} */
  open(game, options) {
    const engine = this.call("open", this.#put(this.text, game));
    if (!engine) throw new WinnableError("no-memory", `${game}: no memory`);
    this.choose(engine, options);
    return engine;
  }

  /** Choose the values of rule options.
      @type {(engine: number, options: Record<string, string>) => void} */
  choose(engine, options) {
    for (const [name, value] of Object.entries(options)) {
      const at = this.#put(this.text, name);
      this.check(engine, "choose", at, this.#put(at + name.length + 1, value));
    }
  }

  /** The values of the rule options that an engine has.
      @type {(engine: number, names: string[]) => Record<string, string>} */
  options(engine, names) {
    return Object.fromEntries(
      names.map(name => [name, this.string(this.call("value", engine, this.#put(this.text, name)))]),
    );
  }

  /** Call a function that takes a text, such as `winnable_read`.
      @type {(engine: number, name: string, text: string, ...more: number[]) => void} */
  read(engine, name, text, ...more) {
    const bytes = encoded(`${text.replaceAll("\0", "\u{fffd}")}\0`);
    const at = bytes.length > TEXT ? this.#wasm.malloc(bytes.length) : this.text;
    if (!at) throw new WinnableError("no-memory", "the text: no memory");
    try {
      this.#bytes(at, bytes.length).set(bytes);
      this.check(engine, name, at, ...more);
    } finally {
      if (at !== this.text) this.#wasm.free(at);
    }
  }

  /** The position of an engine as text.
      @type {(engine: number) => string} */
  write(engine) {
    this.call("text", engine, this.text, TEXT);
    return this.string(this.text);
  }

  /** The position of an engine as the bytes of a table.
      @type {(engine: number) => Uint8Array} */
  position(engine) {
    this.check(engine, "position", this.table);
    return this.#bytes(this.table, TABLE).slice();
  }

  /** Lay out the position of a table.
      @type {(engine: number, table: Uint8Array) => void} */
  lay(engine, table) {
    this.#bytes(this.table, TABLE).set(table);
    this.check(engine, "load", this.table);
  }

  /** The seed and the number of moves since its deal; null if the seed is not known.
      @type {(engine: number) => { seed: bigint; moves: number } | null} */
  origin(engine) {
    if (!this.call("origin", engine, this.answer, this.answer + 8)) return null;
    const view = this.#view(this.answer, 12);
    return { seed: view.getBigUint64(0, true), moves: view.getInt32(8, true) };
  }

  /** The legal moves of a position, each five bytes.
      @type {(engine: number) => Int8Array[]} */
  legal(engine) {
    return this.#moves(this.call("legal", engine, this.moves, MOST_MOVES));
  }

  /** The moves of the line of the last answer.
      @type {(engine: number) => Int8Array[]} */
  line(engine) {
    const count = this.call("line", engine, 0, 0);
    if (count <= MOST_MOVES) return this.#moves(this.call("line", engine, this.moves, count));
    const room = this.#wasm.malloc(MOVE * count) >>> 0;
    if (!room) throw new WinnableError("no-memory", `a line of ${count} moves: no memory`);
    try {
      return this.#moves(this.call("line", engine, room, count), room);
    } finally {
      this.#wasm.free(room);
    }
  }

  /** A move as text, in the position of an engine.
      @type {(engine: number, move: Int8Array) => string} */
  moveText(engine, move) {
    this.call("move_text", engine, this.#move(move), this.text, TEXT);
    return this.string(this.text);
  }

  /** The move that a text names.
      @type {(engine: number, text: string) => Int8Array} */
  readMove(engine, text) {
    this.read(engine, "read_move", text, this.moves);
    return this.#moves(1)[0];
  }

  /** Play a move.
      @type {(engine: number, move: Int8Array) => void} */
  play(engine, move) {
    this.check(engine, "play", this.#move(move));
  }

  /** Set the limits of the next searches.
      @type {(engine: number, limits: Limits) => void} */
  limit(engine, { nodes = Infinity, megabytes = Infinity, work = Infinity, seconds = Infinity }) {
    const view = this.#view(this.limits, LIMITS);
    [nodes, megabytes * 1e6, work].forEach((most, i) => {
      view.setBigUint64(8 * i, most < 2 ** 64 ? BigInt(Math.floor(most)) : NONE, true);
    });
    view.setFloat64(24, seconds === Infinity ? -1 : seconds, true);
    this.check(engine, "set_limits", this.limits);
  }

  /** Run a search and return its answer.
      @type {(engine: number, name: string, ...given: number[]) => Ended} */
  search(engine, name, ...given) {
    this.check(engine, name, ...given, this.answer);
    return this.answerAt(this.answer);
  }

  /** The answer at an address; null where a number does not apply.
      @type {(at: number) => Ended} */
  answerAt(at) {
    const view = this.#view(at, ANSWER);
    const [states, , work] = [0, 8, 16].map(offset => Number(view.getBigUint64(offset, true)));
    const all = Array.from({ length: 6 }, (_, i) => view.getInt32(24 + 4 * i, true));
    const [verdict, reason, ...numbers] = all;
    const [length, lowerBound, score, scoreBound] = numbers.map(orNull);
    const [exact, shortest, , fault] = [48, 49, 50, 51].map(offset => view.getUint8(offset) === 1);
    if (fault) throw new WinnableError("fault", "an array of the search overflowed; please report the deal");
    const found = { length, lowerBound, score, scoreBound, exact, shortest };
    return { verdict: VERDICTS[verdict], reason: REASONS[reason], states, work, ...found };
  }

  /** Figures of the running search.
      @type {(engine: number) => Figures} */
  progress(engine) {
    this.call("progress_of", engine, this.text);
    const view = this.#view(this.text, PROGRESS);
    const [states, bytes, work] = [0, 8, 16].map(offset => Number(view.getBigUint64(offset, true)));
    const [stage, ...numbers] = Array.from({ length: 4 }, (_, i) => view.getInt32(24 + 4 * i, true));
    const [score, length, lowerBound] = numbers.map(orNull);
    return { stage: STAGES[stage] ?? null, states, work, megabytes: bytes / 1e6, score, length, lowerBound };
  }

  /** The string at an address; empty if there is none.
      @type {(at: number) => string} */
  string(at) {
    if (!at) return "";
    const bytes = new Uint8Array(this.#wasm.memory.buffer);
    let end = at;
    while (bytes[end]) end++;
    return decoded(bytes.subarray(at, end));
  }

  /** @type {(at: number, text: string) => number} */
  #put(at, text) {
    this.#bytes(at, text.length + 1).set(encoded(`${text}\0`));
    return at;
  }

  /** @type {(move: Int8Array) => number} */
  #move(move) {
    this.#bytes(this.moves, MOVE).set(move);
    return this.moves;
  }

  /** @type {(count: number, at?: number) => Int8Array[]} */
  #moves(count, at = this.moves) {
    const bytes = new Int8Array(this.#wasm.memory.buffer, at, MOVE * count);
    return Array.from({ length: count }, (_, i) => bytes.slice(MOVE * i, MOVE * (i + 1)));
  }

  /** @type {(at: number, length: number) => Uint8Array} */
  #bytes(at, length) {
    return new Uint8Array(this.#wasm.memory.buffer, at, length);
  }

  /** @type {(at: number, length: number) => DataView} */
  #view(at, length) {
    return new DataView(this.#wasm.memory.buffer, at, length);
  }
}

/** @type {(number: number) => number | null} */
function orNull(number) {
  return number < 0 ? null : number;
}

// TextEncoder and TextDecoder take milliseconds at their first use in node, and nearly all texts are ASCII.

/** @type {(text: string) => Uint8Array} */
function encoded(text) {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 127) return new TextEncoder().encode(text);
    bytes[i] = code;
  }
  return bytes;
}

/** @type {(bytes: Uint8Array) => string} */
function decoded(bytes) {
  let text = "";
  for (const byte of bytes) {
    if (byte > 127) return new TextDecoder().decode(bytes);
    text += String.fromCharCode(byte);
  }
  return text;
}
