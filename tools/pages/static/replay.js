/* Replays: the time line, its keys, and the choice of a file. The server draws every moment. */
"use strict";

{
  const PACE = 1300; // milliseconds between two steps that play by themselves
  const line = document.getElementById("timeline");
  if (line) replay();
  const upload = document.getElementById("upload");
  if (upload) choosing();

  function replay() {
    const base = document.getElementById("live").dataset.at;
    const slider = document.getElementById("step");
    const total = Number(line.dataset.total);
    const turns = JSON.parse(line.dataset.turns);
    const words = JSON.parse(line.dataset.words);
    const drawn = () => document.getElementById("now").dataset;

    let wanted = { step: Number(drawn().step), view: drawn().view, whole: false };
    let stride = "decision";
    let busy = false;
    let timer = 0;

    /* Ask for what is wanted until it is drawn: moments that were passed meanwhile are left out. */
    async function draw() {
      show();
      if (busy) return;
      busy = true;
      try {
        for (let asked = null; asked !== wanted; ) {
          asked = wanted;
          document.body.toggleAttribute("data-still", Math.abs(asked.step - Number(drawn().step)) > 1);
          await htmx.ajax("GET", `${base}/step?${query(asked)}`, { target: "#swap", swap: "morph:innerHTML" });
        }
      } finally {
        busy = false;
      }
      history.replaceState(null, "", `?${query({ ...wanted, whole: false })}`);
    }

    function query({ step, view, whole }) {
      return `at=${step}&view=${view}${whole ? "&whole=1" : ""}`;
    }

    function want(change) {
      const next = { ...wanted, ...change };
      next.step = Math.max(0, Math.min(total, next.step));
      if (next.step === wanted.step && next.view === wanted.view && next.whole === wanted.whole) return;
      wanted = next;
      draw();
    }

    function turnOf(step) {
      let found = 0;
      while (found + 1 < turns.length && turns[found + 1] <= step) found += 1;
      return found;
    }

    function go(where) {
      const { step } = wanted;
      const turn = turnOf(step);
      if (where === "first") want({ step: 0 });
      else if (where === "last") want({ step: total });
      else if (where === "next") want({ step: stride === "turn" ? turns[turn + 1] ?? total : step + 1 });
      else if (where === "back") want({ step: stride === "turn" ? (turns[turn] < step ? turns[turn] : turns[turn - 1] ?? 0) : step - 1 });
      else if (where === "play") play(!timer);
    }

    function play(on) {
      clearInterval(timer);
      timer = 0;
      if (on) {
        if (wanted.step >= total) want({ step: 0 });
        timer = setInterval(() => {
          if (busy) return;
          if (wanted.step >= total) play(false);
          else go("next");
        }, PACE);
      }
      show();
    }

    /* Show where the replay is on the time line, which is not drawn again. */
    function show() {
      const place = words["decision-of"].replace("{n}", wanted.step).replace("{total}", total);
      slider.value = String(wanted.step);
      slider.setAttribute("aria-valuetext", place);
      document.getElementById("place").textContent = place;
      const turn = turnOf(wanted.step);
      const marks = [...line.querySelectorAll("[data-turn]")];
      for (const mark of marks) mark.toggleAttribute("data-now", Number(mark.dataset.turn) === turn);
      for (const one of line.querySelectorAll("[data-view]")) one.setAttribute("aria-pressed", String(one.dataset.view === wanted.view));
      for (const one of line.querySelectorAll("[data-stride]")) one.setAttribute("aria-pressed", String(one.dataset.stride === stride));
      for (const one of line.querySelectorAll("[data-go]")) {
        const end = { first: 0, back: 0, next: total, last: total }[one.dataset.go];
        if (end !== undefined) one.setAttribute("aria-disabled", String(wanted.step === end));
      }
      const button = line.querySelector("[data-go=play]");
      const label = timer ? words.stop : words.play;
      button.setAttribute("aria-label", label);
      button.title = label;
      for (const icon of button.querySelectorAll("[data-playing]")) icon.hidden = (icon.dataset.playing === "yes") !== Boolean(timer);
    }

    slider.addEventListener("input", () => want({ step: Number(slider.value) }));

    document.addEventListener("click", (event) => {
      const button = event.target.closest("[data-go], [data-view], [data-stride], [data-turn], #whole, #branch");
      if (!button || !(line.contains(button) || button.id === "whole")) return;
      if (button.dataset.go) {
        if (button.dataset.go !== "play") play(false);
        go(button.dataset.go);
      } else if (button.dataset.view) want({ view: button.dataset.view });
      else if (button.dataset.turn) want({ step: turns[Number(button.dataset.turn)] });
      else if (button.dataset.stride) { stride = button.dataset.stride; show(); }
      else if (button.id === "whole") want({ whole: !wanted.whole });
      else {
        play(false);
        htmx.ajax("GET", `${base}/branch?${query(wanted)}`, { source: button, target: "#sheet", swap: "innerHTML" });
      }
    });

    /* Before the keys of a table: there is nothing to choose here. */
    window.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || document.getElementById("sheet").firstElementChild) return;
      const target = event.target;
      if (target.closest("select, textarea, input:not([type=range])")) return;
      const button = target.closest("button, a");
      const reading = target.closest("[tabindex='0']") && /^(Home|End)$/.test(event.key);
      const where = { ArrowRight: "next", ArrowLeft: "back", Home: "first", End: "last", " ": button ? "" : "play" }[event.key];
      const view = /^[0-9]$/.test(event.key) && line.querySelector(`[data-view="${event.key === "0" ? "all" : event.key}"]`);
      if (view) want({ view: view.dataset.view });
      else if (where && !reading) go(where);
      else if (event.key !== "?") return;
      event.preventDefault();
      event.stopPropagation();
    }, true);

    show();
  }

  /* A file that is too large is not sent. */
  function choosing() {
    const note = document.getElementById("upload-note");
    upload.addEventListener("submit", (event) => {
      const file = upload.elements.journal.files[0];
      if (!file || file.size < Number(upload.dataset.most) - 4096) return;
      event.preventDefault();
      const told = document.createElement("p");
      told.textContent = upload.dataset.tooLarge;
      const box = document.createElement("div");
      box.className = "note";
      box.append(told);
      note.replaceChildren(box);
    });
  }
}
