/* Chances in percent, and moves in words or notation. */

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { chancePercent, keep, kept, moveInWords, moveText, percentText } from "../../board/static/looks.js";

const stored = new Map();
globalThis.localStorage = {
  getItem: name => stored.get(name) ?? null,
  setItem: (name, value) => stored.set(name, value),
};

beforeEach(() => stored.clear());

test("a chance is never 0 or 100 percent", () => {
  assert.deepEqual([0, 0.004, 0.005, 0.5, 0.994, 0.995, 1].map(percentText), [
    "<1",
    "<1",
    "1",
    "50",
    "99",
    ">99",
    ">99",
  ]);
});

test("a chance has its error, or the distance to the end of its interval", () => {
  const error = text => /\u00b1([^<]*)/.exec(text)[1];
  assert.equal(error(chancePercent({ probability: 0.5, error: 0.02, low: 0.46, high: 0.54 })), "2");
  assert.equal(error(chancePercent({ probability: 0, error: 0, low: 0, high: 0.03 })), "3");
  assert.equal(error(chancePercent({ probability: 1, error: 0, low: 0.95, high: 1 })), "5");
  assert.equal(error(chancePercent({ probability: 0.5, error: 0.001, low: 0.49, high: 0.51 })), "&lt;1");
  assert.match(chancePercent({ probability: 0, error: 0, low: 0, high: 0.03 }), /^&lt;1<small/);
});

test("settings are stored under names of their own", () => {
  assert.equal(kept("figures"), null);
  keep("figures", "on");
  assert.equal(kept("figures"), "on");
  assert.deepEqual([...stored.keys()], ["winnable-figures"]);
});

test("moves are told in words", () => {
  assert.equal(moveInWords("7S 10-f"), "7S to its foundation");
  assert.equal(moveInWords("7S 10-3"), "7S to column 3");
  assert.equal(moveInWords("7S 10-3", "", true), "7S from column 10 to column 3");
  assert.equal(moveInWords("7S w-3", "", true), "7S to column 3");
  assert.equal(moveInWords("XB 3-x"), "XB out of play");
  assert.equal(moveInWords("XB 3-4", "T"), "XB to column 4 as T");
  assert.equal(moveInWords("XB 3-fS", "A"), "XB to the foundation of \u2660\uFE0E as A");
});

test("moves without a target in words are written with signs", () => {
  assert.equal(moveInWords("4D s-w"), "4D turned");
  assert.equal(moveInWords("XB 3=7"), "XB is 7");
});

test("moves are in notation where figures are shown", () => {
  assert.equal(moveText("7S 10-f"), "7S 10\u2192up");
  keep("figures", "on");
  assert.equal(moveText("7S 10-f"), "7S 10-f");
  assert.equal(moveInWords("7S 10-f"), "7S 10-f");
});
