/* The table: choosing, the keyboard, the card in focus, and motion. What can be chosen comes from the server. */
"use strict";

const live = document.getElementById("live");
const at = live.dataset.at;
const calm = matchMedia("(prefers-reduced-motion: reduce)");

let stamp = null; // the decision that `chosen` belongs to
let chosen = new Map(); // key of an option → how often it is chosen, in the order of choosing
let kept = null; // the answer that was given, until the server has replied to it
let sent = null; // the answer that is on its way
let later = null; // the timer after which it is sent again
let folded = false; // on a small screen, only the question of the dock is shown
let follows = true; // the log is read at its end
let typing = false; // the keyboard was used last

const table = () => document.getElementById("table");
const byId = (id) => document.getElementById(id);
const options = () => [...document.querySelectorAll("[data-option]")];
const number = (name) => Number(table()?.dataset[name] || 0);
const words = () => JSON.parse(table()?.dataset.words || "{}");
const whole = () => options().reduce((sum, option) => sum + Number(option.dataset.most), 0);
const total = () => [...chosen.values()].reduce((sum, count) => sum + count, 0);

/* ---------------------------------------------------------------- choosing */

/* Whether the decision on the page is answered. The stream may show the next one before the reply has come. */
const answered = () => Boolean(kept) && kept.stamp === stamp;

function choose(option) {
  if (answered()) return;
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

function chooseAll() {
  if (answered()) return;
  chosen = new Map(options().map((option) => [option.dataset.option, Number(option.dataset.most)]));
  show();
}

/* The fewest that the main button and Enter take: to choose nothing has a button of its own. */
const fewest = () => Math.max(number("least"), Math.min(1, number("most")));

function answer(least = fewest()) {
  const count = total();
  if (answered() || !stamp || count < least || count > number("most")) return;
  const keys = [...chosen].flatMap(([key, times]) => Array(times).fill(key));
  keep({ stamp, seat: table().dataset.seat, keys });
  show();
  send();
}

/* An answer is kept, also if the page is loaded anew, until it is known what became of it. Sent a second time, it
   changes nothing if it has arrived before. */
const AGAIN = 2000;

function keep(one) {
  kept = one;
  if (one) sessionStorage.setItem(at, JSON.stringify(one));
  else sessionStorage.removeItem(at);
  wire.kept = Boolean(one);
  tell(wire.state);
}

function send() {
  clearTimeout(later);
  if (!kept || sent) return;
  sent = kept;
  const done = () => {
    if (kept) later = setTimeout(send, kept === sent ? AGAIN : 0);
    sent = null;
    show();
  };
  htmx
    .ajax("POST", `${at}/answer`, { source: "#live", target: "#swap", swap: "morph:innerHTML", values: kept })
    .then(done, done);
}

/* 200: it was taken; 409: it was refused, and the reply says why. With any other reply it is sent again if the server
   has failed or is just stopping, which ends the stream first. */
document.addEventListener("htmx:afterRequest", ({ detail: { xhr, pathInfo } }) => {
  const failed = !xhr.status || xhr.status >= 500 || !wire.streams;
  if (pathInfo.requestPath.endsWith("/answer") && kept === sent && (xhr.status === 200 || xhr.status === 409 || !failed)) keep(null);
});
document.addEventListener("htmx:sseOpen", send);

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
    if (mark) mark.textContent = Number(option.dataset.most) > 1 && taken ? w.taken.replace("{n}", taken).replace("{most}", option.dataset.most) : "";
    if (taken) labels.push([option, taken]);
  }
  const main = byId("answer");
  if (!main) return;
  const [least, most] = [number("least"), number("most")];
  main.toggleAttribute("disabled", answered() || count < fewest());
  byId("none").hidden = least > 0 || most < 1 || count > 0;
  byId("all").hidden = most < 2 || whole() > most || count === whole();
  const label = byId("answer-label");
  byId("clear").hidden = most < 2 || !count;
  told.replaceChildren();
  if (most === 1) {
    const [option] = labels[0] || [];
    label.textContent = option ? option.dataset.label : w.choose;
    if (option && option.dataset.tells) told.textContent = option.dataset.tells;
  } else {
    label.textContent = count ? w["done-some"].replace("{n}", count) : most ? w.choose : w["go-on"];
    const strong = document.createElement("b");
    strong.textContent = count ? w[count === 1 ? "so-far-one" : "so-far"].replace("{n}", count) : "";
    const names = labels.map(([option, taken]) => (taken > 1 ? `${taken} × ` : "") + option.dataset.label).join(", ");
    told.append(strong, count ? `${w["of-most"].replace("{most}", most)}: ${names}` : most ? w["none-chosen"] : "");
  }
  above();
}

