/* Copy to the clipboard, save as files, and read dropped files. */

import { copyText } from "./looks.js";

export class Files {
  /* `ask` talks to the server, `say(text, kind)` tells what was done, `open(text)` opens a dropped text. */
  constructor({ ask, say, open }) {
    Object.assign(this, { ask, say });
    addEventListener("dragover", event => event.preventDefault());
    addEventListener("drop", async event => {
      event.preventDefault();
      const file = event.dataTransfer.files[0], text = file ? await file.text() : event.dataTransfer.getData("text/plain");
      if (text) open(text);
    });
  }

  /* Copy a link to the place that is shown, or what the server writes of it. */
  async copy(what, link) {
    if (what === "link" && !link) { this.say("A game with hidden cards of its own has no link: the cards would be in it.", "refused"); return; }
    const text = what === "link" ? location.origin + "/" + link : await this.#written(what, "text");
    if (text) this.say(await copyText(text.content || text) ? "Copied." : "The clipboard cannot be written.");
  }

  /* Save what the server writes, such as "position json", as a file. */
  async save(choice) {
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
