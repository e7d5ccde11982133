// Positions: what is read, written, played, undone and drawn.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Engine, WinnableError, games, load, version } from "winnable";
import * as core from "winnable/core";

const require = createRequire(import.meta.url);
assert.equal(require("winnable").WinnableError, WinnableError);
assert.equal(require("winnable/package.json").version, version);
assert.equal(core.Engine, Engine);
await load();
await load(readFileSync(require.resolve("winnable/winnable.wasm")));

let chance = 7;
const below = most => (chance = (chance * 48271) % 2147483647) % most;

function cardsOf({ columns, foundations, stock = [], waste = [], jokers = [] }) {
  const piles = [...columns.map(({ cards }) => cards), ...Object.values(foundations), stock, waste];
  const apart = jokers.filter(({ isOpenAce, isOut }) => isOpenAce || isOut).map(({ card }) => card);
  return [...piles.flat(), ...apart].sort();
}

for (const [game, { options, hasRuns }] of Object.entries(games)) {
  for (let seed = 1; seed <= 20; seed++) {
    const chosen = Object.entries(options).map(([name, values]) => [name, values[below(values.length)]]);
    const rules = Object.fromEntries(chosen);
    const engine = new Engine(game, rules);
    assert.deepEqual(engine.options, rules);
    assert.equal(engine.deal(seed), seed);
    const whole = cardsOf(engine.board()),
      texts = [engine.text],
      other = new Engine(game, rules);
    for (let i = 0; i < 60; i++) {
      const moves = engine.legal();
      if (!moves.length) break;
      const move = moves[below(moves.length)];
      assert.deepEqual(engine.play(i % 2 ? move : move.move), move);
      texts.push(engine.text);
      other.read(engine.text);
      assert.equal(other.text, engine.text);
      assert.deepEqual(other.board(), engine.board());
      assert.deepEqual(other.legal(), engine.legal());
      assert.deepEqual([other.seed, other.movesMade], [seed, i + 1]);
      assert.deepEqual(cardsOf(engine.board()), whole, engine.text);
      const { foundations } = engine.board();
      if (game !== "joker") assert.equal(Object.values(foundations).flat().length, engine.cardsUp);
    }
    for (const text of texts.slice(0, -1).reverse()) {
      assert.equal(engine.undo(), true);
      assert.equal(engine.text, text);
    }
    assert.equal(engine.undo(), false);
    assert.equal(engine.movesMade, 0);
  }
  assert.equal(typeof hasRuns, "boolean");
}

const engine = new Engine("fortress");
assert.equal(engine.deal("18446744073709551615"), 2n ** 64n - 1n);
assert.throws(() => engine.deal({ winnable: true }), { message: /2\^64 - 1/ });
assert.equal(engine.deal(2n ** 53n - 1n), 2 ** 53 - 1);
assert.equal(engine.deal(2n ** 53n), 2n ** 53n);
assert.equal(engine.deal({ seed: 4 }), 4);
engine.deal(0);
assert.equal(engine.seed, 0);

assert.equal(engine.deal({ winnable: true, seed: 3 }), 8);
assert.ok(engine.deal({ winnable: true }) > 8);
const { seed } = engine;
assert.equal(engine.deal({ winnable: true, seed }), seed);
const { verdict, moves } = engine.solve();
assert.equal(verdict, "winnable");
assert.deepEqual(engine.line, moves);
for (const move of moves) engine.play(move);
assert.ok(engine.isWon);
assert.deepEqual(engine.solve().moves, []);
assert.deepEqual(engine.hint(), []);

// A new engine has deal 1 by its options.
const fresh = new Engine("klondike", { draw: "1", passes: "3" });
assert.deepEqual([fresh.seed, fresh.board().draw, fresh.board().passes], [1, 1, 3]);
assert.match(new Engine("joker", { exchange: "exposed" }).text, /^Exchange: exposed$/m);

// A text with other rules leaves those of deals as they are.
const three = new Engine("klondike"),
  one = new Engine("klondike", { draw: "1" });
one.deal(5);
three.read(one.text);
assert.deepEqual([three.board().draw, three.options.draw, three.seed], [1, "3", 5]);
assert.deepEqual(three.solve(), one.solve());
const limits = { seed: 1, work: 20_000 };
assert.deepEqual(
  [three, one].map(each => each.deal({ winnable: true, ...limits })),
  [3, 1].map(draw => {
    const fresh = new Engine("klondike", { draw: String(draw) });
    return fresh.deal({ winnable: true, ...limits });
  }),
);
assert.equal(three.board().draw, 3);

// A text means the same to every engine, and undo goes back to it.
const seven = new Engine("klondike", { draw: "7", passes: "1" });
three.deal(5);
seven.read(three.text);
seven.play(seven.legal()[0]);
assert.ok(seven.undo());
assert.deepEqual([seven.board().draw, seven.board().passes, seven.options.draw], [3, null, "7"]);

const joker = new Engine("joker");
for (const [tier, least] of Object.entries(games.joker.tiers)) {
  joker.deal({ tier, seed: 1 });
  assert.ok(joker.score({ work: 5_000_000 }).score >= least);
}
assert.ok(new Engine("klondike").deal({ winnable: true }) >= 0);
