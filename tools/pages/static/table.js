/* The table: choosing, the keyboard, the card in focus, and motion. What can be chosen comes from the server. */
"use strict";

const live = document.getElementById("live");
const at = live.dataset.at;
const calm = matchMedia("(prefers-reduced-motion: reduce)");

let stamp = null; // the decision that `chosen` belongs to
let chosen = new Map(); // key of an option → how often it is chosen, in the order of choosing
let sent = false; // an answer is on its way

const table = () => document.getElementById("table");
const byId = (id) => document.getElementById(id);
const options = () => [...document.querySelectorAll("[data-option]")];
const number = (name) => Number(table()?.dataset[name] || 0);
const words = () => JSON.parse(table()?.dataset.words || "{}");
const total = () => [...chosen.values()].reduce((sum, count) => sum + count, 0);

/* ---------------------------------------------------------------- choosing */

function choose(option) {
  const key = option.dataset.option;
  const most = Number(option.dataset.most);
  const had = chosen.get(key) || 0;
  if (number("most") === 1) {
    chosen = had ? new Map() : new Map([[key, 1]]);
  } else if (had < most && total() < number("most")) {
    chosen.delete(key);
    chosen.set(key, had + 1);
  } else {
    chosen.delete(key);
  }
  show();
}

function answer() {
  const count = total();
  if (sent || !stamp || count < number("least") || count > number("most")) return;
  const keys = [...chosen].flatMap(([key, times]) => Array(times).fill(key));
  sent = true;
  htmx
    .ajax("POST", `${at}/answer`, { target: "#swap", swap: "morph:innerHTML", values: { stamp, keys } })
    .finally(() => { sent = false; });
}

/* Draw what is chosen: the server knows nothing of it until it is sent. */
function show() {
  const w = words();
  const told = byId("told");
  const count = total();
  const labels = [];
  for (const option of options()) {
    const taken = chosen.get(option.dataset.option) || 0;
    option.setAttribute("aria-pressed", String(taken > 0));
    const mark = option.querySelector(".card-taken, .option-taken");
    if (mark) mark.textContent = Number(option.dataset.most) > 1 && taken ? `${taken} / ${option.dataset.most}` : "";
    if (taken) labels.push([option, taken]);
  }
  const main = byId("answer");
  if (!main) return;
  const [least, most] = [number("least"), number("most")];
  main.toggleAttribute("disabled", count < least);
  const label = byId("answer-label");
  byId("clear").hidden = most < 2 || !count;
  told.replaceChildren();
  if (most === 1) {
    const [option] = labels[0] || [];
    label.textContent = option ? option.dataset.label : least ? w.choose : w["done-none"];
    if (option && option.dataset.tells) told.textContent = option.dataset.tells;
    if (!option) told.textContent = "";
  } else {
    label.textContent = count ? w["done-some"].replace("{n}", count) : most ? w["done-none"] : w["go-on"];
    const strong = document.createElement("b");
    strong.textContent = count ? w["so-far"].replace("{n}", count).replace("{most}", most) : most ? w["none-chosen"] : "";
    const names = labels.map(([option, taken]) => (taken > 1 ? `${taken} × ` : "") + option.dataset.label).join(", ");
    told.append(strong, names ? `: ${names}` : "");
  }
}

/* After a page was drawn anew: another decision begins with nothing chosen. */
function settle() {
  const now = table()?.dataset.stamp || "";
  if (now !== stamp) {
    stamp = now;
    chosen = new Map();
  }
  const offered = new Set(options().map((option) => option.dataset.option));
  for (const key of [...chosen.keys()]) if (!offered.has(key)) chosen.delete(key);
  let digit = 0;
  for (const hint of document.querySelectorAll(".option > kbd")) {
    digit += 1;
    hint.hidden = digit > 9;
    hint.textContent = String(digit);
  }
  show();
  const over = document.querySelector("[data-over]");
  if (over && !over.contains(document.activeElement)) over.querySelector("[data-hide]")?.focus();
  const log = byId("log");
  if (log) log.scrollTop = log.scrollHeight;
}

/* ---------------------------------------------------------------- the card in focus */

function look(thing) {
  const inspect = byId("inspect");
  if (!inspect || !thing.dataset.face || inspect.dataset.face === thing.dataset.face) return;
  inspect.dataset.face = thing.dataset.face;
  inspect.hidden = false;
  htmx.ajax("GET", `${at}/look?face=${encodeURIComponent(thing.dataset.face)}`, { target: "#inspect", swap: "innerHTML" });
}

function mark(test) {
  for (const one of document.querySelectorAll("[data-hit]")) one.removeAttribute("data-hit");
  if (test) for (const one of document.querySelectorAll("[data-name], .log li")) if (test(one)) one.setAttribute("data-hit", "");
}

