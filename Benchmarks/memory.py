#!/usr/bin/env python3
"""What the event-ingestor's memory comes to while EVENTS events (50 million) are made durable, 100 at a time from 64 senders.

`make bench-memory` builds what this runs. The log takes 4 GB for each 50 million in BENCH_FOLDER. The last line is JSON: the
memory in the second tenth of the events and in the last, all of it and without pages of files, and the rate in both.
"""
import json, os, shutil, socket, statistics, subprocess, sys, time

from ingest import BATCH, BUILT, SECONDS, SENDERS, memory_mib, run

EVENTS = int(os.environ.get("EVENTS", "50000000"))
# All that is resident, and what of it is no page of a file.
KINDS = ("VmRSS", "RssAnon")


def accepted(bench):
    """Events that the ingestor says it has taken since it started."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(bench.path("gridtide", "http"))
        connection.sendall(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        lines = connection.makefile().read().splitlines()
    return next(int(float(line.split()[1])) for line in lines if line.startswith("gridtide_ingest_events_accepted_total "))


def main(bench):
    bench.start_gridtide()
    # One process for all: each has venues of its own, and what is remembered of those is not what is measured.
    senders = bench.start(BUILT + "bench-ingest", "batches", bench.requests, str(SENDERS), "1000000", str(BATCH))
    samples, total = [], accepted(bench)
    while total < EVENTS:
        if shutil.disk_usage(bench.folder).free < 5e9: sys.exit("less than 5 GB are left on the disk")
        before, since = total, time.monotonic()
        try: sys.exit(f"the senders ended with code {senders.wait(SECONDS)}")
        except subprocess.TimeoutExpired: total = accepted(bench)
        memory, rate = [memory_mib(bench.ingestor, kind) for kind in KINDS], (total - before) / (time.monotonic() - since)
        samples.append((total, *memory, rate))
        print(f"{total / 1e6:5.1f} million events: {memory[0]:6.1f} MiB, {memory[1]:6.1f} of them no file's; {rate:9,.0f} events/s",
              flush=True)
    senders.kill()

    def tenth(number):
        own = [sample for sample in samples if number <= min(sample[0] * 10 // EVENTS, 9) < number + 1]
        return [statistics.median(column) for column in zip(*own)][1:]
    early, late = tenth(1), tenth(9)
    log = sum(entry.stat().st_size for entry in os.scandir(bench.path("gridtide", "state")) if entry.is_file())
    result = {"events": total, "bytes_per_event": round(log / total, 1)}
    for column, name in enumerate(("rss_mib", "rss_anon_mib", "events_per_s")):
        result |= {f"{name}_early": round(early[column], 1), f"{name}_late": round(late[column], 1)}
    print(json.dumps(result))


run(main)
