/* Requests as text, and the check of what the server sends. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { readMessage, requestText } from "../../board/static/messages.js";

const MOVE = {
  text: "7S 1-2",
  card: "7S",
  source: "c0",
  target: "c1",
  targets: ["c1"],
  count: 1,
  does: "7S goes on 8H",
  rank: null,
  suit: null,
  as: null,
};
const PICTURE = {
  columns: ["<7H> 7S", "8H"],
  piles: [{ kind: "foundation", name: "S", cards: "", note: "A" }],
  jokers: [],
  score: null,
};
const POSITION = { node: 0, picture: PICTURE, moves: [MOVE], over: null, undo: false, redo: null, auto: 0 };
const NODE = { node: 0, parent: null, main: true, ply: 0, move: null, does: null, effects: [], judged: null };
const GAME = {
  type: "game",
  game: "simple-simon",
  title: "Simple Simon",
  name: "seed 4",
  mode: "analysis",
  revealed: false,
  places: 52,
  nodes: [NODE],
  position: POSITION,
  saved: {},
};
const VALID = {
  game: GAME,
  position: { type: "position", ...POSITION },
  nodes: { type: "nodes", nodes: [NODE, { ...NODE, node: 3, parent: 0, main: false, ply: 1 }] },
  gone: { type: "gone", nodes: [3, 4] },
  dealing: { type: "dealing", tried: 12 },
  analysis: { type: "analysis", node: 1, state: "done", verdict: "winnable", length: 68 },
  marks: { type: "marks", node: 1, marks: { "7S 1-2": { keeps: true }, "8H 2-1": { keeps: null } } },
  line: { type: "line", found: true, node: 0, steps: [{ picture: PICTURE }] },
  saved: { type: "saved", name: "a.txt", media: "text/plain", content: "" },
  choose: { type: "choose", moves: [MOVE] },
  limits: { type: "limits", seconds: 60, megabytes: 400, most_seconds: 3600, most_megabytes: 2000 },
};

const answer = ({ type, ...result }, id = 3) =>
  JSON.stringify({ jsonrpc: "2.0", id, result: { type, ...result } });
const stream = ({ type, ...params }) => JSON.stringify({ jsonrpc: "2.0", method: type, params });

/* A copy of a message in which the field at `path` is changed. */
function changed(message, path, value) {
  const copy = structuredClone(message),
    names = path.split(".");
  const holder = names.slice(0, -1).reduce((one, name) => one[name], copy);
  if (value === undefined) delete holder[names.at(-1)];
  else holder[names.at(-1)] = value;
  return copy;
}

test("a request has its type as the method", () => {
  assert.deepEqual(JSON.parse(requestText(7, { type: "goto", node: 17 })), {
    jsonrpc: "2.0",
    id: 7,
    method: "goto",
    params: { node: 17 },
  });
});

for (const [name, message] of Object.entries(VALID))
  test(`a valid message is read: ${name}`, () => {
    assert.deepEqual(readMessage(answer(message)), { ...message, id: 3 });
    assert.deepEqual(readMessage(stream(message)), message);
  });

test("an error of JSON-RPC is refused by its code", () => {
  const error = code => JSON.stringify({ jsonrpc: "2.0", id: 3, error: { code, message: "no" } });
  assert.deepEqual(readMessage(error(-3)), { id: 3, type: "refused", why: "no" });
  assert.deepEqual(readMessage(error(-32700)), { id: 3, type: "error", why: "no" });
});

test("what is no message is refused", () => {
  for (const text of ["", "{", "null", "[]", "3", '"game"', "{}", '{"method": "nothing", "params": {}}'])
    assert.throws(() => readMessage(text), /^Error: (invalid JSON|a message of no known type)/, text);
  assert.throws(() => readMessage('{"id": 3, "result": {"type": ["done"]}}'), /no known type/);
  assert.throws(() => readMessage('{"id": 3, "result": {"type": "constructor"}}'), /no known type/);
});

const WRONG = [
  ["position", "node", -1],
  ["position", "node", 1.5],
  ["position", "node", undefined],
  ["position", "picture", null],
  ["position", "picture.columns", ["<script>"]],
  ["position", "picture.columns", "7H"],
  ["position", "picture.columns", [7, 8]],
  ["position", "picture.piles.0.kind", 3],
  ["position", "moves.0.source", "c100"],
  ["position", "moves.0.text", null],
  ["position", "undo", 1],
  ["position", "over", true],
  ["game", "nodes.0.effects", [3]],
  ["game", "nodes.0.lies", "c3/x"],
  ["game", "nodes.0.judged", { length: "68" }],
  ["game", "places", "52"],
  ["game", "saved", []],
  ["gone", "nodes", [1, "2"]],
  ["dealing", "tried", -3],
  ["marks", "marks", []],
  ["marks", "marks", { "7S 1-2": { keeps: "yes" } }],
  ["limits", "seconds", Infinity],
  ["choose", "moves", {}],
  ["saved", "content", null],
  ["line", "found", null],
];
for (const [name, path, value] of WRONG)
  test(`a wrong field is named: ${name} ${path} ${JSON.stringify(value)}`, () => {
    const message = answer(changed(VALID[name], path, value));
    assert.throws(() => readMessage(message), new RegExp(`^Error: ${name} .*is missing or wrong$`));
  });

test("moves begin and end at places of the position", () => {
  for (const [path, value] of [
    ["moves.0.source", "c2"],
    ["moves.0.target", "p1"],
    ["moves.0.targets", ["c1", "p7"]],
    ["picture.columns", []],
  ]) {
    const wrong = changed(VALID.position, path, value);
    assert.throws(() => readMessage(answer(wrong)), /position moves is missing or wrong/, path);
    assert.throws(() => readMessage(answer({ ...GAME, position: wrong })), /position moves/, path);
  }
});

test("nodes have lesser parents, and only the start has none", () => {
  for (const [path, value] of [
    ["nodes.1.parent", 3],
    ["nodes.1.parent", null],
    ["nodes.0.parent", 0],
  ])
    assert.throws(() => readMessage(stream(changed(VALID.nodes, path, value))), /nodes parent/, path);
});

test("a game has its start, the node shown, and the parents of all nodes", () => {
  const child = { ...NODE, node: 3, parent: 0, main: false, ply: 1 };
  assert.throws(() => readMessage(answer({ ...GAME, nodes: [] })), /game nodes/);
  assert.throws(() => readMessage(answer({ ...GAME, nodes: [NODE, { ...child, parent: 2 }] })), /game nodes/);
  assert.throws(() => readMessage(answer(changed(GAME, "position.node", 9))), /game nodes/);
  assert.equal(readMessage(answer({ ...GAME, nodes: [NODE, child] })).nodes.length, 2);
});

test("the start is never gone, and a line that was found has steps", () => {
  assert.throws(() => readMessage(stream(changed(VALID.gone, "nodes", [0]))), /gone nodes/);
  assert.throws(() => readMessage(answer(changed(VALID.line, "steps", []))), /line steps/);
  assert.throws(() => readMessage(answer(changed(VALID.line, "steps", null))), /line steps/);
  assert.equal(readMessage(answer({ type: "line", found: false, node: 0, why: "unknown" })).found, false);
});
