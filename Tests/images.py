#!/usr/bin/env python3
"""Builds the image and looks at what is in it.

Podman gets a store and a configuration of its own, in a folder that is removed. Needs root, and the Debian package
in .build-deb. `make images-test` runs it.
"""
import json, os, pathlib, subprocess, sys, tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
USER = "64738"
# In MB: five programs with Swift's runtime, libraries, time zones. One that grows beyond has got something it should not.
SIZE_MAX = 700
COMMAND_SECONDS = 300
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
    root = ROOT / ".build-deb/image-root"
    shells = [path for path in root.rglob("*") if path.name in ("sh", "bash", "busybox", "apt", "dpkg") and path.is_file()]
    check(shells == [], "there is no shell and no package manager in it")
    writable = [path for path in root.rglob("*") if not path.is_symlink() and path.stat().st_mode & 0o6002 and path.name != "tmp"]
    check(writable == [], "nothing in it is anybody's to write, or runs as somebody else")


def main():
    with tempfile.TemporaryDirectory(prefix="gridtide-images-") as folder:
        engine = Engine(folder)
        image = engine.run(ROOT / "deploy/make-images.sh").splitlines()[-1]
        try:
            check_image(engine, image)
        finally:
            engine.call("podman", "rmi", "--all", "--force")


if __name__ == "__main__":
    if os.geteuid() != 0: sys.exit("its store needs root: sudo make images-test")
    main()
