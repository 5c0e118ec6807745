#!/usr/bin/env python3
"""Three hosts on a network of their own, two replicas of each service, PostgreSQL with a synchronous standby, under load.

Each replica is restarted, which nobody may notice who asks, then killed; the database hangs for 10 s, of which only
those may end in whose place another leads; each host is cut off, then paused for 10 s; in the end the host of the primary is lost and the standby promoted. No acknowledged event is lost or doubled, each is counted once, no
acknowledged goal is lost, and every request is answered within DEADLINE seconds, asked again where a replica was unavailable.
The last line is JSON: how long who asked had to wait, by what happened.
`make hosts` runs it; SEED changes the order, FAULTS how many of each kind happen (0 for all). Needs root, for the network.
"""
import collections, itertools, json, os, pathlib, random, shutil, signal, subprocess, sys, tempfile, threading, time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "clients/python"))
import cars, zmq  # noqa: E402
from gridtide_client import CallFailure, Connection, Contract, Keys  # noqa: E402

SEED, FAULTS = int(os.environ.get("SEED", str(random.randrange(1 << 32)))), int(os.environ.get("FAULTS", "0"))
BUILT = pathlib.Path(os.environ.get("BUILT", ROOT / ".build/release"))
CONTRACT = Contract((ROOT / "Sources/Core/EnergyWire/energy.v1.descriptorset").read_bytes())
PARTITIONS, SENDERS, CUT_SECONDS, PAUSE_SECONDS, DEADLINE = 16, 4, 6, 10, int(os.environ.get("DEADLINE", "30"))
# A scheduler's venues are another's within 5 s; who asks waits a second for one that is gone, now and again.
LEASE_SECONDS, TAKEOVER_SECONDS, STALE_SECONDS = 4, DEADLINE / 3, DEADLINE / 3
UNPRIVILEGED = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"]
PORTS = {"guidance-publisher": 7400, "event-ingestor": 7410, "insight-service": 7420, "scheduler": 7430}
NAMES = {"guidance-publisher": "guidance", "event-ingestor": "events", "insight-service": "insights", "scheduler": "schedule"}
PEERS = {"guidance-publisher": [], "event-ingestor": ["guidance-publisher"],
         "insight-service": ["guidance-publisher", "event-ingestor"], "scheduler": ["guidance-publisher", "event-ingestor"]}
# Two replicas each, on two hosts; the first host has the primary, the second its standby.
PLACES = {"guidance-publisher": (1, 2), "event-ingestor": (1, 3), "insight-service": (2, 3), "scheduler": (3, 1)}


class Failure(Exception):
    def __init__(self, command, done):
        super().__init__(f"{' '.join(map(str, command))}: {done.stdout} {done.stderr}")
        self.code = done.returncode


def run(*command, **options):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)
    if done.returncode != 0: raise Failure(command, done)
    return done.stdout


def send_signal(number, processes):
    for process in processes:
        try: os.kill(int(process), number)
        except ProcessLookupError: pass


class Host:
    def __init__(self, number, folder):
        self.number, self.name, self.address, self.folder = number, f"h{number}", f"10.77.0.{number}", folder
        self.link, self.running = f"to-h{number}", {}
        run("ip", "netns", "add", self.name)
        run("ip", "link", "add", self.link, "type", "veth", "peer", "name", "eth0", "netns", self.name)
        run("ip", "link", "set", self.link, "master", "lan", "up")
        for command in (f"addr add {self.address}/24 dev eth0", "link set eth0 up", "link set lo up"):
            run("ip", "-n", self.name, *command.split())

    def start(self, name, *command, environment=None):
        log = open(self.folder / f"{self.name}.{name}.log", "ab")
        self.running[name] = subprocess.Popen(["ip", "netns", "exec", self.name, *map(str, command)], stdout=log, stderr=log,
                                              env=environment)

    def signal(self, number): send_signal(number, run("ip", "netns", "pids", self.name).split())

    def signal_database(self, number):
        first = self.running["postgresql"].pid
        send_signal(number, [first])  # before the rest: one that is stopped begins no more
        send_signal(number, pathlib.Path(f"/proc/{first}/task/{first}/children").read_text().split())

    def is_linked(self, holds):
        run("ip", "link", "set", self.link, "up" if holds else "down")


