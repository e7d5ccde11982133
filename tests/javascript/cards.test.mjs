/* Notation and words of cards and moves. */

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  cardsOf,
  classOf,
  escapeText,
  inWords,
  plain,
  pretty,
  readCard,
  shownRank,
  spokenCard,
  withRank,
} from "../../board/static/cards.js";

const spoken = (token, isSecret) => spokenCard(readCard(token), isSecret);

test("a card is read with its rank and suit", () => {
  assert.deepEqual(readCard("7H"), {
    name: "7H",
    as: undefined,
    isDown: false,
    isJoker: false,
    isUnknown: false,
    rank: "7",
    suit: "H",
  });
});

test("brackets are a card face down, question marks an unknown one", () => {
  const { name, isDown, isUnknown } = readCard("<7H>");
  assert.deepEqual([name, isDown, isUnknown], ["7H", true, false]);
  assert.equal(readCard("<??>").isUnknown, true);
  assert.equal(readCard("??").isDown, false);
});

test("a joker is read with the rank that it has", () => {
  const { name, as, isJoker, suit } = readCard("XB=6");
  assert.deepEqual([name, as, isJoker, suit], ["XB", "6", true, "B"]);
  assert.equal(readCard("XR").as, undefined);
  assert.deepEqual([readCard("<XR=T>").as, readCard("<XR=T>").isDown], ["T", true]);
});

test("a column is read from its deepest card to its top", () => {
  assert.deepEqual(
    cardsOf("<7H> XB=6 5D").map(({ name }) => name),
    ["7H", "XB", "5D"],
  );
  assert.deepEqual(cardsOf(""), []);
});

test("cards are spoken in words", () => {
  assert.equal(spoken("7H"), "7 of hearts");
  assert.equal(spoken("TS"), "10 of spades");
  assert.equal(spoken("QC"), "queen of clubs");
  assert.equal(spoken("JH"), "jack of hearts");
  assert.equal(spoken("AD"), "ace of diamonds");
  assert.equal(spoken("XB=6"), "black joker as 6");
  assert.equal(spoken("XR=K"), "red joker as king");
  assert.equal(spoken("XR"), "red joker");
});

test("a card face down is named only where it may be known", () => {
  assert.equal(spoken("<7H>"), "face down 7 of hearts");
  assert.equal(spoken("<7H>", true), "face down card");
  assert.equal(spoken("<??>"), "face down card");
  assert.equal(spoken("<XB>", false), "face down black joker");
  assert.equal(spoken("7H", true), "7 of hearts");
});

test("the rank T is shown as 10", () => {
  assert.equal(shownRank("T"), "10");
  assert.equal(shownRank("7"), "7");
  assert.equal(withRank("XB as T, from T"), "XB as 10, from 10");
  assert.equal(withRank("a T and T"), "a 10 and T");
});

test("text is escaped before cards get their signs", () => {
  assert.equal(escapeText("<b>&"), "&lt;b&gt;&amp;");
  assert.equal(pretty("7H"), '<span class="name H">7\u2665\uFE0E</span>');
  assert.equal(pretty("TC <i>"), '<span class="name C">10\u2663\uFE0E</span> &lt;i&gt;');
  assert.equal(pretty("XR as T"), '<span class="name XR">red \u2605</span> as 10');
  assert.equal(pretty("AXH 17H HH"), "AXH 17H HH");
});

test("plain text names cards with signs and jokers in words", () => {
  assert.equal(plain("QH goes on KS"), "Q\u2665\uFE0E goes on K\u2660\uFE0E");
  assert.equal(plain("XB as T"), "black joker as 10");
});

test("moves are put into words", () => {
  assert.equal(inWords("7S 10-f"), "7S 10\u2192up");
  assert.equal(inWords("7S w-3"), "7S waste\u21923");
  assert.equal(inWords("4D s-w"), "4D turned");
  assert.equal(inWords("?? s-w"), "card turned");
  assert.equal(inWords("4D s-3"), "4D stock\u21923");
  assert.equal(inWords("XB 3-x"), "XB 3\u2192out of play");
  assert.equal(inWords("5H fH-2"), "5H \u2665\uFE0E\u21922");
  assert.equal(inWords("XB 3=T"), "XB is 10");
});

test("a joker is shown with the rank that it then has, once", () => {
  assert.equal(inWords("XB 3-4", "7"), "XB 3\u21924 as 7");
  assert.equal(inWords("XB 3=7", "7"), "XB is 7");
  assert.equal(inWords("7S 1-2", null), "7S 1\u21922");
});

test("the classes of a card say what it looks like", () => {
  assert.equal(classOf(readCard("7H")), "card H");
  assert.equal(classOf(readCard("<7H>")), "card H down");
  assert.equal(classOf(readCard("<??>")), "card down");
  assert.equal(classOf(readCard("XB=6")), "card joker XB");
});
