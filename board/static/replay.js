/* Replay page of a line of play: step, play, show verdicts and chances. It knows no rules. */

import { plain, pretty, spokenCard } from "./cards.js";
import { closest, matches } from "./elements.js";
import { chancePercent, copyText, markStep, offerLooks } from "./looks.js";
import { lengthsOf, placesOf, spokenPlace, Table } from "./table.js";

/** @import { Replay, ReplayPage, ReplayStep } from "./types.d.ts" */

/** @type {<Id extends keyof ReplayPage>(id: Id) => ReplayPage[Id]} */
const $ = id => /** @type {any} */ (document.getElementById(id));
/** @type {Replay} */
const data = JSON.parse($("play-data").textContent);
const root = document.documentElement,
  steps = data.steps;
const PLAY = '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M7 4v16l13-8z"/></svg>';
const PAUSE = '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M6 4h4v16H6zM14 4h4v16h-4z"/></svg>';
const CAPTIONS = 240; // height in pixels of the parts of the screen beside the table
const SWIPE = 40; // sideways movement in pixels that is a step

const table = new Table($("felt"), $("table"), data.wing, Number($("felt").dataset.fan));
const lengths = steps.flatMap(lengthsOf);
let at = 0; // the index of the step that is shown
/** The timer of the next step; null while nothing is played.
    @type {ReturnType<typeof setInterval> | null} */
let timer = null;
/** The timer after which the address names the step.
    @type {ReturnType<typeof setTimeout> | undefined} */
let marking;

function mark() {
  try {
    history.replaceState(null, "", "#" + at);
  } catch {
    /* some viewers forbid it for files */
  }
}

function tell() {
  const step = steps[at],
    count = steps.length - 1;
  const effects = (step.effects || []).map(text => `; <i>${pretty(text)}</i>`).join("");
  const score = step.score === null ? "" : ` Score ${step.score}.`;
  const loss = step.loss ? ` <strong class="bad">It ${pretty(step.loss)}.</strong>` : "";
  $("now").innerHTML = at
    ? `<b>${at}/${count}</b> ${pretty(step.does)}${effects}.${score}${loss}`
    : `<b>0/${count}</b> The deal.${score}`;
  if (isWeighed) $("advice").innerHTML = adviceOf(step);
  $("jokers").innerHTML = step.jokers.map(text => `<p>${pretty(text)}</p>`).join("");
  const isSecret = !!data.player && !table.isPeek;
  $("words").innerHTML = placesOf(step)
    .map(place => {
      const cards = place.pile ? place.cards.slice(-1) : place.cards,
        words = cards.map(card => spokenCard(card, isSecret)).join(", ");
      return `<li>${spokenPlace(place)}: ${words || "empty"}</li>`;
    })
    .join("");
  $("place").value = String(at);
  $("place").setAttribute("aria-valuetext", at ? `move ${at} of ${count}` : "the deal");
  $("first").disabled = $("back").disabled = at === 0;
  $("next").disabled = $("last").disabled = at === count;
  markStep($("moves"), $("moves").querySelectorAll("button")[at]);
  document.body.dataset.step = String(at);
  clearTimeout(marking);
  marking = setTimeout(mark, 300);
}

const TIERS = /** @type {const} */ (["win", "double", "triple"]),
  MOST_ADVICE = 5;
const isWeighed = steps.some(step => step.advice?.length);

/** A probability in percent.
    @type {(part: number) => number} */
const percent = part => Math.round(100 * part);

/** The moves that the player evaluated before the next move, as HTML, the chosen ones first.
    @type {(step: ReplayStep) => string} */
function adviceOf(step) {
  const title = "What the player weighs";
  if (!step.advice?.length) {
    const why =
      at === steps.length - 1
        ? "The game is over."
        : step.advice
          ? "There is one move to make."
          : "The decision goes on.";
    return `<table><caption>${title}</caption></table><p>${why}</p>`;
  }
  const shown = step.advice.filter(entry => entry.visits).slice(0, MOST_ADVICE);
  const rows = shown.map(entry => {
    const cells = TIERS.map(tier => `<td>${chancePercent(entry[tier])}</td>`);
    return `<tr><td>${entry.moves.map(pretty).join("; ")}</td>${cells.join("")}</tr>`;
  });
  const heads = TIERS.map(tier => `<th scope="col">${tier}</th>`).join("");
  const rest = step.advice.length - shown.length;
  const more = rest ? `<p>and ${rest} more</p>` : "";
  return `<table><caption>${title}</caption>
    <thead><tr><th scope="col">% to reach</th>${heads}</tr></thead>
    <tbody>${rows.join("")}</tbody></table>${more}`;
}

/** @type {(to: number) => void} */
function go(to) {
  to = Math.max(0, Math.min(steps.length - 1, to));
  const isNear = Math.abs(to - at) === 1;
  if (!isNear && to) {
    at = to - 1;
    table.draw(steps[at], false);
  }
  at = to;
  table.draw(steps[at], to > 0 || isNear);
  tell();
}
function stop() {
  if (timer) clearInterval(timer);
  timer = null;
  $("play").innerHTML = PLAY;
  $("play").setAttribute("aria-label", "Play");
  $("now").setAttribute("aria-live", "polite");
}
function start() {
  if (at === steps.length - 1) go(0);
  table.table.style.setProperty("--pace", Math.min(200, +$("speed").value / 2) + "ms");
  $("play").innerHTML = PAUSE;
  $("play").setAttribute("aria-label", "Pause");
  $("now").setAttribute("aria-live", "off");
  timer = setInterval(() => {
    go(at + 1);
    if (at === steps.length - 1) stop();
  }, +$("speed").value);
}
/** @type {(by: number) => void} */
const stepBy = by => {
  stop();
  go(at + by);
};
const play = () => (timer ? stop() : start());

