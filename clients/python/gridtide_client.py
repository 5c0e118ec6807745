"""A small client of Gridtide's wire, written from `proto/` alone: its README.md and its .proto files.

Needs pyzmq and protobuf. A `Connection` asks one service, a `Subscription` follows one prefix of its publications;
neither may be shared between threads. Messages are protobuf's own, made from a descriptor set:

    contract = Contract.of_protos("../../proto")
    guidance = Connection(contract, "tcp://127.0.0.1:7400")
    for venue in guidance.call("Venues/List").venues:
        print(venue.name)
"""

import itertools
import pathlib
import re
import subprocess
import tempfile
import time

import zmq
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from zmq.utils.monitor import recv_monitor_message

PACKAGE = "energy.v1"
MAGIC, MAJOR_VERSION = 0xA7, 1
PREFIX_BYTES, HEADER_BYTES_MAX = 4, 8 * 1024
PING_SECONDS = 5.0
WELCOME_SECONDS = 2.0

STATUS_NAMES = (
    "OK CANCELLED UNKNOWN INVALID_ARGUMENT DEADLINE_EXCEEDED NOT_FOUND ALREADY_EXISTS PERMISSION_DENIED "
    "RESOURCE_EXHAUSTED FAILED_PRECONDITION ABORTED OUT_OF_RANGE UNIMPLEMENTED INTERNAL UNAVAILABLE DATA_LOSS "
    "UNAUTHENTICATED"
).split()


class CallFailure(Exception):
    """A call that did not end well: `status` is one of STATUS_NAMES, `violations` say which field broke which rule.

    With `ask_another` nothing was begun: another replica of the service may do it.
    """

    def __init__(self, status, message, retry_after_ms=0, violations=(), ask_another=False):
        super().__init__(f"{status}: {message}")
        self.status = status
        self.message = message
        self.retry_after_ms = retry_after_ms
        self.violations = list(violations)
        self.ask_another = ask_another


class Contract:
    """The messages and methods of a descriptor set."""

    def __init__(self, descriptor_set):
        """descriptor_set: the bytes of a google.protobuf.FileDescriptorSet."""
        self.files = descriptor_pb2.FileDescriptorSet.FromString(descriptor_set)
        self.pool = descriptor_pool.DescriptorPool()
        for file in self.files.file:
            self.pool.Add(file)

    @classmethod
    def of_protos(cls, folder):
        """Compiles `folder`/energy/v1/*.proto; needs protoc."""
        folder = pathlib.Path(folder)
        with tempfile.NamedTemporaryFile() as output:
            subprocess.run(
                ["protoc", f"--proto_path={folder}", "--include_imports", f"--descriptor_set_out={output.name}"]
                + sorted(map(str, folder.glob("energy/v1/*.proto"))),
                check=True,
            )
            return cls(output.read())

    def message(self, name, /, **fields):
        """A new message, for example message("Interval", start_unix_ms=0, end_unix_ms=1)."""
        return message_factory.GetMessageClass(self.pool.FindMessageTypeByName(f"{PACKAGE}.{name}"))(**fields)

    def enum(self, name, value):
        return self.pool.FindEnumTypeByName(f"{PACKAGE}.{name}").values_by_name[value].number

    def method(self, name):
        """The descriptor of "Service/Method"."""
        service, method = name.removeprefix(f"{PACKAGE}.").split("/")
        return self.pool.FindServiceByName(f"{PACKAGE}.{service}").FindMethodByName(method)

    def method_names(self):
        return {
            f"{file.package}.{service.name}/{method.name}"
            for file in self.files.file
            for service in file.service
            for method in service.method
        }

    def frame(self, kind, body=b"", **header):
        header = self.message("Header", kind=self.enum("FrameKind", f"FRAME_KIND_{kind}"), **header)
        header = header.SerializeToString()
        return bytes([MAGIC, MAJOR_VERSION]) + len(header).to_bytes(2, "big") + header + body

    def parse_frame(self, frame):
        """The kind, header and body of a frame."""
        if len(frame) < PREFIX_BYTES or frame[0] != MAGIC or frame[1] != MAJOR_VERSION:
            raise ValueError(f"not a frame of version {MAJOR_VERSION}: {frame[:PREFIX_BYTES].hex()}")
        end = PREFIX_BYTES + int.from_bytes(frame[2:4], "big")
        if end > len(frame) or end > PREFIX_BYTES + HEADER_BYTES_MAX:
            raise ValueError("the header is longer than the frame, or than allowed")
        header = self.message("Header")
        header.ParseFromString(frame[PREFIX_BYTES:end])
        kind = self.pool.FindEnumTypeByName(f"{PACKAGE}.FrameKind").values_by_number.get(header.kind)
        return (kind.name if kind else "FRAME_KIND_UNSPECIFIED").removeprefix("FRAME_KIND_"), header, frame[end:]

    def failure(self, header):
        """What a REPLY or END says; None for OK."""
        if header.status == 0:
            return None
        known = header.status < len(STATUS_NAMES)
        details = self.message("StatusDetails")
        details.ParseFromString(header.details)
        return CallFailure(
            STATUS_NAMES[header.status] if known else "UNKNOWN",
            header.message,
            header.retry_after_ms,
            details.violations,
            header.ask_another,
        )


