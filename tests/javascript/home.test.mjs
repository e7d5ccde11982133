/* The home page and the fields for a deal as HTML. */

import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { choiceFields, homeHtml, today } from "../../board/static/home.js";

const game = (name, title, more = {}) => ({
  game: name,
  title,
  summary: `what ${name} is`,
  sizes: [7, 7, 7, 7, 7, 7, 7],
  has_stock: false,
  jokers: false,
  wing: null,
  choices: {},
  ...more,
});
const GAMES = [
  game("chessboard", "Chessboard", { rate: "76 %" }),
  game("joker", "Joker Solitaire", { has_stock: true, jokers: true, rate: "96 %" }),
  game("other", "A <new> game"),
];
const values = (html, what) =>
  [...html.matchAll(new RegExp(`data-do="${what}"[^>]*?value="([^"]*)"`, "g"))].map(([, value]) => value);

test("the main games have a deal of the day and other deals", () => {
  const html = homeHtml(GAMES);
  assert.deepEqual(values(html, "today"), ["chessboard", "chessboard", "joker"]);
  assert.deepEqual(values(html, "deal"), ["chessboard", "joker", "other"]);
});

test("a game without words of its own has its summary, escaped", () => {
  const html = homeHtml(GAMES);
  assert.match(html, /A &lt;new&gt; game/);
  assert.match(html, /what other is/);
  assert.doesNotMatch(html, /<new>/);
});

test("a problem is shown, and the game that can be gone on with", () => {
  assert.match(homeHtml(GAMES), /<p class="problem" role="alert" hidden><\/p>/);
  assert.match(homeHtml(GAMES, { problem: "no <game>" }), /<p class="problem" role="alert">no &lt;game&gt;</);
  assert.doesNotMatch(homeHtml(GAMES), /data-do="resume"/);
  assert.match(homeHtml(GAMES, { kept: "Joker, move 3" }), /data-do="resume".*?Joker, move 3/s);
});

test("pictures are the same at each visit and differ by game", () => {
  const pictures = homeHtml(GAMES).match(/<svg class="thumb".*?<\/svg>/gs);
  assert.equal(pictures.length, 3);
  assert.deepEqual(homeHtml(GAMES).match(/<svg class="thumb".*?<\/svg>/gs), pictures);
  assert.equal(new Set(pictures).size, 3);
  for (const picture of pictures) assert.doesNotMatch(picture, /NaN|undefined|Infinity/);
});

test("a rule option is a field with its values in words", () => {
  const choices = { exchange: ["turned", "exposed", "9"] },
    values = { turned: "when it is turned", exposed: "whenever it is on top" };
  const html = choiceFields(
    game("joker", "Joker", { choices, options: { exchange: { title: "x", values } } }),
  );
  assert.match(html, /<select data-choice="exchange"/);
  assert.deepEqual(
    [...html.matchAll(/<option value="(\w+)">([^<]*)/g)].map(([, value, words]) => [value, words]),
    [
      ["turned", "when it is turned"],
      ["exposed", "whenever it is on top"],
      ["9", "9"],
    ],
  );
  assert.equal(choiceFields(game("chessboard", "Chessboard")), "");
});

test("the day is that of the person, with two digits each", () => {
  mock.timers.enable({ apis: ["Date"], now: new Date(2026, 2, 5, 23, 59) });
  assert.equal(today(), "2026-03-05");
  mock.timers.reset();
});
