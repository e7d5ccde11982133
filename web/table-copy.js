/* The table as it was when a page with this game was left, drawn until the game is there again. */

const LEFT = "winnable-table"; // key of the copy
const table = document.getElementById("table");

function keepTable() {
  if (!document.body.dataset.node) return;
  const copy = table.cloneNode(true);
  const styles = [copy, ...copy.querySelectorAll("*")].map(element => {
    const { cssText } = element.style;
    element.removeAttribute("style"); // the page's policy forbids styles in texts
    return cssText;
  });
  const left = {
    ...{ hash: location.hash, size: [innerWidth, innerHeight], className: copy.className },
    ...{ html: copy.innerHTML, styles, drawings: document.getElementById("drawings")?.innerHTML },
  };
  try {
    localStorage.setItem(LEFT, JSON.stringify(left));
  } catch {
    /* full, or forbidden */
  }
}

function leftTable() {
  try {
    return JSON.parse(localStorage.getItem(LEFT));
  } catch {
    return null;
  }
}

function showTable() {
  const left = leftTable();
  if (left?.hash !== location.hash || String(left.size) !== String([innerWidth, innerHeight])) return;
  const drawings = document.createElement("div");
  drawings.innerHTML = `<svg class="sr" id="drawings" aria-hidden="true">${left.drawings}</svg>`;
  document.body.append(...drawings.children);
  table.innerHTML = left.html;
  table.className = left.className;
  [table, ...table.querySelectorAll("*")].forEach((element, place) => {
    element.style.cssText = left.styles[place];
  });
  table.dataset.before = "";
}

/** Remove the copy, before the table is drawn. */
export function clearTable() {
  if (table?.dataset.before === undefined) return;
  delete table.dataset.before;
  table.replaceChildren();
  table.removeAttribute("style");
}

if (table) {
  showTable();
  addEventListener("pagehide", keepTable);
}
