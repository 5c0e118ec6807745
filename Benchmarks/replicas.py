#!/usr/bin/env python3
"""Events made durable per second by one event-ingestor and by two that share a PostgreSQL, on one machine in one run.

So many senders know one of them, then the same number both, and send each venue's events where every client sends them.
`make bench-replicas` builds what this runs. The last line is JSON: two replicas' rate divided by one's, at the number of senders
that is best for each.
"""
import json, statistics

from ingest import BATCH, BUILT, ROUNDS, SECONDS, numbers, run

SENDERS = {"batches of 100": (4, 16, 64), "single events": (16, 64, 128)}
# Batches of many devices come over one connection, as an aggregator sends them; single events over one each.
MODES = {"batches of 100": ("batches", BATCH), "single events": ("clients", 1)}


def rate(replicas, kind, senders):
    mode, batch = MODES[kind]
    return numbers(BUILT + "bench-ingest", mode, ",".join(replicas), senders, SECONDS, batch)[0]


def main(bench):
    bench.start_postgresql()
    bench.start_guidance()
    # The first makes the tables.
    replicas = []
    for name in ("one", "two"):
        replicas.append(bench.start_ingestor(name, "--store-postgresql", bench.conninfo)[1])
        rate(replicas[-1:], "batches of 100", 1)
    rates = {}
    for number in range(ROUNDS):
        for kind, counts in SENDERS.items():
            for senders in counts:
                for count in (1, 2):
                    value = rate(replicas[:count], kind, senders)
                    rates.setdefault((kind, senders, count), []).append(value)
                    print(f"round {number + 1}: {kind}, {senders:3} senders, {count} of the ingestors: {value:9,.0f} events/s",
                          flush=True)
    medians = {key: statistics.median(values) for key, values in rates.items()}

    def best(kind, count): return max((medians[kind, senders, count], senders) for senders in SENDERS[kind])
    result = {}
    for kind, name in (("batches of 100", "batches"), ("single events", "single")):
        (one, one_senders), (two, two_senders) = best(kind, 1), best(kind, 2)
        print(f"{kind}: one does {one:,.0f} events/s with {one_senders} senders, two do {two:,.0f} with {two_senders}")
        result |= {f"{name}_one_per_s": round(one), f"{name}_two_per_s": round(two), f"{name}_two_vs_one": round(two / one, 3)}
    print(json.dumps(result))


run(main)
