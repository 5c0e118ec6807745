#!/usr/bin/env python3
"""Homes planned per second by one scheduler on one processor, on two, and by two that divide the homes, a processor each.

Each request gives one of a home's two cars another goal and is answered when the new plan is stored, on one PostgreSQL. An answer
that a plan is still being made does not count; some hours of the day are harder to plan than others, so compare within one run.
Senders, PostgreSQL and the other services have the same two processors. `make bench-schedulers` builds what this runs. The last
line is JSON: the others' rates divided by the first one's, and the milliseconds of a processor that a home takes of the scheduler,
and of all but the senders.
"""
import itertools, json, multiprocessing, os, pathlib, random, statistics, sys, threading, time

from ingest import HERE, ROUNDS, SECONDS, run

ROOT = pathlib.Path(HERE).parent
sys.path.insert(0, str(ROOT / "clients/python"))
from gridtide_client import CallFailure, Connection, Contract  # noqa: E402

BUILT = pathlib.Path(os.environ.get("BUILT", ROOT / ".build/release"))
PROCESSORS = sorted(os.sched_getaffinity(0))[:2]
# What each scheduler may run on.
ARRANGEMENTS = {
    "one scheduler, one processor": [PROCESSORS[:1]],
    "one scheduler, two processors": [PROCESSORS],
    "two schedulers, a processor each": [PROCESSORS[:1], PROCESSORS[1:]],
}
HOMES, CARS, POWER_MW, HOUR_MS = 96, ("one", "two"), 11_040_000, 3_600_000
CONTRACT = Contract((ROOT / "Sources/Core/EnergyWire/energy.v1.descriptorset").read_bytes())
message = CONTRACT.message
# On or off, which takes the planner no time; or 6 to 16 A in steps of 2 A for an hour at least, which it works on. With as many
# senders as keep it busy, but do not wait 2 s: then they would be told that the plan is still being made.
HOUR = message("ChargingRules", shape=message("ChargingShape", run_min_ms=HOUR_MS, pause_min_ms=HOUR_MS // 2))
KINDS = {"on or off": ({}, None, 24), "in steps": ({"power_min_mw": 4_140_000, "current_step_ma": 2_000}, HOUR, 8)}
BEING_PLANNED = CONTRACT.enum("ScheduleReason", "SCHEDULE_REASON_BEING_PLANNED")
FORK = multiprocessing.get_context("fork")


class Sender:
    """Asks whichever of the schedulers plans a home. In a process of its own: threads of one would wait for each other."""

    def __init__(self, addresses, seed):
        self.connections, self.of_home = [Connection(CONTRACT, address) for address in addresses], {}
        self.random = random.Random(seed)

    def call(self, home, method, request):
        for _ in range(1_000):
            place = self.of_home.setdefault(home, 0)
            try: return self.connections[place].call(method, request)
            except CallFailure as failure:
                if not failure.ask_another: raise
            self.of_home[home] = (place + 1) % len(self.connections)
            if self.of_home[home] == 0: time.sleep(0.05)
        raise TimeoutError("no scheduler plans a home")

    def set_up(self, home, kind):
        traits, rules, _ = KINDS[kind]
        self.call(home, "Schedules/PutLimits", message("VenueLimits", venue_id=home, import_power_mw=25_000_000))
        for car in CARS:
            self.call(home, "Schedules/PutDevice", message("PutDeviceRequest", device=message(
                "ManagedDevice", venue_id=home,
                device=message("Device", id=car, name=car, type=CONTRACT.enum("DeviceType", "DEVICE_TYPE_ELECTRIC_VEHICLE")),
                vehicle=message(
                    "ElectricVehicleTraits", battery_capacity_mwh=60_000_000, power_max_mw=POWER_MW, **traits))))
            if rules:
                self.call(home, "Schedules/PutRules",
                          message("PutRulesRequest", venue_id=home, device_id=car, rules=rules))
            self.plan(home, car)

    def plan(self, home, car):
        """Returns whether the answer is a plan that follows guidance and lacks nothing."""
        schedule = self.call(home, "Schedules/PutGoal", message("PutGoalRequest", goal=message(
            "Goal", venue_id=home, device_id=car, energy_mwh=int(POWER_MW * self.random.uniform(1, 5)),
            ready_by_unix_ms=int(time.time() * 1000 + self.random.uniform(6, 12) * HOUR_MS))))
        return (bool(schedule.blocks) and schedule.blocks[0].reason != BEING_PLANNED and bool(schedule.guidance_token)
                and schedule.missing_mwh == 0)


def send(addresses, homes, kind, seed, is_new, barrier, results):
    try:
        sender, counts, used = Sender(addresses, seed), {True: 0, False: 0}, 0.0
        for home in homes:
            if is_new: sender.set_up(home, kind)
            # Until it is known who plans it, and its guidance.
            while not sender.plan(home, CARS[0]): time.sleep(0.1)
        barrier.wait(300)
        end, start = time.monotonic() + SECONDS, time.process_time()
        for home in itertools.cycle(homes):
            is_planned = sender.plan(home, sender.random.choice(CARS))
            if time.monotonic() >= end: break
            counts[is_planned] += 1
            used = time.process_time() - start
        of_scheduler = [list(sender.of_home.values()).count(place) for place in range(len(addresses))]
        results.put((counts[True], counts[False], used, of_scheduler))
    except BaseException as failure:
        barrier.abort()
        results.put(failure)


class Installation:
    """A guidance-publisher, an event-ingestor and the schedulers of an arrangement, all on one PostgreSQL."""

    def __init__(self, bench):
        self.bench, self.peers, self.set_up = bench, [], set()
        bench.start_postgresql()
        for service in ("guidance-publisher", "event-ingestor"):
            self.start(service, service, PROCESSORS)
            for kind in ("requests", "publications"): self.peers += [f"--peers-{service}-{kind}", self.address(service, kind)]
        guidance = Connection(CONTRACT, self.address("guidance-publisher"))
        self.homes = {kind: [guidance.call("Venues/Put", venue=message(
            "Venue", name=f"Home {number}", time_zone="America/Los_Angeles", region="CISO")).id for number in range(HOMES)]
            for kind in KINDS}
        guidance.close()

    def address(self, name, kind="requests"): return f"ipc://{self.bench.path(name, kind)}"

    def start(self, service, name, processors):
        os.makedirs(self.bench.path(name), 0o700, exist_ok=True)
        command = ["taskset", "-c", ",".join(map(str, processors)), str(BUILT / service), "--state-directory",
                   self.bench.path(name, "state"), "--store-postgresql", self.bench.conninfo, *self.peers]
        for kind in ("requests", "publications", "http"): command += [f"--{kind}-address", self.address(name, kind)]
        process = self.bench.start(*command)
        connection = Connection(CONTRACT, self.address(name))
        connection.call("Health/Check", timeout=60)
        connection.close()
        return process

    def measure(self, kind, arrangement, seed):
        """Homes planned per second; then of what time schedulers, senders and all together had a processor; then the homes that
        each scheduler has."""
        names = [f"scheduler-{number}" for number in range(len(arrangement))]
        schedulers = [self.start("scheduler", name, processors) for name, processors in zip(names, arrangement)]
        addresses, count = [self.address(name) for name in names], KINDS[kind][-1]
        barrier, results = FORK.Barrier(count + 1), FORK.Queue()
        senders = [FORK.Process(target=send, args=(
            addresses, self.homes[kind][number::count], kind, f"{seed} {number}", kind not in self.set_up, barrier, results))
            for number in range(count)]
        for sender in senders: sender.start()
        before = []
        try:
            barrier.wait(300)
            before = [busy_seconds(process) for process in schedulers] + [busy_seconds()]
            time.sleep(SECONDS)
        except threading.BrokenBarrierError: pass  # its sender says why
        after = [busy_seconds(process) for process in schedulers] + [busy_seconds()]
        found = [results.get() for _ in senders]
        for sender in senders: sender.join()
        for failure in found:
            if isinstance(failure, BaseException): raise failure
        for process in schedulers: process.terminate()
        for process in schedulers: process.wait(30)
        self.set_up.add(kind)
        planned, unplanned, used, homes = zip(*found)
        if sum(unplanned) > sum(planned) / 5: sys.exit(f"{sum(unplanned)} of {sum(planned + unplanned)} had no plan in time")
        *by_scheduler, machine = ((end - begin) / SECONDS for begin, end in zip(before, after))
        return sum(planned) / SECONDS, by_scheduler, sum(used) / SECONDS, machine, [sum(shares) for shares in zip(*homes)]


def busy_seconds(process=None):
    """That a process, or all together, have had a processor."""
    if process is None:
        with open("/proc/stat") as stat: ticks = stat.readline().split()[1:4]
    else:
        with open(f"/proc/{process.pid}/stat") as stat: ticks = stat.read().rpartition(")")[2].split()[11:13]
    return sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")


def main(bench):
    if len(PROCESSORS) < 2: sys.exit("it needs two processors")
    installation, found = Installation(bench), {}
    for number in range(ROUNDS):
        for kind in KINDS:
            for name, arrangement in ARRANGEMENTS.items():
                rate, schedulers, senders, machine, homes = installation.measure(kind, arrangement, number)
                found.setdefault((kind, name), []).append(
                    (rate, sum(schedulers) / rate * 1000, (machine - senders) / rate * 1000))
                shares = " + ".join(f"{share:.2f}" for share in schedulers)
                print(f"round {number + 1}: {kind + ',':10} {name:32} {rate:6.1f} homes/s; processors busy with schedulers: "
                      f"{shares}, with senders: {senders:.2f}, at all: {machine:.2f}; homes of each: {homes}", flush=True)
    result = {}
    for kind in KINDS:
        (one, of_scheduler, of_all), *others = (
            [statistics.median(column) for column in zip(*found[kind, name])] for name in ARRANGEMENTS)
        result[kind] = {"homes_per_s": round(one, 1), "scheduler_ms": round(of_scheduler, 2), "all_ms": round(of_all, 2),
                        "two_processors_vs_one": round(others[0][0] / one, 3),
                        "two_schedulers_vs_one": round(others[1][0] / one, 3)}
    print(json.dumps(result))


run(main)
