/* The client's copy of the game, and how it is stored in the browser. */

/* --- Client copy of the game: its move tree and the position shown. --- */

export class Game {
  constructor(message) {
    const { saved, ...rest } = message;
    Object.assign(this, rest, { header: saved });
    this.byNumber = new Map();
    this.take(message.nodes);
    this.position = message.position;
  }

  /* Add new nodes, or update known ones. */
  take(nodes) {
    for (const node of nodes) {
      const known = this.byNumber.get(node.node);
      if (known) Object.assign(known, node);
      else this.byNumber.set(node.node, { ...node });
    }
    this.#link();
  }

  drop(numbers) {
    for (const number of numbers) this.byNumber.delete(number);
    this.#link();
  }

  /* The children of a node by number, the main line first. */
  #link() {
    for (const node of this.byNumber.values()) node.children = [];
    for (const node of this.byNumber.values()) {
      const parent = this.byNumber.get(node.parent);
      if (parent) parent.children[node.main ? "unshift" : "push"](node);
    }
  }

  get root() {
    return this.byNumber.get(0);
  }
  get node() {
    return this.byNumber.get(this.position.node);
  }
  get isPlayed() {
    return this.mode !== "analysis";
  }

  /* The nodes from the start to a node, both included. */
  pathTo(number) {
    const path = [];
    for (let node = this.byNumber.get(number); node; node = this.byNumber.get(node.parent))
      path.unshift(node);
    return path;
  }

  /* The nodes of the main line, from the start. */
  get mainLine() {
    const line = [this.root];
    for (let node = this.root; (node = node.children.find(child => child.main)); ) line.push(node);
    return line;
  }

  /* The positions from the start through the shown one to the end of its line. */
  get line() {
    const line = this.pathTo(this.position.node);
    for (let node = line.at(-1); node && (node = node.children[0]); ) line.push(node);
    return line;
  }

  /* The day of a deal of the day, which is the beginning of its number; null for other deals. */
  get day() {
    const [, year, month, day] = /^(20\d\d)([01]\d)([0-3]\d)\d{3}$/.exec(this.seed || "") || [];
    return year ? new Date(+year, month - 1, +day) : null;
  }

  /* The data that reopens the game on the server: the tree, parents before their children. */
  saved() {
    const nodes = [],
      places = new Map(),
      waiting = [this.root],
      helped = [],
      { seconds, turned_back } = this.position;
    while (waiting.length) {
      const node = waiting.pop();
      if (node.helped) helped.push(places.size);
      places.set(node.node, places.size);
      if (node !== this.root)
        nodes.push([places.get(node.parent), node.move, ...(node.turned ? [node.turned] : [])]);
      waiting.push(...[...node.children].reverse());
    }
    return { ...this.header, nodes, helped, seconds, turned_back, here: places.get(this.position.node) ?? 0 };
  }

  get mistakes() {
    return this.mainLine.filter(node => node.mark === "mistake");
  }

  /* The last node before the first move that lost what the position shown lacks; null if no move did. */
  get lastGood() {
    const path = this.pathTo(this.position.node),
      first = path.find(node => node.mark === "mistake");
    return first ? this.byNumber.get(first.parent) : null;
  }

  /* The last position on the way to the one shown that can be won, as far as that is proved; null if none is known. */
  get lastWinnable() {
    return this.pathTo(this.position.node).findLast(node => node.judged?.verdict === "winnable") || null;
  }

  /* The first position on the way to the one shown that is lost whatever the hidden cards are, as far as that was said;
     null if none is known. */
  get firstHopeless() {
    return this.pathTo(this.position.node).find(node => node.isHopeless) || null;
  }
}

/* --- Links to positions, and the game stored in the browser for a reload. --- */

const KEPT = "winnable-game",
  KEEP_AFTER = 200; // milliseconds after a change
const FREE = "winnable-free",
  HIDDEN = "winnable-hidden",
  MOST_FREE = 200;
