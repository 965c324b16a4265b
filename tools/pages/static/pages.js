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

/* Only people have a name of their own; with a pack chosen on a small screen, its form is what one looks for. */
document.addEventListener("change", (event) => {
  if (!event.target.matches(".seat-kind")) return;
  event.target.nextElementSibling.hidden = !["human", "link"].includes(event.target.value);
});

if (matchMedia("(max-width: 860px)").matches && new URLSearchParams(location.search).has("pack")) {
  document.getElementById("form")?.scrollIntoView();
}
