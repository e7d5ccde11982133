/* The address of the page and the entries of the browser's history. */

import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

const entries = []; // what was put into the history: [kind, address]
const listeners = {};
const stored = new Map();
let navigation = "reload";

class Navigation {
  type = navigation;
}

Object.assign(globalThis, {
  location: { hash: "", pathname: "/", search: "" },
  history: {
    pushState: (_state, _title, link) => enter("push", link),
    replaceState: (_state, _title, link) => enter("replace", link),
  },
  sessionStorage: {
    getItem: name => stored.get(name) ?? null,
    setItem: (name, value) => stored.set(name, value),
    removeItem: name => stored.delete(name),
  },
  addEventListener: (name, listener) => {
    (listeners[name] ??= []).push(listener);
  },
  PerformanceNavigationTiming: Navigation,
});
performance.getEntriesByType = kind => (kind === "navigation" ? [new Navigation()] : []);

function enter(kind, link) {
  entries.push([kind, link]);
  location.hash = link.startsWith("#") ? link : "";
}

const send = name => {
  for (const listener of listeners[name] ?? []) listener();
};

const { Address } = await import("../../board/static/address.js");

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  entries.length = 0;
  for (const name in listeners) delete listeners[name];
  stored.clear();
  location.hash = "";
  navigation = "reload";
});

test("a new deal is an entry of the history, a move replaces it", () => {
  const address = new Address();
  address.show("#seed=4", true);
  address.show("#seed=4&moves=a", false);
  assert.deepEqual(entries, [
    ["push", "#seed=4"],
    ["replace", "#seed=4&moves=a"],
  ]);
});

test("moves in quick succession replace the entry once a pause", () => {
  const address = new Address();
  for (const move of "abcd") address.show(`#${move}`, false);
  assert.deepEqual(entries, [["replace", "#a"]]);
  mock.timers.tick(400);
  assert.deepEqual(entries.slice(1), [["replace", "#d"]]);
  mock.timers.tick(400);
  assert.equal(entries.length, 2);
});

test("an address that is shown already delays no move", () => {
  const address = new Address();
  address.show("#a", false);
  mock.timers.tick(400);
  address.show("#a", false);
  address.show("#b", false);
  assert.equal(location.hash, "#b");
});

test("the address of the last move is written before another entry", () => {
  const address = new Address();
  address.show("#a", false);
  address.show("#b", false);
  address.push("#edit=joker");
  assert.deepEqual(entries.slice(1), [
    ["replace", "#b"],
    ["push", "#edit=joker"],
  ]);
  address.goHome();
  assert.deepEqual(entries.at(-1), ["push", "/"]);
  address.goHome();
  assert.equal(entries.length, 4);
});

test("an address that waits is not written into another entry", () => {
  const address = new Address();
  address.show("#a", false);
  address.show("#b", false);
  send("popstate");
  mock.timers.tick(400);
  assert.deepEqual(entries, [["replace", "#a"]]);
});

test("the same deal is no second entry", () => {
  const address = new Address();
  location.hash = "#seed=4";
  address.show("#seed=4", true);
  address.show("#seed=4", false);
  assert.deepEqual(entries, []);
});

test("a reload may find the addresses of shortly before", () => {
  const address = new Address();
  location.hash = "#a";
  address.show("#b", false);
  address.show("#c", false);
  send("pagehide");
  assert.equal(location.hash, "#c");
  const reloaded = new Address();
  assert.equal(reloaded.takeLate("#b"), true);
  assert.equal(reloaded.takeLate("#a"), false, "only the first question counts");
  assert.equal(new Address().takeLate("#b"), false, "they are noted for one page");
});

test("addresses of long before are not late", () => {
  const now = mock.method(performance, "now", () => 1000);
  const address = new Address();
  location.hash = "#a";
  address.show("#b", false);
  now.mock.mockImplementation(() => 6000);
  address.show("#c", false);
  send("pagehide");
  now.mock.restore();
  assert.deepEqual(JSON.parse(stored.get("winnable-late")), ["#b"]);
});

test("a link that a person opens means its own position", () => {
  const address = new Address();
  location.hash = "#a";
  address.show("#b", false);
  send("pagehide");
  navigation = "navigate";
  assert.equal(new Address().takeLate("#a"), false);
});
