"""Tries to get into a service with pyzmq alone, and says how it was refused. What is said of intruder.c holds here."""
import pathlib
import socket as tcp
import sys
import uuid

import zmq
from zmq.utils.monitor import recv_monitor_message

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "clients/python"))
from gridtide_client import Contract  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CONTRACT = Contract((ROOT / "Sources/Core/EnergyWire/energy.v1.descriptorset").read_bytes())
PATIENCE_MS = 3000
ENDS = (zmq.EVENT_HANDSHAKE_SUCCEEDED | zmq.EVENT_HANDSHAKE_FAILED_AUTH | zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL
        | zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL)

name = sys.argv[1]
values = dict(text.split("=", 1) for text in sys.argv[2:])
context = zmq.Context()


def new_socket(kind, secret=None, server=None):
    socket = context.socket(kind)
    socket.linger = 0
    if secret:
        socket.curve_serverkey = server.encode()
        socket.curve_publickey = zmq.curve_public(secret.encode())
        socket.curve_secretkey = secret.encode()
    return socket


def known_socket(kind=zmq.DEALER):
    return new_socket(kind, values["secret"], values["server"])


def handshake(socket, address):
    monitor = socket.get_monitor_socket(ENDS)
    socket.connect(address)
    if not monitor.poll(PATIENCE_MS):
        return "no end of the handshake"
    event = recv_monitor_message(monitor)["event"]
    if event == zmq.EVENT_HANDSHAKE_SUCCEEDED:
        return "let in"
    is_known = event == zmq.EVENT_HANDSHAKE_FAILED_AUTH
    return "refused: not admitted" if is_known else "refused: no common handshake"


def let_in(routing_id=None):
    socket = known_socket()
    if routing_id:
        socket.setsockopt(zmq.ROUTING_ID, routing_id)
    end = handshake(socket, values["requests"])
    if end != "let in":
        print(end)
        sys.exit()
    return socket


calls = iter(range(1, 1 << 60))


def frame(method, body=b""):
    return CONTRACT.frame("REQUEST", body, call_id=next(calls), method=f"energy.v1.{method}", credit=8)


def ask(socket, method, body=b"", patience_ms=PATIENCE_MS):
    """The status of the answer; None when none comes."""
    socket.send(frame(method, body), zmq.DONTWAIT)
    return CONTRACT.parse_frame(socket.recv())[1].status if socket.poll(patience_ms) else None


def say(status):
    print("unanswered" if status is None else f"status {status}", flush=True)


def message(kind, **fields):
    return CONTRACT.message(kind, **fields).SerializeToString()


def subscribe(prefix):
    socket = known_socket(zmq.SUB)
    socket.subscribe(prefix)
    print(handshake(socket, values["publications"]))


def dial():
    return tcp.create_connection(("127.0.0.1", int(values["requests"].rsplit(":", 1)[1])))


def record():
    """What a client says that is let in: it asks through a relay."""
    with tcp.create_server(("127.0.0.1", 0)) as listener:
        client = known_socket()
        client.connect(f"tcp://127.0.0.1:{listener.getsockname()[1]}")
        near, far, said = listener.accept()[0], dial(), b""
    client.send(frame("Venues/List"))
    poller = zmq.Poller()
    for item in (client, near, far):
        poller.register(item, zmq.POLLIN)
    while True:
        ready = dict(poller.poll(PATIENCE_MS))
        assert ready, "nothing to record"
        if client in ready:
            return said
        if near.fileno() in ready:
            said += (part := near.recv(4096))
            far.sendall(part)
        if far.fileno() in ready:
            near.sendall(far.recv(4096))


def replay():
    said, heard = record(), 0
    with dial() as connection:
        connection.settimeout(PATIENCE_MS / 1000)
        connection.sendall(said)
        try:
            while part := connection.recv(4096):
                heard += len(part)
        except OSError:
            pass
    # A greeting of 64 bytes and WELCOME of 170; READY comes to a client that was let in, and only then.
    print("refused: no common handshake" if heard <= 64 + 170 else "let in")


def takeover():
    first, second, unnamed = let_in(b"gateway"), let_in(b"gateway"), let_in()
    if [ask(socket, "Venues/List", patience_ms=1000) for socket in (first, second)] != [None, None]:
        print("answered")
    else:
        say(ask(unnamed, "Venues/List"))


def garbage():
    """No frame is answered; what comes after it is."""
    socket = let_in()
    socket.send(b"garbage")
    print("answered") if socket.poll(500) else say(ask(socket, "Venues/List"))


def until_revoked():
    socket = let_in()
    status = ask(socket, "Venues/List")
    say(status)
    while status == 0:
        status = ask(socket, "Venues/List")
    say(status)
    # That may have been the end of a call in flight; this one comes after the revocation.
    say(ask(socket, "Venues/List"))


CASES = {
    "no-key": lambda: print(handshake(new_socket(zmq.DEALER), values["requests"])),
    "wrong-key": lambda: print(
        handshake(new_socket(zmq.DEALER, zmq.curve_keypair()[1].decode(), values["server"]), values["requests"])),
    "known-key": lambda: say(ask(let_in(), "Venues/List")),
    "other-server": lambda: print(
        handshake(new_socket(zmq.DEALER, values["secret"], values["other"]), values["requests"])),
    "other-venue": lambda: say(
        ask(let_in(), "Guidance/Get", message("GuidanceRequest", venue_id=uuid.UUID(values["venue"]).bytes, action=1))),
    "subscribe-all": lambda: subscribe(b""),
    "subscribe-prefix": lambda: subscribe(b"guidance/"),
    "follow-all": lambda: say(ask(let_in(), "Publications/Follow", message("FollowRequest", prefix=""))),
    "follow-prefix": lambda: say(ask(let_in(), "Publications/Follow", message("FollowRequest", prefix="guidance/"))),
    "own-name": lambda: say(ask(let_in(b"gateway"), "Venues/List", patience_ms=1000)),
    "name-like-routers": lambda: say(ask(let_in(b"\0\1\2\3\4"), "Venues/List", patience_ms=1000)),
    "takeover": takeover,
    "garbage": garbage,
    # Groups in groups, and none of them ends.
    "nested": lambda: say(ask(let_in(), "Guidance/Get", bytes([1 << 3 | 3]) * 300)),
    "too-large": lambda: say(ask(let_in(), "Venues/List", bytes(70_000))),
    "replay": replay,
    "until-revoked": until_revoked,
}
CASES[name]()
sys.stdout.flush()
# Sockets that were refused are no reason to wait.
context.destroy(linger=0)
