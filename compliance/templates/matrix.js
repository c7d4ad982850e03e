"use strict";
(async () => {
  const bytes = atob(document.getElementById("data").textContent.trim());
  const blob = new Blob([Uint8Array.from(bytes, (letter) => letter.charCodeAt(0))]);
  const stream = blob.stream().pipeThrough(new DecompressionStream("deflate"));
  const data = await new Response(stream).json();
  const STATES = { i: "right", r: "wrong", a: "waiting", b: "absent" };
  const find = (id) => document.getElementById(id);
  const heads = [...document.querySelectorAll("thead th[data-library]")];
  const body = document.querySelector("#matrix tbody");
  const libraries = heads.map((head) => {
    const name = head.dataset.library;
    const runs = data.runs.filter((run) => run.library === name);
    return { name, head, runs, chosen: runs.length - 1, shown: true };
  });
  const places = new Map();
  data.tests.forEach(([, category, name], place) => {
    const key = `${category} ${name}`;
    if (!places.has(key)) places.set(key, []);
    places.get(key).push(place);
  });
  const rows = [...body.rows].map((row, order) => {
    const { category, function: name } = row.dataset;
    return { row, order, category, name, tests: places.get(`${category} ${name}`) };
  });

  const counts = (run, tests) => {
    let passed = 0, failed = 0;
    for (const test of tests) {
      const letter = run.outcomes[test] || "-";
      passed += letter === "p";
      failed += letter === "f" || letter === "x";
    }
    return { passed, failed, run: passed + failed };
  };

  const since = (library, tests) => {
    let first = "";
    for (let at = library.chosen; at >= 0; at -= 1) {
      const found = counts(library.runs[at], tests);
      if (found.failed || !found.passed) break;
      first = library.runs[at].version;
    }
    return first;
  };

  const stateOf = (library, each) => STATES[library.runs[library.chosen].states[each.order]];

  const status = (found, state) => {
    if (state === "absent" || state === "waiting") return state;
    return !found.run ? "none" : !found.failed ? "all" : found.passed ? "some" : "no";
  };

  const words = (library, tests, found, state) => {
    if (!found.run) return "not tested";
    if (state === "absent") return state;
    if (found.failed) {
      return `${found.failed} of ${found.run} ${state === "wrong" ? "fail" : "wait"}`;
    }
    const first = since(library, tests);
    return `${first === library.runs[0].version ? "≤" : "since"} ${first}`;
  };

  function element(name, text, parent) {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (parent) parent.append(made);
    return made;
  }

  function fill(each) {
    each.failures = 0;
    each.states = [];
    libraries.forEach((library, column) => {
      const cell = each.row.cells[column + 1];
      const found = counts(library.runs[library.chosen], each.tests);
      const state = stateOf(library, each);
      if (library.shown) {
        each.failures += found.failed;
        each.states.push(state);
      }
      cell.hidden = !library.shown;
      cell.className = status(found, state);
      cell.textContent = "";
      const button = element("button", words(library, each.tests, found, state), cell);
      button.type = "button";
      button.addEventListener("click", () => details(library, each));
    });
  }

  function details(library, each) {
    const content = find("content");
    content.textContent = "";
    find("title").textContent = `${each.name} on ${library.name}`;
    const list = element("ul", undefined, content);
    [...library.runs].reverse().forEach((run) => {
      const found = counts(run, each.tests);
      const text = found.run ? `${found.passed} of ${found.run} tests pass` : "not tested";
      const end = run.partial ? "; the run was ended by its time limit" : "";
      element("li", `${run.version}, measured on ${run.date}: ${text}${end}`, list);
    });
    const run = library.runs[library.chosen];
    const failing = each.tests.filter((test) => String(test) in run.failed || run.outcomes[test] === "x");
    if (failing.length) {
      element("h2", `Failing tests with ${run.version}`, content);
      const tests = element("ul", undefined, content);
      for (const test of failing) {
        const item = element("li", undefined, tests);
        element("code", data.tests[test][0], item);
        const message = data.messages[run.failed[test]] || "the library lacks the extension";
        element("div", message, item).className = "soft";
      }
    }
    element("h2", "Repeat it", content);
    const name = `"${library.name}==${run.version}"`;
    const commands = [
      "pip install -e '.[compliance]'",
      "python -m compliance suite",
      `python -m compliance matrix run ${name} --function "${each.name}"`,
    ];
    element("pre", commands.join("\n"), content);
    find("details").showModal();
  }

  function show() {
    const wanted = find("search").value.trim().toLowerCase();
    const rule = find("show").value;
    const order = find("order").value;
    const kept = rows.filter((each) => {
      const text = `${each.category} ${each.name}`.toLowerCase();
      if (!text.includes(wanted)) return false;
      if (rule === "failing") return each.failures > 0;
      return !rule || (rule === "everywhere" ? each.failures === 0 : each.states.includes(rule));
    });
    const ways = {
      standard: (a, b) => a.order - b.order,
      name: (a, b) => a.name.localeCompare(b.name),
      failures: (a, b) => b.failures - a.failures || a.order - b.order,
    };
    kept.sort(ways[order]);
    const made = [];
    kept.forEach((each, at) => {
      if (order === "standard" && each.category !== (kept[at - 1] || {}).category) {
        const group = element("tr");
        const cell = element("td", undefined, group);
        element("span", each.category.replace(/_/g, " "), cell);
        cell.className = "group";
        cell.colSpan = libraries.length + 1;
        made.push(group);
      }
      made.push(each.row);
    });
    body.replaceChildren(...made);
    find("count").textContent = `${kept.length} of ${rows.length} functions`;
  }

  function update() {
    for (const library of libraries) library.head.hidden = !library.shown;
    rows.forEach(fill);
    show();
  }

  for (const library of libraries) {
    const label = element("label", undefined, find("columns"));
    const box = element("input", undefined, label);
    box.type = "checkbox";
    box.checked = true;
    label.append(` ${library.name}`);
    box.addEventListener("change", () => {
      library.shown = box.checked;
      update();
    });
    library.head.querySelector("span").remove();
    const select = element("select", undefined, library.head);
    select.setAttribute("aria-label", `version of ${library.name}`);
    library.runs.forEach((run, at) => select.prepend(new Option(run.version, at)));
    select.value = library.chosen;
    select.addEventListener("change", () => {
      library.chosen = Number(select.value);
      update();
    });
  }
  for (const id of ["search", "show", "order"]) find(id).addEventListener("input", show);
  find("filters").addEventListener("submit", (event) => event.preventDefault());
  find("filters").hidden = false;
  update();
})();