/** A row of the list: the move, with its chance or mark.
    @type {(step: ReplayStep, i: number) => HTMLElement} */
function rowOf(step, i) {
  const item = document.createElement("li"),
    button = document.createElement("button");
  button.type = "button";
  const more = step.effects?.length ? '<span class="plus" aria-label="with effects">+</span>' : "";
  const first = i ? steps[i - 1].advice?.[0] : undefined,
    triple = first?.visits ? `${percent(first.triple.probability)}%` : "";
  const chance = triple && `<span class="chance">${triple}</span>`;
  const bad = step.loss ? '<span class="bad" role="img" aria-label="mistake">?</span>' : "";
  const move = i ? pretty(step.move) : "deal";
  button.innerHTML = `<span class="n">${i}</span> <span>${move}</span>${bad}${chance}${more}`;
  if (i) {
    const told = [
      step.does,
      ...(step.effects || []),
      ...(triple ? [`chance of a triple ${triple}`] : []),
      ...(step.loss ? [step.loss] : []),
    ];
    button.title = plain(told.join("; "));
  }
  button.addEventListener("click", () => {
    stop();
    go(i);
  });
  item.append(button);
  return item;
}

/* The number of mistakes, and a button that goes from one to the next. */
function offerMistakes() {
  const mistakes = steps.flatMap((step, i) => (step.loss ? [i] : []));
  $("mistakes").hidden = !mistakes.length;
  $("mistakes").textContent = mistakes.length === 1 ? "1 mistake" : `${mistakes.length} mistakes`;
  $("mistakes").onclick = () => {
    stop();
    go(mistakes.find(i => i > at) || mistakes[0]);
  };
}

/** A button that copies the text of `textOf()`, and confirms that for a moment.
    @type {(button: HTMLElement, textOf: () => string) => void} */
function offerCopy(button, textOf) {
  const name = button.textContent;
  button.onclick = async () => {
    button.textContent = (await copyText(textOf())) ? "Copied" : "No clipboard";
    setTimeout(() => {
      button.textContent = name;
    }, 1500);
  };
}

/** @type {(felt: HTMLElement) => void} */
function offerSwipes(felt) {
  /** Where a finger was put down; null if none is.
      @type {PointerEvent | null} */
  let from = null;
  felt.addEventListener("pointerdown", event => {
    from = event.pointerType === "mouse" || !event.isPrimary ? null : event;
  });
  felt.addEventListener("pointerup", event => {
    if (!from || !event.isPrimary) return;
    const across = event.clientX - from.clientX,
      along = event.clientY - from.clientY;
    from = null;
    if (Math.abs(across) > SWIPE && Math.abs(across) > 2 * Math.abs(along)) stepBy(across < 0 ? 1 : -1);
  });
  felt.addEventListener("pointercancel", () => {
    from = null;
  });
}

/** The actions of the keys.
    @type {Record<string, () => void>} */
const ACTIONS = {
  ArrowRight: () => stepBy(1),
  ArrowLeft: () => stepBy(-1),
  Home: () => stepBy(-steps.length),
  End: () => stepBy(steps.length),
  " ": play,
};
/** @type {(event: KeyboardEvent) => void} */
function onKey(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || matches(event, "input")) return;
  if (event.key === " " && matches(event, "button, select")) return;
  const action = ACTIONS[event.key];
  if (action) {
    event.preventDefault();
    action();
  }
}

function resize() {
  table.measure(steps[0], lengths, Math.max(300, innerHeight - CAPTIONS));
  table.draw(steps[at]);
}

$("moves").append(...steps.map(rowOf));
offerLooks($("theme"), $("deck"));
$("peek").hidden = !steps[0].columns.some(text => text.includes("<"));
$("peek").onclick = () => {
  table.isPeek = root.classList.toggle("peek");
  $("peek").setAttribute("aria-pressed", String(table.isPeek));
  resize();
  tell();
};
offerMistakes();
$("copy-position").hidden = !steps[0].position;
offerCopy($("copy-position"), () => JSON.stringify(steps[at].position));
$("copy-moves").disabled = steps.length === 1;
offerCopy($("copy-moves"), () =>
  steps
    .slice(1)
    .map(step => step.move + "\n")
    .join(""),
);
$("advice").hidden = !isWeighed;
root.classList.toggle("weighed", isWeighed);
$("outcome").textContent = [data.verdict || data.player, data.outcome].filter(text => text).join(": ");
$("place").max = String(steps.length - 1);
$("play").disabled = $("place").disabled = steps.length === 1;
$("place").oninput = () => {
  stop();
  go(+$("place").value);
};
$("first").onclick = () => stepBy(-steps.length);
$("back").onclick = () => stepBy(-1);
$("next").onclick = () => stepBy(1);
$("last").onclick = () => stepBy(steps.length);
$("play").onclick = play;
$("speed").onchange = () => {
  if (timer) {
    stop();
    start();
  }
};
offerSwipes($("felt"));
document.addEventListener("click", event => {
  const { activeElement } = document;
  if (event.detail && closest(event, "button") && activeElement instanceof HTMLElement) activeElement.blur();
});
document.addEventListener("keydown", onKey);
let drawn = $("felt").clientWidth;
new ResizeObserver(() => {
  if ($("felt").clientWidth !== drawn) {
    drawn = $("felt").clientWidth;
    resize();
  }
}).observe($("felt"));
stop();
resize();
go(parseInt(location.hash.slice(1), 10) || 0);
