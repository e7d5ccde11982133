// Each wrong argument is one clear error.
import assert from "node:assert/strict";
import { Engine, WinnableError, WorkerEngine, games, load } from "winnable";

const engine = new Engine("fortress");
const joker = new Engine("joker");
const remote = new WorkerEngine("fortress");
const closed = new Engine("fortress");
closed.close();
const aborted = AbortSignal.abort();
const quoted = Object.keys(games).map(name => JSON.stringify(name));
const names = `${quoted.slice(0, -1).join(", ")} or ${quoted.at(-1)}`;

const WRONG = [
  [() => new Engine(), TypeError, `game: expected ${names}, got undefined`],
  [() => new Engine("klondyke"), RangeError, `game: expected ${names}, got "klondyke"`],
  [() => new Engine("toString"), RangeError, `game: expected ${names}, got "toString"`],
  [() => new WorkerEngine(7), TypeError, `game: expected ${names}, got 7`],
  [
    () => new Engine("joker", { draw: "1" }),
    RangeError,
    'options of joker: expected "exchange" or "removal", got "draw"',
  ],
  [
    () => new Engine("fortress", { draw: "1" }),
    RangeError,
    'options of fortress: expected no key, got "draw"',
  ],
  [() => new Engine("klondike", null), TypeError, "options of klondike: expected an object, got null"],
  [
    () => new Engine("klondike", { worrying_back: "maybe" }),
    RangeError,
    'worrying_back: expected "yes" or "no", got "maybe"',
  ],
  [
    () => new Engine("klondike", { worrying_back: 1 }),
    TypeError,
    'worrying_back: expected "yes" or "no", got 1',
  ],
  [
    () => new WorkerEngine("fortress", {}, { worker: "worker.js" }),
    TypeError,
    'worker: expected a function that returns a Worker, got "worker.js"',
  ],
  [
    () => new WorkerEngine("fortress", {}, { start() {} }),
    RangeError,
    'settings: expected "worker", got "start"',
  ],
  [() => engine.deal(), TypeError, /^seed: expected a whole number .*, got undefined$/],
  [() => engine.deal(-1), RangeError, /^seed: expected .*, got -1$/],
  [() => engine.deal(1.5), RangeError, /^seed: expected .*, got 1.5$/],
  [() => engine.deal(2 ** 53), RangeError, /^seed: expected .*, got 9007199254740992$/],
  [() => engine.deal(2n ** 64n), RangeError, /^seed: expected .*, got 18446744073709551616n$/],
  [() => engine.deal("18446744073709551616"), RangeError, /^seed: expected .*, got "18446744073709551616"$/],
  [() => engine.deal("1e3"), RangeError, /^seed: expected .*, got "1e3"$/],
  [() => engine.deal({ seed: null }), TypeError, /^seed: expected .*, got null$/],
  [
    () => engine.deal({ winable: true }),
    RangeError,
    /^deal: expected "seed", "winnable", "tier", .* got "winable"$/,
  ],
  [
    () => engine.deal({ winnable: true, work: 0 }),
    RangeError,
    "work: expected more than 0 for each deal, got 0",
  ],
  [() => engine.deal({ winnable: 1 }), TypeError, "winnable: expected true or false, got 1"],
  [
    () => engine.deal({ tier: "double" }),
    RangeError,
    'tier: expected none, since fortress has no tiers, got "double"',
  ],
  [
    () => joker.deal({ tier: "single" }),
    RangeError,
    'tier: expected "win", "double" or "triple", got "single"',
  ],
  [() => engine.read(7), TypeError, "read: expected a string, got 7"],
  [
    () => engine.play(),
    TypeError,
    /^play: expected a move such as "\w+ \d+-\w+", or one of legal\(\), got undefined$/,
  ],
  [() => engine.play({}), TypeError, /^play: .*, got a value of type Object without "move"$/],
  [() => engine.solve(5), TypeError, "solve: expected an object, got 5"],
  [() => engine.solve({ minutes: 1 }), RangeError, /^solve: expected "seconds", .*, got "minutes"$/],
  [() => engine.solve({ seconds: -1 }), RangeError, "seconds: expected a number from 0 on, got -1"],
  [() => engine.solve({ seconds: NaN }), RangeError, "seconds: expected a number from 0 on, got NaN"],
  [() => engine.solve({ megabytes: "7" }), TypeError, 'megabytes: expected a number, got "7"'],
  [() => engine.shortest({ nodes: 1.5 }), RangeError, "nodes: expected a whole number from 0 on, got 1.5"],
  [() => engine.hint({ work: -1 }), RangeError, "work: expected a whole number from 0 on, got -1"],
  [() => joker.score({ signal: 1 }), TypeError, "signal: expected an AbortSignal, got 1"],
  [
    () => engine.solve({ onProgress: {} }),
    TypeError,
    "onProgress: expected a function, got a value of type Object",
  ],
];