class Home:
    """The three hosts, and who sees to it that what ends is started again."""

    def __init__(self, folder):
        self.folder, self.buried = folder, None  # who is not started again
        # Names of networks are files, and those of this machine are not ours.
        os.makedirs("/run/netns", exist_ok=True)
        run("mount", "-t", "tmpfs", "tmpfs", "/run/netns")
        run("ip", "link", "set", "lo", "up")
        run("ip", "link", "add", "lan", "type", "bridge")
        run("ip", "addr", "add", "10.77.0.254/24", "dev", "lan")
        run("ip", "link", "set", "lan", "up")
        self.hosts = [Host(number, folder) for number in (1, 2, 3)]
        self.start_databases()
        endpoints = ";".join(f"{NAMES[service]}=" + ",".join(self.addresses(service, "both")) for service in PORTS)
        run(BUILT / "energyctl", "keys", "init", "--keys", folder / "keys", "--endpoints", endpoints)
        self.keys = Keys.of_file(folder / "keys/owner.yaml")
        for service, places in PLACES.items():
            for place in places: self.start(service, self.hosts[place - 1])
        self.is_over = threading.Event()
        threading.Thread(target=self.supervise, daemon=True).start()

    def addresses(self, service, kind="requests"):
        ports = {"requests": [0], "publications": [1], "both": [0, 1]}[kind]
        return [f"tcp://10.77.0.{place}:{PORTS[service] + port}" for place in PLACES[service] for port in ports]

    def start_databases(self):
        programs = max(pathlib.Path("/usr/lib/postgresql").iterdir(), key=lambda folder: int(folder.name)) / "bin"
        self.password = "of-the-test"
        (self.folder / "password").write_text(self.password)
        primary, standby = self.folder / "primary", self.folder / "standby"
        for data in (primary, standby):
            data.mkdir(mode=0o700)
            shutil.chown(data, "nobody", "nogroup")
        run(*UNPRIVILEGED, programs / "initdb", "-D", primary, "-U", "gridtide", "--encoding=UTF8", "--no-locale",
            "--auth=scram-sha-256", f"--pwfile={self.folder / 'password'}", "--no-sync", cwd="/")
        with open(primary / "pg_hba.conf", "a") as rules:
            rules.write("host all all 10.77.0.0/24 scram-sha-256\nhost replication all 10.77.0.0/24 scram-sha-256\n")
        settings = ["-c", "listen_addresses=*", "-c", "unix_socket_directories=", "-c", "fsync=off", "-c",
                    "max_connections=200"]

        def start(host, data):
            host.start("postgresql", *UNPRIVILEGED, programs / "postgres", "-D", data, *settings)
            until(lambda: self.sql("SELECT 1", host), f"PostgreSQL on {host.name}")

        start(self.hosts[0], primary)
        self.sql("CREATE DATABASE gridtide", self.hosts[0])
        run("ip", "netns", "exec", "h2", *UNPRIVILEGED, programs / "pg_basebackup", "-D", standby, "--write-recovery-conf",
            "--checkpoint=fast", "--no-sync", "-d", self.connection("10.77.0.1", "postgres"), cwd="/")
        start(self.hosts[1], standby)
        self.sql("ALTER SYSTEM SET synchronous_standby_names = '*'", self.hosts[0])
        self.sql("SELECT pg_reload_conf()", self.hosts[0])
        until(lambda: "sync" in self.sql("SELECT sync_state FROM pg_stat_replication", self.hosts[0]).split(),
              "the standby to be synchronous")

    def connection(self, hosts, database="gridtide", more=""):
        return f"postgresql://gridtide:{self.password}@{hosts}/{database}{more}"

    def sql(self, statement, host):
        return run("psql", "-XAtq", "-d", self.connection(host.address, "postgres", "?connect_timeout=2"), "-c", statement)

    def start(self, service, host):
        command = ["--state-directory", self.folder / f"{host.name}.{service}", "--keys-directory", self.folder / "keys",
                   "--requests-address", f"tcp://{host.address}:{PORTS[service]}",
                   "--publications-address", f"tcp://{host.address}:{PORTS[service] + 1}"]
        for peer in PEERS[service]:
            for kind in ("requests", "publications"):
                command += [f"--peers-{peer}-{kind}", ",".join(self.addresses(peer, kind))]
        store = self.connection("10.77.0.1,10.77.0.2", more="?target_session_attrs=read-write&connect_timeout=2")
        host.start(service, BUILT / service, *command, environment=environment(self.folder, GRIDTIDE_STORE_POSTGRESQL=store))

    def supervise(self):
        """As systemd does: what ended is started again a second later."""
        while not self.is_over.wait(1):
            for host in self.hosts:
                for service in PORTS:
                    process = host.running.get(service)
                    if process and process.poll() is not None and process is not self.buried: self.start(service, host)

    def command(self, *arguments, timeout=DEADLINE):
        return run(BUILT / "energyctl", *arguments, "--client", self.folder / "keys/owner.yaml", "--timeout", f"{timeout}s",
                   env=environment(self.folder))