/* After a page was drawn anew: another decision begins with nothing chosen. */
function settle() {
  const now = table()?.dataset.stamp || "";
  const fresh = now !== stamp;
  if (fresh) {
    stamp = now;
    chosen = new Map();
  }
  const offered = new Set(options().map((option) => option.dataset.option));
  for (const key of [...chosen.keys()]) if (!offered.has(key)) chosen.delete(key);
  const sought = JSON.parse(table()?.dataset.sought || "[]");
  for (const option of options()) option.toggleAttribute("data-sought", sought.includes(option.dataset.option));
  let digit = 0;
  for (const hint of document.querySelectorAll(".option > kbd")) {
    digit += 1;
    hint.hidden = digit > 9;
    hint.textContent = String(digit);
  }
  show();
  const over = document.querySelector("[data-over]");
  if (over && !over.contains(document.activeElement)) over.querySelector("[data-hide]")?.focus();
  rove();
  fold();
  fit();
  const log = byId("log");
  if (log && follows) toEnd(log);
  if (fresh && typing && document.activeElement === document.body) byId("question")?.focus();
}

/* Scroll a log to its end. What would be cut below the heading that sticks at its top goes wholly under it. */
const MOST_REST = 120;

function toEnd(log) {
  log.style.setProperty("--rest", "0px");
  log.scrollTop = log.scrollHeight;
  const edge = log.getBoundingClientRect().top + (log.querySelector("h3")?.offsetHeight || 0);
  const all = [...log.querySelectorAll("li, h3, h4, h5")].map((one) => one.getBoundingClientRect());
  const cut = log.scrollTop > 0 ? all.find((box) => box.top < edge - 2 && box.bottom > edge + 2) : null;
  if (!cut || cut.bottom - edge > MOST_REST) return;
  log.style.setProperty("--rest", `${cut.bottom - edge}px`);
  log.scrollTop = log.scrollHeight;
}

/* Tab goes from zone to zone: one card of each can be reached by it, the others by the arrows. */
const GROUPS = ".zone-cards, .slips, .player-cards, .player-zones";
const within = (group) => [...group.querySelectorAll("button:not([disabled]), [data-look]")];

function rove() {
  for (const group of document.querySelectorAll(GROUPS)) {
    const all = within(group);
    const first = all.find((one) => one === document.activeElement) || all.find((one) => one.dataset.option) || all[0];
    for (const one of all) one.tabIndex = one === first ? 0 : -1;
  }
}

/* Make what does not fit smaller: the reader's cards, the middle of the table, then the phases. */
function fit() {
  const zones = byId("dock-zones");
  for (const size of ["", "1", "2", "fan"]) {
    if (!zones) break;
    zones.dataset.fit = size;
    if (zones.scrollWidth <= zones.clientWidth) break;
  }
  const board = byId("board");
  for (const size of ["", "1", "bare", "1 bare", "2 bare"]) {
    if (!board) break;
    board.dataset.fit = size;
    if (board.scrollHeight <= board.clientHeight) break;
  }
  const phases = document.querySelector(".phases");
  if (!phases) return;
  phases.removeAttribute("data-short");
  if (phases.scrollWidth > phases.clientWidth) phases.setAttribute("data-short", "");
}

