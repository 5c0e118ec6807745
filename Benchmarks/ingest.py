#!/usr/bin/env python3
"""Events made durable per second: Gridtide against Redis, PostgreSQL and SQLite, on one machine in one run.

Starts each peer by itself in a folder of its own, tuned for this load and durable at every acknowledgement. `make
bench-ingest` builds what this runs. The last line is JSON.
"""
import json, os, pwd, shutil, signal, statistics, subprocess, sys, tempfile, time

HERE = os.path.dirname(os.path.abspath(__file__))
BUILT = os.path.join(HERE, ".build/release/")
INGESTOR = os.environ.get("INGESTOR", os.path.join(HERE, "../.build/release/event-ingestor"))
BATCH, SENDERS, SECONDS, ROUNDS = 100, 64, float(os.environ.get("SECONDS_EACH", "6")), int(os.environ.get("ROUNDS", "3"))
QUICK = set(os.environ.get("ONLY", "").split(",")) - {""}  # for development: gridtide, redis, postgresql, sqlite


class Bench:
    def __init__(self, folder):
        self.folder, self.children = folder, []

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def start(self, *command, user=None, ready=None, env=None):
        child = subprocess.Popen(command, stdout=subprocess.PIPE if ready else subprocess.DEVNULL,
                                 stderr=open(self.path("errors"), "ab"), user=user, env=env)
        self.children.append(child)
        if ready and not child.stdout.readline().startswith(ready):
            sys.exit(f"{command[0]} did not start: " + open(self.path("errors")).read()[-2000:])
        return child

    def until(self, *command, user=None):
        for _ in range(200):
            if subprocess.run(command, capture_output=True, user=user).returncode == 0: return
            time.sleep(0.1)
        sys.exit(f"gave up: {' '.join(command)}\n" + open(self.path("errors")).read()[-2000:])

    def stop(self):
        for child in reversed(self.children):
            child.send_signal(signal.SIGINT)
        for child in self.children:
            try: child.wait(10)
            except subprocess.TimeoutExpired: child.kill()

    # Gridtide: the executable that users run, a stand-in for the guidance publisher, no other service.
    def start_gridtide(self):
        self.start_guidance()
        self.ingestor, self.requests = self.start_ingestor("gridtide")
        self.gridtide("batches", 1, 0.2)

    def start_guidance(self):
        # Sockets are for their user only; PostgreSQL's has to enter the folder above.
        os.mkdir(self.path("guidance"), 0o700)
        self.guidance = [f"ipc://{self.path('guidance', name)}" for name in ("requests", "publications")]
        self.start(BUILT + "bench-ingest", "guidance", *self.guidance, ready=b"ready")

    def start_ingestor(self, name, *more):
        """Returns its process, and where it takes requests."""
        os.mkdir(self.path(name), 0o700)
        requests = f"ipc://{self.path(name, 'requests')}"
        ingestor = self.start(
            INGESTOR, "--state-directory", self.path(name, "state"), "--requests-address", requests,
            "--publications-address", f"ipc://{self.path(name, 'publications')}",
            "--http-address", f"ipc://{self.path(name, 'http')}", "--peers-guidance-publisher-requests", self.guidance[0],
            "--peers-guidance-publisher-publications", self.guidance[1], *UNLIMITED, *more)
        return ingestor, requests

    def gridtide(self, mode, senders, seconds, batch=BATCH):
        return numbers(BUILT + "bench-ingest", mode, self.requests, senders, seconds, batch)

    def start_redis(self):
        os.mkdir(self.path("redis"))
        self.start("redis-server", "--port", "0", "--unixsocket", self.path("redis.sock"), "--dir", self.path("redis"),
                   "--appendonly", "yes", "--appendfsync", "always", "--save", "", "--auto-aof-rewrite-percentage", "0")
        self.until("redis-cli", "-s", self.path("redis.sock"), "ping")

    def start_postgresql(self):
        binaries = sorted(os.listdir("/usr/lib/postgresql"))[-1]
        binaries = f"/usr/lib/postgresql/{binaries}/bin/"
        data, user = self.path("postgresql"), None
        if os.getuid() == 0:  # it refuses to run as root
            user = "postgres"
            os.mkdir(data, 0o700)
            shutil.chown(data, user)
        subprocess.run([binaries + "initdb", "-D", data, "-A", "trust"], check=True, capture_output=True, user=user)
        owner = user or pwd.getpwuid(os.getuid()).pw_name
        settings = {"listen_addresses": "", "unix_socket_directories": data, "max_connections": "100", "fsync": "on",
                    "synchronous_commit": "on", "shared_buffers": "512MB", "max_wal_size": "4GB", "wal_buffers": "16MB"}
        self.start(binaries + "postgres", "-D", data, *[f"--{k}={v}" for k, v in settings.items()], user=user)
        self.conninfo = f"host={data} user={owner} dbname=postgres"
        self.until("psql", self.conninfo, "-c", "CREATE TABLE event (id uuid PRIMARY KEY, venue uuid, device text, "
                   "time bigint, session uuid, state smallint, token uuid, soc smallint, direction smallint, "
                   "power bigint, energy bigint)")

    def peer(self, name, senders=SENDERS, batch=BATCH):
        target = {"redis": self.path("redis.sock"), "postgresql": getattr(self, "conninfo", ""),
                  "sqlite": self.path("rows.sqlite"), "gridtide": getattr(self, "requests", "")}[name]
        return numbers(BUILT + "ingest-peers-in-c", name, target, senders, SECONDS, batch)[0]

    # What nothing that goes over these sockets, and to this disk, can be better than.

    def echo(self, sockets):
        """Calls per second of a server in C that stores nothing, from as many connections."""
        server = subprocess.Popen([BUILT + "echo-in-c", "server", f"ipc://{self.path('echo')}"], stdin=subprocess.PIPE,
                                  stdout=subprocess.PIPE, text=True)
        endpoint = server.stdout.readline().strip()
        # A client that is not given a standard input that stays open ends at once.
        client = subprocess.Popen([BUILT + "echo-in-c", "clients", endpoint, "200", str(sockets), str(SECONDS)],
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        rate = float(client.stdout.readline())
        for process in (client, server): process.communicate()
        return rate

    def flushes(self, count=500, size=128 * 1024):
        """Milliseconds that writing and flushing alone take, sorted."""
        times, file = [], os.open(self.path("flushed"), os.O_RDWR | os.O_CREAT, 0o600)
        os.pwrite(file, bytes(64 << 20), 0)
        os.fsync(file)
        for number in range(count):
            start = time.perf_counter()
            os.pwrite(file, os.urandom(size), number * size % (64 << 20))
            os.fdatasync(file)
            times.append((time.perf_counter() - start) * 1000)
        os.close(file)
        return sorted(times)


# No peer limits its one sender either.
UNLIMITED = ["--limits-principal-rate", "100000000", "--limits-venue-rate", "100000000"]
UNLIMITED = os.environ.get("INGESTOR_OPTIONS", " ".join(UNLIMITED)).split()


def numbers(*command):
    """The numbers that a program prints."""
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode != 0: sys.exit(f"{' '.join(map(str, command))}: {done.stderr}")
    return [float(word) for word in done.stdout.split()]


def memory_mib(process, kind="VmRSS"):
    with open(f"/proc/{process.pid}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith(kind)) / 1024


def wanted(name):
    return not QUICK or name in QUICK


def main(bench):
    if wanted("gridtide"): bench.start_gridtide()
    if wanted("redis"): bench.start_redis()
    if wanted("postgresql"): bench.start_postgresql()
    rates = {}
    for number in range(ROUNDS):
        def note(name, rate):
            rates.setdefault(name, []).append(rate)
            print(f"round {number + 1}: {name:34} {rate:10,.0f} events/s", flush=True)
        if wanted("gridtide"): note("Gridtide, batches", bench.gridtide("batches", SENDERS, SECONDS)[0])
        if wanted("redis"): note("Redis XADD", bench.peer("redis"))
        if wanted("postgresql"): note("PostgreSQL, multi-row", bench.peer("postgresql", 16))
        if wanted("sqlite"): note("SQLite, row by row", bench.peer("sqlite", 1))
        if wanted("gridtide"): note("Gridtide, single events", bench.peer("gridtide", 64, 1))
        if wanted("gridtide"): note("the same, Swift client", bench.gridtide("clients", 64, SECONDS, 1)[0])
        if wanted("postgresql"): note("PostgreSQL, single inserts", bench.peer("postgresql", 64, 1))
    rate = {name: statistics.median(values) for name, values in rates.items()}
    p50 = p99 = memory = None
    if wanted("gridtide"):
        paced = [bench.gridtide("paced", rate["Gridtide, batches"] / 2, SECONDS) for _ in range(ROUNDS)]
        p50, p99 = (statistics.median(column) for column in zip(*paced))
        memory = memory_mib(bench.ingestor)
        print(f"at half of that rate: median {p50:.2f} ms, 99th percentile {p99:.2f} ms; {memory:.0f} MiB resident")
        print("the rounds' 99th percentiles: " + ", ".join(f"{row[1]:.2f}" for row in paced))

    times = bench.flushes()
    print(f"a write of 128 KiB and its flush alone: median {times[len(times) // 2]:.2f} ms, 99th percentile "
          f"{times[len(times) * 99 // 100]:.2f} ms; an acknowledgement waits for one or two")
    if wanted("postgresql"):
        calls = bench.echo(SENDERS)
        print(f"an echo in C that stores nothing, {SENDERS} connections: {calls:,.0f} calls/s, "
              f"{calls / rate['PostgreSQL, single inserts']:.2f} times PostgreSQL's single inserts")

    def ratio(ours, theirs):
        return round(rate[ours] / rate[theirs], 3) if ours in rate and theirs in rate else None
    print(json.dumps({
        "vs_redis": ratio("Gridtide, batches", "Redis XADD"),
        "vs_postgresql": ratio("Gridtide, batches", "PostgreSQL, multi-row"),
        "vs_sqlite_rows": ratio("Gridtide, batches", "SQLite, row by row"),
        "p99_ms_half_load": p99 and round(p99, 2),
        "single_vs_postgresql": ratio("Gridtide, single events", "PostgreSQL, single inserts"),
        "events_per_s": round(rate.get("Gridtide, batches", 0)),
        "rss_mib": memory and round(memory, 1)}))


def run(main):
    """On the disk that the service would use, not a folder in memory."""
    folder = tempfile.mkdtemp(dir=os.environ.get("BENCH_FOLDER", "/var/tmp"))
    os.chmod(folder, 0o755)
    bench = Bench(folder)
    try:
        main(bench)
    finally:
        bench.stop()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    run(main)
