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

  get root() { return this.byNumber.get(0); }
  get node() { return this.byNumber.get(this.position.node); }
  get isPlayed() { return this.mode !== "analysis"; }

  /* The nodes from the start to a node, both included. */
  pathTo(number) {
    const path = [];
    for (let node = this.byNumber.get(number); node; node = this.byNumber.get(node.parent)) path.unshift(node);
    return path;
  }

  /* The nodes of the main line, from the start. */
  get mainLine() {
    const line = [this.root];
    for (let node = this.root; (node = node.children.find(child => child.main));) line.push(node);
    return line;
  }

  /* The positions from the start through the shown one to the end of its line. */
  get line() {
    const line = this.pathTo(this.position.node);
    for (let node = line.at(-1); node && (node = node.children[0]);) line.push(node);
    return line;
  }

  /* The day of a deal of the day, which is the beginning of its number; null for other deals. */
  get day() {
    const [, year, month, day] = /^(20\d\d)([01]\d)([0-3]\d)\d{3}$/.exec(this.seed || "") || [];
    return year ? new Date(+year, month - 1, +day) : null;
  }

  /* The data that reopens the game on the server: the tree, parents before their children. */
  saved() {
    const nodes = [], places = new Map(), waiting = [this.root], helped = [], { seconds, turned_back } = this.position;
    while (waiting.length) {
      const node = waiting.pop();
      if (node.helped) helped.push(places.size);
      places.set(node.node, places.size);
      if (node !== this.root) nodes.push([places.get(node.parent), node.move, ...(node.turned ? [node.turned] : [])]);
      waiting.push(...[...node.children].reverse());
    }
    return { ...this.header, nodes, helped, seconds, turned_back, here: places.get(this.position.node) ?? 0 };
  }

  get mistakes() { return this.mainLine.filter(node => node.mark === "mistake"); }

  /* The last node before the first move that lost what the position shown lacks; null if no move did. */
  get lastGood() {
    const path = this.pathTo(this.position.node), first = path.find(node => node.mark === "mistake");
    return first ? this.byNumber.get(first.parent) : null;
  }
}

/* --- Links to positions, and the game stored in the browser for a reload. --- */

const KEPT = "winnable-game", KEEP_AFTER = 200;  // milliseconds after a change
const DEAL = ["game", "seed", "pysol", "deal", "mode", "exchange", "removal", "draw", "passes", "worrying_back"];

const fields = link => new URLSearchParams((link || "").replace(/^#/, ""));

export function isSameDeal(one, other) {
  const deal = link => DEAL.map(key => fields(link).get(key)).join("|");
  return !!one && deal(one) === deal(other);
}

/* The moves of a link, up to the position shown. */
export function movesOf(link) {
  const all = fields(link), moves = (all.get("moves") || "").split(",").filter(text => text);
  return all.has("at") ? moves.slice(0, +all.get("at")) : moves;
}

/* Stores the current game: soon after a change, and at once when the page is closed. */
export class Keeping {
  constructor() {
    this.game = null;
    addEventListener("pagehide", () => this.#write());
    document.addEventListener("visibilitychange", () => { if (document.hidden) this.#write(); });
  }

  /* The stored game of this tab, or else the latest one of any tab: its `link`, and the `game` with its variations;
     null if there is none. */
  read() {
    if (this.game) return this.#written();
    try { return JSON.parse(sessionStorage.getItem(KEPT) || localStorage.getItem(KEPT)); } catch { return null; }
  }

  /* Store `game` in its present state. */
  keep(game) {
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
    const text = JSON.stringify(this.#written());
    for (const storage of [sessionStorage, localStorage]) {
      try { storage.setItem(KEPT, text); } catch { /* full, or forbidden */ }
    }
  }
}
