#!/usr/bin/env python3
"""Builds the image, looks at what is in it, and runs it as deploy/images/compose.yaml says.

Podman gets a store and a configuration of its own, in a folder that is removed. Needs root, and the Debian package
in .build-deb. `make images-test` runs it.
"""
import json, os, pathlib, signal, subprocess, sys, tempfile, time, urllib.parse, urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent
USER = "64738"
# In MB: five programs with Swift's runtime, libraries, time zones. One that grows beyond has got something it should not.
SIZE_MAX = 700
COMMAND_SECONDS = 300
READY_SECONDS = 120
PROJECT = "gridtide-test"
PAGES = "http://127.0.0.1:7450"
STORAGE = '[storage]\ndriver = "vfs"\ngraphroot = "FOLDER/store"\nrunroot = "FOLDER/run"\n'
# What works on a machine that is itself a container: no cgroup of version 2, no limits beyond its own.
CONTAINERS = ('[containers]\ndefault_ulimits = ["nofile=8192:8192", "nproc=4096:4096"]\n'
              '[engine]\nruntime = "runc"\ncgroup_manager = "cgroupfs"\nevents_logger = "file"\n'
              '[network]\nnetwork_backend = "netavark"\nnetwork_config_dir = "FOLDER/networks"\n')


def check(holds, what):
    if not holds: sys.exit(f"failed: {what}")
    print(f"ok: {what}", flush=True)


class Engine:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.environment = os.environ | {
            "BUILDAH_ISOLATION": "chroot", "GRIDTIDE_HOST": "127.0.0.1",
            "CONTAINERS_STORAGE_CONF": self.write("storage.conf", STORAGE),
            "CONTAINERS_CONF": self.write("containers.conf", CONTAINERS)}

    def write(self, name, text):
        (self.folder / name).write_text(text.replace("FOLDER", str(self.folder)))
        return str(self.folder / name)

    def call(self, *command):
        return subprocess.run([str(part) for part in command], env=self.environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=COMMAND_SECONDS)

    def run(self, *command):
        done = self.call(*command)
        if done.returncode:
            sys.exit(f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
        return done.stdout.strip()


def check_image(engine, image):
    about = json.loads(engine.run("podman", "image", "inspect", image))[0]
    check(about["Config"]["User"] == f"{USER}:{USER}", "the image's user is not root")
    check(about["Size"] <= SIZE_MAX * 1_000_000, f"the image has {about['Size'] // 1_000_000} MB, at most {SIZE_MAX}")
    root = ROOT / ".build-deb/image-root/system"
    shells = [path for path in root.rglob("*") if path.name in ("sh", "bash", "busybox", "apt", "dpkg") and path.is_file()]
    check(shells == [], "there is no shell and no package manager in it")
    writable = [path for path in root.rglob("*") if not path.is_symlink() and path.stat().st_mode & 0o6002 and path.name != "tmp"]
    check(writable == [], "nothing in it is anybody's to write, or runs as somebody else")


class Household:
    """The services of the compose file, and who asks them from the host."""

    def __init__(self, engine, image):
        self.engine, self.image = engine, image
        engine.environment["GRIDTIDE_IMAGE"] = image

    def compose(self, *command):
        return self.engine.run("podman-compose", "--file", ROOT / "deploy/images/compose.yaml",
                               "--project-name", PROJECT, *command)

    def control(self, *command, client="owner"):
        key = ["--client", f"/keys/{client}.yaml"] if client else []
        return self.engine.call("podman", "run", "--rm", "--network=host", "--read-only",
                                f"--volume={PROJECT}_keys:/keys:ro", self.image, "/usr/bin/energyctl", *command, *key)

    def wait(self):
        """Until all services serve."""
        end = time.monotonic() + READY_SECONDS
        while (done := self.control("health")).returncode:
            if time.monotonic() > end:
                sys.exit(f"the services do not serve:\n{done.stdout}{done.stderr}\n{self.logs()}")
            time.sleep(1)

    def logs(self):
        names = self.engine.run("podman", "ps", "--all", "--format={{.Names}}").split()
        told = {name: self.engine.call("podman", "logs", "--tail=5", name) for name in names}
        return "\n".join(f"{name}:\n{log.stdout}{log.stderr}" for name, log in told.items())


def page(path, form=None):
    sent = urllib.request.Request(PAGES + path, headers={"Origin": PAGES},
                                  data=urllib.parse.urlencode(form).encode() if form else None)
    with urllib.request.urlopen(sent, timeout=30) as reply: return reply.read().decode()


def check_running(engine, image):
    home = Household(engine, image)
    try:
        home.compose("up", "--detach")
        home.wait()
        told = home.control("guidance")
        check(told.returncode == 0 and "Home" in told.stdout, "compose starts all, and guidance is told")
        check(home.control("venues", client=None).returncode != 0, "nobody is let in without a key")
        made = page("/settings/key", {"name": "wall-tablet", "allow-guidance": "yes"})
        check("QR code with the key of wall-tablet" in made, "the dashboard makes a key")
        check(home.control("guidance", client="wall-tablet").returncode == 0, "which opens")
        venues = home.control("venues", "--json").stdout
        running = engine.run("podman", "inspect", "--format={{.HostConfig.ReadonlyRootfs}} {{.Config.User}}",
                             f"{PROJECT}_scheduler_1")
        check(running == f"true {USER}:{USER}", "a service cannot write its own root, and is not root")
        # Not by the engine, which then takes it for wanted.
        os.kill(int(engine.run("podman", "inspect", "--format={{.State.Pid}}", f"{PROJECT}_scheduler_1")), signal.SIGKILL)
        home.wait()
        check(True, "a service that was killed is started again")
        home.compose("down")
        home.compose("up", "--detach")
        home.wait()
        check(home.control("venues", "--json").stdout == venues, "what it knew it knows after down and up")
        check(home.control("guidance", client="wall-tablet").returncode == 0, "and whom it let in")
    finally:
        engine.call("podman-compose", "--file", ROOT / "deploy/images/compose.yaml", "--project-name", PROJECT, "down",
                    "--volumes")


def main():
    with tempfile.TemporaryDirectory(prefix="gridtide-images-") as folder:
        engine = Engine(folder)
        image = engine.run(ROOT / "deploy/make-images.sh").splitlines()[-1]
        try:
            check_image(engine, image)
            check_running(engine, image)
        finally:
            engine.call("podman", "rmi", "--all", "--force")


if __name__ == "__main__":
    if os.geteuid() != 0: sys.exit("its store needs root: sudo make images-test")
    main()
