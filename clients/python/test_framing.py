"""Tests gridtide_client.py, and the examples of proto/README.md, against a server that lives in this file.

Run it as a script: it prints each step and ends with 0 when all went well.
"""

import pathlib
import re
import subprocess
import sys
import tempfile
import threading

import zmq

from gridtide_client import CallFailure, Connection, Contract, Head, Joined, Missed, Publication, Subscription

ROOT = pathlib.Path(__file__).resolve().parents[2]
CONTRACT = Contract.of_protos(ROOT / "proto")
CONTEXT = zmq.Context()


class FakeServer(threading.Thread):
    """One ROUTER, one XPUB. It answers a few methods, and does what it is told over an inproc socket."""

    def __init__(self):
        super().__init__(daemon=True)
        self.router, self.publisher = CONTEXT.socket(zmq.ROUTER), CONTEXT.socket(zmq.XPUB)
        self.publisher.setsockopt(zmq.XPUB_VERBOSE, 1)
        self.control, self.telling = CONTEXT.socket(zmq.PAIR), CONTEXT.socket(zmq.PAIR)
        self.control.bind("inproc://control")
        self.telling.connect("inproc://control")
        self.requests = f"tcp://127.0.0.1:{self.router.bind_to_random_port('tcp://127.0.0.1')}"
        self.publications = f"tcp://127.0.0.1:{self.publisher.bind_to_random_port('tcp://127.0.0.1')}"
        self.retained = []
        self.epoch = 7
        self.streams = {}
        self.start()

    def tell(self, command):
        """Returns once the server has done it."""
        self.telling.send_string(command)
        if command != "stop":
            self.telling.recv()

    def run(self):
        poller = zmq.Poller()
        for socket in (self.router, self.publisher, self.control):
            poller.register(socket, zmq.POLLIN)
        while True:
            for socket, _ in poller.poll():
                if socket is self.control:
                    command = self.control.recv_string()
                    if command == "stop":
                        for each in (self.router, self.publisher, self.control):
                            each.close(linger=0)
                        return
                    self.publish(*command.split(" "))
                    self.control.send_string("done")
                elif socket is self.publisher:
                    self.subscribed(self.publisher.recv())
                else:
                    self.asked(self.router.recv_multipart())

    def publish(self, verb, text=""):
        topic = b"guidance/home/shift/"
        if verb == "restart":
            self.epoch, self.retained = self.epoch + 1, []
            return
        self.retained.append(text.encode())
        if verb == "publish":
            self.say(topic, "PUBLICATION", text.encode())
        elif verb == "head":
            self.say(topic, "HEAD", published_unix_ms=2)
        # "lose": nobody is told

    def say(self, topic, kind, body=b"", published_unix_ms=1, **header):
        frame = CONTRACT.frame(
            kind, body, publisher=b"p" * 16, epoch=self.epoch, topic_sequence=len(self.retained),
            published_unix_ms=published_unix_ms, **header,
        )
        self.publisher.send_multipart([topic, frame])

    def subscribed(self, message):
        if message[:1] == b"\x01":
            self.say(message[1:], "WELCOME", sequence=1 if self.retained else 0)
            if self.retained:
                self.say(b"guidance/home/shift/", "HEAD")

    def asked(self, parts):
        *address, frame = parts  # a REQ client puts an empty part before the frame
        kind, header, body = CONTRACT.parse_frame(frame)

        def answer(kind, body=b"", **fields):
            self.router.send_multipart([*address, CONTRACT.frame(kind, body, call_id=header.call_id, **fields)])

        if kind == "PING":
            answer("PONG")
        elif kind == "CREDIT" and header.call_id in self.streams:
            self.streams[header.call_id][0] += header.credit
            self.write(header.call_id, answer)
        elif kind == "CANCEL" and self.streams.pop(header.call_id, None):
            answer("END", status=1, message="cancelled")
        elif kind == "REQUEST" and header.method == "energy.v1.Health/Watch":
            self.streams[header.call_id] = [header.credit, 0]
            self.write(header.call_id, answer)
        elif kind == "REQUEST" and header.method == "energy.v1.Venues/List":
            reply = CONTRACT.message("ListVenuesReply")
            reply.venues.add(name="Home", time_zone="Europe/Paris")
            answer("REPLY", reply.SerializeToString())
        elif kind == "REQUEST" and header.method == "energy.v1.Publications/Fetch":
            request = CONTRACT.message("FetchRequest")
            request.ParseFromString(body)
            if request.epoch != self.epoch or self.retained[0] == b"forgotten":
                answer("REPLY", status=11, message="too old")
                return
            reply = CONTRACT.message("FetchReply", newest_sequence=len(self.retained))
            for sequence in range(request.from_sequence, len(self.retained) + 1):
                reply.publications.add(sequence=sequence, body=self.retained[sequence - 1])
            answer("REPLY", reply.SerializeToString())
        elif kind == "REQUEST":
            details = CONTRACT.message("StatusDetails")
            details.violations.add(index=3, field="device.id", rule="must be short", value="long")
            answer("REPLY", status=12, message="no such method", details=details.SerializeToString())

    def write(self, call_id, answer):
        """Five chunks, as far as the credit goes."""
        stream = self.streams[call_id]
        while stream[0] > 0 and stream[1] < 5:
            answer("CHUNK", CONTRACT.message("HealthCheckReply", status=1).SerializeToString(), sequence=stream[1])
            stream[0], stream[1] = stream[0] - 1, stream[1] + 1
        if stream[1] == 5:
            del self.streams[call_id]
            answer("END", sequence=5)


