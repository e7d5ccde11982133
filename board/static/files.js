/* Copy to the clipboard, save as files, and read dropped files. */

import { copyText } from "./looks.js";
import { askOne } from "./picker.js";

const COPIES = { link: "Link to this position", position: "Position", moves: "Moves", deal: "Deal" };
const FILES = {
  page: "Replay page (HTML)", "moves text": "Moves (text)", "deal text": "Deal (text)", "position text": "Position (text)",
  "position json": "Position (JSON)", "game json": "Game with variations (JSON)",
};
const choices = texts => Object.entries(texts).map(([value, label]) => ({ value, label }));

export class Files {
  /* `ask` talks to the server, `say(text, kind)` tells what was done, `open(text)` opens a dropped text; questions are put
     in `dialog`. */
  constructor(dialog, { ask, say, open }) {
    Object.assign(this, { dialog, ask, say });
    addEventListener("dragover", event => event.preventDefault());
    addEventListener("drop", async event => {
      event.preventDefault();
      const file = event.dataTransfer.files[0], text = file ? await file.text() : event.dataTransfer.getData("text/plain");
      if (text) open(text);
    });
  }

  /* Copy what a person picks: `link`, to the place that is shown, or what the server writes of it. */
  async copy(link) {
    const what = await askOne(this.dialog, "Copy", choices(COPIES));
    if (!what) return;
    if (what === "link" && !link) { this.say("A game with hidden cards of its own has no link: the cards would be in it.", "refused"); return; }
    const text = what === "link" ? location.origin + "/" + link : await this.#written(what, "text");
    if (text) this.say(await copyText(text.content || text) ? "Copied." : "The clipboard cannot be written.");
  }

  /* Save what a person picks and the server writes, such as "position json", as a file. */
  async save() {
    const choice = await askOne(this.dialog, "Save", choices(FILES));
    if (!choice) return;
    const [what, form = "text"] = choice.split(" "), written = await this.#written(what, form);
    if (!written) return;
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([written.content], { type: written.media }));
    link.download = written.name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    this.say(`Saved as ${written.name}.`);
  }

  async #written(what, form) {
    const answer = await this.ask({ type: "save", what, form });
    if (answer.type === "saved") return answer;
    this.say(answer.why, "refused");
    return null;
  }
}
