"use strict";
(() => {
  const find = (id) => document.getElementById(id);
  const data = JSON.parse(find("data").textContent);
  const [head] = find("table").tHead.rows;
  const body = find("table").tBodies[0];
  const shown = data.pages.map(() => true);
  head.cells[0].textContent = "function";

  function element(name, text, parent) {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (parent) parent.append(made);
    return made;
  }

  const rows = data.functions.map(([category, name, ...places]) => {
    const row = element("tr");
    element("th", name, row).scope = "row";
    const states = places.map((place, column) => {
      const [state, text] = data.cells[place];
      const cell = element("td", undefined, row);
      cell.className = state;
      if (state === "wrong" || state === "waiting") {
        element("a", text, cell).href = `${data.pages[column]}#${data.categories[category]}.${name}`;
      } else cell.textContent = text;
      return state;
    });
    return { row, states, name, category: data.categories[category] };
  });

  function show() {
    const wanted = find("search").value.trim().toLowerCase();
    const state = find("state").value;
    const category = find("category").value;
    const kept = rows.filter((each) =>
      `${each.category} ${each.name}`.toLowerCase().includes(wanted) &&
      (!category || each.category === category) &&
      (!state || each.states.some((one, column) => shown[column] && one === state)));
    const made = [];
    kept.forEach((each, at) => {
      if (each.category !== (kept[at - 1] || {}).category) {
        const cell = element("td", undefined, element("tr"));
        element("span", each.category.replace(/_/g, " "), cell);
        cell.className = "group";
        cell.colSpan = data.pages.length + 1;
        made.push(cell.parentNode);
      }
      made.push(each.row);
    });
    for (const row of [head, ...rows.map((each) => each.row)]) {
      shown.forEach((yes, column) => { row.cells[column + 1].hidden = !yes; });
    }
    body.replaceChildren(...made);
    find("count").textContent = `${kept.length} of ${rows.length} functions`;
  }

  for (const category of data.categories) find("category").append(new Option(category));
  data.pages.forEach((_, column) => {
    const label = element("label", undefined, find("columns"));
    const box = element("input", undefined, label);
    box.type = "checkbox";
    box.checked = true;
    label.append(` ${head.cells[column + 1].textContent}`);
    box.addEventListener("change", () => { shown[column] = box.checked; show(); });
  });
  for (const id of ["search", "state", "category"]) find(id).addEventListener("input", show);
  find("filters").addEventListener("submit", (event) => event.preventDefault());
  find("filters").hidden = false;
  show();
})();
