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
  if (event.key !== "Escape") return;
  const hide = document.querySelector("[data-over] [data-hide]");
  if (hide && !document.getElementById("sheet")?.firstElementChild) hide.click();
  closeSheet();
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
