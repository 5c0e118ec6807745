"""What tells where services are: dnsmasq, and python-zeroconf for the local network, which is this host alone.

Reads one request a line and answers each with one line:

    dns NAME PRIORITY:PORT:ADDRESS ...     a name server's port, which lists that under the name
    announce NAME PORT ...                 "announced", once this host tells these under the name, at 127.0.0.1
"""

import socket
import subprocess
import sys

from zeroconf import IPVersion, ServiceInfo, Zeroconf

# Of starting a name server, at another port each.
ATTEMPTS = 5


def serve(name, places):
    options = []
    for number, place in enumerate(places):
        priority, service, address = place.split(":")
        options += [f"--srv-host={name},host{number}.example.org,{service},{priority}",
                    f"--host-record=host{number}.example.org,{address}"]
    said = ""
    for _ in range(ATTEMPTS):
        port = free_port()
        server = subprocess.Popen(
            ["dnsmasq", "--no-daemon", f"--port={port}", "--listen-address=127.0.0.1", "--bind-interfaces",
             "--no-resolv", "--no-hosts", "--conf-file=/dev/null", "--user=root", *options],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        for line in server.stderr:
            said += line
            if "started" in line:
                return server, port
        server.wait()
    raise RuntimeError(f"dnsmasq does not start: {said}")


def free_port():
    """One that is free for datagrams and for streams, since dnsmasq listens for both. Another may still take it first."""
    while True:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as datagrams, socket.socket() as streams:
            datagrams.bind(("127.0.0.1", 0))
            port = datagrams.getsockname()[1]
            try:
                streams.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue


def announce(name, ports):
    zeroconf = Zeroconf(interfaces=["127.0.0.1"], ip_version=IPVersion.V4Only)
    for number, port in enumerate(ports):
        zeroconf.register_service(ServiceInfo(
            f"{name}.", f"gridtide {number}.{name}.", addresses=[socket.inet_aton("127.0.0.1")], port=int(port),
            server=f"gridtide-{number}.local."))
    return zeroconf


def main():
    servers, announced = [], []
    try:
        for line in sys.stdin:
            verb, name, *places = line.split()
            if verb == "dns":
                server, port = serve(name, places)
                servers.append(server)
                print(port, flush=True)
            else:
                announced.append(announce(name, places))
                print("announced", flush=True)
    finally:
        for zeroconf in announced:
            zeroconf.close()
        for server in servers:
            server.kill()


if __name__ == "__main__":
    main()
