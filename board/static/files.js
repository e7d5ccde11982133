/* Actions of the menu: texts and files, the limits of searches. */

import { copyText } from "./looks.js";
import { askOne } from "./input.js";

/** @import { Ask, Choice, Limits as LimitsMessage, Saved, Say } from "./types.d.ts" */

/* --- Copy to the clipboard, save as files, and read dropped files. --- */

const COPIES = { position: "Position", moves: "Moves", deal: "Deal" };
const FILES = {
  page: "Replay page (HTML)",
  "moves text": "Moves (text)",
  "deal text": "Deal (text)",
  "position text": "Position (text)",
  "position json": "Position (JSON)",
  "game json": "Game with variations (JSON)",
};
/** @type {(texts: Record<string, string>) => Choice<string>[]} */
const choices = texts => Object.entries(texts).map(([value, label]) => ({ value, label }));

export class Files {
  /** `ask` sends a request, `say` shows what was done, `open` opens a dropped text; questions are put in
      `dialog`.
      @param {HTMLDialogElement} dialog
      @param {{ ask: Ask; say: Say; open: (text: string) => void }} on */
  constructor(dialog, { ask, say, open }) {
    this.dialog = dialog;
    this.ask = ask;
    this.say = say;
    addEventListener("dragover", event => event.preventDefault());
    addEventListener("drop", async event => {
      event.preventDefault();
      const file = event.dataTransfer?.files[0],
        text = file ? await file.text() : event.dataTransfer?.getData("text/plain");
      if (text) open(text);
    });
  }

  /** Copy `link`, the address of the position shown.
      @type {(link: string | null) => Promise<void>} */
  async share(link) {
    if (!link) {
      this.say("A game with hidden cards of its own has no link: the cards would be in it.", "refused");
      return;
    }
    this.say(
      (await copyText(new URL(link, location.href).href))
        ? "The link is copied."
        : "The clipboard cannot be written.",
    );
  }

  /* Copy the text that the person selects. */
  async copy() {
    const what = await askOne(this.dialog, "Copy", choices(COPIES)),
      text = what && (await this.written(what, "text"));
    if (text) this.say((await copyText(text.content)) ? "Copied." : "The clipboard cannot be written.");
  }

  /* Save the file that the person selects, such as "position json". */
  async save() {
    const choice = await askOne(this.dialog, "Save", choices(FILES));
    if (!choice) return;
    const [what, form = "text"] = choice.split(" "),
      written = await this.written(what, form);
    if (!written) return;
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([written.content], { type: written.media }));
    link.download = written.name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    this.say(`Saved as ${written.name}.`);
  }

  /** Request the content of a file; null if the server refuses.
      @type {(what: string, form: string) => Promise<Saved | null>} */
  async written(what, form) {
    const answer = await this.ask({ type: "save", what, form });
    if (answer.type === "saved") return answer;
    this.say(answer.why || "That did not work.", "refused");
    return null;
  }
}

/* --- Form for the search limits. --- */

export class Limits {
  /** The limits in force; null before the first.
      @type {LimitsMessage | null} */
  limits = null;

  /** `ask` sends a request, `refuse` shows why it was refused.
      @param {HTMLElement} box
      @param {{ ask: Ask; refuse: (why: string) => void }} on */
  constructor(box, { ask, refuse }) {
    this.box = box;
    this.ask = ask;
    this.refuse = refuse;
    box.addEventListener("change", () => this.#change());
  }

  /** @type {(limits: LimitsMessage) => void} */
  draw(limits) {
    this.limits = limits;
    /** @type {(name: "seconds" | "megabytes", least: number) => string} */
    const field = (name, least) =>
      `<input type="number" name="${name}" aria-label="${name} a search"
        min="${least}" max="${limits[`most_${name}`]}" value="${+limits[name]}">`;
    this.box.innerHTML = `A search takes up to ${field("seconds", 1)} seconds,
      ${field("megabytes", 10)} megabytes`;
  }

  async #change() {
    const [seconds, megabytes] = [...this.box.querySelectorAll("input")].map(({ value }) => +value);
    const answer = await this.ask({ type: "limits", seconds, megabytes });
    if (answer.type === "limits") this.draw(answer);
    else {
      this.refuse(answer.why || "That did not work.");
      if (this.limits) this.draw(this.limits);
    }
  }
}
