#!/usr/bin/env python3
"""Random load, SIGKILL at a random moment, the loss of what was not flushed to the disk, and a look at what is left; many
times over.

After each crash: every event that was acknowledged is in the log, none is in it twice, sequences have no gap, and
batches that were not answered can be sent again. At the end the whole log is read once more and `energyctl log verify`
agrees. `make torture` runs it; ROUNDS and SEED change it.
"""
import os, pathlib, random, shutil, signal, struct, subprocess, sys, tempfile, threading, time, uuid

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "clients/python"))
import cars, stand_in_publisher, zmq  # noqa: E402
from gridtide_client import CallFailure, Connection, Contract  # noqa: E402

ROUNDS, SEED = int(os.environ.get("ROUNDS", "200")), int(os.environ.get("SEED", str(random.randrange(1 << 32))))
BUILT = pathlib.Path(os.environ.get("BUILT", ROOT / ".build/release"))
SENDERS, PARTITIONS = 6, 16
CONTRACT = Contract((ROOT / "Sources/Core/EnergyWire/energy.v1.descriptorset").read_bytes())


def publish(address):
    socket = zmq.Context.instance().socket(zmq.ROUTER)
    socket.bind(address)
    stand_in_publisher.answer(socket, CONTRACT, "local")


class Sender:
    """Keeps a batch until it was acknowledged, as an outbox does."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        venue = uuid.UUID(int=self.rng.getrandbits(128)).bytes
        self.car, self.batch, self.acknowledged, self.fault = cars.Car(self.rng, venue, venue), None, [], None

    def run(self, address, is_over):
        connection = Connection(CONTRACT, address)
        try:
            while not is_over.is_set():
                if self.batch is None:
                    size = self.rng.choice([1, 1, 5, 40, 150])
                    self.batch = CONTRACT.message("SubmitEventsRequest", events=[self.car.event() for _ in range(size)])
                reply = connection.call("Events/Submit", self.batch, timeout=1.0)
                if reply.accepted + reply.duplicates != len(self.batch.events):
                    self.fault = f"{len(self.batch.events)} events were sent, {reply} came back"
                self.acknowledged += [event.id for event in self.batch.events]
                self.batch = None
        except CallFailure as failure:
            if failure.status not in ("UNAVAILABLE", "DEADLINE_EXCEEDED", "CANCELLED"):
                self.fault = str(failure)
        except (TimeoutError, zmq.ZMQError):
            pass
        finally:
            connection.close()


def committed_end(log):
    """The byte after the last committed frame of a write-ahead log."""
    if len(log) < 32:
        return 0
    page = struct.unpack(">I", log[8:12])[0]
    salts, end, place = log[16:24], 32, 32
    while place + 24 + page <= len(log) and log[place + 8:place + 16] == salts:
        place += 24 + page
        if struct.unpack(">I", log[place - page - 20:place - page - 16])[0]:
            end = place
    return end


def tear(path, rng):
    """What a machine that stops may leave behind the last write that it said was done: anything."""
    if not path.exists():
        return
    log = path.read_bytes()
    end = committed_end(log)
    tail = bytearray(log[end:])
    way = rng.randrange(4)
    if way == 0:
        tail = tail[:rng.randrange(0, len(tail) + 1)]
    elif way == 1:
        tail = bytearray(rng.randbytes(rng.randrange(0, 20_000)))
    elif way == 2 and tail:
        for _ in range(20):
            tail[rng.randrange(len(tail))] = rng.randrange(256)
    path.write_bytes(log[:end] + tail)


class Disk:
    """Loses what the ingestor had written and not flushed, as if the power had failed. See unflushed.c."""

    def __init__(self, folder):
        self.library, self.notes = folder / "unflushed.so", folder / "unflushed"
        compiler = shutil.which("cc") or shutil.which("clang") or sys.exit("neither cc nor clang is in PATH")
        subprocess.run([compiler, "-O1", "-shared", "-fPIC", "-o", self.library, ROOT / "Tests/unflushed.c", "-ldl"],
                       check=True)

    def environment(self):
        return {**os.environ, "LD_PRELOAD": str(self.library), "UNFLUSHED": str(self.notes)}

    def lose(self, files, rng):
        """Each sector of what was not flushed stays, is zero, or is anything. Returns the bytes that were at stake."""
        if not self.notes.exists(): return 0
        notes = self.notes.read_bytes()
        count, is_full = struct.unpack_from("=QQ", notes)
        assert not is_full, "more was written without a flush than there is room to note"
        paths, lost = {file.stat().st_ino: file for file in files if file.exists()}, 0
        for inode, offset, length, _ in struct.iter_unpack("=QQQQ", notes[16:16 + 32 * count]):
            if inode not in paths: continue
            lost += length
            with open(paths[inode], "r+b") as file:
                # What was noted but not written any more must not make the file longer.
                end = min(offset + length, os.fstat(file.fileno()).st_size)
                for place in range(offset, end, 512):
                    size, way = min(512, end - place), rng.randrange(3)
                    if way == 0: continue
                    file.seek(place)
                    file.write(bytes(size) if way == 1 else rng.randbytes(size))
        return lost


class Torture:
    def __init__(self, folder):
        self.folder, self.rng = pathlib.Path(folder), random.Random(SEED)
        self.requests, self.guidance = f"ipc://{folder}/requests", f"ipc://{folder}/guidance"
        threading.Thread(target=publish, args=[self.guidance], daemon=True).start()
        self.senders = [Sender(self.rng.randrange(1 << 60)) for _ in range(SENDERS)]
        self.read, self.positions, self.starts = set(), [0] * PARTITIONS, []
        self.process = None
        self.disk, self.unflushed = Disk(self.folder), 0

    def start(self):
        begin = time.monotonic()
        self.process = subprocess.Popen(
            [BUILT / "event-ingestor", "--state-directory", self.folder / "state", "--requests-address", self.requests,
             "--publications-address", f"ipc://{self.folder}/publications", "--http-address",
             f"ipc://{self.folder}/http", "--peers-guidance-publisher-requests", self.guidance,
             "--peers-guidance-publisher-publications", f"ipc://{self.folder}/none"],
            stdout=subprocess.DEVNULL, stderr=open(self.folder / "errors", "ab"), env=self.disk.environment())
        self.connection = Connection(CONTRACT, self.requests)
        self.connection.call("Events/Heads", timeout=30)
        self.starts.append(time.monotonic() - begin)

    def kill(self):
        if self.process is None: return
        self.connection.close()
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def load(self):
        is_over = threading.Event()
        threads = [threading.Thread(target=sender.run, args=[self.requests, is_over]) for sender in self.senders]
        for thread in threads: thread.start()
        # Waits for nothing: the kill is to fall on any moment.
        time.sleep(self.rng.choice([0.02, 0.1, 0.3, 0.6]) * (0.5 + self.rng.random()))
        self.kill()
        is_over.set()
        for thread in threads: thread.join()

    def check(self, whole=False):
        if whole: self.read, self.positions = set(), [0] * PARTITIONS
        for partition in range(PARTITIONS):
            pages = self.connection.stream(
                "Events/ReadLog", partition=partition, after_sequence=self.positions[partition], timeout=300)
            for page in pages:
                for record in page.records:
                    self.positions[partition] += 1
                    assert record.sequence == self.positions[partition], f"a gap at {record.sequence} of {partition}"
                    for event in record.events:
                        assert event.id not in self.read, f"event {event.id.hex()} is there twice"
                        self.read.add(event.id)
        for sender in self.senders:
            assert sender.fault is None, sender.fault
            lost = [id for id in sender.acknowledged if id not in self.read]
            assert not lost, f"{len(lost)} acknowledged events are lost, the first {lost[0].hex()}"
            if not whole: sender.checked = len(sender.acknowledged)

    def run(self):
        for number in range(ROUNDS):
            self.start()
            self.check()
            self.load()
            files = [self.folder / "state" / name for name in ("events.sqlite", "events.sqlite-wal")]
            # The log's end is known by what it holds: before that is lost.
            tear(files[1], self.rng)
            self.unflushed += self.disk.lose(files, self.rng)
            if sys.stdout.isatty() or (number + 1) % 20 == 0:
                print(f"round {number + 1} of {ROUNDS}: {len(self.read)} events", flush=True)
        self.start()
        self.check(whole=True)
        if (BUILT / "energyctl").exists():
            done = subprocess.run([BUILT / "energyctl", "log", "verify", "--endpoints",
                                   f"events={self.requests},ipc://{self.folder}/publications"],
                                  capture_output=True, text=True)
            print(done.stdout.strip(), done.stderr.strip())
            assert done.returncode == 0, "energyctl log verify found faults"
        self.kill()
        acknowledged = sum(len(sender.acknowledged) for sender in self.senders)
        print(f"{ROUNDS} crashes, {acknowledged} events acknowledged, {len(self.read)} in the log: none lost, none "
              f"twice; {self.unflushed / ROUNDS / 1024:.0f} KiB a crash were not flushed and lost; the slowest start took "
              f"{max(self.starts):.2f} s")


folder = tempfile.mkdtemp(dir="/var/tmp")
print(f"SEED={SEED}", flush=True)
torture = Torture(folder)
try:
    torture.run()
except BaseException:
    torture.kill()
    print(f"failed with SEED={SEED}; what is left lies in {folder}")
    raise
shutil.rmtree(folder)
# The publisher's thread still waits on its socket, and would keep the process.
sys.stdout.flush()
os._exit(0)
