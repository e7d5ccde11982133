/* Form for the search limits. */

export class Limits {
  /* `ask` talks to the server, `refuse(why)` tells that it would not. */
  constructor(box, { ask, refuse }) {
    Object.assign(this, { box, ask, refuse });
    box.addEventListener("change", () => this.#change());
  }

  draw(limits) {
    this.limits = limits;
    const field = (name, least) => `<input type="number" name="${name}" min="${least}" max="${limits["most_" + name]}" aria-label="${name} a search" value="${+limits[name]}">`;
    this.box.innerHTML = `${field("seconds", 1)} seconds, ${field("megabytes", 10)} megabytes`;
  }

  async #change() {
    const value = name => +this.box.querySelector(`[name="${name}"]`).value;
    const answer = await this.ask({ type: "limits", seconds: value("seconds"), megabytes: value("megabytes") });
    if (answer.type !== "limits") this.refuse(answer.why);
    this.draw(answer.type === "limits" ? answer : this.limits);
  }
}
