// node signature.mjs WINNABLE.WASM GAME NODES WORK [FIRST COUNT]: the rows of signature.c, by the library in
// WebAssembly.
import { readFileSync } from "node:fs";

const [path, game, nodes, work, first, count] = process.argv.slice(2);
const MOST = 4096;
const ANSWER = 56;

let memory;
const imports = {
  wasi_snapshot_preview1: {
    clock_time_get(_clock, _precision, at) {
      const nanoseconds = BigInt(Math.round(performance.now() * 1e6));
      new DataView(memory.buffer).setBigUint64(at, nanoseconds, true);
      return 0;
    },
  },
  winnable: { ask: () => 1, hear: () => 1 },
};
const { instance } = await WebAssembly.instantiate(readFileSync(path), imports);
const wasm = instance.exports;
memory = wasm.memory;
wasm._initialize();

const answer = wasm.malloc(ANSWER),
  limits = wasm.malloc(32),
  line = wasm.malloc(5 * MOST),
  table = wasm.malloc(4096);
new Uint8Array(memory.buffer, table, 64).set(new TextEncoder().encode(`${game}\0`));
const engine = wasm.winnable_open(table);
const view = new DataView(memory.buffer, limits, 32);
view.setBigUint64(0, BigInt(nodes), true);
view.setBigUint64(8, 2n ** 64n - 1n, true);
view.setBigUint64(16, BigInt(work), true);
view.setFloat64(24, -1, true);
wasm.winnable_set_limits(engine, limits);

function answered() {
  const found = new DataView(memory.buffer, answer, ANSWER);
  const [expanded, generated, done] = [0, 8, 16].map(at => found.getBigUint64(at, true));
  const names = ["verdict", "reason", "moves", "bound", "score", "scoreBound"];
  const numbers = Object.fromEntries(names.map((key, i) => [key, found.getInt32(24 + 4 * i, true)]));
  const [exact, shortest, replays] = [48, 49, 50].map(at => found.getUint8(at));
  return { expanded, generated, work: done, ...numbers, exact, shortest, replays };
}

function moves() {
  const length = wasm.winnable_line(engine, line, MOST);
  const bytes = new Int8Array(memory.buffer, line, 5 * length);
  return Array.from({ length }, (_, i) => ` ${bytes.subarray(5 * i, 5 * i + 5).join(",")}`).join("");
}

function row(number) {
  wasm.winnable_solve(engine, answer);
  const a = answered();
  const { verdict, reason, expanded, generated, work: done, score, scoreBound, exact, replays } = a;
  const numbers = [number, verdict, reason, expanded, generated, done, score, scoreBound, exact, replays];
  let text = numbers.join(" ") + moves();
  if (a.moves > 0 && a.reason === 0) {
    const length = wasm.winnable_line(engine, line, MOST);
    if (wasm.winnable_shorten(engine, line, length, 0, 0, answer) !== 0)
      throw new Error("the line is refused");
    const b = answered();
    text += ` | ${b.reason} ${b.expanded} ${b.bound} ${b.shortest} ${b.replays}${moves()}`;
  }
  if (a.verdict === 0 && wasm.winnable_score(engine, answer) === 0) {
    const c = answered();
    text += ` / ${c.reason} ${c.expanded} ${c.score} ${c.scoreBound} ${c.exact} ${c.replays}${moves()}`;
  }
  return text;
}

const rows = [];
if (first === undefined) {
  for (const [number, digits] of readFileSync(0, "ascii").trim().split("\n").entries()) {
    new Uint8Array(memory.buffer, table, digits.length / 2).set(Buffer.from(digits, "hex"));
    if (wasm.winnable_load(engine, table) !== 0) throw new Error("the position is refused");
    rows.push(row(number));
  }
} else {
  for (let seed = BigInt(first); seed < BigInt(first) + BigInt(count); seed++) {
    wasm.winnable_deal(engine, seed);
    rows.push(row(seed));
  }
}
console.log(rows.join("\n"));
