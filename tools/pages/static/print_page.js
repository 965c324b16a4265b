/* The print page: the address says what is asked for, and every change redraws the preview. */
"use strict";

const printing = document.getElementById("printing");
const preview = document.getElementById("preview");

function address() {
  const query = new URLSearchParams(new FormData(printing));
  for (const [key, value] of [...query]) if (!value) query.delete(key, value);
  if (query.get("n") === "1") query.delete("n");
  history.replaceState(null, "", `${location.pathname}?${query}`);
}

function redraw() {
  address();
  preview.setAttribute("aria-busy", "true");
  htmx.trigger(preview, "redraw");
}

/* What changes the choices of the form draws it again, too. */
printing?.addEventListener("change", (event) => {
  if (event.target.matches("[data-reform]")) htmx.trigger("#print-form", "reform");
  redraw();
});

printing?.addEventListener("click", (event) => {
  if (!event.target.closest("[data-none]")) return;
  for (const one of printing.querySelectorAll("[name=only]")) one.checked = false;
  htmx.trigger("#print-form", "reform");
  redraw();
});

function turn(number) {
  const field = preview.querySelector("[name=n]");
  if (!field) return;
  field.value = number;
  redraw();
}

preview?.addEventListener("click", (event) => {
  const button = event.target.closest("[data-page]");
  if (button) turn(button.dataset.page);
});

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest?.("input, select, textarea, summary")) return;
  const at = { ArrowLeft: 0, ArrowRight: 1 }[event.key];
  const button = at === undefined ? null : preview?.querySelectorAll("[data-page]")[at];
  if (button && !button.disabled) { event.preventDefault(); turn(button.dataset.page); }
});

/* The same button has the focus after the page was turned. */
let focused = "";
document.addEventListener("htmx:beforeSwap", (event) => {
  if (event.detail.target !== preview) return;
  const here = document.activeElement?.closest("#preview [data-page]");
  focused = here ? here.getAttribute("aria-label") : "";
});
document.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.target !== preview) return;
  preview.removeAttribute("aria-busy");
  if (!focused) return;
  const all = [...preview.querySelectorAll("[data-page]:not([disabled])")];
  (all.find((one) => one.getAttribute("aria-label") === focused) || all[0])?.focus();
});
for (const name of ["htmx:responseError", "htmx:sendError"]) {
  document.addEventListener(name, () => preview?.removeAttribute("aria-busy"));
}