const REFUSED = [
  [() => engine.read("# game: fortress\nKC\n"), "bad-position"],
  [() => engine.read("# game: joker\n7H 6S\n"), "bad-text"],
  [() => engine.read("\u{1f0a1}\0"), "bad-text"],
  [() => engine.read("?".repeat(100_000)), "bad-text"],
  [() => engine.play("foo"), "bad-text"],
  [() => engine.play("KC 1-9"), "bad-move"],
  [() => new Engine("simple-simon").score(), "no-search"],
  ...["text", "seed", "options", "movesMade", "isWon"].map(name => [() => closed[name], "closed"]),
  [() => closed.cardsUp, "closed"],
  ...["board", "legal", "undo", "solve", "shortest", "hint"].map(name => [() => closed[name](), "closed"]),
  [() => closed.read(""), "closed"],
  [() => closed.play("7S 1-2"), "closed"],
  [() => closed.deal(1), "closed"],
  [() => closed.deal({ winnable: true }), "closed"],
];

function caught(call) {
  try {
    call();
  } catch (error) {
    return error;
  }
  return assert.fail(`${call}: expected an error`);
}

for (const [call, kind, message] of WRONG) {
  const error = caught(call);
  assert.equal(error.constructor, kind, `${call}: ${error}`);
  if (message instanceof RegExp) assert.match(error.message, message);
  else assert.equal(error.message, message);
}

for (const [call, code] of REFUSED) {
  const before = engine.text,
    error = caught(call);
  assert.ok(error instanceof WinnableError, `${call}: ${error}`);
  assert.equal(error.code, code, `${call}: ${error.message}`);
  assert.ok(error.message.length > 10 && !error.message.includes("\n"), error.message);
  assert.equal(engine.text, before);
}

for (const name of ["solve", "shortest", "hint"]) {
  await assert.rejects(remote[name]({ seconds: -1 }), RangeError);
  await assert.rejects(remote[name]({ signal: aborted }), { name: "AbortError" });
}
await assert.rejects(new WorkerEngine("simon-jester").score(), { code: "no-search" });
assert.throws(() => remote.deal({ winnable: true, tier: "win" }), RangeError);
for (const signal of [aborted]) assert.throws(() => engine.solve({ signal }), { name: "AbortError" });
const failing = new WorkerEngine("fortress", {}, { worker: () => 7 });
const message = "worker: expected a function that returns a Worker, got 7";
await assert.rejects(failing.solve(), { message });
remote.close();
await assert.rejects(remote.solve(), { code: "closed" });
assert.throws(() => remote.deal({ winnable: true }), { code: "closed" });

await assert.rejects(load(7), { name: "TypeError", message: /^load: expected a Response, .*, got 7$/ });
const empty = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0);
await assert.rejects(load(empty), { message: "load: expected winnable.wasm, got another module" });
await assert.rejects(load(new Response("", { status: 404 })), { message: /status 404/ });
