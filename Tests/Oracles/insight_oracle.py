"""Insights of real sessions by SQL, written apart from ours: answers each line `GRANULARITY STATION` with JSON.

Arguments: sessions (ACN-Data), carbon by the hour, a tariff (acnportal). Energy is spread evenly over a session, cut at the
quarters of an hour, and rounded by largest remainder; cost and carbon of each piece are rounded half away from zero.
"""
import csv, datetime, json, math, sqlite3, sys, zoneinfo

ZONE = zoneinfo.ZoneInfo("America/Los_Angeles")
QUARTER = 900_000


def milliseconds(moment):
    return round(moment.timestamp() * 1000)


def prices(tariff):
    """The price of each local hour, in millionths."""
    def find(local):
        for entry in tariff["schedule"]:
            first, last, day = entry["effective_start"], entry["effective_end"], local.strftime("%m-%d")
            inside = first <= day <= last if first <= last else day >= first or day <= last
            if inside and (entry["dow_mask"] == "WEEKDAYS") == (local.weekday() < 5):
                index = sum(time <= local.hour for time in entry["times"]) - 1
                return round(entry["tariffs"][index] * 1_000_000)
        return None
    return find


def load(sessions, carbon, tariff):
    database = sqlite3.connect(":memory:")
    database.execute("CREATE TABLE session (id INTEGER PRIMARY KEY, station TEXT, start INT, stop INT, energy INT)")
    database.execute("CREATE TABLE quarter (start INTEGER PRIMARY KEY, price INT, carbon INT, cleaner INT, "
                     "hourly INT, daily INT, monthly INT, yearly INT)")
    with open(sessions) as file:
        for row in csv.DictReader(file):
            arrival, departure = (milliseconds(datetime.datetime.fromisoformat(row[name]))
                                  for name in ("arrival", "departure"))
            database.execute("INSERT INTO session (station, start, stop, energy) VALUES (?, ?, ?, ?)",
                             (row["station_id"], arrival, departure, math.floor(float(row["delivered_energy (kWh)"]) * 1e6 + 0.5)))
    with open(carbon) as file:
        known = {milliseconds(datetime.datetime.fromisoformat(row["utc_time"].replace("Z", "+00:00"))):
                 round(float(row["ci_lifecycle_g_per_kwh"]) * 1000) for row in csv.DictReader(file)}
    price = prices(json.load(open(tariff)))
    first, last = database.execute("SELECT min(start), max(stop) FROM session").fetchone()
    for start in range(first // QUARTER * QUARTER, last + 1, QUARTER):
        moment = datetime.datetime.fromtimestamp(start / 1000, ZONE)
        grams = known.get(start // 3_600_000 * 3_600_000)
        day = moment.replace(hour=0, minute=0)
        database.execute("INSERT INTO quarter VALUES (?, ?, ?, ?, ?, ?, ?, ?)", (
            start, price(moment), grams, grams is not None and grams < 250_000, start // 3_600_000 * 3_600_000,
            milliseconds(day), milliseconds(day.replace(day=1)), milliseconds(day.replace(month=1, day=1))))
    database.execute("""
        CREATE TABLE piece AS
        WITH cut AS (
          SELECT session.id, station, energy, stop - session.start AS length, quarter.start AS quarter,
            min(stop, quarter.start + 900000) - max(session.start, quarter.start) AS part
          FROM session JOIN quarter ON quarter.start > session.start - 900000 AND quarter.start < stop
        ), share AS (
          SELECT *, energy * part / length AS least,
            row_number() OVER (PARTITION BY id ORDER BY energy * part % length DESC, quarter) AS rank,
            energy - sum(energy * part / length) OVER (PARTITION BY id) AS missing
          FROM cut
        )
        SELECT station, quarter, least + (rank <= missing) AS energy FROM share""")
    database.execute("CREATE INDEX piece_by_station ON piece (station)")
    return database


def answer(database, granularity, station):
    period = {"hourly", "daily", "monthly", "yearly"} & {granularity}
    rows = database.execute(f"""
        SELECT {period.pop()} AS period, sum(energy), sum((energy * price + 500000) / 1000000),
          coalesce(sum((energy * carbon + 500000) / 1000000), 0),
          sum(CASE WHEN carbon IS NULL THEN 0 ELSE energy END), sum(CASE WHEN cleaner THEN energy ELSE 0 END)
        FROM piece JOIN quarter ON quarter.start = piece.quarter WHERE ? = '' OR station = ?
        GROUP BY period HAVING sum(energy) > 0 ORDER BY period""", (station, station))
    return [list(row) for row in rows]


data = load(*sys.argv[1:4])
for line in sys.stdin:
    words = line.split()
    print(json.dumps(answer(data, words[0], words[1] if len(words) > 1 else "")), flush=True)
