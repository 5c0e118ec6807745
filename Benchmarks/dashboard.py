#!/usr/bin/env python3
"""The dashboard in front of a year of data for 20 devices: first paint and weight of each page, and what 200 open ones cost.

Starts the services of a home of its own, with a simulated household that has a year behind it, 18 more cars that charged
every day of it, and goals for them. A page is loaded in headless Chromium without its cache. An open dashboard does as
dashboard.js does: it listens for news and fetches its page anew, at most every 250 ms. The last line is JSON.
"""
import asyncio, json, os, random, statistics, subprocess, sys, time, urllib.parse, urllib.request
from datetime import datetime, timedelta, timezone
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(PACKAGE / "Tests/Browser"))
from browser import Browser
from household import SERVICES, Household

BINARIES = os.environ.get("BIN", str(PACKAGE / ".build/release"))
CARS, DASHBOARDS = 18, int(os.environ.get("DASHBOARDS", "200"))
LOADS, SECONDS = int(os.environ.get("LOADS", "11")), int(os.environ.get("SECONDS_OPEN", "180"))
PAGES = {"now": "/", "plan": "/plan", "goal": "/plan/goal?device=simulated-car", "history, day": "/history?range=day",
         "history, year": "/history?range=year", "history, five years": "/history?range=years",
         "activity": "/activity", "grid": "/grid", "settings": "/settings", "start": "/start"}
# What people leave open; most of all the first page.
OPEN = ["/"] * 6 + ["/plan"] * 2 + ["/activity", "/history"]


def say(text):
    print(text, file=sys.stderr, flush=True)


class Home(Household):
    def ask(self, path, body=None):
        body = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + "/api/v1" + path, body, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=60) as reply:
            return json.loads(reply.read())

    def send(self, path, **fields):
        urllib.request.urlopen(self.url + path, urllib.parse.urlencode(fields).encode(), timeout=60).read()

    def control(self, *arguments):
        names = {"guidance-publisher": "guidance", "event-ingestor": "events", "insight-service": "insights",
                 "scheduler": "schedule"}
        endpoints = ";".join(f"{short}={self.requests[name]},{self.publications[name]}" for name, short in names.items())
        run = subprocess.run([os.path.join(BINARIES, "energyctl"), *arguments], capture_output=True, text=True,
                             env=dict(os.environ, GRIDTIDE_ENDPOINTS=endpoints))
        if run.returncode: sys.exit(f"energyctl {' '.join(arguments)}: {run.stdout}{run.stderr}")

    def venue(self):
        return self.ask("/venues")["venues"][0]["id"]

    def devices(self):
        return [device["id"] for device in self.ask(f"/venues/{self.venue()}/devices")["devices"]]

    def until(self, what, holds, seconds=300):
        deadline = time.monotonic() + seconds
        while not holds():
            if time.monotonic() > deadline: sys.exit(f"gave up waiting for {what}")
            time.sleep(0.2)

    def seconds_used(self, names):
        """Of a core."""
        ticks = 0
        for name in names:
            fields = Path(f"/proc/{self.running[name].pid}/stat").read_text().rsplit(")", 1)[1].split()
            ticks += int(fields[11]) + int(fields[12])
        return ticks / os.sysconf("SC_CLK_TCK")


def past_year(seed):
    """A session each evening, as a table."""
    draw, rows = random.Random(seed), ["start,end,energy (kWh)"]
    today = datetime.now(timezone.utc).replace(hour=0, minute=0, second=0, microsecond=0)
    for day in range(366, 1, -1):
        start = today - timedelta(days=day) + timedelta(minutes=draw.randrange(17 * 60, 22 * 60))
        minutes = draw.randrange(30, 100)
        rows.append(f"{start.isoformat()},{(start + timedelta(minutes=minutes)).isoformat()},{minutes * 11 / 60:.3f}")
    return "\n".join(rows) + "\n"


def furnish(home):
    home.settings["device-simulator"] = "simulation:\n  history: 365\n"
    for name in SERVICES + ["energy-dashboard", "device-simulator"]: home.start(name)
    home.until("the simulated household", lambda: "simulated-car" in home.devices())
    for car in range(CARS):
        home.send("/settings/device", kind="electricVehicle", name=f"Car {car + 1}", capacity="60", power="11",
                  least="0", priority="0", **{"power-min": "1.4"})
    cars = [device for device in home.devices() if not device.startswith("simulated-")]
    if len(cars) != CARS: sys.exit(f"the home has {home.devices()}")
    soon = datetime.now(timezone.utc).replace(microsecond=0) + timedelta(hours=30)
    for number, car in enumerate(cars):
        table = home.folder / f"{car}.csv"
        table.write_text(past_year(number))
        say(f"{car}: a year")
        home.control("sessions", "import", str(table), "--device", car)
        home.ask(f"/venues/{home.venue()}/devices/{car}/goals",
                 {"energy_mwh": (8 + number) * 1_000_000, "ready_by": soon.isoformat()})


