#!/usr/bin/env python3
"""What the event-ingestor's memory comes to while EVENTS events (50 million) are made durable, 100 at a time from 64 senders.

`make bench-memory` builds what this runs; the log takes 3 GiB in BENCH_FOLDER. The last line is JSON: the memory in the second
tenth of the events and in the last, and the rate in both.
"""
import json, os, statistics

from ingest import BATCH, SECONDS, SENDERS, memory_mib, run

EVENTS = int(os.environ.get("EVENTS", "50000000"))


def main(bench):
    bench.start_gridtide()
    total, samples = 0, []
    while total < EVENTS:
        rate = bench.gridtide("batches", SENDERS, SECONDS, BATCH)[0]
        total += rate * SECONDS
        samples.append((total, memory_mib(bench.ingestor), rate))
        print(f"{total / 1e6:6.1f} million events: {samples[-1][1]:6.1f} MiB, {rate:9,.0f} events/s", flush=True)

    def tenth(number, column):
        return statistics.median(sample[column] for sample in samples
                                 if number <= min(sample[0], total - 1) / total * 10 < number + 1)
    log = sum(file.stat().st_size for file in os.scandir(bench.path("gridtide", "state")) if file.is_file())
    print(json.dumps({
        "events": round(total), "rss_mib_early": round(tenth(1, 1), 1), "rss_mib_late": round(tenth(9, 1), 1),
        "events_per_s_early": round(tenth(1, 2)), "events_per_s_late": round(tenth(9, 2)),
        "bytes_per_event": round(log / total, 1)}))


run(main)
