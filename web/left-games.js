/* Games that were played and left before Python was there, which alone writes the history: kept until it
   is. */

/** @import { SavedGame } from "../board/static/types.d.ts" */

const LEFT = "winnable-left"; // key of their list
const MOST = 50;

/** The games that were left, the oldest first. @type {() => SavedGame[]} */
export function leftGames() {
  try {
    const found = JSON.parse(localStorage.getItem(LEFT) ?? "[]");
    return Array.isArray(found) ? found.filter(saved => saved?.winnable === "game") : [];
  } catch {
    return []; // storage is forbidden
  }
}

/** Add a game; it replaces an earlier form of itself. @param {SavedGame} saved */
export function leaveGame(saved) {
  const others = leftGames().filter(({ key }) => key !== saved.key);
  try {
    localStorage.setItem(LEFT, JSON.stringify([...others, saved].slice(-MOST)));
  } catch {
    /* full, or forbidden */
  }
}

/** Forget games that Python has, unless they were left again meanwhile. @param {SavedGame[]} games */
export function forgetLeft(games) {
  const known = games.map(saved => JSON.stringify(saved));
  try {
    const others = leftGames().filter(saved => !known.includes(JSON.stringify(saved)));
    localStorage.setItem(LEFT, JSON.stringify(others));
  } catch {
    /* forbidden */
  }
}
