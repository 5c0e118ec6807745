internal import ServiceEndpoints

/// What a service's address is for. The two take different sockets.
enum AddressUse: String, Sendable {
    case requests, publications
}

/// What comes of connecting to an address.
enum AddressState: Hashable, Sendable {
    /// The handshake came to a good end.
    case open
    case unknownName(String)
    /// The host, or the file system, is there, and nobody listens.
    case nobody
    /// No answer at all within the time.
    case silent
    /// The system's reason.
    case unreachable(String)
    /// Somebody listens who does not speak ZeroMQ, or says nothing.
    case otherProgram
    /// There is a key to show, and nobody there wants one.
    case demandsNoKey
    case demandsKey
    /// The other side is not whom the client's file says.
    case otherKey
    /// The other side knows that this is our key, and does not let it in.
    case notAdmitted
    /// ZeroMQ, but the handshake comes to no end: publications where requests are expected, mostly, or the other way
    /// round.
    case otherUse
    /// Publications, of another service.
    case otherPublisher(ServiceKind)
}

extension AddressState {
    func finding(_ service: ServiceKind, _ address: String, _ use: AddressUse, hasKeys: Bool) -> Finding {
        let (subject, check) = (service.executable, use.rawValue)
        func failure(_ found: String, _ remedy: String) -> Finding {
            .failure(subject, check, "\(address): \(found)", remedy)
        }
        switch self {
        case .open: return .ok(subject, check, "\(address) answers\(hasKeys ? ", and the keys fit" : "")")
        case .unknownName(let host):
            return failure(
                "no machine is called '\(host)' here",
                "Look at its spelling in the endpoints, ask with: getent hosts \(host), or say the IP address instead.")
        case .nobody:
            return failure("nobody listens there", "Start \(service.executable): \(ServiceRemedy.start(service))")
        case .silent:
            return failure(
                "no answer within the time",
                "Is the machine on, and does its firewall let this port through? --timeout waits longer.")
        case .unreachable(let reason): return failure(reason, "Look at the network of this machine, or the address.")
        case .otherProgram:
            return failure(
                "who listens there speaks no ZeroMQ: another program, or a service that hangs",
                "On its machine: ss -ltnp says which program has the port. End that, or give one of the two another port."
            )
        case .demandsNoKey:
            return failure(
                "the client's file has keys, and who listens there wants none",
                "Set keys.directory for \(service.executable) and start it again; or this is another installation.")
        case .demandsKey:
            return failure(
                "demands a key, and there is none to show",
                "Where the keys are: energyctl keys client NAME. Put the file at ~/.config/gridtide/client.yaml, mode 600."
            )
        case .otherKey:
            return failure(
                "who listens there has none of the keys that the client's file expects of \(service.executable)",
                "If its key was changed, where the keys are: energyctl keys bundle NAME. Else this is another service's address."
            )
        case .notAdmitted:
            return failure(
                "this client's key is not let in",
                "Where the keys are: energyctl keys list says who is. A new key: energyctl keys rotate NAME.")
        case .otherPublisher(let other):
            return failure(
                "\(other.executable) publishes there",
                "In the endpoints, the second address of '\(service.rawValue)=' is where \(service.executable) publishes."
            )
        case .otherUse:
            return failure(
                "speaks ZeroMQ, but does not let \(use.rawValue) begin",
                "Requests and publications may be the wrong way round in the endpoints: the address for requests comes first."
            )
        }
    }
}

/// What to do about a service.
enum ServiceRemedy {
    static func start(_ service: ServiceKind) -> String {
        "systemctl start gridtide-\(service.executable), or make run-all. One with store.postgresql does not answer before its "
            + "database is there. \(log(service))"
    }

    static func log(_ service: ServiceKind) -> String {
        "Its log says more: journalctl -u gridtide-\(service.executable)."
    }

    /// - Parameter reason: what its health says; the stores' and the disk's words are theirs.
    static func mend(_ service: ServiceKind, _ reason: String) -> String {
        let said = reason.lowercased()
        if said.contains("disk is full") || said.contains("cannot grow") {
            return "Make room on the disk of its state directory: df -h, then energyctl health. \(log(service))"
        }
        if said.contains("read-only") || said.contains("this user may not") {
            return
                "Its state directory must be writable: look at mount and ls -l there, then start it again. \(log(service))"
        }
        if said.contains("damaged") {
            return
                "energyctl log verify says what is damaged; energyctl log restore brings a backup back. \(log(service))"
        }
        return log(service)
    }
}
