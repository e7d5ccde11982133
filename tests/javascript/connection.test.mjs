/* Requests to the server and its answers, over a socket that the test plays. */

import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

const sockets = [];

class Socket {
  readyState = 1;
  sent = [];
  constructor() {
    sockets.push(this);
  }
  send(text) {
    this.sent.push(JSON.parse(text));
  }
  close() {
    this.readyState = 3;
  }
  receive(message) {
    this.onmessage({ data: typeof message === "string" ? message : JSON.stringify(message) });
  }
  lose(code = 1006) {
    this.readyState = 3;
    this.onclose({ code });
  }
}

Object.assign(globalThis, {
  WebSocket: Socket,
  location: { protocol: "http:", host: "localhost" },
  addEventListener: () => {},
  fetch: async () => ({ status: 200 }),
});

const { Requests } = await import("../../board/static/connection.js");

const LIMITS = { seconds: 60, megabytes: 400, most_seconds: 3600, most_megabytes: 2000 };
const HELLO = { method: "hello", params: { games: [], limits: LIMITS } };
const PICTURE = { columns: ["7H"], piles: [], jokers: [], score: null };
const POSITION = { type: "position", node: 0, picture: PICTURE, moves: [], undo: false };

/* A dialog with the parts that a question uses. */
class Dialog {
  list = { items: [], append: item => this.list.items.push(item) };
  palette = { addEventListener: (_name, listener) => Object.assign(this.palette, { listener }) };
  cancel = {};
  innerHTML = "";
  querySelector(selector) {
    if (selector === ".palette") return this.innerHTML.includes("palette") ? this.palette : null;
    return { ul: this.list, ".row button": this.cancel }[selector];
  }
  close() {
    this.onclose();
  }
  showModal() {}
}

class Element {
  constructor(dataset) {
    Object.assign(this, { dataset });
  }
  closest() {
    return this;
  }
}
Object.assign(globalThis, {
  Element,
  document: {
    createElement: () => ({
      dataset: {},
      append(child) {
        this.child = child;
      },
    }),
  },
});

let heard, talk, socket, dialog;

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  sockets.length = 0;
  heard = [];
  const listener =
    name =>
    (...given) =>
      heard.push([name, ...given]);
  const on = ["open", "message", "fault", "lost", "position", "game", "refused"];
  dialog = new Dialog();
  talk = new Requests(dialog, Object.fromEntries(on.map(name => [name, listener(name)])));
  [socket] = sockets;
});

const answer = (request, result) => socket.receive({ id: request.id, result });
const turn = () => new Promise(resolve => setImmediate(resolve));

test("the connection is open after the first message", () => {
  assert.equal(talk.isOpen, false);
  socket.receive(HELLO);
  assert.equal(talk.isOpen, true);
  assert.equal(heard[0][0], "open");
  assert.equal(heard[0][1].limits.seconds, 60);
});

test("answers find their requests in any order", async () => {
  socket.receive(HELLO);
  const first = talk.ask({ type: "ping" }),
    second = talk.ask({ type: "hints", on: true });
  const [one, two] = socket.sent;
  assert.deepEqual([one.method, two.method, two.params], ["ping", "hints", { on: true }]);
  answer(two, { type: "done" });
  socket.receive({ id: one.id, error: { code: -3, message: "not now" } });
  assert.deepEqual(await first, { id: one.id, type: "refused", why: "not now" });
  assert.equal((await second).type, "done");
});

test("messages that answer nothing are handed on, invalid ones are faults", () => {
  socket.receive(HELLO);
  socket.receive({ method: "dealing", params: { tried: 3 } });
  socket.receive("{");
  assert.deepEqual(heard[1], ["message", { type: "dealing", tried: 3 }]);
  assert.equal(heard[2][0], "fault");
  assert.match(heard[2][1].message, /invalid JSON/);
});

test("a request before the connection is refused", async () => {
  assert.equal((await talk.ask({ type: "ping" })).type, "refused");
  assert.equal(socket.sent.length, 0);
});

test("a message that is too large is not sent", async () => {
  socket.receive(HELLO);
  const found = await talk.ask({ type: "check", game: "joker", text: "x".repeat(1e6) });
  assert.match(found.why, /^Too large/);
  assert.equal(socket.sent.length, 0);
});