def environment(folder, **more):
    return {"PATH": os.environ["PATH"], "HOME": str(folder), "LANG": "C.UTF-8", "TZ": "UTC", **more}


def until(holds, what, seconds=DEADLINE * 2):
    deadline, reason = time.monotonic() + seconds, None
    while time.monotonic() < deadline:
        try:
            if holds(): return
            reason = None
        except (Failure, CallFailure, TimeoutError) as failure:
            reason = failure
        time.sleep(0.2)
    raise AssertionError(f"waited {seconds} s for {what}: {reason or 'in vain'}")


class Waits:
    """How long each request took, by kind; what went wrong for good, and what was only refused."""

    def __init__(self):
        self.lock, self.all, self.faults, self.refusals = threading.Lock(), {}, [], []
        self.refused_goals, self.stale_goals = [], []

    def note(self, kind, begun, fault=None):
        with self.lock:
            self.all.setdefault(kind, []).append((begun, time.monotonic() - begun))
            if fault: self.faults.append(f"{kind}: {fault}")

    def worst_since(self, begin):
        """By kind, of those that were under way then or began later."""
        with self.lock:
            return {kind: max((wait for begun, wait in waits if begun + wait >= begin), default=0)
                    for kind, waits in self.all.items()}

    def are_new_since(self, begin, kinds):
        with self.lock: return all(any(begun >= begin for begun, _ in self.all.get(kind, [])) for kind in kinds)


class Sender(threading.Thread):
    """Sends batches of a car, each until a replica has acknowledged it, now to this one and now to that."""

    def __init__(self, home, waits, seed, venue, token):
        super().__init__(daemon=True)
        self.home, self.waits, self.rng = home, waits, random.Random(seed)
        self.car, self.acknowledged, self.energies, self.is_over = cars.Car(self.rng, venue, token), [], {}, threading.Event()
        self.kind = f"events {seed % 1000}"

    def run(self):
        addresses = self.home.addresses("event-ingestor")
        connections, replica = {}, 0
        while not self.is_over.is_set():
            size = self.rng.choice([1, 1, 5, 40, 150])
            batch = CONTRACT.message("SubmitEventsRequest", events=[self.car.event() for _ in range(size)])
            begun, replica = time.monotonic(), self.rng.randrange(len(addresses))
            fault = None
            while True:
                address = addresses[replica % len(addresses)]
                try:
                    if address not in connections:
                        connections[address] = Connection(CONTRACT, address, self.home.keys["events"])
                    reply = connections[address].call("Events/Submit", batch, timeout=2)
                    if reply.accepted + reply.duplicates != size: fault = f"{size} events were sent, {reply} came back"
                    break
                except CallFailure as failure:
                    if failure.status not in ("UNAVAILABLE", "DEADLINE_EXCEEDED", "CANCELLED", "RESOURCE_EXHAUSTED"):
                        fault = str(failure)
                        break
                except (TimeoutError, zmq.ZMQError):
                    # Perhaps the connection is one to a process that is gone.
                    connections.pop(address).close()
                replica += 1
            if time.monotonic() - begun > DEADLINE: fault = f"a batch took {time.monotonic() - begun:.1f} s"
            self.waits.note("events", begun, fault)
            self.waits.note(self.kind, begun)
            if fault: return
            self.acknowledged += [event.id for event in batch.events]
            for event in batch.events: self.energies[event.vehicle_load.session.id] = event.vehicle_load.energy_mwh
            time.sleep(0.05)


