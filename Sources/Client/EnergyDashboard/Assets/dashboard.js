"use strict";

// Values of charts, by pointer and by keyboard. The plot is a slider: screen readers read its value aloud.
function choose(plot, index) {
  const stops = plot.querySelectorAll(".hits rect");
  if (!stops.length) return;
  const wanted = Math.min(Math.max(index, 0), stops.length - 1);
  for (const stop of stops) stop.classList.remove("chosen");
  const text = stops[wanted].dataset.text;
  stops[wanted].classList.add("chosen");
  plot.setAttribute("aria-valuenow", wanted);
  plot.setAttribute("aria-valuetext", text);
  plot.parentElement.querySelector(".readout").textContent = text;
}

document.addEventListener("pointermove", (event) => {
  const stop = event.target instanceof Element && event.target.closest(".hits rect");
  if (stop) choose(stop.closest(".plot"), [...stop.parentElement.children].indexOf(stop));
});
document.addEventListener("pointerdown", (event) => {
  const stop = event.target instanceof Element && event.target.closest(".hits rect");
  if (stop) choose(stop.closest(".plot"), [...stop.parentElement.children].indexOf(stop));
});

document.addEventListener("keydown", (event) => {
  const plot = event.target instanceof Element && event.target.closest(".plot");
  if (!plot || event.altKey || event.ctrlKey || event.metaKey) return;
  const now = Number(plot.getAttribute("aria-valuenow"));
  const last = Number(plot.getAttribute("aria-valuemax"));
  const steps = { ArrowRight: now + 1, ArrowUp: now + 1, ArrowLeft: now - 1, ArrowDown: now - 1,
    PageUp: now + 6, PageDown: now - 6, Home: 0, End: last };
  if (!(event.key in steps)) return;
  event.preventDefault();
  choose(plot, steps[event.key]);
});

// Live: the server says that something is new, and the parts of this page that show it are fetched anew. Where somebody is,
// what is unfolded and which value is chosen stays.
const shown = new Map();
function replaceLiveParts(fresh) {
  for (const old of document.querySelectorAll("[data-live]")) {
    const part = fresh.getElementById(old.id);
    if (!part) { location.reload(); return; }
    const source = part.outerHTML;
    if (source === shown.get(old.id)) continue;
    const focused = old.contains(document.activeElement) ? document.activeElement.id : "";
    const unfolded = [...old.querySelectorAll("details[open]")].map((item) => item.id);
    const chosen = [...old.querySelectorAll(".plot")]
      .filter((plot) => plot.querySelector(".chosen"))
      .map((plot) => [plot.id, Number(plot.getAttribute("aria-valuenow"))]);
    old.replaceWith(document.adoptNode(part));
    shown.set(part.id, source);
    for (const id of unfolded) document.getElementById(id)?.setAttribute("open", "");
    for (const [id, index] of chosen) {
      const plot = document.getElementById(id);
      if (plot) choose(plot, index);
    }
    if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
  }
}

// What is pressed must still be there when it is let go: else nothing is clicked.
let isPressed = false;
document.addEventListener("pointerdown", () => { isPressed = true; }, true);
for (const end of ["pointerup", "pointercancel"]) {
  document.addEventListener(end, () => { isPressed = false; }, true);
}

let isFetching = false;
let isNewAgain = false;
async function refresh() {
  if (isFetching) { isNewAgain = true; return; }
  isFetching = true;
  try {
    const response = await fetch(location.href, { headers: { accept: "text/html", "x-refresh": "1" } });
    const fresh = new DOMParser().parseFromString(await response.text(), "text/html");
    if (isPressed) isNewAgain = true; else replaceLiveParts(fresh);
    offline(false);
  } catch {
    offline(true);
  } finally {
    isFetching = false;
    if (isNewAgain) { isNewAgain = false; soon(); }
  }
}