class Keys:
    """What services that demand keys are shown: one's own key pair, and the public keys that the service may have."""

    def __init__(self, secret, *servers):
        self.public, self.secret, self.servers = zmq.curve_public(secret), secret, servers

    @staticmethod
    def of_file(path):
        """By service, from a file that `energyctl keys client` made."""
        values = {}
        for name, value in re.findall(r"^ +(\w+): (.*)$", pathlib.Path(path).read_text(), re.MULTILINE):
            # Z85 has every kind of bracket, but no quote.
            if keys := re.findall(r'"(.{40})"', value):
                values[name] = [key.encode() for key in keys]
        (secret,) = values.pop("secret")
        return {service: Keys(secret, *servers) for service, servers in values.items()}

    def found_at(self, address, timeout=5.0, context=None):
        """These keys with the one server key that the service at `address` has now: each is tried in turn. While a service
        changes its key, it may have either; after the change, look again."""
        for server in self.servers[:-1]:
            if self.is_server_key(server, address, timeout, context):
                return Keys(self.secret, server)
        # The last one is not tried: a service that is not there yet may have it.
        return Keys(self.secret, self.servers[-1]) if len(self.servers) > 1 else self

    def is_server_key(self, server, address, timeout, context):
        """Whether a handshake that expects this key comes so far that the service says yes or no to ours."""
        socket = new_socket(zmq.DEALER, Keys(self.secret, server), context)
        monitor = socket.get_monitor_socket(
            zmq.EVENT_HANDSHAKE_SUCCEEDED
            | zmq.EVENT_HANDSHAKE_FAILED_AUTH
            | zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL
            | zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL
        )
        try:
            socket.connect(address)
            if not monitor.poll(timeout * 1000):
                return False
            event = recv_monitor_message(monitor)["event"]
            return event in (zmq.EVENT_HANDSHAKE_SUCCEEDED, zmq.EVENT_HANDSHAKE_FAILED_AUTH)
        finally:
            socket.disable_monitor()
            socket.close()


def new_socket(kind, keys=None, context=None):
    """With several server keys, the first of them: `Keys.found_at` finds the right one."""
    socket = (context or zmq.Context.instance()).socket(kind)
    socket.linger = 0
    if keys:
        socket.curve_serverkey, socket.curve_publickey, socket.curve_secretkey = (
            keys.servers[0],
            keys.public,
            keys.secret,
        )
    return socket