class Reader(threading.Thread):
    """Asks with a command, as people do: it finds a replica by itself. What is unavailable (69) is asked again, all within one
    deadline."""

    def __init__(self, home, waits, kind, *command):
        super().__init__(daemon=True)
        self.home, self.waits, self.kind, self.asked, self.is_over = home, waits, kind, command, threading.Event()

    def run(self):
        while not self.is_over.wait(0.2):
            begun, fault = time.monotonic(), None
            while True:
                left = DEADLINE - (time.monotonic() - begun)
                try: self.home.command(*self.asked, timeout=max(1, round(left)))
                except Failure as failure:
                    if failure.code == 69 and left > 1:
                        self.waits.refusals.append(str(failure))
                        if self.is_over.wait(1): return
                        continue
                    fault = str(failure)
                break
            self.waits.note(self.kind, begun, fault)


class Planner(threading.Thread):
    """Gives a car one goal after the other in place of the one before, each until a replica acknowledged it, now asking this
    one first and now that. Before the next it reads which the car has: the last, and of no earlier revision."""

    def __init__(self, home, waits, seed, venue):
        super().__init__(daemon=True)
        self.home, self.waits, self.rng, self.venue = home, waits, random.Random(seed), venue
        self.kind, self.connections, self.is_over = f"goals {seed % 1000}", {}, threading.Event()
        # The last goal that was acknowledged, and those sent since; what was asked last, to tell of it.
        self.possible, self.revision, self.asked = [], 0, collections.deque(maxlen=30)

    def run(self):
        car = dict(id="car-2", name="Planned", type=1)
        traits = dict(battery_capacity_mwh=60_000_000, power_max_mw=11_000_000)
        begun, is_over = time.monotonic(), False
        try:
            self.ask("PutDevice", device=dict(venue_id=self.venue, device=car, vehicle=traits))
            for energy in itertools.count(10_000_000):
                goal = (energy, int(time.time() * 1000) + self.rng.randrange(6, 20) * 3_600_000)
                self.possible.append(goal)
                self.ask("PutGoal", goal=dict(venue_id=self.venue, device_id="car-2", energy_mwh=goal[0],
                                              ready_by_unix_ms=goal[1]))
                self.possible = [goal]
                is_over, begun = self.is_over.wait(0.3), time.monotonic()
                self.check()
                if is_over: return
        except (CallFailure, AssertionError) as failure:
            self.waits.note("goals", begun, "\n".join([str(failure), *self.asked]))

    def ask(self, method, **fields):
        """Whoever plans the venue."""
        begun, addresses = time.monotonic(), self.home.addresses("scheduler")
        for replica in itertools.count(self.rng.randrange(len(addresses))):
            address, now = addresses[replica % len(addresses)], time.time()
            said = f"{now % 1000:7.3f} {method} {self.possible[-1:]} at {address}"
            try:
                if address not in self.connections:
                    self.connections[address] = Connection(CONTRACT, address, self.home.keys["schedule"])
                reply = self.connections[address].call(f"Schedules/{method}", timeout=1, **fields)
                self.asked.append(f"{said}: OK after {time.time() - now:.3f} s")
                self.waits.note("goals", begun)
                self.waits.note(self.kind, begun)
                return reply
            except (CallFailure, zmq.ZMQError) as failure:
                self.asked.append(f"{said}: {failure} after {time.time() - now:.3f} s")
                status = getattr(failure, "status", "DEADLINE_EXCEEDED")
                if status == "DEADLINE_EXCEEDED":
                    # What waits in it for a process that is gone would be done by the next one, after what is asked by then.
                    if address in self.connections: self.connections.pop(address).close()
                elif not failure.ask_another:
                    self.waits.refused_goals.append(self.asked[-1])
                    if status not in ("UNAVAILABLE", "CANCELLED", "RESOURCE_EXHAUSTED"): raise
            assert time.monotonic() - begun < DEADLINE, f"{method} was not answered"
            time.sleep(0.05)

    def check(self):
        """One that does not know yet that it no longer plans the venue may say what was, but not for long."""
        begun, lost = time.monotonic(), None
        while True:
            schedules = self.ask("List", venue_id=self.venue, device_id="car-2").schedules
            goals = [goal for schedule in schedules for goal in schedule.goals or [schedule.goal]]
            found = [(goal.energy_mwh, goal.ready_by_unix_ms) for goal in goals]
            if len(found) == 1 and found[0] in self.possible and schedules[0].revision >= self.revision: break
            if not lost:
                revisions = [schedule.revision for schedule in schedules]
                found = f"{found} of revision {revisions}, not {self.possible} of {self.revision}"
                lost = "\n".join([f"an acknowledged goal was lost: {found}", *self.asked])
                self.waits.stale_goals.append(lost)
            assert time.monotonic() - begun < STALE_SECONDS, lost
            time.sleep(0.2)
        self.revision = schedules[0].revision


