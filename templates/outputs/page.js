"use strict";
(() => {
  const form = document.getElementById("filters");
  const unfold = () => {
    const target = document.getElementById(location.hash.slice(1));
    if (target instanceof HTMLDetailsElement) target.open = true;
  };
  if (!form) return addEventListener("hashchange", unfold);
  const section = document.getElementById("specs");
  const list = document.getElementById("rows");
  const heads = [...document.querySelectorAll("#heads button")];
  const told = form.querySelector("output");
  const selects = [...form.querySelectorAll("select")];
  const search = form.elements.search;
  const whole = new Intl.NumberFormat("en");
  const rows = [...list.children].map((item, place) => {
    const cells = [...item.firstElementChild.children].map((cell) => cell.textContent);
    const numbers = Object.entries(item.dataset)
      .map(([name, text]) => [name, text.split(" ").filter(Boolean).map(Number)]);
    return { item, place, spec: cells[0], destination: cells[4], of: Object.fromEntries(numbers) };
  });
  const keys = {
    spec: (row) => row.spec,
    environment: (row) => row.of.environment[0],
    class: (row) => row.of.class[0] ?? Infinity,
    units: (row) => row.of.units[0],
    destination: (row) => row.destination,
  };
  let order = "";
  let waiting = false;

  const sort = (wanted) => {
    order = wanted;
    const name = wanted.replace("-", "");
    const key = keys[name] || ((row) => row.place);
    const sign = wanted.startsWith("-") ? -1 : 1;
    const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
    rows.sort((a, b) => sign * compare(key(a), key(b)) || a.place - b.place);
    list.append(...rows.map((row) => row.item));
    for (const head of heads) {
      const on = head.dataset.sort === name;
      head.setAttribute("aria-pressed", on);
      if (on) head.dataset.way = sign < 0 ? "↓" : "↑";
      else delete head.dataset.way;
    }
  };

  const filter = () => {
    waiting = false;
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const chosen = selects.filter((one) => one.selectedIndex > 0)
      .map((one) => [one.name, one.selectedIndex - 1]);
    let number = 0;
    for (const row of rows) {
      if (words.length) row.text ??= row.item.textContent.toLowerCase();
      const fits = chosen.every(([name, index]) => row.of[name].includes(index))
        && words.every((word) => row.text.includes(word));
      row.item.hidden = !fits;
      number += fits;
    }
    told.value = number === rows.length ? `${whole.format(number)} specs`
      : `${whole.format(number)} of ${whole.format(rows.length)} specs`;
  };

  const remember = () => {
    const kept = new URLSearchParams();
    for (const one of [search, ...selects]) if (one.value) kept.set(one.name, one.value);
    if (order) kept.set("sort", order);
    const text = kept.toString();
    try { history.replaceState(null, "", text ? `#specs?${text}` : "#specs"); } catch { }
  };

  const recall = () => {
    if (!location.hash.startsWith("#specs?")) return unfold();
    const kept = new URLSearchParams(location.hash.slice(7));
    for (const one of [search, ...selects]) one.value = kept.get(one.name) ?? "";
    if ((kept.get("sort") ?? "") !== order) sort(kept.get("sort") ?? "");
    filter();
    section.scrollIntoView();
  };

  const step = (event) => {
    const way = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity }[event.key];
    const at = document.activeElement;
    if (!way || (at === search ? way !== 1 : at.parentElement?.parentElement !== list)) return;
    const shown = rows.filter((row) => !row.item.hidden);
    const here = shown.findIndex((row) => row.item === at.parentElement);
    const next = Math.max(0, Math.min(shown.length - 1, here + way));
    event.preventDefault();
    (here === 0 && way === -1 ? search : shown[next]?.item.firstElementChild)?.focus();
  };

  form.hidden = false;
  for (const head of heads) {
    head.disabled = false;
    head.addEventListener("click", () => {
      const name = head.dataset.sort;
      const ways = name === "units" ? ["-units", "units", ""] : [name, `-${name}`, ""];
      sort(ways[(ways.indexOf(order) + 1) % ways.length]);
      remember();
    });
  }
  for (const link of document.querySelectorAll("a[data-edit]")) {
    const option = form.elements.edit?.options[Number(link.dataset.edit)];
    if (option) link.href = `#specs?${new URLSearchParams({ edit: option.value })}`;
  }
  form.addEventListener("input", () => {
    if (!waiting) requestAnimationFrame(() => { filter(); remember(); });
    waiting = true;
  });
  form.addEventListener("reset", () => setTimeout(() => { filter(); remember(); search.focus(); }));
  form.addEventListener("submit", (event) => event.preventDefault());
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "/" && !/INPUT|SELECT/.test(document.activeElement.tagName)) {
      event.preventDefault();
      search.focus();
    } else step(event);
  });
  addEventListener("hashchange", recall);
  recall();
})();
