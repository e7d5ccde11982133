/* The table as it was when a page with this game was left, drawn until the game is there again. */

const LEFT = "winnable-table"; // key of the copy
const table = document.getElementById("table");

/** An element and all in it. @type {(element: HTMLElement) => HTMLElement[]} */
const partsOf = element => [element, ...element.querySelectorAll(/** @type {"div"} */ ("*"))];

/** @param {HTMLElement} table */
function keepTable(table) {
  if (!document.body.dataset.node) return;
  const copy = /** @type {HTMLElement} */ (table.cloneNode(true));
  const styles = partsOf(copy).map(element => {
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
    return JSON.parse(localStorage.getItem(LEFT) ?? "null");
  } catch {
    return null;
  }
}

/** @param {HTMLElement} table */
function showTable(table) {
  const left = leftTable();
  if (
    !Array.isArray(left?.styles) ||
    left.hash !== location.hash ||
    String(left.size) !== String([innerWidth, innerHeight])
  )
    return;
  const drawings = document.createElement("div");
  drawings.innerHTML = `<svg class="sr" id="drawings" aria-hidden="true">${left.drawings}</svg>`;
  document.body.append(...drawings.children);
  table.innerHTML = left.html;
  table.className = left.className;
  partsOf(table).forEach((element, place) => {
    element.style.cssText = left.styles[place] ?? "";
  });
  table.dataset.before = "";
}

/** Remove the copy, before the table is drawn. */
export function clearTable() {
  if (!table || table.dataset.before === undefined) return;
  delete table.dataset.before;
  table.replaceChildren();
  table.removeAttribute("style");
}

if (table) {
  showTable(table);
  addEventListener("pagehide", () => keepTable(table));
}