class Trial:
    KINDS = ("guidance", "insights", "schedules", "goals")

    def __init__(self, home):
        self.home, self.rng, self.waits, self.report = home, random.Random(SEED), Waits(), {}
        self.senders = []
        for number in range(SENDERS):
            name = f"Home {number}"
            until(lambda: home.command("venues", "add", "--name", name, "--zone", "Europe/Berlin", "--region", "CISO") or True,
                  "a venue to be added")
        # One that follows may not know of the venues yet.
        guidance = self.connect("guidance-publisher", "Venues/List")
        venues = sorted(guidance.call("Venues/List").venues, key=lambda venue: venue.id[-1] % PARTITIONS)
        for venue in venues:
            token = guidance.call("Guidance/Get", venue_id=venue.id, action=1).token
            self.senders.append(Sender(home, self.waits, self.rng.randrange(1 << 60), venue.id, token))
        guidance.close()
        # Of partitions far apart: mostly each is another scheduler's.
        self.planners = [Planner(home, self.waits, self.rng.randrange(1 << 60), venue.id) for venue in (venues[0], venues[-1])]
        self.readers = [Reader(home, self.waits, "guidance", "guidance", "--venue", "Home 0", "--json"),
                        Reader(home, self.waits, "insights", "insights", "--venue", "Home 0", "--json"),
                        Reader(home, self.waits, "schedules", "schedule", "--venue", "Home 0", "--json")]
        self.threads = self.senders + self.planners + self.readers

    def connect(self, service, method="Reflection/Describe"):
        """To a replica that answers."""
        addresses, found = itertools.cycle(self.home.addresses(service)), []

        def answers():
            connection = Connection(CONTRACT, next(addresses), self.home.keys[NAMES[service]])
            try:
                connection.call(method, timeout=2)
                found.append(connection)
                return True
            except (CallFailure, TimeoutError):
                connection.close()
                raise
        until(answers, f"a {service} that answers")
        return found[0]

    def settle(self, after="the start"):
        """Until everybody who asks has been answered a question of after this."""
        begin = time.monotonic()
        kinds = self.KINDS + tuple(thread.kind for thread in self.senders + self.planners)
        until(lambda: self.waits.faults or self.waits.are_new_since(begin, kinds), f"everybody to be answered after {after}")
        assert not self.waits.faults, "\n".join([f"after {after}:"] + self.waits.faults)

    def fault(self, name, happen, heal=lambda: None, seconds=0.0):
        begin = time.monotonic()
        happen()
        time.sleep(seconds)
        heal()
        self.settle(after=name)
        worst = {kind: round(wait, 2) for kind, wait in self.waits.worst_since(begin).items() if " " not in kind}
        self.report[name] = worst
        print(f"{name}: at most " + ", ".join(f"{wait:.2f} s for {kind}" for kind, wait in sorted(worst.items())), flush=True)
        assert not name.startswith("scheduler") or worst["goals"] < TAKEOVER_SECONDS, f"{name}: {worst['goals']} s"

    def restart(self, service, host):
        """As who installs a new version does, one after the other."""
        before, goals_before = len(self.waits.refusals), len(self.waits.refused_goals)
        self.fault(f"{service} restarted on {host.name}", lambda: host.running[service].terminate())
        assert len(self.waits.refusals) == before, "\n".join(self.waits.refusals[before:])
        assert len(self.waits.refused_goals) == goals_before, "\n".join(self.waits.refused_goals[goals_before:])

    def kill(self, service, host):
        self.fault(f"{service} killed on {host.name}", lambda: host.running[service].kill())

    def kill_with_all_homes(self, host, other):
        """It is back, with more than its share, before anybody noticed that it was away."""
        self.home.buried = other.running["scheduler"]
        self.home.buried.kill()
        time.sleep(LEASE_SECONDS + 2)

        def kill():
            host.running["scheduler"].kill()
            self.home.buried = None
        self.fault(f"scheduler killed on {host.name} when it had all homes", kill)

    def hang_database(self, host):
        """For longer than any lease lasts. Who led ends if another leads by then."""
        def processes(): return {(host, service): host.running[service].pid for service, places in PLACES.items()
                                 for host in (self.home.hosts[place - 1] for place in places)}
        before = processes()
        self.fault(f"the database hung for {PAUSE_SECONDS} s", lambda: host.signal_database(signal.SIGSTOP),
                   lambda: host.signal_database(signal.SIGCONT), PAUSE_SECONDS)
        for (host, service), process in processes().items():
            if process == before[host, service]: continue
            log = (host.folder / f"{host.name}.{service}.log").read_text()
            assert "another replica has taken over" in log, f"{service} has ended on {host.name}"

    def cut(self, host):
        self.fault(f"{host.name} cut off for {CUT_SECONDS} s", lambda: host.is_linked(False), lambda: host.is_linked(True),
                   CUT_SECONDS)

    def pause(self, host):
        self.fault(f"{host.name} paused for {PAUSE_SECONDS} s", lambda: host.signal(signal.SIGSTOP),
                   lambda: host.signal(signal.SIGCONT), PAUSE_SECONDS)

    def lose_primary(self):
        def promote():
            self.home.hosts[0].is_linked(False)
            self.home.sql("SELECT pg_promote()", self.home.hosts[1])
        self.fault("h1 lost, the standby promoted", promote)

    def some(self, all):
        all = self.rng.sample(list(all), k=len(all))
        return all[:FAULTS] if FAULTS else all

    def run(self):
        for thread in self.threads: thread.start()
        self.settle()
        hosts = self.home.hosts
        replicas = [(service, hosts[place - 1]) for service, places in PLACES.items() for place in places]
        for replica in self.some(replicas): self.restart(*replica)
        for replica in self.some(replicas): self.kill(*replica)
        if not FAULTS: self.kill_with_all_homes(hosts[2], hosts[0])
        self.hang_database(hosts[0])
        for host in self.some(hosts): self.cut(host)
        for host in self.some(hosts): self.pause(host)
        self.lose_primary()
        for thread in self.threads: thread.is_over.set()
        for thread in self.threads: thread.join(DEADLINE * 2)
        assert not self.waits.faults, "\n".join(self.waits.faults)
        self.check_goals()
        self.check_log()
        self.check_insights()

    def check_goals(self):
        """Also by a scheduler that knows only what is stored: the other's host is lost."""
        scheduler = self.home.hosts[2].running["scheduler"]
        scheduler.kill()
        scheduler.wait()
        for planner in self.planners:
            planner.check()
            assert len(planner.possible) == 1 and planner.possible[0][0] > 10_000_000, planner.possible

    def check_log(self):
        read, connection = set(), self.connect("event-ingestor")
        for partition in range(PARTITIONS):
            position = 0
            for page in connection.stream("Events/ReadLog", partition=partition, after_sequence=0, timeout=120):
                for record in page.records:
                    position += 1
                    assert record.sequence == position, f"a gap at {record.sequence} of {partition}"
                    for event in record.events:
                        assert event.id not in read, f"event {event.id.hex()} is there twice"
                        read.add(event.id)
        for sender in self.senders:
            lost = [id for id in sender.acknowledged if id not in read]
            assert not lost, f"{len(lost)} acknowledged events are lost, the first {lost[0].hex()}"
        self.events = len(read)
        connection.close()

    def check_insights(self):
        now, day = int(time.time() * 1000), 86_400_000
        for sender in self.senders:
            def energy():
                connection = self.connect("insight-service")
                try:
                    pages = connection.stream(
                        "Insights/Query", venue_id=sender.car.venue, granularity=2, direction=1, exact_range=True,
                        range=dict(start_unix_ms=now - 9 * day, end_unix_ms=now))
                    return sum(record.total.energy_mwh for page in pages for record in page.records)
                finally:
                    connection.close()
            expected = sum(sender.energies.values())
            until(lambda: energy() == expected, f"{expected} mWh to be counted")
        rebuilt = json.loads(self.home.command("insights", "rebuild", "--json", timeout=120))
        assert rebuilt["is_identical"], rebuilt


