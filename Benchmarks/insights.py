#!/usr/bin/env python3
"""Insights of a year, from buckets and from raw events: Gridtide against DuckDB and SQLite, on one machine in one run.

100 devices report every 15 minutes for a year (3.5 million events). `make bench-insights` builds what this runs. Every peer
must give the same answers, to the mWh, the millionth and the milligram. The last line is JSON.
"""
import json, os, sqlite3, statistics, subprocess, sys, tempfile, time

import duckdb

HERE = os.path.dirname(os.path.abspath(__file__))
BENCH = os.path.join(HERE, ".build/release/bench-insights")
ROUNDS = int(os.environ.get("ROUNDS", "5"))

# What a device used in each period, from its raw events: each difference of the counter is spread evenly over the time
# between two events, cut at the quarters of an hour; of two parts the larger remainder is rounded up.
QUESTION = """
WITH step AS (
  SELECT time_ms AS stop, energy_mwh - lag(energy_mwh) OVER w AS energy, lag(time_ms) OVER w AS start
  FROM events WHERE device = {device} WINDOW w AS (PARTITION BY session ORDER BY time_ms)
), half AS (
  SELECT start {div} 900000 AS quarter, energy, stop - start AS length,
    min(stop, (start {div} 900000 + 1) * 900000) - start AS part, stop {div} 900000 AS last
  FROM step WHERE start IS NOT NULL
), first_part AS (
  SELECT quarter, last, energy, CASE WHEN part = length THEN energy ELSE
    energy * part {div} length + CASE WHEN energy * part % length <> 0
      AND energy * part % length * 2 >= length THEN 1 ELSE 0 END END AS own
  FROM half
), piece AS (
  SELECT quarter, own AS energy FROM first_part
  UNION ALL SELECT last, energy - own FROM first_part WHERE last > quarter AND energy > own
)
SELECT {period}, sum(energy) AS energy,
  sum((energy * price + 500000) {div} 1000000) AS cost, sum((energy * carbon_mg + 500000) {div} 1000000) AS carbon
FROM piece JOIN quarters USING (quarter) WHERE {period} >= {start} AND {period} < {end}
GROUP BY {period} ORDER BY {period}
"""
PERIODS = {"hourly": "hour", "daily": "day", "monthly": "month"}


def ours(task, folder):
    # One core: what an event costs, not what it costs the machine.
    command = (["taskset", "-c", "0"] if task == "project" else []) + [BENCH, task, folder]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


def timed(ask, devices):
    times = []
    for device in devices:
        start = time.perf_counter()
        ask(device)
        times.append((time.perf_counter() - start) * 1000)
    return statistics.median(times)


def question(granularity, answers, device, div, least=None):
    starts = [row[0] for row in answers[granularity]]
    text = QUESTION.format(
        device=device, div=div, period=PERIODS[granularity], start=starts[0], end=starts[-1] + 1)
    return text if least is None else text.replace("min(stop", least + "(stop")


def duck(folder, answers):
    database = duckdb.connect(os.path.join(folder, "peer.duckdb"))
    for table in ("events", "quarters"):
        database.execute(f"CREATE TABLE {table} AS SELECT * FROM read_csv('{folder}/{table}.csv')"
                         + (" ORDER BY device, time_ms" if table == "events" else ""))
    return lambda granularity, device: database.execute(
        question(granularity, answers, device, "//", "least")).fetchall()


def sqlite(folder, answers):
    database = sqlite3.connect(os.path.join(folder, "peer.sqlite"))
    database.execute("PRAGMA mmap_size = 2000000000")
    database.execute("CREATE TABLE events (device INT, session INT, time_ms INT, energy_mwh INT, "
                     "PRIMARY KEY (device, session, time_ms)) WITHOUT ROWID")
    database.execute("CREATE TABLE quarters (quarter INTEGER PRIMARY KEY, price INT, carbon_mg INT, cleanliness TEXT, "
                     "peak TEXT, hour INT, day INT, month INT)")
    for table, width in (("events", 4), ("quarters", 8)):
        with open(f"{folder}/{table}.csv") as file:
            next(file)
            rows = (line.rstrip("\n").split(",") for line in file)
            database.executemany(f"INSERT INTO {table} VALUES ({','.join('?' * width)})", rows)
    database.commit()
    database.execute("ANALYZE")
    return lambda granularity, device: database.execute(question(granularity, answers, device, "/")).fetchall()


def main():
    with tempfile.TemporaryDirectory(prefix="bench-insights-") as folder:
        projected = ours("project", folder)
        print(f"projected {projected['events']:,} events at {projected['events_per_s']:,} per second of one core "
              f"({projected['seconds']:.1f} s by the clock, with the disk)")
        asked = ours("ask", folder)
        for name, figures in asked["granularities"].items():
            print(f"  a year {name:14} p50 {figures['p50_ms']:7.3f} ms  p99 {figures['p99_ms']:7.3f} ms"
                  f"  with both splits p99 {figures['split_p99_ms']:7.3f} ms, of the processor "
                  f"{figures['processor_p99_ms']:7.3f} ms")
        history = ours("history", folder)
        for years, figures in history["years"].items():
            print(f"  with {years} years of history: a year daily p50 {figures['daily_p50_ms']:.3f} ms, hourly p50 "
                  f"{figures['hourly_p50_ms']:.3f} ms; {figures['mib_per_device']:.2f} MiB per device")
        answers = json.load(open(os.path.join(folder, "answers.json")))
        ratios = {}
        for name, peer in (("duckdb", duck), ("sqlite", sqlite)):
            ask = peer(folder, answers)
            ratios[name] = []
            for granularity in PERIODS:
                found = [[int(value) for value in row] for row in ask(granularity, 42)]
                if found != answers[granularity]:
                    sys.exit(f"{name} answers otherwise, {granularity}: {found[:3]} / {answers[granularity][:3]}")
                median = timed(lambda device: ask(granularity, device), range(3, 3 + ROUNDS))
                ratio = median / asked["granularities"][granularity]["p50_ms"]
                ratios[name].append(ratio)
                print(f"  {name}: a year {granularity} {median:.1f} ms, {ratio:.0f} times ours; the same answers")
        print(json.dumps({
            "p99_ms": round(asked["p99_ms"], 3), "processor_p99_ms": round(asked["processor_p99_ms"], 3),
            "vs_duckdb": round(min(ratios["duckdb"]), 1), "vs_sqlite": round(min(ratios["sqlite"]), 1),
            "project_events_per_s": projected["events_per_s"], "mib_per_device_5y": round(history["mib_per_device_5y"], 2)}))


main()