const speaksOf = (line, name) => ` ${line} `.search(new RegExp(`[^\\p{L}\\p{N}]${name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}[^\\p{L}\\p{N}]`, "u")) >= 0;

/* ---------------------------------------------------------------- events */

document.addEventListener("click", (event) => {
  const option = event.target.closest("[data-option]");
  const thing = event.target.closest("[data-face]");
  if (thing) look(thing);
  if (option) choose(option);
  else if (event.target.closest("#answer")) answer();
  else if (event.target.closest("#clear")) { chosen = new Map(); show(); }
  else if (event.target.closest("[data-why]")) htmx.ajax("GET", `${at}/why`, { target: "#sheet", swap: "innerHTML" });
});

document.addEventListener("pointerover", (event) => {
  const line = event.target.closest(".log li");
  const card = event.target.closest("[data-name]");
  if (line) mark((one) => one === line || (one.dataset.name && speaksOf(line.textContent, one.dataset.name)));
  else if (card) mark((one) => one.matches(".log li") && speaksOf(one.textContent, card.dataset.name));
  else mark(null);
});

document.addEventListener("focusin", (event) => {
  const thing = event.target.closest?.("[data-face]");
  if (thing && thing.matches(":focus-visible")) look(thing);
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea, dialog")) return;
  if (byId("sheet")?.firstElementChild || document.querySelector("[data-over]")) return;
  const option = event.target.closest("[data-option]");
  if (event.key === "Enter") {
    if (option && option.getAttribute("aria-pressed") !== "true") return; // it is chosen first
    if (!option && event.target.closest("button, a")) return;
    event.preventDefault();
    answer();
  } else if (/^[1-9]$/.test(event.key)) {
    const hint = [...document.querySelectorAll(".option > kbd")][Number(event.key) - 1];
    if (hint && !hint.hidden) { choose(hint.parentElement); hint.parentElement.focus(); }
  } else if (event.key === "?") {
    htmx.ajax("GET", `${at}/why`, { target: "#sheet", swap: "innerHTML" });
  } else if (event.key === "u") {
    byId("tool-undo")?.click();
  } else if (event.key.startsWith("Arrow")) {
    move(event);
  }
});

/* Arrows move within a zone, or within the options of the dock. */
function move(event) {
  const here = event.target.closest("button");
  const around = here?.closest(".zone-cards, .options, .prompt-actions, .player-cards");
  if (!around) return;
  const all = [...around.querySelectorAll("button:not([disabled])")];
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  const next = all[all.indexOf(here) + step];
  if (next) { event.preventDefault(); next.focus(); }
}

/* ---------------------------------------------------------------- motion */

/* Cards in sight that have left one zone and are in another travel there; others that are new arrive. */
let places = new Map();

const zoneOf = (card) => card.closest("[data-zone]")?.dataset.zone || "";

function remember() {
  places = new Map();
  for (const card of document.querySelectorAll(".card[data-face]")) places.set(card.id, { card: card.dataset.face, zone: zoneOf(card), box: card.getBoundingClientRect() });
}

function travel() {
  if (calm.matches || !places.size || document.body.hasAttribute("data-still")) return; // a replay has leapt
  const now = new Set([...document.querySelectorAll(".card[data-face]")].map((card) => card.id));
  const gone = [...places].filter(([id]) => !now.has(id)).map(([, place]) => place);
  for (const card of document.querySelectorAll(".card[data-face]")) {
    if (places.has(card.id)) continue;
    const from = gone.findIndex((place) => place.card === card.dataset.face && place.zone !== zoneOf(card));
    const box = card.getBoundingClientRect();
    const start = from >= 0 ? gone.splice(from, 1)[0].box : null;
    const frames = start
      ? [{ transform: `translate(${start.left - box.left}px, ${start.top - box.top}px)`, zIndex: 5 }, { transform: "none", zIndex: 5 }]
      : [{ opacity: 0.2, transform: "translateY(-14px) scale(.97)" }, { opacity: 1, transform: "none" }];
    card.animate(frames, { duration: 420, easing: "cubic-bezier(.2, .7, .2, 1)" });
  }
}

document.addEventListener("htmx:beforeSwap", (event) => { if (event.detail.target?.id === "swap") remember(); });
document.addEventListener("htmx:sseBeforeMessage", remember);
for (const name of ["htmx:afterSwap", "htmx:sseMessage"]) {
  document.addEventListener(name, (event) => {
    if (name === "htmx:afterSwap" && event.detail.target?.id !== "swap") return;
    settle();
    travel();
    places = new Map();
  });
}

/* The card in focus and an open dialog stay when the table is drawn anew. */
Idiomorph.defaults.callbacks.beforeNodeMorphed = (old) => !(old.dataset && "keep" in old.dataset);

settle();