class Connection:
    """Asks one service: a DEALER socket, with any number of calls in flight."""

    def __init__(self, contract, address, keys=None, context=None):
        self.contract = contract
        self.address = address
        self.keys = keys.found_at(address, context=context) if keys else None
        self.socket = new_socket(zmq.DEALER, self.keys, context)
        self.socket.connect(address)
        self.call_ids = itertools.count(1)
        self.arrived = {}  # call id -> frames not yet taken
        self.is_draining = False

    def close(self):
        self.socket.close()

    def call(self, method, request=None, timeout=10.0, **fields):
        """Calls a unary method; the request is given whole or by its fields."""
        descriptor = self.contract.method(method)
        call_id = self.begin(descriptor, request, timeout, fields)
        try:
            kind, header, body = self.take(call_id, time.monotonic() + timeout)
        finally:
            self.forget(call_id)
        if failure := self.contract.failure(header):
            raise failure
        if kind != "REPLY":
            raise CallFailure("INTERNAL", f"{kind} where a REPLY was expected")
        return self.decode(descriptor, body)

    def stream(self, method, request=None, timeout=60.0, credit=8, **fields):
        """Yields the chunks of a streaming method. The server may be `credit` chunks ahead. Closing it cancels."""
        descriptor = self.contract.method(method)
        deadline = time.monotonic() + timeout
        call_id = self.begin(descriptor, request, timeout, fields, credit)
        is_over, expected, granted = False, 0, credit
        try:
            while True:
                kind, header, body = self.take(call_id, deadline)
                if kind in ("END", "REPLY"):  # a request that is refused at once gets a REPLY
                    is_over = True
                    if failure := self.contract.failure(header):
                        raise failure
                    if header.sequence != expected:
                        raise CallFailure("UNAVAILABLE", "chunks were lost")
                    return
                if header.sequence != expected:
                    raise CallFailure("UNAVAILABLE", "chunks were lost")
                if expected >= granted:
                    raise CallFailure("INTERNAL", "more chunks came than there was credit for")
                expected += 1
                yield self.decode(descriptor, body)
                granted += 1
                self.send("CREDIT", call_id=call_id, credit=1)
        finally:
            self.forget(call_id)
            if not is_over:
                self.send("CANCEL", call_id=call_id)

    def ping(self, timeout=10.0):
        """Returns once the service has answered. Frames keep their order: what was sent before PONG has arrived."""
        call_id = next(self.call_ids)
        self.arrived[call_id] = []
        self.send("PING", call_id=call_id)
        try:
            while self.take(call_id, time.monotonic() + timeout)[0] != "PONG":
                pass
        finally:
            self.forget(call_id)

    def begin(self, descriptor, request, timeout, fields, credit=0):
        if request is None:
            request = message_factory.GetMessageClass(descriptor.input_type)(**fields)
        call_id = next(self.call_ids)
        self.arrived[call_id] = []
        self.send(
            "REQUEST",
            request.SerializeToString(),
            call_id=call_id,
            method=f"{descriptor.containing_service.full_name}/{descriptor.name}",
            timeout_us=int(timeout * 1_000_000),
            credit=credit,
        )
        return call_id

    def send(self, kind, body=b"", **header):
        self.socket.send(self.contract.frame(kind, body, **header))

    def take(self, call_id, deadline):
        """The call's next frame. Says PING while it waits, so that the service does not take this client for gone."""
        while not self.arrived[call_id]:
            rest = deadline - time.monotonic()
            if rest <= 0:
                self.send("CANCEL", call_id=call_id)
                raise CallFailure("DEADLINE_EXCEEDED", f"no answer from {self.address} in time")
            if self.socket.poll(min(rest, PING_SECONDS) * 1000):
                self.receive()
            elif rest > PING_SECONDS:
                self.send("PING")
        return self.arrived[call_id].pop(0)

    def receive(self):
        kind, header, body = self.contract.parse_frame(self.socket.recv())
        if kind == "GOAWAY":
            self.is_draining = True
        elif header.call_id in self.arrived:
            self.arrived[header.call_id].append((kind, header, body))

    def forget(self, call_id):
        self.arrived.pop(call_id, None)

    def decode(self, descriptor, body):
        return message_factory.GetMessageClass(descriptor.output_type).FromString(body)


class Publication:
    def __init__(self, topic, sequence, body):
        self.topic, self.sequence, self.body = topic, sequence, body


class Missed:
    """Publications of the topic are lost for good: take a snapshot of it."""

    def __init__(self, topic):
        self.topic = topic