test("a lost connection refuses what waits and is made again", async () => {
  socket.receive(HELLO);
  const waiting = talk.ask({ type: "ping" });
  socket.lose();
  assert.equal((await waiting).type, "refused");
  await turn();
  assert.equal(talk.isOpen, false);
  assert.equal(heard.at(-1)[0], "lost");
  mock.timers.tick(499);
  assert.equal(sockets.length, 1);
  mock.timers.tick(1);
  assert.equal(sockets.length, 2);
  sockets[1].lose();
  await turn();
  mock.timers.tick(999);
  assert.equal(sockets.length, 2, "the second pause is twice as long");
  mock.timers.tick(1);
  assert.equal(sockets.length, 3);
});

test("a page that the server does not know tries no more", async () => {
  socket.receive(HELLO);
  socket.lose(4001);
  await turn();
  assert.match(heard.at(-1)[1], /^This page is not known/);
  mock.timers.tick(60_000);
  assert.equal(sockets.length, 1);
});

test("restarting takes another socket and leaves the old one", async () => {
  socket.receive(HELLO);
  const waiting = talk.ask({ type: "ping" });
  talk.restart();
  assert.equal((await waiting).type, "refused");
  assert.equal(sockets.length, 2);
  assert.equal(socket.onmessage, null);
});

test("a move hands on the position with what led to it", async () => {
  socket.receive(HELLO);
  const made = talk.act({ type: "undo" });
  answer(socket.sent[0], POSITION);
  assert.equal(await made, true);
  const [name, position, why] = heard.at(-1);
  assert.deepEqual([name, position.node, why], ["position", 0, "undo"]);
});

test("a game in place of a position is handed on", async () => {
  socket.receive(HELLO);
  const made = talk.act({ type: "finish" });
  const nodes = [{ node: 0, parent: null, main: true, ply: 0, effects: [] }];
  const game = { type: "game", game: "joker", title: "Joker", mode: "analysis", revealed: true, places: 52 };
  answer(socket.sent[0], { ...game, nodes, position: POSITION, saved: {} });
  assert.equal(await made, true);
  assert.deepEqual([heard.at(-1)[0], heard.at(-1)[1].title], ["game", "Joker"]);
});

test("a refused move says why", async () => {
  socket.receive(HELLO);
  const made = talk.act({ type: "move", text: "7H 1-2" });
  socket.receive({ id: socket.sent[0].id, error: { code: -3, message: "7H does not go there" } });
  assert.equal(await made, false);
  assert.deepEqual(heard.at(-1), ["refused", "7H does not go there"]);
});

const MOVES = [
  { text: "XB 1=7", does: "the black joker is a 7" },
  { text: "XB 1=8", does: "the black joker is an 8" },
].map(move => ({ ...move, source: "c0", target: "c0", targets: [], count: 1 }));

test("a request that may mean several moves is put to the person", async () => {
  socket.receive(HELLO);
  const made = talk.act({ type: "move", source: "c0", count: 1, target: "c0" });
  answer(socket.sent[0], { type: "choose", moves: MOVES });
  await turn();
  dialog.list.items[1].child.onclick();
  await turn();
  assert.deepEqual([socket.sent[1].method, socket.sent[1].params], ["move", { text: "XB 1=8" }]);
  answer(socket.sent[1], POSITION);
  assert.equal(await made, true);
});

test("a question that is not answered sends nothing", async () => {
  socket.receive(HELLO);
  const made = talk.act({ type: "move", source: "c0", count: 1, target: "c0" });
  answer(socket.sent[0], { type: "choose", moves: MOVES });
  await turn();
  dialog.cancel.onclick();
  assert.equal(await made, false);
  assert.equal(socket.sent.length, 1);
});

test("the card that was turned up completes the move", async () => {
  socket.receive(HELLO);
  talk.act({ type: "move", text: "7H 3-f" });
  answer(socket.sent[0], { type: "turned", place: "c2", cards: ["4D", "TS"] });
  await turn();
  assert.match(dialog.innerHTML, /Which card was turned up in column 3\?/);
  dialog.palette.listener({ target: new Element({ card: "TS" }) });
  await turn();
  assert.deepEqual(socket.sent[1].params, { text: "7H 3-f", turned: "TS" });
});
