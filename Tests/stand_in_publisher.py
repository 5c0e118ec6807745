"""A guidance publisher for torture.py and flood.py, which need only an ingestor."""


def answer(socket, contract, principal):
    """Answers on a bound ROUTER socket, for ever. Knows every token: it is of the venue with the same id, for `principal`."""
    while True:
        peer, frame = socket.recv_multipart()
        kind, header, body = contract.parse_frame(frame)
        if kind == "PING":
            socket.send_multipart([peer, contract.frame("PONG", call_id=header.call_id)])
        elif kind == "REQUEST":
            request = contract.message("ResolveTokenRequest")
            request.ParseFromString(body)
            reply = contract.message("ResolvedToken", token=request.token, venue_id=request.token, action=1,
                                     issued_unix_ms=1_700_000_000_000, principals=[principal])
            socket.send_multipart([peer, contract.frame("REPLY", reply.SerializeToString(), call_id=header.call_id)])
