/* Dialog to pick one of several choices. */

import { pretty } from "./cards.js";

/* The value of the choice that a person takes, null for none; `choices` have a `label`, a `value`, and perhaps a `short`
   label, the rank that a joker is declared as. */
export function askOne(dialog, title, choices) {
  dialog.innerHTML = `<h2 id="picker-title">${pretty(title)}</h2><ul class="rows"></ul><p hidden>Declared where it lies as</p>
    <ul class="rows cards"></ul><p class="row"><button type="button">Cancel</button></p>`;
  const [whole, cards] = dialog.querySelectorAll("ul");
  dialog.querySelector("p").hidden = !choices.some(choice => choice.short);
  return new Promise(resolve => {
    let value = null;
    for (const choice of choices) {
      const item = document.createElement("li"), button = document.createElement("button");
      button.type = "button";
      button.innerHTML = pretty(choice.short || choice.label);
      button.title = choice.label;
      if (choice.value.text) button.dataset.text = choice.value.text;
      button.onclick = () => { value = choice.value; dialog.close(); };
      item.append(button);
      (choice.short || choice.label.length === 2 ? cards : whole).append(item);
    }
    dialog.lastElementChild.firstElementChild.onclick = () => dialog.close();
    dialog.onclose = () => resolve(value);
    dialog.showModal();
  });
}
