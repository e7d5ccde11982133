/* Connection of the page to the program on the static site: two workers of the page, nothing else. */

const asked = new Map();
let worker = null,
  current = null,
  next = 1;

function start() {
  worker = new Worker(new URL(`../engine/talk.js${location.search}`, import.meta.url), { type: "module" });
  worker.onmessage = ({ data }) => {
    if (typeof data === "string") {
      if (data.includes('"result"') || data.includes('"error"')) clearTable();
      current?.onmessage?.({ data });
      return;
    }
    if ("progress" in data) showProgress(data.progress);
    if ("failed" in data) fail(data.failed);
    if ("answer" in data) {
      asked.get(data.answer)(data.content);
      asked.delete(data.answer);
    }
  };
  worker.onerror = event => fail(event.message || "a file of the site could not be loaded");
}

function showProgress(part) {
  document.documentElement.dataset.loading = Math.round(100 * part);
  dispatchEvent(new CustomEvent("loading", { detail: part }));
}

function fail(why) {
  console.error(why);
  worker?.terminate();
  worker = null;
  const lost = current;
  current = null;
  if (lost) {
    lost.readyState = 3;
    lost.onclose?.({ code: 1011, reason: why });
  }
}

/* Show the table as it was when a page with this game was left, until Python has started, which takes seconds. */
const LEFT = "winnable-table";
const table = document.getElementById("table");

function keepTable() {
  if (!table || !document.body.dataset.node) return;
  const copy = table.cloneNode(true),
    styles = [];
  for (const element of [copy, ...copy.querySelectorAll("*")]) {
    // the page's policy forbids styles in texts
    styles.push(element.style.cssText);
    element.removeAttribute("style");
  }
  const left = {
    hash: location.hash,
    size: [innerWidth, innerHeight],
    className: copy.className,
    html: copy.innerHTML,
    styles,
  };
  try {
    localStorage.setItem(LEFT, JSON.stringify(left));
  } catch {
    /* full, or forbidden */
  }
}

function showTable() {
  let left = null;
  try {
    left = JSON.parse(localStorage.getItem(LEFT));
  } catch {
    return;
  }
  if (!left || left.hash !== location.hash || left.size[0] !== innerWidth || left.size[1] !== innerHeight)
    return;
  table.innerHTML = left.html;
  table.className = left.className;
  [table, ...table.querySelectorAll("*")].forEach((element, place) => {
    element.style.cssText = left.styles[place];
  });
  table.dataset.before = "";
}

function clearTable() {
  if (!table || table.dataset.before === undefined) return;
  delete table.dataset.before;
  table.replaceChildren();
  table.removeAttribute("style");
}

if (table) {
  showTable();
  addEventListener("pagehide", keepTable);
}

class Conversation {
  constructor() {
    this.readyState = 1;
    if (!worker) start();
    current = this;
    worker.postMessage({ begin: true });
  }

  send(text) {
    worker?.postMessage(text);
  }

  close() {
    this.readyState = 3;
    if (current === this) current = null;
  }
}

/* A connection with the part of WebSocket's interface that is needed: send, close, readyState, onmessage and onclose.
 */
export const connect = () => new Conversation();

/* Resolves to true if the program answers but refuses this page; never here. */
export const isUnknown = async () => false;

function history(what) {
  if (!worker) start();
  return new Promise(resolve => {
    asked.set(next, content =>
      resolve({ ok: true, status: 200, json: async () => content, text: async () => "" }),
    );
    worker.postMessage({ ask: next++, what });
  });
}

/* The stored games; resolves to an answer as of `fetch`. */
export const games = () => history(null);

/* Delete the games {game: number} or {all: true}. */
export const forget = what => history(what);

if ("serviceWorker" in navigator && isSecureContext)
  navigator.serviceWorker.register(new URL("../offline.js", import.meta.url)).catch(() => {});
