#!/usr/bin/env python3
"""Installs, upgrades, removes and purges the Debian package in a machine of its own, and uses what it installed.

    debian_package.py PACKAGE

The machine is a clean Debian that debootstrap makes once (in CLEAN_ROOT, default .build-deb/clean-root), booted by
systemd-nspawn with its own network and nothing that outlives it: the package's scripts start the units there as they do on
any host, with all that the units forbid. Needs root. `make deb-test` builds the package first.
"""
import contextlib, json, os, pathlib, re, shutil, signal, socket, subprocess, sys, tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
CLEAN_ROOT = pathlib.Path(os.environ.get("CLEAN_ROOT", ROOT / ".build-deb/clean-root"))
SERVICES = ["guidance-publisher", "event-ingestor", "insight-service", "scheduler", "energy-dashboard"]
ALL = SERVICES + ["device-simulator"]
OWNER = "--client=/etc/gridtide/keys/owner.yaml"
BOOT_SECONDS, COMMAND_SECONDS = 120, 120
# SECURITY.md promises it of each unit; in tenths.
EXPOSURE_MAX = 15
# What installing packages leaves behind by itself, whichever they are.
PASSING = r"^/(proc|sys|dev|run|tmp|packages|var/(log|cache|tmp|lib/(dpkg|systemd))|etc/(.*-|\.pwd\.lock))(/|$)"


def check(holds, what, why=lambda: ""):
    if not holds: sys.exit(f"failed: {what}\n{why()}")
    print(f"ok: {what}", flush=True)


def run(*command, **options):
    return subprocess.run([str(part) for part in command], check=True, **options)


def field(package, name):
    return run("dpkg-deb", "--field", package, name, stdout=subprocess.PIPE, text=True).stdout.strip()


