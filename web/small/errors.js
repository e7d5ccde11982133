// Errors, and checks of what a caller gives.
import { games } from "./games.js";

/** @import { Limits } from "./index.d.ts" */
/** @import { Asked } from "./types.d.ts" */

/** An error of the library. `code` is one of "bad-option", "bad-text", "bad-move", "closed" and so on. */
export class WinnableError extends Error {
  /** @param {string} code
      @param {string} message */
  constructor(code, message) {
    super(message);
    this.name = "WinnableError";
    this.code = code;
  }
}

/** A given value as error messages show it.
    @type {(value: unknown) => string} */
export function shown(value) {
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "string" && value.length > 60) return `${JSON.stringify(value.slice(0, 60))}...`;
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "function") return "a function";
  if (Array.isArray(value)) return "an array";
  if (value === null || typeof value !== "object") return String(value);
  return `a value of type ${value.constructor?.name ?? "object"}`;
}

/** Names with "or" before the last one.
    @type {(names: string[]) => string} */
export function either(names) {
  const quoted = names.map(name => JSON.stringify(name));
  return quoted.length < 2 ? quoted.join("") : `${quoted.slice(0, -1).join(", ")} or ${quoted.at(-1)}`;
}

/** The object `given`, whose keys are all among `keys`; an empty one in place of undefined.
    @type {(what: string, given: any, keys: string[]) => Record<string, any>} */
export function checkKeys(what, given, keys) {
  if (given === undefined) return {};
  if (given === null || typeof given !== "object" || Array.isArray(given))
    throw new TypeError(`${what}: expected an object, got ${shown(given)}`);
  for (const key of Object.keys(given)) {
    if (keys.includes(key)) continue;
    throw new RangeError(`${what}: expected ${keys.length ? either(keys) : "no key"}, got ${shown(key)}`);
  }
  return given;
}

/** The name of a game.
    @type {(game: unknown) => string} */
export function checkGame(game) {
  if (typeof game === "string" && Object.hasOwn(games, game)) return game;
  const wrong = typeof game === "string" ? RangeError : TypeError;
  throw new wrong(`game: expected ${either(Object.keys(games))}, got ${shown(game)}`);
}

/** The rule options of a game that are given, without undefined ones.
    @type {(game: string, given: unknown) => Record<string, string>} */
export function checkOptions(game, given) {
  const { options } = games[game];
  const chosen = Object.entries(checkKeys(`options of ${game}`, given, Object.keys(options)));
  return Object.fromEntries(
    chosen.filter(([name, value]) => {
      if (value === undefined || options[name].includes(value)) return value !== undefined;
      const wrong = typeof value === "string" ? RangeError : TypeError;
      throw new wrong(`${name}: expected ${either(options[name])}, got ${shown(value)}`);
    }),
  );
}

const MOST = 2n ** 64n - 1n;

/** A seed as a BigInt.
    @type {(seed: unknown) => bigint} */
export function checkSeed(seed) {
  const expected = "expected a whole number from 0 to 2^64 - 1, as a string or BigInt above 2^53 - 1";
  if (!["number", "bigint", "string"].includes(typeof seed))
    throw new TypeError(`seed: ${expected}, got ${shown(seed)}`);
  const isText = typeof seed === "string",
    isNumber = typeof seed === "number";
  const isRight = isText ? /^\d{1,20}$/.test(seed) : isNumber ? Number.isSafeInteger(seed) : true;
  const number = isRight ? BigInt(/** @type {string | number | bigint} */ (seed)) : -1n;
  if (number < 0n || number > MOST) throw new RangeError(`seed: ${expected}, got ${shown(seed)}`);
  return number;
}

/** A seed as callers get it: a number if that is exact, or a BigInt.
    @type {(seed: bigint) => number | bigint} */
export function plainSeed(seed) {
  return seed <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(seed) : seed;
}

/** @typedef {Pick<Asked, "signal" | "onProgress"> & { limits: Limits }} CheckedSearch */

/** @type {(keyof Limits)[]} */
const LIMITS = ["seconds", "work", "nodes", "megabytes"];
const SEARCH = [...LIMITS, "signal", "onProgress"];

/** The limits, the signal and the listener of a search. `usual` has the limits that are not given, and
    `more` has further keys.
    @type {(what: string, given: any, usual?: Limits, more?: string[]) => CheckedSearch} */
export function checkSearch(what, given, usual = {}, more = []) {
  const { signal, onProgress, ...rest } = checkKeys(what, given, [...more, ...SEARCH]);
  /** @type {Limits} */
  const limits = { megabytes: 1000, ...usual };
  for (const name of LIMITS) {
    if (rest[name] !== undefined) limits[name] = checkLimit(name, rest[name]);
  }
  if (signal !== undefined && typeof signal?.aborted !== "boolean")
    throw new TypeError(`signal: expected an AbortSignal, got ${shown(signal)}`);
  if (onProgress !== undefined && typeof onProgress !== "function")
    throw new TypeError(`onProgress: expected a function, got ${shown(onProgress)}`);
  return { limits, signal, onProgress };
}

/** @type {(name: string, value: unknown) => number} */
function checkLimit(name, value) {
  if (typeof value !== "number") throw new TypeError(`${name}: expected a number, got ${shown(value)}`);
  const isWhole = name === "work" || name === "nodes";
  if ((value >= 0 && (isWhole ? Number.isSafeInteger(value) : true)) || value === Infinity) return value;
  throw new RangeError(`${name}: expected a ${isWhole ? "whole " : ""}number from 0 on, got ${shown(value)}`);
}
