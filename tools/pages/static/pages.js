/* Dialogs and links, on every page. The server draws everything else. */
"use strict";

document.addEventListener("click", (event) => {
  const close = event.target.closest("[data-close]");
  const veil = event.target.closest(".veil");
  if (close || event.target === veil) closeSheet();
  const copy = event.target.closest("[data-copy]");
  if (copy) {
    navigator.clipboard?.writeText(copy.dataset.copy);
    copy.setAttribute("data-done", "");
  }
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    const hide = document.querySelector("[data-over] [data-hide]");
    if (hide && !document.getElementById("sheet")?.firstElementChild) hide.click();
    closeSheet();
  }
  const dialog = event.key === "Tab" && document.querySelector(".veil [role=dialog]");
  if (!dialog) return;
  const all = [...dialog.querySelectorAll("a[href], button:not([disabled]), input, select, [tabindex='0']")];
  const edge = event.shiftKey ? all[0] : all.at(-1);
  if (!dialog.contains(document.activeElement) || document.activeElement === edge) {
    event.preventDefault();
    (event.shiftKey ? all.at(-1) : all[0])?.focus();
  }
});

/* A dialog takes the focus, and gives it back. */
let before = null;

function closeSheet() {
  const sheet = document.getElementById("sheet");
  if (!sheet || !sheet.firstElementChild) return;
  sheet.replaceChildren();
  before?.focus?.();
}

document.addEventListener("htmx:beforeRequest", (event) => {
  if (event.detail.target?.id === "sheet") before = document.activeElement;
});

document.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.target?.id === "sheet") event.detail.target.querySelector("[data-close]")?.focus();
});

/* A page with a stream says when its server cannot be reached. The stream tries again by itself. */
const BLINK = 1500; // milliseconds without a stream that are not worth a word
const wire = { note: document.getElementById("lost"), streams: false, state: "", kept: false, timer: null };

function tell(state) {
  clearTimeout(wire.timer);
  wire.timer = null;
  wire.state = state; // "", "lost", or "gone"
  if (!wire.note) return;
  wire.note.hidden = !state;
  wire.note.textContent = state ? wire.note.dataset[state] + (wire.kept && state === "lost" ? ` ${wire.note.dataset.kept}` : "") : "";
}

document.addEventListener("htmx:sseOpen", () => { wire.streams = true; tell(""); });
document.addEventListener("htmx:sseError", async (event) => {
  wire.streams = false;
  wire.timer ??= setTimeout(tell, BLINK, "lost");
  const { source } = event.detail;
  if (source.readyState !== EventSource.CLOSED) return;
  const reply = await fetch(source.url, { method: "HEAD" }).catch(() => null); // a stream does not say why it was refused
  if (reply?.status === 404) tell("gone");
});
document.addEventListener("htmx:afterRequest", ({ detail: { xhr } }) => {
  if (!xhr.status || xhr.status >= 500) tell("lost");
  else if (xhr.status < 400 && wire.state) tell("");
});
addEventListener("offline", () => tell("lost"));
addEventListener("online", () => tell(""));

/* Only people have a name of their own; with a pack chosen on a small screen, its form is what one looks for. */
document.addEventListener("change", (event) => {
  if (!event.target.matches(".seat-kind")) return;
  event.target.nextElementSibling.hidden = !["human", "link"].includes(event.target.value);
});

if (matchMedia("(max-width: 860px)").matches && new URLSearchParams(location.search).has("pack")) {
  document.getElementById("form")?.scrollIntoView();
}
