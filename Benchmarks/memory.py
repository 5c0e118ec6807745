#!/usr/bin/env python3
"""What the event-ingestor's memory comes to while EVENTS events (50 million) are made durable, 100 at a time from 64 senders.

`make bench-memory` builds what this runs. The log takes 2 GB for each 50 million in BENCH_FOLDER. The last line is JSON: the
memory in the second tenth of the events and in the last, all of it and without pages of files, and the rate in both.
"""
import json, os, shutil, statistics, sys

from ingest import BATCH, SECONDS, SENDERS, run

EVENTS = int(os.environ.get("EVENTS", "50000000"))


def memory_mib(process):
    """All that is resident, and what of it is no page of a file."""
    with open(f"/proc/{process.pid}/status") as status: lines = dict(line.split(":", 1) for line in status)
    return [int(lines[name].split()[0]) / 1024 for name in ("VmRSS", "RssAnon")]


def main(bench):
    bench.start_gridtide()
    total, samples = 0, []
    while total < EVENTS:
        if shutil.disk_usage(bench.folder).free < 5e9: sys.exit("less than 5 GB are left on the disk")
        rate = bench.gridtide("batches", SENDERS, SECONDS)[0]
        total += rate * SECONDS
        samples.append((total, *memory_mib(bench.ingestor), rate))
        print(f"{total / 1e6:5.1f} million events: {samples[-1][1]:6.1f} MiB, {samples[-1][2]:6.1f} of them no file's; "
              f"{rate:9,.0f} events/s", flush=True)

    def tenth(number):
        own = [sample for sample in samples if number <= min(sample[0] * 10 // total, 9) < number + 1]
        return [statistics.median(column) for column in zip(*own)][1:]
    early, late = tenth(1), tenth(9)
    log = sum(entry.stat().st_size for entry in os.scandir(bench.path("gridtide", "state")) if entry.is_file())
    result = {"events": round(total), "bytes_per_event": round(log / total, 1)}
    for column, name in enumerate(("rss_mib", "rss_anon_mib", "events_per_s")):
        result |= {f"{name}_early": round(early[column], 1), f"{name}_late": round(late[column], 1)}
    print(json.dumps(result))


run(main)
