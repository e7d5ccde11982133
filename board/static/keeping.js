/* Links to positions, and the game stored in the browser for a reload. */

const KEPT = "winnable-game", KEEP_AFTER = 200;  // milliseconds after a change
const DEAL = ["game", "seed", "pysol", "deal", "mode", "exchange", "removal", "draw", "passes", "worrying_back"];

const fields = link => new URLSearchParams((link || "").replace(/^#/, ""));

export function isSameDeal(one, other) {
  const deal = link => DEAL.map(key => fields(link).get(key)).join("|");
  return !!one && deal(one) === deal(other);
}

/* The moves of a link up to its place. */
export function movesOf(link) {
  const all = fields(link), moves = (all.get("moves") || "").split(",").filter(text => text);
  return all.has("at") ? moves.slice(0, +all.get("at")) : moves;
}

/* Keeps the game that is played: soon after a change, and at once when the page goes. */
export class Keeping {
  constructor() {
    this.game = null;
    addEventListener("pagehide", () => this.#write());
    document.addEventListener("visibilitychange", () => { if (document.hidden) this.#write(); });
  }

  /* The game of this tab, or else the last one of any: its `link` and the `game` with its variations; null for none. */
  read() {
    if (this.game) return this.#written();
    try { return JSON.parse(sessionStorage.getItem(KEPT) || localStorage.getItem(KEPT)); } catch { return null; }
  }

  /* Keep `game` as it is now. */
  keep(game) {
    this.game = game;
    this.isWaiting = true;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.#write(), KEEP_AFTER);
  }

  #written() { return { link: this.game.position.link, game: this.game.saved() }; }

  #write() {
    if (!this.isWaiting) return;
    this.isWaiting = false;
    const text = JSON.stringify(this.#written());
    for (const storage of [sessionStorage, localStorage]) {
      try { storage.setItem(KEPT, text); } catch { /* full, or forbidden */ }
    }
  }
}