def clean_root(package):
    """A Debian with what the package depends on, and nothing else. Made anew when that changes."""
    # The first of alternatives is what apt would take.
    depends = [re.split(r"[ (|:]", name.strip())[0] for name in field(package, "Depends").split(",")]
    stamp = CLEAN_ROOT.with_name(CLEAN_ROOT.name + ".has")
    has = "\n".join(sorted(depends))
    if stamp.exists() and stamp.read_text() == has: return CLEAN_ROOT
    stamp.unlink(missing_ok=True)
    shutil.rmtree(CLEAN_ROOT, ignore_errors=True)
    CLEAN_ROOT.mkdir(parents=True)
    run("debootstrap", "--variant=minbase", "bookworm", CLEAN_ROOT, stdout=subprocess.DEVNULL)
    run("chroot", CLEAN_ROOT, "apt-get", "install", "--quiet", "--yes", "--no-install-recommends", "systemd", *depends,
        env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND": "noninteractive"}, stdout=subprocess.DEVNULL)
    run("chroot", CLEAN_ROOT, "apt-get", "clean")
    stamp.write_text(has)
    return CLEAN_ROOT


class Machine:
    """A booted Debian; what is changed in it is gone with it."""

    def __init__(self, packages):
        self.folder = tempfile.TemporaryDirectory(prefix="gridtide-machine-")
        notices = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        notices.bind(f"{self.folder.name}/notify")
        notices.settimeout(BOOT_SECONDS)
        self.log = open(f"{self.folder.name}/log", "w+")
        self.process = subprocess.Popen(
            ["systemd-nspawn", "--quiet", f"--directory={CLEAN_ROOT}", "--volatile=overlay", "--boot", "--private-network",
             "--register=no", "--keep-unit", "--notify-ready=yes", "--console=pipe", f"--bind-ro={packages}:/packages",
             f"--machine=gridtide-{os.getpid()}"],
            env=os.environ | {"NOTIFY_SOCKET": f"{self.folder.name}/notify"},
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=subprocess.STDOUT)
        leader, is_ready = None, False
        try:
            while not (leader and is_ready):
                notice = notices.recv(4096).decode()
                if found := re.search(r"X_NSPAWN_LEADER_PID=(\d+)", notice): leader = found[1]
                is_ready = is_ready or "READY=1" in notice.splitlines()
        except TimeoutError:
            self.close()
            sys.exit(f"the machine did not boot within {BOOT_SECONDS} s")
        self.leader = leader

    def call(self, *command):
        environment = ["env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C.UTF-8", "DEBIAN_FRONTEND=noninteractive"]
        return subprocess.run(["nsenter", f"--target={self.leader}", "--all", "--", *environment, *map(str, command)],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=COMMAND_SECONDS)

    def run(self, *command):
        done = self.call(*command)
        if done.returncode: sys.exit(f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout}")
        return done.stdout

    def says(self, *command): return self.call(*command).stdout.strip()

    def close(self):
        self.process.send_signal(signal.SIGTERM)
        try: self.process.wait(30)
        except subprocess.TimeoutExpired:
            # Killed, it would leave its mounts and its leader behind; told a second time, it ends at once.
            self.process.send_signal(signal.SIGTERM)
            self.process.wait()
        self.log.close()
        self.folder.cleanup()


def files(machine):
    paths = machine.run("find", "/", "-xdev", "-not", "-type", "d").splitlines()
    paths += machine.run("find", "/etc", "/usr", "/var/lib", "-xdev", "-type", "d").splitlines()
    return {path for path in paths if not re.match(PASSING, path)}


def users(machine): return set(machine.run("getent", "passwd").splitlines() + machine.run("getent", "group").splitlines())


def keys(machine): return machine.run("sh", "-c", "sha256sum /etc/gridtide/keys/*")


def process(machine, service): return machine.says("systemctl", "show", "--property=MainPID", "--value", f"gridtide-{service}")


def venues(machine): return {venue["name"] for venue in json.loads(machine.run("energyctl", "venues", "list", "--json", OWNER))["venues"]}


def later(package, folder):
    """The same package with a higher version."""
    content = folder / "content"
    run("dpkg-deb", "--raw-extract", package, content)
    control = content / "DEBIAN/control"
    control.write_text(re.sub(r"(?m)^Version: (.*)$", r"Version: \1+later", control.read_text()))
    run("dpkg-deb", "--build", "-Znone", content, folder / "later.deb", stdout=subprocess.DEVNULL)
    shutil.rmtree(content)


def check_running(machine):
    for service in SERVICES:
        check(machine.says("systemctl", "is-active", f"gridtide-{service}") == "active", f"{service} is started",
              why=lambda: machine.says("journalctl", "--output=cat", f"--unit=gridtide-{service}"))
        status = machine.run("cat", f"/proc/{process(machine, service)}/status")
        user = machine.run("id", "--user", f"gridtide-{service}").strip()
        check(re.search(r"Uid:\s+(\d+)", status)[1] == user != "0", f"{service} runs as a user of its own")
        lines = machine.run("journalctl", "--quiet", "--output=cat", f"_SYSTEMD_UNIT=gridtide-{service}.service").splitlines()
        # Swift's runtime tells that nobody may have threads of a higher priority than others.
        strange = [line for line in lines if not line.startswith(("{", "Failed to set thread priority"))]
        check(lines and not strange, f"{service} logs JSON and nothing else", why=lambda: strange[0] if strange else "nothing")
    check(machine.says("systemctl", "is-active", "gridtide-device-simulator") == "inactive", "the simulator is not started")
    machine.run("energyctl", "health", OWNER)
    check(True, "all services say that they serve")


def check_units(machine):
    for service in ALL:
        unit = f"gridtide-{service}.service"
        check(machine.run("systemd-analyze", "verify", unit) == "", f"{unit} is verified")
        exposure = machine.run("systemd-analyze", "security", "--no-pager", unit).strip().splitlines()[-1]
        tenths = round(float(re.search(r": (\d+\.\d+) ", exposure)[1]) * 10)
        check(tenths <= EXPOSURE_MAX, f"{unit} is exposed to {tenths / 10}, at most {EXPOSURE_MAX / 10}")


def check_guidance(machine):
    guidance = json.loads(machine.run("energyctl", "guidance", "--json", OWNER))
    ratings = [value["rating"] for value in guidance["values"]]
    check(len(ratings) >= 24 and all(0 <= rating <= 1 for rating in ratings), f"guidance of {len(ratings)} spans is served")
    check(machine.call("energyctl", "guidance").returncode == 77, "nobody is let in without a key")


def check_secrets(machine):
    for name in ALL + ["owner"]:
        path = f"/etc/gridtide/keys/{name}.{'yaml' if name == 'owner' else 'key'}"
        check(machine.says("stat", "--format=%U %a", path) == "root 600", f"only root reads {path}")
    for service in SERVICES:
        state = f"/var/lib/gridtide/{service}"
        check(machine.says("stat", "--format=%U %a", state) == f"gridtide-{service} 700", f"only {service} reads {state}")


def check_upgrade(machine):
    before, processes = keys(machine), [process(machine, service) for service in SERVICES]
    machine.run("energyctl", "venues", "add", "--name=Cabin", "--region=CISO", "--zone=America/Los_Angeles", OWNER)
    machine.run("sh", "-c", "echo 'log: { level: debug }' >> /etc/gridtide/scheduler.yaml")
    machine.run("dpkg", "--install", "/packages/later.deb")
    check(keys(machine) == before, "an upgrade keeps the keys")
    check("Cabin" in venues(machine), "an upgrade keeps the state")
    check("level: debug }" in machine.run("cat", "/etc/gridtide/scheduler.yaml"), "an upgrade keeps changed settings")
    check(not set(processes) & {process(machine, service) for service in SERVICES}, "an upgrade starts the services again")
    check_running(machine)


def check_removal(machine):
    before = keys(machine)
    machine.run("dpkg", "--remove", "gridtide")
    check(machine.call("test", "-e", "/usr/bin/energyctl").returncode == 1, "removing removes the programs")
    running = machine.says("sh", "-c", "ls -l /proc/[0-9]*/exe 2>/dev/null | grep /usr/lib/gridtide")
    check(running == "", "removing stops the services")
    check(keys(machine) == before, "removing keeps the keys")
    machine.run("dpkg", "--install", "/packages/gridtide.deb")
    check(keys(machine) == before and "Cabin" in venues(machine), "installed again, it continues with keys and state")


def main(package):
    run("lintian", "--fail-on=error", "--tag-display-limit=0", package)
    check(True, "lintian finds no error")
    clean_root(package)
    with tempfile.TemporaryDirectory(prefix="gridtide-packages-") as folder:
        folder = pathlib.Path(folder)
        shutil.copy(package, folder / "gridtide.deb")
        later(package, folder)
        with contextlib.closing(Machine(folder)) as machine:
            files_before, users_before = files(machine), users(machine)
            machine.run("dpkg", "--install", "/packages/gridtide.deb")
            check_running(machine)
            check_units(machine)
            check_secrets(machine)
            check_guidance(machine)
            check_upgrade(machine)
            check_removal(machine)
            machine.run("dpkg", "--purge", "gridtide")
            check(sorted(files(machine) ^ files_before) == [], "purging leaves no file")
            check(users(machine) == users_before, "purging leaves no user")


if __name__ == "__main__":
    if len(sys.argv) != 2: sys.exit(__doc__)
    if os.geteuid() != 0: sys.exit("this boots a machine, which needs root: sudo make deb-test")
    main(pathlib.Path(sys.argv[1]).resolve())
