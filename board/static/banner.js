/* Banner at the end of a game: the result beside the best possible one. */

import { escapeText } from "./cards.js";

const button = (what, text, isMain) => `<button type="button" data-do="${what}"${isMain ? ' class="main"' : ""}>${text}</button>`;
const inMoves = count => count === 1 ? "1 move" : `${count} moves`;

/* Show the banner in `element` where the game is at its end, `isEnd`; `rules` are those of the game. */
export function drawBanner(element, game, rules, isEnd) {
  element.hidden = !isEnd;
  if (!isEnd) { element.textContent = ""; return; }
  const isLost = game.position.over === "stuck" && !rules.scored;
  const { title, more } = rules.scored && game.position.picture.score !== null ? scoreTexts(game, rules) : texts(game);
  const buttons = [
    isLost && game.lastGood ? button("back", "Back to where it could be won", true) : "",
    game.mistakes.length && !isLost ? button("mistakes", "See the mistakes") : "",
    game.mode === "player" ? button("finish", "Show the cards") : "",
    button("new", "New game", !isLost || !game.lastGood),
  ];
  const html = `<h2>${escapeText(title)}</h2>${more ? `<p>${escapeText(more)}</p>` : ""}<p class="row">${buttons.join("")}</p>`;
  element.classList.toggle("bad", isLost);
  if (element.drawn !== html) element.innerHTML = element.drawn = html;
}

function scoreTexts(game, rules) {
  const { score } = game.position.picture, { judged } = game.root, ply = game.node ? game.node.ply : 0;
  const tier = Object.entries(rules.tiers).sort((a, b) => b[1] - a[1]).find(([, least]) => score >= least);
  const title = score === game.places ? `All ${score} up in ${inMoves(ply)}` : `Score ${score} of ${game.places}: ${tier && tier[0] !== "none" ? tier[0] : "no win"}`;
  const more = !judged || judged.score === null ? "" : judged.score === score && judged.exact ? "Nobody could reach more from this deal."
    : `From the deal ${judged.score} (${judged.tier}) could be reached${judged.exact ? "" : ", or more"}.`;
  return { title, more };
}

function texts(game) {
  const { judged } = game.root, ply = game.node ? game.node.ply : 0;
  if (game.position.over !== "won") {
    return { title: game.position.over ? "No move is left" : `Stopped after ${inMoves(ply)}`, more: judged && judged.verdict === "unwinnable" ? "Nobody could win this deal: that is proved." : "" };
  }
  const fewest = judged && judged.verdict === "winnable" ? judged.moves : null;
  const more = fewest === null ? "" : ply <= fewest ? judged.shortest ? "None is shorter." : "No shorter line is known."
    : `It can be done in ${fewest}${judged.shortest ? ", and no fewer" : " or fewer"}.`;
  return { title: `Won in ${inMoves(ply)}`, more };
}
