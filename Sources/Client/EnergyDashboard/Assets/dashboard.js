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

// A second click while the answer is on its way would make a second home, goal or event.
const onItsWay = 5000;
// Not on the form itself: its fields' names are there.
const sent = new Map();
document.addEventListener("submit", (event) => {
  const before = sent.get(event.target);
  if (before && before.by === event.submitter && event.timeStamp - before.at < onItsWay) event.preventDefault();
  else sent.set(event.target, { by: event.submitter, at: event.timeStamp });
});
// Who comes back to a page may send it again.
window.addEventListener("pageshow", () => sent.clear());

// Live: the server says that something is new, and the page is fetched again. Only what differs is changed: where somebody
// is, what is unfolded, chosen or typed stays, and screen readers hear of what is new alone. Parts that come and go have ids.
function counterpart(next, part) {
  if (!part.id) return next && !next.id && next.nodeName === part.nodeName ? next : null;
  for (let node = next; node; node = node.nextSibling) {
    if (node.id === part.id && node.nodeName === part.nodeName) return node;
  }
  return null;
}
function drop(node) {
  const next = node.nextSibling;
  node.remove();
  return next;
}
function renewContent(old, fresh) {
  const ids = new Set([...fresh.children].map((part) => part.id));
  for (const part of [...old.children]) if (part.id && !ids.has(part.id)) part.remove();
  let next = old.firstChild;
  for (const part of [...fresh.childNodes]) {
    const kept = counterpart(next, part);
    if (!kept) { old.insertBefore(part, next); continue; }
    while (next !== kept && !next.id) next = drop(next);
    if (next === kept) next = next.nextSibling; else old.insertBefore(kept, next);
    renew(kept, part);
  }
  while (next) next = drop(next);
}
function renew(old, fresh) {
  // What somebody just did stays said until it is read.
  if (old.id === "told") return;
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.data !== fresh.data) old.data = fresh.data;
    return;
  }
  for (const name of fresh.getAttributeNames()) {
    if (old.getAttribute(name) !== fresh.getAttribute(name)) old.setAttribute(name, fresh.getAttribute(name));
  }
  for (const name of old.getAttributeNames()) {
    if (name !== "open" && !fresh.hasAttribute(name)) old.removeAttribute(name);
  }
  renewContent(old, fresh);
}
function renewPage(fresh) {
  const focused = document.activeElement;
  const around = [];
  for (let part = focused; part; part = part.parentElement) around.push(part);
  const chosen = [...document.querySelectorAll(".plot:has(.chosen)")]
    .map((plot) => [plot, Number(plot.getAttribute("aria-valuenow"))]);
  renew(document.body, fresh.body);
  document.title = fresh.title;
  document.documentElement.lang = fresh.documentElement.lang;
  for (const [plot, index] of chosen) if (plot.isConnected) choose(plot, index);
  if (document.activeElement === focused) return;
  // What had the focus may be gone: what was around it is next.
  around.find((part) => part.isConnected && (part === focused || part.hasAttribute("tabindex")))
    ?.focus({ preventScroll: true });
}

// What is pressed must still be there when it is let go: else nothing is clicked.
let isPressed = false;
document.addEventListener("pointerdown", () => { isPressed = true; }, true);
for (const end of ["pointerup", "pointercancel"]) {
  document.addEventListener(end, () => { isPressed = false; }, true);
}

const refreshMilliseconds = 30_000;
const script = (page) => page.querySelector("script[src]")?.getAttribute("src");
let isFetching = false;
let isNewAgain = false;
async function refresh() {
  if (isFetching) { isNewAgain = true; return; }
  isFetching = true;
  try {
    const response = await fetch(location.href, {
      headers: { accept: "text/html", "x-refresh": "1" }, signal: AbortSignal.timeout(refreshMilliseconds) });
    const fresh = new DOMParser().parseFromString(await response.text(), "text/html");
    // A proxy may answer in place of the dashboard.
    if (!fresh.getElementById("content")) throw new TypeError("no page");
    if (isPressed) { isNewAgain = true; return; }
    // Never reload(): that would send a form again.
    if (fresh.body.dataset.liveVenue === undefined || script(fresh) !== script(document)) {
      location.replace(location.pathname + location.search);
      return;
    }
    renewPage(fresh);
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

// The server is heard every ten seconds, if only that it is there: one that hangs keeps its connections.
const silenceMilliseconds = 25_000;
let watchdog = 0;
function heard() {
  clearTimeout(watchdog);
  watchdog = setTimeout(listenAnew, silenceMilliseconds);
}
function listenAnew() {
  offline(true);
  rest();
  listen();
}

// Browsers have six connections for one host: a page that nobody sees gives its own back, and catches up when it is seen.
let news = null;
let wasLost = false;
// What was told while the page was made, or on its way, is told once it listens.
const newsCount = document.body.dataset.newsCount ?? "";
function listen() {
  if (news || document.hidden) return;
  news = new EventSource("/live?venue=" + encodeURIComponent(document.body.dataset.liveVenue)
    + "&since=" + newsCount);
  heard();
  news.addEventListener("open", () => { heard(); offline(false); if (wasLost) soon(); wasLost = false; });
  news.addEventListener("error", () => { offline(true); wasLost = true; });
  news.addEventListener("pulse", heard);
  news.addEventListener("news", () => { heard(); soon(); });
}
function rest() {
  clearTimeout(watchdog);
  news?.close();
  news = null;
  wasLost = true;
}
if (document.body.dataset.liveVenue !== undefined) {
  listen();
  document.addEventListener("visibilitychange", () => (document.hidden ? rest() : listen()));
  window.addEventListener("pagehide", rest);
  window.addEventListener("pageshow", listen);
  // The network: this machine itself is reached without one.
  for (const change of ["online", "offline"]) window.addEventListener(change, listenAnew);
}

// What was done is said once: neither for ever, nor again when the page is loaded again.
const doneMilliseconds = 20_000;
const address = new URL(location.href);
if (address.searchParams.has("done")) {
  address.searchParams.delete("done");
  history.replaceState(null, "", address);
  setTimeout(() => document.querySelector("#told .done")?.remove(), doneMilliseconds);
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