def look(home):
    """Each page's first paint in milliseconds, and its weight in KiB with all that it loads."""
    browser, found = Browser(), {}
    try:
        browser.screen(1280)
        browser.execute_cdp_cmd("Network.enable", {})
        browser.execute_cdp_cmd("Network.setCacheDisabled", {"cacheDisabled": True})
        for name, path in PAGES.items():
            paints, weight = [], 0
            for _ in range(LOADS):
                browser.get(home.url + path)
                paint = browser.execute_async_script("""
                    const done = arguments[0];
                    new PerformanceObserver((list, observer) => {
                      const first = list.getEntriesByName("first-contentful-paint")[0];
                      if (first) { observer.disconnect(); done(first.startTime); }
                    }).observe({ type: "paint", buffered: true });""")
                paints.append(paint)
                weight = browser.execute_script("""
                    return [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
                      .reduce((sum, entry) => sum + entry.transferSize, 0)""") / 1024
            found[name] = (statistics.median(paints), max(paints), weight)
    finally:
        browser.quit()
    return found


class OpenDashboard:
    def __init__(self, home, venue, path):
        self.port, self.venue, self.path = home.pages_port, venue, path
        self.tag, self.fetched, self.bytes, self.news = "", 0, 0, asyncio.Event()

    async def stay(self):
        await asyncio.gather(self.listen(), self.refresh())

    async def connect(self):
        return await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 20)

    def head(self, path, more=""):
        return (f"GET {path} HTTP/1.1\r\nhost: 127.0.0.1:{self.port}\r\naccept-encoding: gzip\r\n"
                f"accept-language: en\r\nx-refresh: 1\r\n{more}\r\n").encode()

    async def listen(self):
        reader, writer = await self.connect()
        writer.write(self.head("/live?venue=" + self.venue))
        while line := await reader.readline():
            if line.startswith(b"event: news"): self.news.set()
        raise RuntimeError("an open dashboard lost its news")

    async def refresh(self):
        reader, writer = await self.connect()
        while True:
            await self.news.wait()
            await asyncio.sleep(0.25)
            self.news.clear()
            known = f"if-none-match: {self.tag}\r\n" if self.tag else ""
            writer.write(self.head(self.path, known))
            head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
            fields = dict(line.split(": ", 1) for line in head.strip().split("\r\n")[1:])
            status = int(head.split(" ", 2)[1])
            if status not in (200, 304): raise RuntimeError(f"{self.path} answered {head}")
            self.tag = fields.get("etag", "")
            if status == 200: self.bytes += len(await reader.readexactly(int(fields["content-length"])))
            self.fetched += 1


async def keep_open(home):
    """What open dashboards take of a core, theirs and the services' behind them, beside what the home takes without."""
    services = SERVICES

    async def measured(seconds):
        dashboard, others = home.seconds_used(["energy-dashboard"]), home.seconds_used(services)
        await asyncio.sleep(seconds)
        return ((home.seconds_used(["energy-dashboard"]) - dashboard) / seconds,
                (home.seconds_used(services) - others) / seconds)

    idle = await measured(60)
    venue = home.venue()
    dashboards = [OpenDashboard(home, venue, OPEN[number % len(OPEN)]) for number in range(DASHBOARDS)]
    tasks = [asyncio.create_task(dashboard.stay()) for dashboard in dashboards]
    await asyncio.sleep(10)
    before = sum(dashboard.fetched for dashboard in dashboards)
    used = await measured(SECONDS)
    fetched = sum(dashboard.fetched for dashboard in dashboards) - before
    for task in tasks:
        if task.done(): task.result()
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return idle, used, fetched / SECONDS


def main():
    home = Home(BINARIES)
    try:
        furnish(home)
        pages = look(home)
        print(f"{'page':24}{'first paint, ms':>16}{'slowest, ms':>14}{'weight, KiB':>14}")
        for name, (paint, slowest, weight) in pages.items(): print(f"{name:24}{paint:16.0f}{slowest:14.0f}{weight:14.1f}")
        idle, used, rate = asyncio.run(keep_open(home))
        print(f"{DASHBOARDS} open: {rate:.1f} pages/s fetched; of a core the dashboard takes {used[0]:.1%} "
              f"({idle[0]:.1%} with none open), the services {used[1]:.1%} ({idle[1]:.1%})")
        print(json.dumps({
            "first_paint_ms_max": round(max(page[0] for page in pages.values())),
            "weight_kib_max": round(max(page[2] for page in pages.values()), 1),
            "dashboard_core": round(used[0] - idle[0], 4), "services_core": round(used[1] - idle[1], 4)}))
    finally:
        home.remove()


if __name__ == "__main__":
    main()