function offline(isOffline) {
  const notice = document.getElementById("offline");
  if (notice) notice.hidden = !isOffline;
}

let timer = 0;
function soon() {
  if (timer) return;
  timer = setTimeout(() => { timer = 0; refresh(); }, 250);
}

// Browsers have six connections for one host: a page that nobody sees gives its own back, and catches up when it is seen.
const venue = document.body.dataset.liveVenue;
let news = null;
let wasLost = false;
function listen() {
  if (news || document.hidden) return;
  news = new EventSource("/live?venue=" + encodeURIComponent(venue));
  news.addEventListener("open", () => { offline(false); if (wasLost) soon(); wasLost = false; });
  news.addEventListener("error", () => { offline(true); wasLost = true; });
  news.addEventListener("news", soon);
}
function rest() {
  news?.close();
  news = null;
  wasLost = true;
}
if (venue !== undefined) {
  for (const part of document.querySelectorAll("[data-live]")) shown.set(part.id, part.outerHTML);
  listen();
  document.addEventListener("visibilitychange", () => (document.hidden ? rest() : listen()));
  window.addEventListener("pagehide", rest);
  window.addEventListener("pageshow", listen);
}

// Forms work without this. A new place is most likely where the browser is; and a file is read into the field for its text.
for (const field of document.querySelectorAll("[data-time-zone]")) {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (zone?.includes("/") && !zone.startsWith("Etc/")) field.value = zone;
}
for (const part of document.querySelectorAll("[data-file]")) {
  part.hidden = false;
  part.querySelector("input").addEventListener("change", async (event) => {
    const text = await event.target.files[0]?.text();
    if (text === undefined) return;
    const field = document.getElementById(part.dataset.file);
    // Both: what was typed before must not stay, and what listens to the page must learn of it.
    field.defaultValue = field.value = text;
    document.getElementById("contract-document").checked = true;
  });
}

// A table of hours is painted with a pointer; its choices stay what the keyboard and screen readers have.
for (const part of document.querySelectorAll("[data-paint]")) {
  part.querySelector(".brushes").hidden = false;
  const brush = () => part.querySelector(".brushes input:checked").value;
  const shade = (cell) => {
    const mark = part.querySelector(`.brush:has([value="${cell.querySelector("select").value}"])`);
    cell.className = [...mark.classList].find((name) => name.startsWith("shade-"));
  };
  const paint = (cell) => { cell.querySelector("select").value = brush(); shade(cell); };
  for (const table of part.querySelectorAll(".hours")) {
    table.classList.add("painted");
    // A quick pointer leaves out cells on its way: all between the last one and this are meant.
    let last = null;
    const paintTo = (cell) => {
      const from = last ?? cell;
      const rows = [from.parentElement.rowIndex, cell.parentElement.rowIndex];
      const columns = [from.cellIndex, cell.cellIndex];
      for (let row = Math.min(...rows); row <= Math.max(...rows); row++) {
        for (let column = Math.min(...columns); column <= Math.max(...columns); column++) {
          paint(table.rows[row].cells[column]);
        }
      }
      last = cell;
    };
    const cell = (event) => event.target instanceof Element && event.target.closest(".hours td");
    table.addEventListener("pointerdown", (event) => {
      if (!cell(event) || event.button !== 0) return;
      if (event.pointerType !== "touch") { event.preventDefault(); last = null; paintTo(cell(event)); }
    });
    table.addEventListener("pointerover", (event) => {
      if (cell(event) && event.pointerType !== "touch" && event.buttons & 1) paintTo(cell(event));
    });
    // A finger that moves scrolls; one that taps paints.
    table.addEventListener("click", (event) => { if (cell(event)) paint(cell(event)); });
    table.addEventListener("change", (event) => { if (cell(event)) shade(cell(event)); });
  }
}
for (const choice of document.querySelectorAll("#contract-hours")) {
  choice.addEventListener("change", () => { document.getElementById("hours").open = true; });
}
