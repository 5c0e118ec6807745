#!/usr/bin/env python3
"""Plans per second of one scheduler on one processor, on all of them, and of two that divide the venues, a processor each.

Each home has five loads behind a fuse, and each request gives one of them another goal, so that all five are planned anew, beside
each other; it is answered with the plan, when that is stored. `make bench-schedulers` builds what this runs. The last line is
JSON: the others' rates divided by the first one's.
"""
import json, os, pathlib, random, statistics, sys, threading, time

from ingest import HERE, ROUNDS, SECONDS, run

ROOT = pathlib.Path(HERE).parent
sys.path.insert(0, str(ROOT / "clients/python"))
from gridtide_client import CallFailure, Connection, Contract  # noqa: E402

BUILT = pathlib.Path(os.environ.get("BUILT", ROOT / ".build/release"))
HOMES, SENDERS, HOUR_MS, ELECTRIC_VEHICLE = 64, 16, 3_600_000, 1
PROCESSORS = sorted(os.sched_getaffinity(0))
# What each scheduler may run on.
ARRANGEMENTS = {
    "one scheduler, one processor": [PROCESSORS[:1]],
    "one scheduler, two processors": [PROCESSORS[:2]],
    "two schedulers, a processor each": [PROCESSORS[:1], PROCESSORS[1:2]],
}
# The kW of each, and the kWh that it wants, behind a fuse of 9 kW.
LOADS = [(11.0, 24.0), (7.4, 18.0), (3.7, 9.0), (2.0, 3.0), (3.0, 6.0)]


class Home:
    def __init__(self, contract, venue_id):
        self.contract, self.venue_id, self.random = contract, venue_id, random.Random(venue_id)

    def goal(self, number):
        message = self.contract.message
        energy = LOADS[number][1] * self.random.uniform(0.5, 1.5)
        ready = time.time() * 1_000 + self.random.uniform(6, 20) * HOUR_MS
        return message("PutGoalRequest", goal=message(
            "Goal", venue_id=self.venue_id, device_id=f"load-{number}", ready_by_unix_ms=int(ready), energy_mwh=int(energy * 1e6)))

    def set_up(self, schedulers):
        message = self.contract.message
        schedulers.call(self, "Schedules/PutLimits", message("VenueLimits", venue_id=self.venue_id, import_power_mw=9_000_000))
        for number, (power, _) in enumerate(LOADS):
            device = message(
                "ManagedDevice", venue_id=self.venue_id,
                device=message("Device", id=f"load-{number}", name=f"Load {number}", type=ELECTRIC_VEHICLE),
                vehicle=message("ElectricVehicleTraits", battery_capacity_mwh=60_000_000, power_max_mw=int(power * 1e6)))
            schedulers.call(self, "Schedules/PutDevice", message("PutDeviceRequest", device=device))
            schedulers.call(self, "Schedules/PutGoal", self.goal(number))


class Schedulers:
    """Asks whichever plans the home. For one thread."""

    def __init__(self, contract, addresses):
        self.connections, self.of_home = [Connection(contract, address) for address in addresses], {}

    def call(self, home, method, request):
        for _ in range(200):
            place = self.of_home.setdefault(home.venue_id, 0)
            try: return self.connections[place].call(method, request)
            except CallFailure as failure:
                if not failure.ask_another: raise
                self.of_home[home.venue_id] = (place + 1) % len(self.connections)
                if place + 1 == len(self.connections): time.sleep(0.05)
        sys.exit("no scheduler plans a home")

    def close(self):
        for connection in self.connections: connection.close()


class Installation:
    """A guidance-publisher and an event-ingestor, and the schedulers of an arrangement, all on one PostgreSQL."""

    def __init__(self, bench):
        bench.start_postgresql()
        self.bench, self.peers = bench, []
        self.contract = Contract((ROOT / "Sources/Core/EnergyWire/energy.v1.descriptorset").read_bytes())
        self.start("guidance-publisher")
        self.start("event-ingestor")
        guidance = Connection(self.contract, self.address("guidance-publisher"))
        self.homes = []
        for number in range(HOMES):
            venue = guidance.call("Venues/Put", venue=self.contract.message(
                "Venue", name=f"Home {number}", time_zone="Europe/Berlin", region="DE"))
            self.homes.append(Home(self.contract, venue.id))
        guidance.close()

    def folder(self, name):
        folder = self.bench.path(name)
        if not os.path.exists(folder): os.mkdir(folder, 0o700)
        return folder

    def address(self, name, kind="requests"): return f"ipc://{self.folder(name)}/{kind}"

    def start(self, service, name=None, processors=PROCESSORS):
        name = name or service
        command = [BUILT / service, "--state-directory", f"{self.folder(name)}/state",
                   "--store-postgresql", self.bench.conninfo]
        for kind in ("requests", "publications", "http"): command += [f"--{kind}-address", self.address(name, kind)]
        for peer in self.peers:
            for kind in ("requests", "publications"): command += [f"--peers-{peer}-{kind}", self.address(peer, kind)]
        process = self.bench.start("taskset", "-c", ",".join(map(str, processors)), *map(str, command))
        if name == service: self.peers.append(service)
        connection = Connection(self.contract, self.address(name))
        connection.call("Health/Check", timeout=30)
        connection.close()
        return process

    def rate(self, arrangement):
        """Plans per second."""
        names = [f"scheduler-{number}" for number in range(len(arrangement))]
        processes = [self.start("scheduler", name, processors) for name, processors in zip(names, arrangement)]
        addresses = [self.address(name) for name in names]
        # Also until each has its share of the homes, and knows their guidance.
        self.each_home(addresses, lambda home, schedulers: home.set_up(schedulers))
        time.sleep(3)
        self.each_home(addresses, self.plan)
        begin = time.monotonic()
        count = self.each_home(addresses, self.plan, begin + SECONDS)
        seconds = time.monotonic() - begin
        for process in processes: process.terminate()
        for process in processes: process.wait(30)
        return count / seconds

    @staticmethod
    def plan(home, schedulers):
        schedulers.call(home, "Schedules/PutGoal", home.goal(home.random.randrange(len(LOADS))))

    def each_home(self, addresses, work, until=0.0):
        """By SENDERS threads, each with homes of its own; again and again until then. Returns how often `work` was done."""
        counts, failures = [0] * SENDERS, []

        def send(number):
            schedulers = Schedulers(self.contract, addresses)
            try:
                while True:
                    for home in self.homes[number::SENDERS]:
                        if until and time.monotonic() >= until: return
                        work(home, schedulers)
                        counts[number] += 1
                    if not until: return
            except Exception as failure: failures.append(failure)
            finally: schedulers.close()
        threads = [threading.Thread(target=send, args=(number,)) for number in range(SENDERS)]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
        if failures: raise failures[0]
        return sum(counts)


def main(bench):
    if len(PROCESSORS) < 2: sys.exit("it needs two processors")
    installation, rates = Installation(bench), {}
    for number in range(ROUNDS):
        for name, arrangement in ARRANGEMENTS.items():
            rates.setdefault(name, []).append(installation.rate(arrangement))
            print(f"round {number + 1}: {name:34} {rates[name][-1]:8.1f} homes planned/s", flush=True)
    one, wide, two = (statistics.median(rates[name]) for name in ARRANGEMENTS)
    print(json.dumps({"plans_per_s": round(one, 1), "two_processors_vs_one": round(wide / one, 3),
                      "two_schedulers_vs_one": round(two / one, 3)}))


run(main)
