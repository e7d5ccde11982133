/* List of the games played, with totals. */

import { escapeText } from "./cards.js";
import { dataOf } from "./elements.js";
import { offerLooks } from "./looks.js";
import { askOne } from "./input.js";
import { forget as forgetGames, games as keptGames } from "./transport.js";

/** @import { HistoryPage, KeptGame, Totals } from "./types.d.ts" */

/** @type {<Id extends keyof HistoryPage>(id: Id) => HistoryPage[Id]} */
const $ = id => /** @type {any} */ (document.getElementById(id));
/** @type {(some: number, all: number) => string} */
const part = (some, all) => (all ? `${some} of ${all}` : "\u2013");
/** @type {(text: string | number, kind?: string) => string} */
const cell = (text, kind = "") => `<td${kind ? ` class="${kind}"` : ""}>${text}</td>`;

/** A remark after a text; nothing if it is empty.
    @type {(text: string) => string} */
const soft = text => (text ? ` <small class="soft">${text}</small>` : "");

/** @type {(heads: string[][], rows: string[]) => string} */
function table(heads, rows) {
  const head = heads.map(([text, kind]) => `<th scope="col"${kind ? ` class="${kind}"` : ""}>${text}</th>`);
  return `<table class="list"><thead><tr>${head.join("")}</tr></thead>
    <tbody>${rows.join("")}</tbody></table>`;
}

/** @type {(total: Totals) => string} */
function totalRow(total) {
  const above = total.moves_above_fewest;
  return `<tr><th scope="row">${escapeText(total.title)}</th>${[
    total.played,
    total.won,
    part(total.won_of_winnable, total.winnable),
    total.thrown,
    total.streak,
    total.longest_streak,
    total.best ?? "\u2013",
    above === null ? "\u2013" : above.toFixed(1),
  ]
    .map(value => cell(value, "number"))
    .join("")}</tr>`;
}

/** @type {(game: KeptGame) => string} */
function outcome(game) {
  const words = game.outcome === "shown" ? "shown by hints" : escapeText(game.outcome),
    tier = game.outcome !== "shown" && game.tier !== "none" && game.tier;
  const kind = game.outcome === "won" ? "good" : game.outcome === "lost" ? "bad" : "soft";
  const could = game.could === "none" ? "nothing" : game.could,
    reached = game.score !== null && could ? `${escapeText(could)} could be reached` : "";
  return `<span class="${kind}">${tier ? escapeText(tier) : words}</span>${soft(reached)}`;
}

/** A number of seconds as minutes, or as hours and minutes.
    @type {(seconds: number) => string} */
function timeOf(seconds) {
  if (!seconds) return "";
  const whole = Math.round(seconds),
    parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return (parts[0] ? parts : parts.slice(1))
    .map((each, i) => (i ? String(each).padStart(2, "0") : each))
    .join(":");
}

/** @type {(game: KeptGame) => string} */
const helpOf = game =>
  [
    game.hints ? `${game.hints} with hints` : "",
    game.turned_back ? `${game.turned_back} turned up, taken back` : "",
  ]
    .filter(text => text)
    .join(", ");

/** @type {(game: KeptGame) => string} */
function gameRow(game) {
  const name = escapeText(game.name || "own deal"),
    fewest = game.fewest === null ? "" : `${game.fewest_proved ? "fewest" : "at most"} ${game.fewest}`;
  const when = new Date(game.began).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
  const place = game.link ? `<a href="./${escapeText(game.link).replace(/"/g, "&quot;")}">${name}</a>` : name;
  const winnable = game.winnable === null ? "?" : game.winnable ? "yes" : "no";
  const cells = [
    cell(when),
    cell(escapeText(game.title)),
    cell(place),
    cell(outcome(game)),
    cell(game.moves + soft(fewest), "number"),
    cell(winnable),
    cell(game.mistakes || "", "number bad"),
    cell(timeOf(game.seconds), "number"),
    cell(helpOf(game)),
    `<td><button type="button" data-forget="${+game.id}">Forget</button></td>`,
  ];
  return `<tr>${cells.join("")}</tr>`;
}

const NONE_YET = "No games yet. A game is listed from its first move on.",
  NOT_KEPT = "Games are not kept: this browser keeps no data, or the board was started with --no-history.";

async function load() {
  const answer = await keptGames();
  if (!answer.ok) {
    tell(
      answer.status === 401
        ? "Open the address that the server printed."
        : (await answer.text()).slice(0, 300),
    );
    return;
  }
  /** @type {{ kept: boolean; games: KeptGame[]; totals: Totals[] }} */
  const { kept, games, totals } = await answer.json();
  $("problem").hidden = true;
  $("totals").innerHTML = totals.length
    ? table(
        [
          ["Game"],
          ["Played", "number"],
          ["Won", "number"],
          ["Won of the winnable", "number"],
          ["Thrown away", "number"],
          ["Streak", "number"],
          ["Longest", "number"],
          ["Fewest moves, without help", "number"],
          ["Moves above the fewest", "number"],
        ],
        totals.map(totalRow),
      )
    : "";
  $("games").innerHTML = games.length
    ? table(
        [
          ["Begun"],
          ["Game"],
          ["Deal"],
          ["Outcome"],
          ["Moves", "number"],
          ["Winnable"],
          ["Mistakes", "number"],
          ["Time", "number"],
          ["Help"],
          [""],
        ],
        games.map(gameRow),
      )
    : `<p class="soft">${kept ? NONE_YET : NOT_KEPT}</p>`;
  $("forget").hidden = !games.length;
}

/** @type {(text: string) => void} */
function tell(text) {
  $("problem").hidden = false;
  $("problem").textContent = text;
}

/** @type {(what: { game: number } | { all: true }) => Promise<void>} */
async function forget(what) {
  const answer = await forgetGames(what);
  if (!answer.ok) tell((await answer.text()).slice(0, 300));
  await load();
}

/** @type {(task: Promise<void>) => void} */
const run = task => task.catch(() => tell("The server is gone."));
offerLooks($("theme"), $("deck"));
$("games").addEventListener("click", event => {
  const { forget: id } = dataOf(event, "[data-forget]");
  if (id) run(forget({ game: +id }));
});
$("forget").onclick = async () => {
  if (await askOne($("picker"), "Forget all games for good?", [{ label: "Forget them", value: true }]))
    run(forget({ all: true }));
};
run(load());
