/* The result of a game as texts. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { dayText, parText, resultText } from "../../board/static/end.js";

const CARDS = { tiers: {}, scored: false };
const JOKER = { tiers: { triple: 52, double: 25, win: 15, none: 0 }, scored: true };

/* A game with the main line of `count` moves, at its end. */
function gameOf(count, { judged = null, helped = [], over = null, score = null, ...more } = {}) {
  const path = Array.from({ length: count + 1 }, (_, i) => ({
    node: i,
    ply: i,
    helped: helped.includes(i),
    judged: null,
  }));
  path[0].judged = judged;
  return {
    title: "Simple Simon",
    name: "seed 4",
    day: null,
    places: 52,
    root: path[0],
    node: path.at(-1),
    position: { node: count, over, turned_back: 0, picture: { score } },
    pathTo: () => path,
    ...more,
  };
}

const judged = (length, shortest = true, more = {}) => ({ verdict: "winnable", length, shortest, ...more });

test("the fewest moves of a deal are known or proved", () => {
  assert.equal(parText(gameOf(0, { judged: judged(69) })), "proved fewest: 69");
  assert.equal(parText(gameOf(0, { judged: judged(69, false) })), "fewest known: 69");
});

test("a deal that is not proved winnable, or has a score, has no fewest moves", () => {
  for (const one of [
    null,
    { verdict: "unwinnable", length: null },
    { verdict: "undecided", length: 9 },
    judged(null),
    judged(69, true, { score: 52 }),
  ])
    assert.equal(parText(gameOf(0, { judged: one })), "");
});

test("a day is written out", () => {
  assert.equal(dayText(new Date(2026, 10, 24)), "November 24, 2026");
});

test("a win says its moves, the fewest, and stars", () => {
  const text = (count, of, more) => resultText(gameOf(count, { over: "won", judged: of, ...more }), CARDS);
  assert.equal(
    text(69, judged(69)),
    "winnable: Simple Simon, seed 4\nWon in 69 moves \u2605\u2605\u2605\nWon without hints.",
  );
  assert.match(text(75, judged(69)), /Won in 75 moves \(fewest possible: 69\) \u2605\u2605\u2606\n/);
  assert.match(text(76, judged(69, false)), /Won in 76 moves \(fewest known: 69\) \u2605\u2606\u2606\n/);
  assert.match(text(1, null), /\nWon in 1 move\nWon without hints\.$/);
});

test("hints are told, and a win by hints alone has no stars", () => {
  const text = helped => resultText(gameOf(3, { over: "won", judged: judged(3), helped }), CARDS);
  assert.match(text([2]), /\u2605\u2605\u2605\n1 move with hints\.$/);
  assert.match(
    text([1, 2, 3]),
    /Won in 3 moves\nAll moves were shown by hints: it is not counted as a win\.$/,
  );
});

test("a lost and a stopped game say after how many moves", () => {
  assert.match(resultText(gameOf(7, { over: "stuck" }), CARDS), /\nLost after 7 moves$/);
  assert.match(resultText(gameOf(7), CARDS), /\nStopped after 7 moves$/);
});

test("cards that were turned back are told", () => {
  const game = gameOf(2, { over: "stuck" });
  game.position.turned_back = 1;
  assert.match(resultText(game, CARDS), /\nCards that were turned up were taken back\.$/);
});

test("a score says its tier and what could be reached", () => {
  const text = (score, of) => resultText(gameOf(9, { score, judged: of }), JOKER);
  assert.match(text(8, null), /\nNo win: 8 of 52 cards up$/);
  assert.match(text(15, null), /\nWin: 15 of 52 cards up$/);
  assert.match(text(30, { score: 52 }), /\nDouble: 30 of 52 cards up \(best: all 52\)$/);
  assert.match(text(30, { score: 40 }), /\(best: 40\)$/);
  assert.match(text(30, { score: 30 }), /\nDouble: 30 of 52 cards up$/);
  assert.match(text(52, null), /\nTriple: all 52 cards up$/);
});

test("a deal of the day is named by its day", () => {
  const day = new Date(2026, 10, 24);
  assert.match(resultText(gameOf(1, { day }), CARDS), /^winnable: Simple Simon, deal of November 24, 2026\n/);
});
