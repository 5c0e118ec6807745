"""Checks running Gridtide services against proto/README.md, as a stranger would.

    python test_contract.py [--descriptors FILE] [--guidance tcp://127.0.0.1:7400] ...

Addresses come from flags, else from GRIDTIDE_GUIDANCE and so on, else they are the README's. Prints each step and ends
with 0 when all went well, with 1 at the first that did not. It adds one device with one session to the first venue.
"""

import argparse
import os
import pathlib
import sys
import time
import uuid

import zmq

from gridtide_client import (
    CallFailure,
    Connection,
    Contract,
    Head,
    Joined,
    Keys,
    Publication,
    STATUS_NAMES,
    Subscription,
    new_socket,
)

ROOT = pathlib.Path(__file__).resolve().parents[2]
DEFAULTS = {
    "guidance": "tcp://127.0.0.1:7400",
    "guidance-publications": "tcp://127.0.0.1:7401",
    "events": "tcp://127.0.0.1:7410",
    "events-publications": "tcp://127.0.0.1:7411",
    "insights": "tcp://127.0.0.1:7420",
    "insights-publications": "tcp://127.0.0.1:7421",
    "schedules": "tcp://127.0.0.1:7430",
    "schedules-publications": "tcp://127.0.0.1:7431",
}
MINUTE_MS, HOUR_MS = 60_000, 3_600_000
SESSION_MWH = 3_456_789  # odd on purpose: nothing may be rounded away


class Wrong(Exception):
    """The services do not do what the contract says."""


def expect(condition, what, found=""):
    if not condition:
        raise Wrong(f"{what}{': found ' + str(found) if found != '' else ''}")


def expect_failure(status, call):
    """The failure that `call` ends with, which must have that status (or one of those)."""
    try:
        call()
    except CallFailure as failure:
        expect(failure.status in status.split(), f"the call fails with {status}", failure)
        return failure
    raise Wrong(f"the call fails with {status}: it succeeded")


def text(identifier):
    """A UUID as topics have it."""
    return str(uuid.UUID(bytes=identifier))


def topic_device(identifier):
    return identifier.replace(" ", "_")


def now_ms():
    return time.time_ns() // 1_000_000


def expect_cover(intervals, start, end, what):
    """The intervals are sorted and cover start..<end without gaps or overlaps."""
    expect(len(intervals) > 0, f"{what} is not empty")
    expect(intervals[0].start_unix_ms == start, f"{what} begins at {start}", intervals[0].start_unix_ms)
    expect(intervals[-1].end_unix_ms == end, f"{what} ends at {end}", intervals[-1].end_unix_ms)
    for before, after in zip(intervals, intervals[1:]):
        expect(before.end_unix_ms == after.start_unix_ms, f"{what} has no gaps", f"{before} then {after}")