def expect(condition, what):
    print(("ok    " if condition else "WRONG ") + what, flush=True)
    if not condition:
        sys.exit(1)


def test_requests(server):
    connection = Connection(CONTRACT, server.requests, context=CONTEXT)
    venues = connection.call("Venues/List").venues
    expect([venue.name for venue in venues] == ["Home"], "a reply has its body")
    try:
        connection.call("Venues/Get", id=b"1" * 16)
        expect(False, "a refusal is raised")
    except CallFailure as failure:
        violation = failure.violations[0]
        expect(failure.status == "UNIMPLEMENTED", "a refusal has its status")
        expect((violation.index, violation.field) == (3, "device.id"), "a refusal has its details")
    for credit in (1, 2, 8):
        expect(len(list(connection.stream("Health/Watch", credit=credit))) == 5, f"a stream with credit {credit} ends")
    stream = connection.stream("Health/Watch", credit=1)
    next(stream)
    connection.ping()
    stream.close()
    connection.ping()
    expect(not server.streams, "a stream that is closed is cancelled")
    connection.close()


def test_subscription(server):
    connection = Connection(CONTRACT, server.requests, context=CONTEXT)
    server.tell("lose before")
    subscription = Subscription(connection, server.publications, "guidance/home/", CONTEXT)
    subscription.wait_for(Joined)
    expect(True, "a subscription is welcomed")
    expect(subscription.wait_for(Head).sequence == 1, "and told where its topic stands")
    server.tell("publish one")
    server.tell("lose two")
    server.tell("lose three")
    server.tell("publish four")
    server.tell("head five")
    bodies = [subscription.wait_for(Publication).body.decode() for _ in range(5)]
    expect(bodies == ["one", "two", "three", "four", "five"], "what is lost is fetched, in order")
    server.tell("restart")
    server.tell("publish again")
    other = Subscription(connection, server.publications, "guidance/home/", CONTEXT)
    other.wait_for(Joined)
    subscription.wait_for(Joined)
    expect(True, "a publisher that has started again is joined anew")
    server.tell("restart")
    server.tell("lose forgotten")
    third = Subscription(connection, server.publications, "guidance/home/", CONTEXT)
    third.wait_for(Head)
    server.tell("lose 3")
    server.tell("publish 4")
    expect(third.wait_for(Missed).topic == "guidance/home/shift/", "what is lost for good is told")
    expect(third.wait_for(Publication).body == b"4", "and what follows is delivered")
    for each in (subscription, other, third, connection):
        each.close()


def test_readme(server):
    readme = (ROOT / "proto/README.md").read_text()
    for example in re.findall(r"^    ((?:[0-9a-f]{2} )+.*)$", readme, re.MULTILINE):
        hex_bytes = re.match(r"(?:[0-9a-f]{2} ?)+", example)[0]
        if not hex_bytes.startswith("a7 01"):
            continue
        kind, header, body = CONTRACT.parse_frame(bytes.fromhex(hex_bytes))
        frame = CONTRACT.frame(kind, body, **{field.name: value for field, value in header.ListFields()[1:]})
        expect(frame == bytes.fromhex(hex_bytes), f"the README's {kind} is one")
    program = re.search(r"```python\n(.*?)```", readme, re.DOTALL)[1].replace("tcp://127.0.0.1:7400", server.requests)
    with tempfile.TemporaryDirectory() as folder:
        protos = sorted(map(str, (ROOT / "proto").glob("energy/v1/*.proto")))
        subprocess.run(["protoc", f"--proto_path={ROOT / 'proto'}", f"--python_out={folder}", *protos], check=True)
        output = subprocess.run(
            [sys.executable, "-c", program], cwd=folder, stdout=subprocess.PIPE, check=True, timeout=30
        ).stdout
    expect(b'name: "Home"' in output, "the README's ten-line client works")


def main():
    server = FakeServer()
    test_requests(server)
    test_subscription(server)
    test_readme(server)
    server.tell("stop")
    server.join(10)
    server.telling.close()
    CONTEXT.term()


main()