function fold() {
  byId("decision")?.toggleAttribute("data-folded", folded);
  byId("fold")?.setAttribute("aria-expanded", String(!folded));
}

/* ---------------------------------------------------------------- the card in focus */

function look(thing) {
  const inspect = byId("inspect");
  if (!inspect || !thing.dataset.face || inspect.dataset.face === thing.dataset.face) return;
  inspect.dataset.face = thing.dataset.face;
  inspect.hidden = false;
  above();
  ask(`look?face=${encodeURIComponent(thing.dataset.face)}`, "#inspect");
}

/* Whether a request fails is heard in `pages.js`. */
const ask = (path, target) => htmx.ajax("GET", `${at}/${path}`, { target, swap: "innerHTML" }).catch(() => {});

/* On a small screen the card in focus is shown above the dock. */
function above() {
  byId("inspect")?.style.setProperty("--above", `${byId("decision")?.offsetHeight || 0}px`);
}

function unlook() {
  const inspect = byId("inspect");
  inspect.hidden = true;
  delete inspect.dataset.face;
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
  else if (event.target.closest("#none")) answer(0);
  else if (event.target.closest("#all")) chooseAll();
  else if (event.target.closest("#clear")) { chosen = new Map(); show(); }
  else if (event.target.closest("#fold")) { folded = !folded; fold(); }
  else if (event.target.closest("#log-from")) follows = false;
  else if (event.target.closest("[data-unlook]")) unlook();
  else if (event.target.closest("[data-why]")) ask("why", "#sheet");
});

document.addEventListener("pointerover", (event) => {
  const line = event.target.closest(".log li");
  const card = event.target.closest("[data-name]");
  if (line) mark((one) => one === line || (one.dataset.name && speaksOf(line.textContent, one.dataset.name)));
  else if (card) mark((one) => one.matches(".log li") && speaksOf(one.textContent, card.dataset.name));
  else mark(null);
});

document.addEventListener("focusin", (event) => {
  const group = event.target.closest?.(GROUPS);
  if (group && within(group).includes(event.target)) for (const one of within(group)) one.tabIndex = one === event.target ? 0 : -1;
  const thing = event.target.closest?.("[data-face]");
  if (thing && thing.matches(":focus-visible")) look(thing);
});

document.addEventListener("pointerdown", () => { typing = false; });
window.addEventListener("resize", () => { fit(); above(); });

document.addEventListener("scroll", (event) => {
  const log = event.target;
  if (log.id === "log") follows = log.scrollHeight - log.scrollTop - log.clientHeight < 40;
}, true);

document.addEventListener("keydown", (event) => {
  typing = true;
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
    ask("why", "#sheet");
  } else if (event.key === "u") {
    byId("tool-undo")?.click();
  } else if (event.key.startsWith("Arrow")) {
    move(event);
  }
});

/* Arrows move within a zone, or within the options of the dock. */
function move(event) {
  const here = event.target.closest("button, [data-look]");
  const around = here?.closest(`${GROUPS}, .options, .prompt-actions`);
  if (!around) return;
  const all = within(around);
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

/* A reply that the stream has overtaken is older than what is shown: what it says has been or will be sent by the
   stream as well. Only what concerns this reader alone (`face`, `log`, a refusal) comes by the reply. */
let events = 0;
const begun = new WeakMap(); // request → events that had come when it was sent
const ALONE = /\/(face|log)$/;

document.addEventListener("htmx:beforeSend", (event) => begun.set(event.detail.xhr, events));
document.addEventListener("htmx:beforeSwap", (event) => {
  const { target, xhr, pathInfo } = event.detail;
  if (target?.id !== "swap") return;
  const late = begun.get(xhr) !== events && xhr.status === 200 && !ALONE.test(pathInfo.requestPath);
  if (late) event.detail.shouldSwap = false;
  else remember();
});
document.addEventListener("htmx:sseBeforeMessage", () => { events += 1; remember(); });
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
keep(JSON.parse(sessionStorage.getItem(at)));
send();
