/* The gallery and the scenarios: the selected card, addresses that can be shared, and the keyboard. */
"use strict";

const filters = document.getElementById("filters");
const detail = document.getElementById("detail");
let selected = new URLSearchParams(location.search).get("card") || "";

/* The address always says what is shown. */
function address() {
  const query = new URLSearchParams(filters ? new FormData(filters) : location.search);
  for (const [key, value] of [...query]) if (!value) query.delete(key);
  if (selected) query.set("card", selected);
  history.replaceState(null, "", `${location.pathname}?${query}`);
  return query;
}

function mark() {
  for (const one of document.querySelectorAll("#cards [data-card]")) one.toggleAttribute("aria-current", false);
  const card = document.getElementById(`card:${selected}`);
  card?.setAttribute("aria-current", "true");
}

function select(id, moves) {
  selected = id;
  mark();
  htmx.ajax("GET", `/gallery/card?${address()}`, { target: "#detail", swap: "innerHTML" }).then(() => {
    if (moves && getComputedStyle(detail).position === "static") detail.scrollIntoView({ block: "start" });
  });
}

document.addEventListener("click", (event) => {
  const card = event.target.closest("[data-card]");
  if (!card || !detail || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  select(card.dataset.card, true);
});

/* Arrows move between cards; the rows are as wide as the page lets them be. */
document.addEventListener("keydown", (event) => {
  const here = event.target.closest?.("#cards .card");
  if (event.key === "/" && !event.target.closest("input, select, textarea")) {
    event.preventDefault();
    document.getElementById("find")?.focus();
  }
  if (!here || !event.key.startsWith("Arrow")) return;
  const all = [...document.querySelectorAll("#cards .card")];
  const at = all.indexOf(here);
  const box = here.getBoundingClientRect();
  let next = null;
  if (event.key === "ArrowRight") next = all[at + 1];
  if (event.key === "ArrowLeft") next = all[at - 1];
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    const ahead = event.key === "ArrowDown" ? all.slice(at + 1) : all.slice(0, at).reverse();
    const off = ahead.filter((one) => Math.abs(one.getBoundingClientRect().top - box.top) > 20);
    const row = off.length ? off[0].getBoundingClientRect().top : 0;
    const near = (one) => Math.abs(one.getBoundingClientRect().left - box.left);
    next = off.filter((one) => Math.abs(one.getBoundingClientRect().top - row) < 20).sort((a, b) => near(a) - near(b))[0];
  }
  if (next) { event.preventDefault(); next.focus(); }
});

/* After a search the address changes; after a save the selected card is read again, too. */
let saved = false;
document.addEventListener("htmx:sseMessage", () => { saved = true; });
document.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.target?.id !== "cards") return;
  address();
  mark();
  if (saved && selected) select(selected, false);
  saved = false;
});

/* A search for a moment takes some seconds. */
document.addEventListener("submit", (event) => {
  const button = event.target.querySelector("[data-busy]");
  if (!button) return;
  button.querySelector("span").textContent = button.dataset.busy;
  button.setAttribute("aria-disabled", "true");
});

/* How many scenarios have passed. */
document.addEventListener("htmx:oobAfterSwap", () => {
  const told = document.getElementById("outcome-count");
  if (!told) return;
  const counts = new Map();
  for (const one of document.querySelectorAll("[data-outcome]")) {
    const label = one.dataset.outcome ? one.textContent : told.dataset.left;
    counts.set(label, (counts.get(label) || 0) + 1);
  }
  told.textContent = [...counts].map(([label, count]) => (label.includes("{n}") ? label.replace("{n}", count) : `${count} ${label}`)).join(" · ");
});
