/* Banner at the end of a game: the result beside the best possible one, with stars, and as a text to copy. */

import { escapeText } from "./cards.js";
import { keepFocus } from "./focus.js";

const button = (what, text, isMain) => `<button type="button" data-do="${what}"${isMain ? ' class="main"' : ""}>${text}</button>`;
const inMoves = count => count === 1 ? "1 move" : `${count} moves`;
const EASY = 1.1, ALL = 3;  // times the fewest moves for two stars; the stars of the fewest

/* Show the banner in `element` where the game is at its end, `isEnd`; `rules` are those of the game. */
export function drawBanner(element, game, rules, isEnd) {
  if (!isEnd) {
    keepFocus(element, () => { element.hidden = true; element.drawn = element.textContent = ""; });
    return;
  }
  const isNew = element.hidden;
  element.hidden = false;
  const { isWon, title, more } = resultOf(game, rules), isLost = !isWon && !rules.scored, stars = starsOf(game);
  const buttons = [
    isLost && game.lastGood ? button("back", "Back to where it could be won", true) : "",
    game.mistakes.length && !isLost ? button("mistakes", "See the mistakes") : "",
    game.mode === "player" ? button("finish", "Show the cards") : "",
    isWon ? button("result", "Copy the result") : "",
    button("new", "New game", !isLost || !game.lastGood),
    button("dismiss", "Close"),
  ];
  const html = `<h2>${escapeText(title)}</h2>${stars ? `<p class="stars" role="img" aria-label="${stars} of ${ALL} stars">${starText(stars)}</p>` : ""}${
    [more, helpOf(game, isWon)].filter(text => text).map(text => `<p>${escapeText(text)}</p>`).join("")}<p class="row">${buttons.join("")}</p>`;
  element.classList.toggle("bad", !isWon);
  if (element.drawn !== html) keepFocus(element, () => { element.innerHTML = element.drawn = html; });
  if (isNew) element.scrollIntoView({ block: "end" });  // with the table above it
}

/* The result of a game as a text for others. */
export function resultText(game, rules) {
  const { isWon, title, more } = resultOf(game, rules), stars = starsOf(game), name = game.day ? `deal of ${dayText(game.day)}` : game.name;
  return [`${game.title}, ${name}`, [title, stars ? starText(stars) : ""].filter(text => text).join(" "), more, helpOf(game, isWon)].filter(text => text).join("\n");
}

export const dayText = day => day.toLocaleDateString("en", { day: "numeric", month: "long", year: "numeric" });

/* The fewest moves known of the deal, as words; empty while nothing is known. */
export function parText({ root: { judged } }) {
  return judged && judged.verdict === "winnable" && judged.length && (judged.score ?? null) === null ? judged.shortest ? `proved fewest: ${judged.length}` : `fewest known: ${judged.length}` : "";
}

const starText = stars => "\u2605".repeat(stars) + "\u2606".repeat(ALL - stars);

function starsOf(game) {
  const { judged } = game.root, path = game.pathTo(game.position.node).slice(1);
  if (game.position.over !== "won" || !judged || !judged.length || path.every(node => node.helped)) return 0;
  return path.length <= judged.length ? ALL : path.length <= EASY * judged.length ? 2 : 1;
}

function helpOf(game, isWon) {
  const path = game.pathTo(game.position.node).slice(1), helped = path.filter(node => node.helped).length;
  if (!path.length || !helped && !game.position.turned_back) return "";
  if (helped === path.length) return `All moves were shown by hints${isWon ? ": it is not counted as a win" : ""}.`;
  const back = game.position.turned_back ? "cards that were turned up were taken back" : "";
  return [helped ? `${inMoves(helped)} with hints` : "", back].filter(text => text).join("; ") + ".";
}

const resultOf = (game, rules) => rules.scored && game.position.picture.score !== null ? scoreTexts(game, rules) : texts(game);

function scoreTexts(game, rules) {
  const { score } = game.position.picture, { judged } = game.root, ply = game.node ? game.node.ply : 0;
  const [tier, least] = Object.entries(rules.tiers).sort((a, b) => b[1] - a[1]).find(([, cards]) => score >= cards) || ["none", 0];
  const isWon = tier !== "none", named = isWon ? `${tier} (${least === game.places ? "all" : ""} ${least} cards)`.replace("( ", "(") : `no win (${rules.tiers.win} cards)`;
  const title = score === game.places ? `All ${score} up in ${inMoves(ply)}` : `Score ${score} of ${game.places}: ${named}`;
  const more = !judged || judged.score === null ? "" : judged.score === score && judged.exact ? "Nobody could reach more from this deal."
    : `From the deal ${judged.score} (${judged.tier}) could be reached${judged.exact ? "" : ", or more"}.`;
  return { isWon, title, more };
}

function texts(game) {
  const { judged } = game.root, ply = game.node ? game.node.ply : 0;
  if (game.position.over !== "won") {
    return { isWon: false, title: game.position.over ? "No move is left" : `Stopped after ${inMoves(ply)}`, more: judged && judged.verdict === "unwinnable" ? "Nobody could win this deal: that is proved." : "" };
  }
  const fewest = judged && judged.verdict === "winnable" ? judged.length : null;
  const more = fewest === null ? "" : ply <= fewest ? judged.shortest ? "None is shorter." : "No shorter line is known."
    : `It can be done in ${fewest}${judged.shortest ? ", and no fewer" : " or fewer"}.`;
  return { isWon: true, title: `Won in ${inMoves(ply)}`, more };
}