const DEAL = [
  "game",
  "seed",
  "pysol",
  "deal",
  "mode",
  "exchange",
  "removal",
  "draw",
  "passes",
  "worrying_back",
];

const fields = link => new URLSearchParams((link || "").replace(/^#/, ""));

export function isSameDeal(one, other) {
  const deal = link => DEAL.map(key => fields(link).get(key)).join("|");
  return !!one && deal(one) === deal(other);
}

/* The moves of a link, up to the position shown. */
export function movesOf(link) {
  const all = fields(link),
    moves = (all.get("moves") || "").split(",").filter(text => text);
  return all.has("at") ? moves.slice(0, +all.get("at")) : moves;
}

function stored(storage, name) {
  try {
    return JSON.parse(storage.getItem(name));
  } catch {
    return null;
  }
}

function store(storage, name, value) {
  try {
    storage.setItem(name, JSON.stringify(value));
  } catch {
    /* full, or forbidden */
  }
}

/* The game in a file that the board saved; null if `text` is anything else. */
function savedIn(text) {
  try {
    const game = JSON.parse(text);
    return game.winnable === "game" ? game : null;
  } catch {
    return null;
  }
}

/* Stores the current game: soon after a change, and at once when the page is closed.

   The key of a game names its row of the history, so that two pages may not have one key. The list FREE has the keys that
   a page had and left. A tab that the browser ends while it is hidden has noted its key as HIDDEN. */
export class Keeping {
  constructor() {
    Object.assign(this, { game: null, key: null, isGone: false });
    addEventListener("pagehide", () => {
      this.isGone = true;
      this.#write();
      this.#free();
    });
    addEventListener("pageshow", event => {
      this.isGone = false;
      if (!event.persisted || !this.key) return;
      if (this.#isFree(this.key)) this.#hold(this.key);
      else location.reload(); // another page has gone on with the game
    });
    document.addEventListener("visibilitychange", () => {
      if (this.isGone) return;
      if (document.hidden) this.#write();
      store(sessionStorage, HIDDEN, document.hidden ? this.key : null);
    });
  }

  /* What a request opens, `from`: a stored game without its key where another page may have that. */
  mine(from) {
    const saved = from.saved || savedIn(from.text);
    if (!saved || saved.key === this.key || this.#isFree(saved.key)) return from;
    const { key, ...rest } = saved;
    return { saved: rest };
  }

  #isFree(key) {
    return stored(sessionStorage, HIDDEN) === key || (stored(localStorage, FREE) || []).includes(key);
  }

  /* Take a key from the list, as that of the game shown, in place of the one before. */
  #hold(key) {
    if (key !== this.key) this.#free();
    this.key = key;
    store(sessionStorage, HIDDEN, document.hidden ? key : null);
    const free = stored(localStorage, FREE) || [];
    if (free.includes(key))
      store(
        localStorage,
        FREE,
        free.filter(other => other !== key),
      );
  }

  #free() {
    if (!this.key) return;
    store(sessionStorage, HIDDEN, null);
    store(localStorage, FREE, [this.key, ...(stored(localStorage, FREE) || [])].slice(0, MOST_FREE));
  }

  /* The stored game of this tab, or else the latest one of any tab: its `link`, and the `game` with its variations;
     null if there is none. */
  read() {
    if (this.game) return this.#written();
    return stored(sessionStorage, KEPT) || stored(localStorage, KEPT);
  }

  /* Store `game` in its present state. */
  keep(game) {
    this.#hold(game.header.key);
    this.game = game;
    this.isWaiting = true;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.#write(), KEEP_AFTER);
  }

  #written() {
    const { title, node, position } = this.game;
    return { link: position.link, title, ply: node ? node.ply : 0, game: this.game.saved() };
  }

  #write() {
    if (!this.isWaiting) return;
    this.isWaiting = false;
    for (const storage of [sessionStorage, localStorage]) store(storage, KEPT, this.#written());
  }
}
