// WorkerEngine in node: the same answers as Engine, one after the other, and ends by a signal. With "alone"
// no memory is shared.
import assert from "node:assert/strict";
import "node:worker_threads";

if (process.argv[2] === "alone") delete globalThis.SharedArrayBuffer; // after node itself has used it
const { Engine, WorkerEngine } = await import("winnable");

const here = new Engine("simon-jester"),
  there = new WorkerEngine("simon-jester");
for (const engine of [here, there]) assert.equal(engine.deal(3), 3);
for (const name of ["solve", "shortest", "hint"])
  assert.deepEqual(await there[name]({ work: 200_000 }), here[name]({ work: 200_000 }));
assert.deepEqual(there.line, here.line);

const order = [];
const note = name => [() => order.push(name), error => order.push(`${name}: ${error.name}`)];
const control = new AbortController();
const onProgress = () => control.abort();
const running = there.shortest({ signal: control.signal, onProgress }).then(...note("running"));
const waiting = there.solve({ signal: control.signal }).then(...note("waiting"));
const next = there.solve().then(...note("next"));
const last = there.hint({ work: 1000 }).then(...note("last"));
await Promise.all([running, waiting, next, last]);
assert.deepEqual(order, ["running: AbortError", "waiting: AbortError", "next", "last"]);

await assert.rejects(there.solve({ signal: control.signal }), { name: "AbortError" });
assert.deepEqual(await there.shortest({ work: 200_000 }), here.shortest({ work: 200_000 }));
const failing = there.shortest({
  onProgress() {
    throw new RangeError("the listener failed");
  },
});
await assert.rejects(failing, { message: "the listener failed" });
assert.equal((await there.solve()).verdict, "winnable");

there.play(there.legal()[0]);
const seed = await there.deal({ winnable: true, onProgress() {} });
assert.equal(seed, 4);
assert.deepEqual([there.seed, there.movesMade, there.undo()], [4, 0, false]);

// What is done meanwhile is not overwritten.
const late = there.deal({ winnable: true, seed: 1 }),
  answered = there.solve();
there.deal(500);
await assert.rejects(late, { code: "overtaken" });
assert.equal((await answered).moves.length > 0, true);
assert.deepEqual([there.seed, there.line], [500, []]);

const ended = there.shortest();
there.close();
await assert.rejects(ended, { code: "closed" });

// An engine that is idle keeps no program alive.
const idle = new WorkerEngine("fortress");
await idle.solve();