class Check:
    def __init__(self, contract, addresses, keys, patience):
        self.contract = contract
        self.addresses = addresses
        self.patience = patience
        self.guidance, self.events, self.insights, self.schedules = self.connections = [
            Connection(contract, addresses[name], keys.get(name.replace("schedules", "schedule")))
            for name in ("guidance", "events", "insights", "schedules")
        ]
        self.run_id = uuid.uuid4().hex[:8]
        self.device_id = f"python car {self.run_id}"

    def run(self):
        for step in (
            self.health,
            self.reflection,
            self.frames,
            self.venues,
            self.guidance_ahead,
            self.history,
            self.refused_events,
            self.session,
            self.log,
            self.insights_of_session,
            self.schedule,
        ):
            started = time.monotonic()
            step()
            print(f"ok    {step.__doc__} ({(time.monotonic() - started) * 1000:.0f} ms)", flush=True)

    def enum(self, name, value):
        return self.contract.enum(name, value)

    def subscribe(self, connection, name, prefix):
        """A subscription that has been welcomed."""
        subscription = Subscription(connection, self.addresses[f"{name}-publications"], prefix)
        subscription.wait_for(Joined, self.patience)
        return subscription

    def health(self):
        """Each process serves, says so of each of its services, and keeps a watcher told."""
        serving = self.enum("ServingStatus", "SERVING_STATUS_SERVING")
        for connection in self.connections:
            reply = connection.call("Health/Check", timeout=self.patience)
            expect(reply.status == serving, f"{connection.address} serves", reply.reason)
            services = connection.call("Health/List").services
            expect(services, f"{connection.address} lists its services")
            for service in services:
                expect(service.status == serving, f"{service.service} serves", service.reason)
            expect_failure("NOT_FOUND", lambda: connection.call("Health/Check", service="energy.v1.Nothing"))
            watch = connection.stream("Health/Watch", credit=1)
            expect(next(watch).status == serving, "a watcher is told at once")
            watch.close()

    def reflection(self):
        """Each process describes itself, and its methods are those of this contract."""
        answered = set()
        for connection in self.connections:
            reply = connection.call("Reflection/Describe")
            described = Contract(reply.file_descriptor_set).method_names()
            expect(set(reply.methods) <= described, "a process answers what it describes", reply.methods)
            expect(described == self.contract.method_names(), "a process has this contract")
            expect(reply.version, "a process tells its version")
            answered |= set(reply.methods)
        expect(answered == self.contract.method_names(), "all methods are answered by some process",
               self.contract.method_names() - answered)

    def frames(self):
        """Bad frames, methods and bodies are refused by their status, and harm nobody."""
        contract = self.contract
        for address, keys in ((connection.address, connection.keys) for connection in self.connections):
            connection = Connection(contract, address, keys)  # of its own: here frames are taken off the socket by hand

            def ask(parts, status, call_id):
                connection.socket.send_multipart(parts)
                expect(connection.socket.poll(self.patience * 1000), f"{address} answers {status}")
                kind, header, _ = contract.parse_frame(connection.socket.recv())
                found = (kind, STATUS_NAMES[header.status], header.call_id)
                expect(found == ("REPLY", status, call_id), f"{status} from {address}", found)

            request = contract.frame("REQUEST", call_id=900, method="energy.v1.Health/Check")
            unknown = contract.frame("REQUEST", call_id=901, method="energy.v1.Nothing/Do")
            garbage = contract.frame("REQUEST", b"\xff\xff\xff", call_id=902, method="energy.v1.Health/Check")
            large = contract.frame("REQUEST", b"\x0a" * 70_000, call_id=903, method="energy.v1.Health/Check")
            ask([unknown], "UNIMPLEMENTED", 901)
            ask([garbage], "INVALID_ARGUMENT", 902)
            ask([large], "RESOURCE_EXHAUSTED", 903)
            ask([b"\xa7\x02" + request[2:]], "UNIMPLEMENTED", 900)
            ask([b"\xa7\x01\x00\x02\xff\xff"], "INVALID_ARGUMENT", 0)
            ask([contract.frame("UNSPECIFIED", call_id=904)], "INVALID_ARGUMENT", 904)
            ask([request, b"and", b"more"], "INVALID_ARGUMENT", 900)
            for rubbish in (b"", b"\xa7", b"hello, world", os.urandom(1000)):
                connection.socket.send(rubbish)
            connection.ping(self.patience)
            self.watch_raw(connection)
            connection.close()
            self.ask_with_req(address, keys)

    def watch_raw(self, connection):
        """A stream keeps to its credit, its request once more is dropped, and CANCEL ends it."""
        contract, socket = self.contract, connection.socket

        def receive():
            expect(socket.poll(self.patience * 1000), f"{connection.address} answers")
            kind, header, _ = contract.parse_frame(socket.recv())
            return kind, header.call_id, header.sequence, STATUS_NAMES[header.status]

        watch = contract.frame("REQUEST", call_id=910, method="energy.v1.Health/Watch")
        socket.send(watch)
        socket.send(contract.frame("PING", call_id=911))
        found = receive()
        expect(found[:2] == ("PONG", 911), "nothing comes without credit", found)
        socket.send(watch)
        socket.send(contract.frame("CREDIT", call_id=910, credit=1))
        found = receive()
        expect(found == ("CHUNK", 910, 0, "OK"), "a chunk comes for credit, and nothing for the request once more", found)
        socket.send(contract.frame("CANCEL", call_id=910))
        found = receive()
        expect(found == ("END", 910, 1, "CANCELLED"), "CANCEL ends a stream", found)

    def ask_with_req(self, address, keys):
        socket = new_socket(zmq.REQ, keys)
        socket.connect(address)
        socket.send(self.contract.frame("REQUEST", call_id=1, method="energy.v1.Health/Check"))
        expect(socket.poll(self.patience * 1000), f"{address} answers a REQ socket")
        kind, header, _ = self.contract.parse_frame(socket.recv())
        expect((kind, header.status) == ("REPLY", 0), f"{address} answers a REQ socket", kind)
        socket.close()

    def venues(self):
        """Venues are listed and found; those that do not exist are not."""
        venues = self.guidance.call("Venues/List").venues
        expect(venues, "there is a venue")
        self.venue = venues[0]
        expect(len(self.venue.id) == 16, "a venue's id has 16 bytes")
        expect(self.guidance.call("Venues/Get", id=self.venue.id) == self.venue, "a venue is found by its id")
        for home_id in self.venue.home_ids:
            found = self.guidance.call("Venues/Get", home_id=home_id)
            expect(found == self.venue, "a venue is found by its home")
        expect_failure("NOT_FOUND", lambda: self.guidance.call("Venues/Get", id=uuid.uuid4().bytes))
        failure = expect_failure("INVALID_ARGUMENT", lambda: self.guidance.call("Venues/Get", id=b"short"))
        expect([violation.field for violation in failure.violations] == ["id"], "the wrong field is named")
        expect(not failure.violations[0].HasField("index"), "where there is no list there is no index")
        self.guidance.call("RatePlans/List")

    def guidance_ahead(self):
        """Guidance is published, and the same on request."""
        prefix = f"guidance/{text(self.venue.id)}/"
        subscription = self.subscribe(self.guidance, "guidance", prefix)
        for action in ("SHIFT", "REDUCE"):
            number = self.enum("SuggestedAction", f"SUGGESTED_ACTION_{action}")
            found = self.guidance.call("Guidance/Get", venue_id=self.venue.id, action=number)
            expect(found.venue_id == self.venue.id and found.action == number, "guidance is of what was asked for")
            interval = found.interval
            expect_cover(
                [value.interval for value in found.values], interval.start_unix_ms, interval.end_unix_ms, "guidance"
            )
            expect(interval.end_unix_ms > now_ms(), "guidance is about the hours ahead")
            expect(all(0 <= value.rating <= 1 for value in found.values), "ratings are 0 to 1")
            expect(found.basis.source and found.basis.method, "guidance says what it rests on")
            resolved = self.guidance.call("Guidance/ResolveToken", token=found.token)
            expect(resolved.venue_id == self.venue.id and resolved.principals, "a token tells its venue")
            if action == "SHIFT":
                self.token = found.token
        event = subscription.wait_for((Publication, Head), self.patience)
        expect(event.topic.startswith(prefix), "what is published is of the prefix", event.topic)
        subscription.close()
        expect_failure("NOT_FOUND", lambda: self.guidance.call("Guidance/ResolveToken", token=uuid.uuid4().bytes))
        failure = expect_failure(
            "INVALID_ARGUMENT", lambda: self.guidance.call("Guidance/Get", venue_id=self.venue.id, action=77)
        )
        expect("SUGGESTED_ACTION_SHIFT" in failure.violations[0].rule, "the allowed values are named")
        expect_failure(
            "NOT_FOUND", lambda: self.guidance.call("Guidance/Get", venue_id=uuid.uuid4().bytes, action=1)
        )

    def history(self):
        """Signals of the last day are sorted, and longer than a month is refused."""
        def ask(hours):
            interval = self.contract.message(
                "Interval", start_unix_ms=now_ms() - hours * HOUR_MS, end_unix_ms=now_ms()
            )
            return self.guidance.call("Signals/History", venue_id=self.venue.id, interval=interval).intervals

        intervals = [each.interval for each in ask(24)]
        for before, after in zip(intervals, intervals[1:]):
            expect(before.end_unix_ms <= after.start_unix_ms, "signals are sorted, without overlaps")
        expect_failure("INVALID_ARGUMENT", lambda: ask(24 * 60))

    def event(self, at, state, energy, power, **changes):
        load = self.contract.message("ElectricVehicleLoad")
        load.session.id = self.session_id
        load.session.state = self.enum("SessionState", f"SESSION_STATE_{state}")
        load.session.was_following_guidance = True
        load.session.guidance_token = changes.get("token", self.token)
        load.state_of_charge = changes.get("state_of_charge", 50)
        load.direction = self.enum("FlowDirection", "FLOW_DIRECTION_IMPORTED")
        load.energy_mwh, load.power_mw = energy, power
        event = self.contract.message("Event", id=uuid.uuid4().bytes, timestamp_unix_ms=at, vehicle_load=load)
        event.venue_id = changes.get("venue_id", self.venue.id)
        event.device.id, event.device.name = self.device_id, "Python's car"
        event.device.type = self.enum("DeviceType", "DEVICE_TYPE_ELECTRIC_VEHICLE")
        return event

    def refused_events(self):
        """Events that break a rule are refused by index and field."""
        self.session_id = uuid.uuid4().bytes
        at = now_ms() - 30 * MINUTE_MS
        self.begin = self.event(at, "BEGIN", 0, 0)
        for what, field, change in (
            ("charge", "vehicle_load.state_of_charge", {"state_of_charge": 140}),
            ("token", "vehicle_load.session.guidance_token", {"token": uuid.uuid4().bytes}),
            ("id", "vehicle_load.session.guidance_token", {"token": b"123"}),
            ("venue", None, {"venue_id": uuid.uuid4().bytes}),
        ):
            bad = self.event(at + MINUTE_MS, "ACTIVE", 1, 1, **change)
            failure = expect_failure(
                "INVALID_ARGUMENT", lambda: self.events.call("Events/Submit", events=[self.begin, bad])
            )
            expect(failure.violations, f"a bad {what} has details", failure)
            violation = failure.violations[0]
            expect(violation.HasField("index") and violation.index == 1, f"a bad {what} has its index", violation)
            expect(field in (None, violation.field), f"a bad {what} is named {field}", violation)
        expect_failure("INVALID_ARGUMENT", lambda: self.events.call("Events/Submit"))

    def session(self):
        """A session is stored once, all of it, and published."""
        topic = f"events/{text(self.venue.id)}/{topic_device(self.device_id)}/"
        subscription = self.subscribe(self.events, "events", topic)
        self.insight_changes = self.subscribe(
            self.insights, "insights", f"insights/{text(self.venue.id)}/{topic_device(self.device_id)}/"
        )
        begin = self.begin.timestamp_unix_ms
        session = [self.begin]
        for minutes in range(5, 25, 5):
            energy = SESSION_MWH * minutes // 25
            session.append(self.event(begin + minutes * MINUTE_MS, "ACTIVE", energy, 7_000_000))
        session.append(self.event(begin + 25 * MINUTE_MS, "END", SESSION_MWH, 0))

        reply = self.events.call("Events/Submit", events=session)
        # All six are new: nothing of the refused batches was stored.
        expect((reply.accepted, reply.duplicates) == (len(session), 0), "a session is stored", reply)
        reply = self.events.call("Events/Submit", events=session)
        expect((reply.accepted, reply.duplicates) == (0, len(session)), "the same again is acknowledged", reply)
        self.record = self.contract.message("LogRecord")
        self.record.ParseFromString(subscription.wait_for(Publication, self.patience).body)
        expect(
            [event.id for event in self.record.events] == [event.id for event in session], "the session is published"
        )
        expect(self.record.partition == self.venue.id[15] % 16, "the partition is the venue's")
        subscription.close()

    def log(self):
        """The log has the session, reads as far as there is credit, and knows its end."""
        heads = {head.partition: head.sequence for head in self.events.call("Events/Heads").heads}
        partition = self.record.partition
        expect(heads[partition] >= self.record.sequence, "the head is not before the record", heads)
        expected, found = 1, False
        pages = self.events.stream("Events/ReadLog", credit=1, timeout=self.patience, partition=partition)
        for page in pages:
            # The PONG would come after any page that was sent without credit.
            self.events.ping(self.patience)
            for record in page.records:
                expect(record.sequence == expected, "a partition has no gaps", record.sequence)
                expected += 1
                record.ClearField("checksum")  # what a publication does not say
                found = found or record == self.record
        expect(found, "the log has the record that was published")
        expect_failure(
            "OUT_OF_RANGE",
            lambda: list(self.events.stream("Events/ReadLog", partition=partition, after_sequence=2**40)),
        )
        expect_failure("INVALID_ARGUMENT", lambda: list(self.events.stream("Events/ReadLog", partition=16)))

    def insights_of_session(self):
        """Insights have the session's energy, to the mWh, in every split and granularity."""
        deadline = time.monotonic() + self.patience
        while (found := self.ask_insights("HOURLY")) != SESSION_MWH:
            rest = deadline - time.monotonic()
            expect(rest > 0, f"insights show {SESSION_MWH} mWh", found)
            self.insight_changes.wait_for((Publication, Joined), rest)
        for granularity in ("DAILY", "WEEKLY", "MONTHLY", "YEARLY"):
            found = self.ask_insights(granularity)
            expect(found == SESSION_MWH, f"{granularity} insights show {SESSION_MWH} mWh", found)
        self.insight_changes.close()
        expect_failure("NOT_FOUND", lambda: self.ask_insights("DAILY", venue_id=uuid.uuid4().bytes))

    def ask_insights(self, granularity, venue_id=None):
        begin = self.begin.timestamp_unix_ms
        pages = self.insights.stream(
            "Insights/Query",
            credit=1,
            timeout=self.patience,
            venue_id=venue_id or self.venue.id,
            device_id=self.device_id,
            range=self.contract.message("Interval", start_unix_ms=begin, end_unix_ms=begin + 25 * MINUTE_MS),
            granularity=self.enum("Granularity", f"GRANULARITY_{granularity}"),
            direction=self.enum("FlowDirection", "FLOW_DIRECTION_IMPORTED"),
            by_cleanliness=True,
            by_tariff=True,
            exact_range=True,
        )
        total = 0
        for record in (record for page in pages for record in page.records):
            total += record.total.energy_mwh
            for split in (record.by_cleanliness, record.by_tariff):
                parts = [amount for _, amount in split.ListFields()]
                expect(
                    sum(part.energy_mwh for part in parts) == record.total.energy_mwh
                    and sum(part.runtime_ms for part in parts) == record.total.runtime_ms,
                    "the parts sum to the whole",
                    record,
                )
        return total

    def schedule(self):
        """A goal gets a schedule, which is published, listed and deleted."""
        key = {"venue_id": self.venue.id, "device_id": self.device_id}
        goal = self.contract.message("Goal", energy_mwh=5_000_000, ready_by_unix_ms=now_ms() + 6 * HOUR_MS, **key)
        expect_failure("NOT_FOUND", lambda: self.schedules.call("Schedules/PutGoal", goal=goal))
        device = self.contract.message("ManagedDevice", device=self.begin.device, venue_id=self.venue.id)
        device.vehicle.battery_capacity_mwh, device.vehicle.power_max_mw = 60_000_000, 7_400_000
        put = self.schedules.call("Schedules/PutDevice", device=device)
        expect(put.vehicle.power_max_mw == 7_400_000 and put.vehicle.efficiency == 0.9, "a device is stored", put)
        listed = self.schedules.call("Schedules/ListDevices", venue_id=self.venue.id).devices
        expect(put in list(listed), "the device is listed")

        subscription = self.subscribe(
            self.schedules, "schedules", f"schedule/{text(self.venue.id)}/{topic_device(self.device_id)}/"
        )
        schedule = self.schedules.call("Schedules/PutGoal", goal=goal)
        expect(schedule.goal.energy_mwh == 5_000_000 and schedule.goal.id, "the schedule has its goal")
        expect_cover(
            [block.interval for block in schedule.blocks], schedule.planned_unix_ms, goal.ready_by_unix_ms, "a schedule"
        )
        energy = sum(block.energy_mwh for block in schedule.blocks)
        expect(energy == schedule.planned_mwh, "the blocks sum to what is planned", energy)
        expect(schedule.required_mwh == 5_000_000 and schedule.missing_mwh == 0, "the goal is met", schedule.explanation)
        expect(all(block.reason for block in schedule.blocks), "each block has its reason")
        expect(max(block.power_mw for block in schedule.blocks) <= 7_400_000, "no block is above the device's power")

        def parsed(event):
            published = self.contract.message("Schedule")
            published.ParseFromString(event.body)
            return published

        subscription.wait_for(Publication, self.patience, lambda event: parsed(event).revision >= schedule.revision)
        listed = self.schedules.call("Schedules/List", **key).schedules
        expect([each.goal.id for each in listed] == [schedule.goal.id], "the schedule is listed")
        failure = expect_failure(
            "INVALID_ARGUMENT",
            lambda: self.schedules.call("Schedules/PutGoal", goal=self.contract.message("Goal", **key)),
        )
        expect(failure.violations[0].field.startswith("goal."), "a goal without a target is refused", failure)
        self.schedules.call("Schedules/DeleteGoal", **key)
        expect(not self.schedules.call("Schedules/List", **key).schedules, "without a goal there is no schedule")
        subscription.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, address in DEFAULTS.items():
        variable = "GRIDTIDE_" + name.upper().replace("-", "_")
        parser.add_argument(f"--{name}", default=os.environ.get(variable, address), help=f"or {variable}")
    parser.add_argument("--descriptors", help="a descriptor set; else protoc makes one of proto/")
    parser.add_argument("--client-file", help="made by 'energyctl keys': the keys to services that demand them")
    parser.add_argument("--patience", type=float, default=20, help="seconds to wait for any one answer")
    arguments = vars(parser.parse_args())
    if arguments["descriptors"]:
        contract = Contract(pathlib.Path(arguments["descriptors"]).read_bytes())
    else:
        contract = Contract.of_protos(ROOT / "proto")
    keys = Keys.of_file(arguments["client_file"]) if arguments["client_file"] else {}
    addresses = {name: arguments[name.replace("-", "_")] for name in DEFAULTS}
    try:
        Check(contract, addresses, keys, arguments["patience"]).run()
    except (Wrong, CallFailure, TimeoutError) as error:
        print(f"WRONG {error}", file=sys.stderr, flush=True)
        raise SystemExit(1) from error


main()
