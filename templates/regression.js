"use strict";
document.documentElement.classList.add("js");
addEventListener("DOMContentLoaded", () => {
  const table = document.querySelector(".kernels"), form = document.querySelector(".filters");
  const bodies = [...table.tBodies], output = form.querySelector("output");
  const heads = [...table.querySelectorAll("thead th")];
  const column = new Map(heads.map((head, at) => [head.dataset.by, at]));
  const lines = new Map([...document.querySelectorAll(".plot li")].map(li => [li.firstChild.hash.slice(1), li]));
  const names = ["q", "class", "family", "tier", "verdict"].filter(name => form.elements[name]);
  const button = (cell) => {
    const made = document.createElement("button");
    made.type = "button";
    made.append(...cell.childNodes);
    cell.append(made);
    return made;
  };
  const rows = [...table.querySelectorAll(".kernel")].map((row, at) => {
    const cell = name => column.has(name) ? row.cells[column.get(name)] : null;
    const said = name => cell(name) ? cell(name).textContent.trim() : "";
    const value = {at, kernel: said("kernel").toLowerCase(), verdict: said("verdict")};
    for (const name of ["class", "tier"]) value[name] = Number(cell(name).dataset.rank ?? NaN);
    for (const name of ["ratio", "geomean", "baseline_ms", "pto_ms"]) value[name] = parseFloat(said(name));
    const more = row.nextElementSibling, toggle = button(row.cells[0]);
    more.id = row.id + ":more";
    toggle.setAttribute("aria-expanded", "false");
    toggle.setAttribute("aria-controls", more.id);
    const text = [...row.cells].map(one => one.textContent).join(" ") + " " + row.dataset.f;
    return {row, more, toggle, home: row.parentNode, value, tier: said("tier"), text: text.toLowerCase()};
  });
  const byAnchor = new Map(rows.map(one => [one.row.id, one]));
  const atOnce = 80;
  let sort = "", reveal = 0;

  // What is folded is out of the document: a thousand rows sort twice as fast without it.
  const open = (one, wanted) => {
    one.more.classList.toggle("open", wanted);
    if (wanted) one.row.after(one.more);
    else one.more.remove();
    one.toggle.setAttribute("aria-expanded", String(wanted));
    const scroll = one.more.querySelector(".scroll");
    scroll.tabIndex = 0;
    scroll.setAttribute("role", "group");
    scroll.setAttribute("aria-label", one.toggle.textContent);
  };
  const isOpen = one => one.more.classList.contains("open");

  // Placing a thousand rows takes longer than a reader waits: the first come at once, the rest in
  // the frames after.
  function revealFrom(sorted, start) {
    cancelAnimationFrame(reveal);
    if (start < sorted.length) reveal = requestAnimationFrame(() => {
      for (const one of sorted.slice(start, start + 4 * atOnce)) one.row.classList.remove("late");
      revealFrom(sorted, start + 4 * atOnce);
    });
  }

  function arrange(inFrames) {
    const down = sort.startsWith("-"), by = sort.replace("-", "");
    const order = (left, right) => {
      const a = left.value[by], b = right.value[by];
      const emptyA = a === "" || Number.isNaN(a), emptyB = b === "" || Number.isNaN(b);
      if (emptyA || emptyB) return emptyA - emptyB || left.value.at - right.value.at;
      const raw = typeof a === "number" ? a - b : a < b ? -1 : a > b ? 1 : 0;
      return (down ? -raw : raw) || left.value.at - right.value.at;
    };
    const sorted = by ? [...rows].sort(order) : rows;
    table.classList.toggle("flat", Boolean(by));
    const groups = new Map();
    for (const one of sorted) {
      const home = by ? bodies[0] : one.home;
      if (!groups.has(home)) groups.set(home, []);
      groups.get(home).push(one.row);
      if (isOpen(one)) groups.get(home).push(one.more);
    }
    sorted.forEach((one, at) => one.row.classList.toggle("late", inFrames && at >= atOnce));
    for (const [home, parts] of groups) home.append(...parts);
    revealFrom(sorted, inFrames ? atOnce : sorted.length);
    for (const head of heads) {
      if (head.dataset.by === by) head.setAttribute("aria-sort", down ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    }
  }

  function filter() {
    const want = Object.fromEntries(names.map(name => [name, form.elements[name].value]));
    const words = want.q.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const one of rows) {
      const keep = words.every(word => one.text.includes(word))
        && (!want.class || one.row.classList.contains(want.class))
        && (!want.family || one.row.dataset.f === want.family)
        && (!want.tier || one.tier === want.tier)
        && (!want.verdict || one.value.verdict.split("; ").includes(want.verdict));
      one.row.classList.toggle("out", !keep);
      one.more.classList.toggle("out", !keep);
      const line = lines.get(one.row.id);
      if (line) line.classList.toggle("off", !keep);
      shown += keep;
    }
    for (const body of bodies) body.rows[0].hidden = !rows.some(one => one.home === body && !one.row.classList.contains("out"));
    output.value = output.dataset.form.replace("{k}", shown).replace("{n}", rows.length);
  }

  function remember() {
    const state = new URLSearchParams();
    for (const name of names) if (form.elements[name].value) state.set(name, form.elements[name].value);
    if (sort) state.set("sort", sort);
    const opened = rows.filter(isOpen).map(one => one.row.id);
    if (opened.length && opened.length <= 20) state.set("open", opened.join(","));
    history.replaceState(null, "", "#" + state);
  }

  function recall() {
    const raw = location.hash.slice(1);
    if (byAnchor.has(raw)) {
      const one = byAnchor.get(raw);
      if (one.row.classList.contains("out")) { form.reset(); filter(); }
      open(one, true);
      one.row.scrollIntoView();
      one.toggle.focus({preventScroll: true});
      return;
    }
    if (raw && document.getElementById(raw)) return;
    const state = new URLSearchParams(location.hash.slice(1));
    for (const name of names) form.elements[name].value = state.get(name) || "";
    const wanted = state.get("sort") || "";
    if (wanted !== sort) { sort = column.has(wanted.replace("-", "")) ? wanted : ""; arrange(false); }
    const opened = new Set((state.get("open") || "").split(","));
    for (const one of rows) if (isOpen(one) !== opened.has(one.row.id)) open(one, !isOpen(one));
    filter();
  }

  for (const head of heads.filter(one => one.dataset.by)) button(head).addEventListener("click", () => {
    const by = head.dataset.by;
    sort = sort === by ? "-" + by : sort === "-" + by ? "" : by;
    arrange(true);
    remember();
  });
  table.addEventListener("click", event => {
    const toggle = event.target.closest(".kernel th button");
    if (!toggle) return;
    const one = byAnchor.get(toggle.closest("tr").id);
    open(one, !isOpen(one));
    remember();
  });
  form.addEventListener("input", () => { filter(); remember(); });
  form.addEventListener("submit", event => event.preventDefault());
  form.elements.clear.addEventListener("click", () => {
    form.reset();
    sort = "";
    arrange(true);
    filter();
    remember();
  });
  form.elements.unfold.addEventListener("click", event => {
    const all = event.target, wanted = !rows.every(one => isOpen(one) || one.row.classList.contains("out"));
    for (const one of rows) open(one, wanted && !one.row.classList.contains("out"));
    [all.textContent, all.dataset.other] = [all.dataset.other, all.textContent];
    remember();
  });
  addEventListener("hashchange", recall);
  for (const one of rows) one.more.remove();
  form.hidden = false;
  filter();
  recall();
});
