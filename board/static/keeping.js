/* Links to places in games, and the game that is kept in the browser for a reload. */

const KEPT = "winnable-game";
const DEAL = ["game", "seed", "pysol", "deal", "mode", "exchange", "removal"];

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

/* The game of this tab, or else the last one of any: its `link` and the `game` with its variations; null for none. */
export function readSaved() {
  try { return JSON.parse(sessionStorage.getItem(KEPT) || localStorage.getItem(KEPT)); } catch { return null; }
}

export function writeSaved(saved) {
  for (const storage of [sessionStorage, localStorage]) {
    try { storage.setItem(KEPT, JSON.stringify(saved)); } catch { /* full, or forbidden */ }
  }
}