def main():
    folder = pathlib.Path(tempfile.mkdtemp(dir="/var/tmp", prefix="gridtide-hosts-"))
    folder.chmod(0o755)
    print(f"SEED={SEED}", flush=True)
    home = None
    try:
        home = Home(folder)
        trial = Trial(home)
        trial.run()
        home.is_over.set()
    except BaseException:
        for log in sorted(folder.glob("*.log")):
            print(f"--- {log.name}\n" + "\n".join(log.read_text(errors="replace").splitlines()[-15:]), file=sys.stderr)
        print(f"failed with SEED={SEED}; what is left lies in {folder}", file=sys.stderr)
        raise
    for host in home.hosts: host.signal(signal.SIGKILL)
    shutil.rmtree(folder, ignore_errors=True)
    worst = {kind: max(waits.get(kind, 0) for waits in trial.report.values()) for kind in ("events",) + Trial.KINDS}
    for stale in trial.waits.stale_goals: print(stale, file=sys.stderr)
    print(f"{len(trial.report)} faults, {trial.events} events in the log: none lost, none twice, each counted once")
    print(json.dumps({"faults": len(trial.report), "events": trial.events, "worst_wait_s": worst, "waits_s": trial.report,
                      "stale_goals_read": len(trial.waits.stale_goals)}))
    sys.stdout.flush()
    os._exit(0)


if os.environ.get("GRIDTIDE_HOSTS") != "alone":
    if os.geteuid() != 0: sys.exit("only root can make hosts: run this with sudo")
    # A network, and processes, that end with this one.
    os.execvpe("unshare", ["unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc", sys.executable,
                           os.path.abspath(__file__)], {**os.environ, "GRIDTIDE_HOSTS": "alone"})
main()