class Joined:
    """The subscription is in force, for the first time or anew: take a snapshot now."""


class Head:
    """The topic's newest publication is `sequence`, and it has been seen."""

    def __init__(self, topic, sequence):
        self.topic, self.sequence = topic, sequence


class Subscription:
    """Follows one prefix of a publisher's topics, and fetches over `connection` what it missed."""

    def __init__(self, connection, address, prefix, context=None):
        self.connection = connection
        self.contract = connection.contract
        self.prefix = prefix.encode()
        self.socket = new_socket(zmq.SUB, connection.keys, context)
        self.socket.connect(address)
        self.socket.subscribe(self.prefix)
        self.run = None  # the publisher and its epoch
        self.is_joined = False
        self.knows_all_topics = False
        self.welcomed_unix_ms = 0
        self.settled = {}  # topic -> the newest sequence that was delivered or came before joining
        self.events = []

    def close(self):
        self.socket.close()

    def next(self, timeout=10.0):
        """The next Joined, Publication, Head or Missed."""
        deadline = time.monotonic() + timeout
        while not self.events:
            rest = deadline - time.monotonic()
            if rest <= 0:
                raise TimeoutError(f"nothing about {self.prefix.decode()} in {timeout} s")
            if self.socket.poll(min(rest, WELCOME_SECONDS) * 1000):
                topic, frame = self.socket.recv_multipart()
                self.receive(topic, *self.contract.parse_frame(frame))
            elif not self.is_joined:
                # libzmq does not send a subscription twice: take it back first.
                self.socket.unsubscribe(self.prefix)
                self.socket.subscribe(self.prefix)
        return self.events.pop(0)

    def wait_for(self, kind, timeout=10.0, where=lambda event: True):
        """The next event of that kind which fulfils `where`; those before it are dropped."""
        deadline = time.monotonic() + timeout
        while True:
            event = self.next(max(0.0, deadline - time.monotonic()))
            if isinstance(event, kind) and where(event):
                return event

    def receive(self, topic, kind, header, body):
        run = (header.publisher, header.epoch)
        if self.run is not None and self.run[0] == run[0] and run[1] < self.run[1]:
            return  # of an earlier run
        if run != self.run:
            self.run, self.is_joined, self.settled = run, False, {}
        if kind == "WELCOME" and topic == self.prefix and not self.is_joined:
            self.is_joined = True
            self.knows_all_topics = header.sequence != 2**32 - 1
            self.welcomed_unix_ms = header.published_unix_ms
            self.events.append(Joined())
        elif kind == "HEAD":
            # A head of the welcome's own time tells where a topic stood; a new topic's sequence begins with 1.
            came_before = not self.is_joined or header.published_unix_ms <= self.welcomed_unix_ms
            if came_before:
                self.settled[topic] = max(self.settled.get(topic, 0), header.topic_sequence)
            self.catch_up(topic, header.topic_sequence)
            if self.is_joined:
                self.events.append(Head(topic.decode(), header.topic_sequence))
        elif kind == "PUBLICATION" and not self.is_joined:
            self.settled[topic] = header.topic_sequence
        elif kind == "PUBLICATION":
            self.catch_up(topic, header.topic_sequence - 1)
            self.deliver(topic, header.topic_sequence, body)

    def catch_up(self, topic, newest):
        """Fetches what lies between the last publication seen and `newest`."""
        self.settled.setdefault(topic, 0 if self.knows_all_topics else newest)
        while self.is_joined and self.settled[topic] < newest:
            before = self.settled[topic]
            try:
                reply = self.connection.call(
                    "Publications/Fetch", topic=topic.decode(), epoch=self.run[1], from_sequence=before + 1
                )
                for publication in reply.publications:
                    self.deliver(topic, publication.sequence, publication.body)
            except CallFailure:
                pass
            if self.settled[topic] == before:
                self.settled[topic] = newest
                self.events.append(Missed(topic.decode()))

    def deliver(self, topic, sequence, body):
        if sequence == self.settled.get(topic, 0) + 1:
            self.settled[topic] = sequence
            self.events.append(Publication(topic.decode(), sequence, body))
