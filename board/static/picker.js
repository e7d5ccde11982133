/* A dialog in which one of several things is picked. */

import { pretty } from "./cards.js";

/* The value of the choice that a person takes, null for none; `choices` have a `label` and a `value`. */
export function askOne(dialog, title, choices) {
  const isCards = choices.every(({ label }) => label.length === 2);
  dialog.innerHTML = `<h2 id="picker-title">${pretty(title)}</h2><ul class="rows${isCards ? " cards" : ""}"></ul><p class="row"><button type="button">Cancel</button></p>`;
  const list = dialog.querySelector("ul");
  return new Promise(resolve => {
    let value = null;
    for (const choice of choices) {
      const item = document.createElement("li"), button = document.createElement("button");
      button.type = "button";
      button.innerHTML = pretty(choice.label);
      if (choice.value.text) button.dataset.text = choice.value.text;
      button.onclick = () => { value = choice.value; dialog.close(); };
      item.append(button);
      list.append(item);
    }
    dialog.lastElementChild.firstElementChild.onclick = () => dialog.close();
    dialog.onclose = () => resolve(value);
    dialog.showModal();
  });
}
