/* List of the games played, with totals. */

import { escapeText } from "./cards.js";
import { offerLooks } from "./looks.js";
import { askOne } from "./input.js";
import { forget as forgetGames, games as keptGames } from "./transport.js";

const $ = id => document.getElementById(id);
const part = (some, all) => (all ? `${some} of ${all}` : "\u2013");
const cell = (text, kind = "") => `<td${kind ? ` class="${kind}"` : ""}>${text}</td>`;

function table(heads, rows) {
  return `<table class="list"><thead><tr>${heads.map(([text, kind]) => `<th scope="col"${kind ? ` class="${kind}"` : ""}>${text}</th>`).join("")}</tr></thead><tbody>${rows.join("")}</tbody></table>`;
}

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

function outcome(game) {
  const words =
    { won: "won", lost: "lost", left: "left", shown: "shown by hints" }[game.outcome] ||
    escapeText(game.outcome);
  const kind = game.outcome === "won" ? "good" : game.outcome === "lost" ? "bad" : "soft";
  const could =
    game.score !== null && game.could
      ? ` <small class="soft">${game.could === "none" ? "nothing" : escapeText(game.could)} could be reached</small>`
      : "";
  return `<span class="${kind}">${game.tier && game.tier !== "none" && game.outcome !== "shown" ? escapeText(game.tier) : words}</span>${could}`;
}

/* A number of seconds as minutes, or as hours and minutes. */
function timeOf(seconds) {
  if (!seconds) return "";
  const whole = Math.round(seconds),
    parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return (parts[0] ? parts : parts.slice(1))
    .map((part, i) => (i ? String(part).padStart(2, "0") : part))
    .join(":");
}

const helpOf = game =>
  [
    game.hints ? `${game.hints} with hints` : "",
    game.turned_back ? `${game.turned_back} turned up, taken back` : "",
  ]
    .filter(text => text)
    .join(", ");

function gameRow(game) {
  const name = escapeText(game.name || "own deal"),
    fewest =
      game.fewest === null
        ? ""
        : ` <small class="soft">${game.fewest_proved ? "fewest" : "at most"} ${game.fewest}</small>`;
  const when = new Date(game.began).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
  const place = game.link ? `<a href="./${escapeText(game.link).replace(/"/g, "&quot;")}">${name}</a>` : name;
  return `<tr>${cell(when)}${cell(escapeText(game.title))}${cell(place)}${cell(outcome(game))}${cell(game.moves + fewest, "number")}${cell(
    game.winnable === null ? "?" : game.winnable ? "yes" : "no",
  )}${cell(game.mistakes || "", "number bad")}${cell(timeOf(game.seconds), "number")}${cell(helpOf(game))}<td><button type="button" data-forget="${+game.id}">Forget</button></td></tr>`;
}

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
    : `<p class="soft">${kept ? "No game is kept yet; one is kept from its first move on." : "Games are not kept: the board was started with --no-history."}</p>`;
  $("forget").hidden = !games.length;
}

function tell(text) {
  $("problem").hidden = false;
  $("problem").textContent = text;
}

async function forget(what) {
  const answer = await forgetGames(what);
  if (!answer.ok) tell((await answer.text()).slice(0, 300));
  await load();
}

const run = task => task.catch(() => tell("The server is gone."));
offerLooks($("theme"), $("deck"));
$("games").addEventListener("click", event => {
  const { forget: id } = event.target.dataset;
  if (id) run(forget({ game: +id }));
});
$("forget").onclick = async () => {
  if (await askOne($("picker"), "Forget all games for good?", [{ label: "Forget them", value: true }]))
    run(forget({ all: true }));
};
run(load());
