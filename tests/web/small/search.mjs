// Searches: their limits, hints, progress and ends by a signal or an error, and their memory.
import assert from "node:assert/strict";
import { Engine } from "winnable";

const engine = new Engine("simon-jester");
engine.deal(3);
for (const limits of [{ nodes: 50 }, { work: 1000 }, { seconds: 0.01 }])
  assert.equal(engine.shortest(limits).reason, Object.keys(limits)[0]);

const text = engine.text,
  heard = [];
const found = engine.shortest({ work: 3_000_000, onProgress: figures => heard.push(figures) });
assert.equal(found.length, found.moves.length);
assert.ok(found.lowerBound <= found.length);
assert.ok(heard.some(({ length, lowerBound }) => length >= found.length && lowerBound > 0));
assert.ok(heard.every(({ megabytes, states, work }) => megabytes > 0 && states >= 0 && work >= 0));
assert.equal(engine.text, text);

const control = new AbortController();
const onProgress = () => control.abort(new Error("enough"));
assert.throws(() => engine.shortest({ signal: control.signal, onProgress }), { message: "enough" });
const refused = [];
engine.shortest({
  work: 500_000,
  onProgress() {
    for (const call of [() => engine.solve(), () => engine.close(), () => engine.deal({ winnable: true })]) {
      try {
        call();
      } catch ({ code }) {
        refused.push(code);
      }
    }
    engine.play(engine.legal()[0]);
    engine.undo();
  },
});
assert.ok(refused.length >= 3 && refused.every(code => code === "busy"), `${refused}`);
const failed = new RangeError("the listener failed");
assert.throws(
  () =>
    engine.shortest({
      onProgress() {
        throw failed;
      },
    }),
  failed,
);
assert.equal(engine.solve().verdict, "winnable");

// A line that is longer than the room that moves usually have.
const short = new Engine("chessboard");
short.read("Ranks: 4\nSuits: CDS\n4C 2D\n2C AS\n3S\n4S\nAD\n3C\n4D\n2S\nAC\n3D\n");
const long = short.solve({ seconds: 60 });
assert.ok(long.verdict === "winnable" && long.moves.length === long.length && long.length > 4096);

const klondike = new Engine("klondike-draw-one");
klondike.deal({ winnable: true, seed: 1 });
const hints = klondike.hint(),
  legal = klondike.legal();
const byText = moves => moves.map(({ move }) => move).sort();
assert.deepEqual(byText(hints), byText(legal));
assert.equal(hints[0].verdict, "winnable");
klondike.play(hints[0]);
assert.equal(klondike.solve().length <= hints[0].length, true);

for (const game of ["klondike-vegas-one", "fortress", "chessboard"]) {
  const lost = new Engine(game);
  for (let seed = 1; ; seed++) {
    lost.deal(seed);
    if (lost.solve({ work: 100_000 }).verdict === "unwinnable") break;
  }
  const best = lost.score();
  assert.equal(best.verdict, "unwinnable");
  assert.ok(best.exact && best.score === best.scoreBound && best.score < 52);
  if (game !== "klondike-vegas-one") assert.ok(best.shortest && best.lowerBound === best.length);
  for (const move of best.moves) lost.play(move);
  assert.equal(lost.cardsUp, best.score);
  assert.ok(lost.hint().every(({ verdict }) => verdict === "unwinnable"));
}

// A thousand searches leave the memory as large as two hundred do.
function memory() {
  globalThis.gc();
  const { external, heapUsed } = process.memoryUsage();
  return external + heapUsed;
}

for (const game of ["fortress", "joker", "klondike", "simple-simon"]) {
  const each = new Engine(game),
    sizes = [];
  for (let seed = 0; seed < 1000; seed++) {
    each.deal(seed);
    each.solve({ nodes: 500 });
    if (seed % 200 === 199) sizes.push(memory());
  }
  assert.ok(Math.max(...sizes) < sizes[0] + 4e6, `${game}: ${sizes}`);
  each.close();
}

// Engines that nobody closes are collected.
for (let i = 0; i < 300; i++) new Engine("klondike").deal(i);
