/* The page's copy of a game, and links. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { Game, isSameDeal, movesOf } from "../../board/static/game.js";

/* A node of the tree as the server sends it. */
const node = (number, parent, more = {}) => ({
  node: number,
  parent,
  main: false,
  ply: parent === null ? 0 : 1,
  move: parent === null ? null : `move ${number}`,
  helped: false,
  turned: null,
  judged: null,
  mark: null,
  ...more,
});

/* A game with the main line 0 1 3, the variation 0 2 4, and the variation 1 5; the position shown is `at`. */
function gameOf(at = 1, more = {}) {
  const nodes = [
    node(0, null, { main: true }),
    node(1, 0, { main: true }),
    node(2, 0),
    node(3, 1, { main: true }),
    node(4, 2),
    node(5, 1),
  ];
  const position = { node: at, seconds: 12.5, turned_back: 1 };
  return new Game({ mode: "analysis", seed: "4", saved: { key: "k" }, nodes, position, ...more });
}

const numbers = nodes => nodes.map(({ node: number }) => number);

test("children are in their order, the main line first", () => {
  const game = gameOf();
  assert.deepEqual(numbers(game.root.children), [1, 2]);
  game.take([node(6, 0, { main: true })]);
  assert.deepEqual(numbers(game.root.children), [6, 1, 2]);
});

test("taking a known node updates it and keeps its children", () => {
  const game = gameOf();
  game.take([node(1, 0, { main: true, mark: "mistake" })]);
  assert.equal(game.byNumber.size, 6);
  assert.equal(game.byNumber.get(1).mark, "mistake");
  assert.deepEqual(numbers(game.byNumber.get(1).children), [3, 5]);
});

test("dropped nodes are gone from the tree", () => {
  const game = gameOf();
  game.drop([2, 4]);
  assert.deepEqual(numbers(game.root.children), [1]);
  assert.deepEqual(game.pathTo(4), []);
});

test("a path goes from the start to the node, both included", () => {
  assert.deepEqual(numbers(gameOf().pathTo(4)), [0, 2, 4]);
  assert.deepEqual(numbers(gameOf().pathTo(0)), [0]);
});

test("the main line does not depend on the position shown", () => {
  assert.deepEqual(numbers(gameOf(4).mainLine), [0, 1, 3]);
});

test("the line of the position goes on to its end", () => {
  assert.deepEqual(numbers(gameOf(2).line), [0, 2, 4]);
  assert.deepEqual(numbers(gameOf(1).line), [0, 1, 3]);
  assert.deepEqual(numbers(gameOf(5).line), [0, 1, 5]);
});

test("a saved game has parents before their children", () => {
  const saved = gameOf(2).saved();
  assert.deepEqual(saved.nodes, [
    [0, "move 1"],
    [1, "move 3"],
    [1, "move 5"],
    [0, "move 2"],
    [4, "move 4"],
  ]);
  assert.equal(saved.here, 4);
  assert.deepEqual([saved.key, saved.seconds, saved.turned_back], ["k", 12.5, 1]);
});

test("a saved game has cards that were turned up, and moves made with help", () => {
  const game = gameOf(3);
  game.take([node(2, 0, { turned: "4D" }), node(5, 1, { helped: true })]);
  const { nodes, helped, here } = game.saved();
  assert.deepEqual(nodes[3], [0, "move 2", "4D"]);
  assert.deepEqual(helped, [3]);
  assert.equal(here, 2);
});

test("mistakes are those of the main line", () => {
  const game = gameOf();
  game.take([node(3, 1, { main: true, mark: "mistake" }), node(4, 2, { mark: "mistake" })]);
  assert.deepEqual(numbers(game.mistakes), [3]);
});

test("the last good node precedes the first mistake on the path", () => {
  const game = gameOf(4);
  assert.equal(game.lastGood, null);
  game.take([node(4, 2, { mark: "mistake" })]);
  assert.equal(game.lastGood.node, 2);
  game.take([node(2, 0, { mark: "mistake" })]);
  assert.equal(game.lastGood.node, 0);
});

test("the last winnable position is the latest one on the path", () => {
  const game = gameOf(4),
    won = { judged: { verdict: "winnable" } };
  assert.equal(game.lastWinnable, null);
  game.take([node(0, null, { main: true, ...won }), node(3, 1, { main: true, ...won })]);
  assert.equal(game.lastWinnable.node, 0);
  game.take([node(2, 0, won), node(4, 2, { judged: { verdict: "unwinnable" } })]);
  assert.equal(game.lastWinnable.node, 2);
});

test("the first hopeless position is on the path", () => {
  const game = gameOf(3);
  assert.equal(game.firstHopeless, null);
  game.byNumber.get(2).isHopeless = true;
  assert.equal(game.firstHopeless, null);
  game.byNumber.get(3).isHopeless = game.byNumber.get(1).isHopeless = true;
  assert.equal(game.firstHopeless.node, 1);
});

test("a deal of the day has its date in its number", () => {
  const day = seed => gameOf(0, { seed }).day;
  const found = day("20261124007");
  assert.deepEqual([found.getFullYear(), found.getMonth(), found.getDate()], [2026, 10, 24]);
  for (const seed of ["4", null, "2026112400", "202611240000", "20262124000"]) assert.equal(day(seed), null);
});

test("a game is played unless all its cards are known", () => {
  assert.equal(gameOf().isPlayed, false);
  assert.equal(gameOf(0, { mode: "player" }).isPlayed, true);
  assert.equal(gameOf(0, { mode: "table" }).isPlayed, true);
});

test("links are of one deal whatever their moves are", () => {
  const link = "#game=joker&seed=4&exchange=turned";
  assert.equal(isSameDeal(link, `${link}&moves=7S+10-f&at=1`), true);
  assert.equal(isSameDeal("#seed=4&game=joker&exchange=turned", link), true);
  assert.equal(isSameDeal("game=joker&seed=4&exchange=turned", link), true);
});

test("links of other seeds, games, modes or options are of other deals", () => {
  const link = "#game=joker&seed=4&exchange=turned";
  for (const other of [
    "#game=joker&seed=5&exchange=turned",
    "#game=klondike&seed=4&exchange=turned",
    "#game=joker&seed=4&exchange=turned&mode=player",
    "#game=joker&seed=4&exchange=exposed",
    "#game=joker&seed=4",
    "#game=joker&pysol=4&exchange=turned",
    "",
  ])
    assert.equal(isSameDeal(other, link), false, other);
  assert.equal(isSameDeal(null, link), false);
});

test("every part of a deal and every rule option makes another deal", () => {
  for (const name of ["pysol", "deal", "mode", "exchange", "removal", "draw", "passes", "worrying_back"])
    assert.equal(isSameDeal(`#game=a&seed=4&${name}=1`, `#game=a&seed=4&${name}=2`), false, name);
});

test("the moves of a link end at the position shown", () => {
  assert.deepEqual(movesOf("#game=joker&moves=7S+10-f,9S+4-2,4D+s-w&at=2"), ["7S 10-f", "9S 4-2"]);
  assert.deepEqual(movesOf("#game=joker&moves=7S+10-f,9S+4-2"), ["7S 10-f", "9S 4-2"]);
  assert.deepEqual(movesOf("#game=joker&moves=7S+10-f&at=0"), []);
  assert.deepEqual(movesOf("#game=joker&seed=4"), []);
});
