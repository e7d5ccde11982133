/* What the panel says of a position and its moves. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { announced, tagOf } from "../../board/static/panel.js";

const RULES = { scored: false, tiers: {} };
const worth = more => ({
  analysis: null,
  chances: null,
  over: null,
  isThinking: true,
  rules: RULES,
  places: 52,
  score: null,
  ...more,
});

test("a target wears the moves left to the win", () => {
  assert.equal(tagOf({ keeps: true, length: 12, shortest: true }), "12");
  assert.equal(tagOf({ keeps: true, length: 12, shortest: false }), "\u2264\u200912");
  assert.equal(tagOf({ keeps: true, length: 0, shortest: true }), "wins at once");
  assert.equal(tagOf({ keeps: true, length: null }), "");
});

test("a target wears the score where there is one", () => {
  assert.equal(tagOf({ keeps: true, score: 52, exact: true, length: 12 }), "52");
  assert.equal(tagOf({ keeps: true, score: 30, exact: false }), "\u2265\u200930");
  assert.equal(tagOf({ keeps: false, score_bound: 30 }), "\u2264\u200930");
});

test("a target of a losing move says so, of an unknown one nothing", () => {
  assert.equal(tagOf({ keeps: false, score_bound: null }), "loses");
  for (const mark of [undefined, { keeps: null }, {}]) assert.equal(tagOf(mark), "");
});

test("nothing is announced before a verdict", () => {
  assert.equal(announced(worth()), null);
  assert.equal(
    announced(worth({ analysis: { state: "searching", verdict: null, text: "searching" } })),
    null,
  );
});

test("a verdict is announced again when its search is done", () => {
  const of = state => announced(worth({ analysis: { state, verdict: "winnable", text: "winnable in 9" } }));
  assert.equal(of("searching").text, "Winnable in 9");
  assert.notEqual(of("searching").kind, of("done").kind);
});

test("the end of a game and a certain result are announced", () => {
  assert.deepEqual(announced(worth({ over: "won" })), { kind: "won", text: "Won: all 52" });
  assert.deepEqual(announced(worth({ over: "stuck" })), {
    kind: "stuck",
    text: "All 52: lost, no move is left",
  });
  const chances = { state: "done", certain: "lost", text: "lost whatever lies hidden", advice: [] };
  assert.deepEqual(announced(worth({ chances })), { kind: "lost", text: "Lost whatever lies hidden" });
});
