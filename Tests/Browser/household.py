"""The real services of a home, with a simulated car and heat pump, on ports and in a folder of their own."""

import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile

SERVICES = ["guidance-publisher", "event-ingestor", "insight-service", "scheduler"]
READY_SECONDS_MAX = 60


def free_ports(count):
    """Ports that nobody has now; held together, so that they differ."""
    holders = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [holder.getsockname()[1] for holder in holders]
    for holder in holders:
        holder.close()
    return ports


class Household:
    def __init__(self, binaries, settings=None):
        """settings: YAML by the name of the service that reads it."""
        self.binaries = pathlib.Path(binaries)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="gridtide-"))
        self.running = {}
        self.pages_port, *ports = free_ports(1 + 3 * len(SERVICES) + 2)
        names = SERVICES + ["device-simulator", "energy-dashboard"]
        self.http = {name: f"tcp://127.0.0.1:{ports.pop()}" for name in names}
        self.requests = {name: f"tcp://127.0.0.1:{ports.pop()}" for name in SERVICES}
        self.publications = {name: f"tcp://127.0.0.1:{ports.pop()}" for name in SERVICES}
        self.settings = settings or {}
        self.keys = None

    def make_keys(self):
        """From now on who connects needs a key; before anything is started."""
        self.keys = self.folder / "keys"
        places = ";".join(f"{short}={self.requests[name]},{self.publications[name]}"
                          for short, name in zip(["guidance", "events", "insights", "schedule"], SERVICES))
        self.control("keys", "init", "--keys", str(self.keys), "--endpoints", places)

    def control(self, *arguments):
        """What energyctl says."""
        said = subprocess.run(
            [str(self.binaries / "energyctl"), *arguments], env={"PATH": "/usr/bin:/bin", "HOME": str(self.folder)},
            capture_output=True, text=True)
        if said.returncode != 0:
            raise AssertionError(f"energyctl {arguments} ended with {said.returncode}: {said.stderr}")
        return said.stdout

    @property
    def url(self):
        return f"http://127.0.0.1:{self.pages_port}"

    def start(self, name):
        """Returns when the process says that it is ready."""
        path = str(self.folder / f"{name}.ready")
        pathlib.Path(path).unlink(missing_ok=True)
        ready = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        ready.bind(path)
        ready.settimeout(READY_SECONDS_MAX)
        arguments = [f"--state-directory={self.folder / name}", f"--http-address={self.http[name]}"]
        if name in self.settings:
            (self.folder / f"{name}.yaml").write_text(self.settings[name])
            arguments.append(f"--config={self.folder / name}.yaml")
        if self.keys:
            arguments.append(f"--keys-directory={self.keys}")
        if name in SERVICES:
            arguments += [f"--requests-address={self.requests[name]}", f"--publications-address={self.publications[name]}"]
        if name == "energy-dashboard":
            arguments.append(f"--pages-address=tcp://127.0.0.1:{self.pages_port}")
        peers = {"guidance-publisher": [], "event-ingestor": SERVICES[:1], "insight-service": SERVICES[:2],
                 "scheduler": SERVICES[:2]}.get(name, SERVICES)
        for peer in peers:
            arguments += [f"--peers-{peer}-requests={self.requests[peer]}",
                          f"--peers-{peer}-publications={self.publications[peer]}"]
        environment = {"PATH": "/usr/bin:/bin", "HOME": str(self.folder), "LANG": "C.UTF-8", "NOTIFY_SOCKET": path}
        with open(self.folder / f"{name}.log", "ab") as log:
            self.running[name] = subprocess.Popen(
                [str(self.binaries / name), *arguments], env=environment, stdout=log, stderr=log)
        try:
            while b"READY=1" not in ready.recv(4096):
                pass
        except TimeoutError:
            raise RuntimeError(f"{name} did not become ready:\n{self.log(name)}") from None
        finally:
            ready.close()

    def stop(self, name):
        process = self.running.pop(name)
        process.terminate()
        try:
            process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise RuntimeError(f"{name} did not stop:\n{self.log(name)}") from None
        return process.returncode

    def log(self, name):
        return (self.folder / f"{name}.log").read_text(errors="replace")[-3000:]

    def hang(self, name):
        """It keeps its connections, and says nothing on them."""
        self.running[name].send_signal(signal.SIGSTOP)

    def go_on(self, name):
        self.running[name].send_signal(signal.SIGCONT)

    def remove(self):
        for process in self.running.values():
            process.kill()
            process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
