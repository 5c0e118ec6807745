import EnergyTestSupport
import EnergyTransport
import Testing
import ZeroMQTransport

/// Where services are, by a name server and by what machines of the local network say: dnsmasq and python-zeroconf.
@Suite(.serialized) struct ServiceLookupTests {
    private func asking(_ body: @escaping @Sendable (PythonOracle) throws -> Void) async throws {
        try await onThread {
            let names = try PythonOracle("service_names.py")
            defer { try? names.stop() }
            try body(names)
        }
    }

    @Test func `a name server's first choice is taken, at all of its addresses`() async throws {
        try await asking { names in
            let places = "0:7400:127.0.0.1 0:7500:127.0.0.2 5:7600:127.0.0.3"
            let answer = try names.ask("dns _gt-guidance._tcp.example.org \(places)")
            let port = try #require(UInt16(answer))
            var lookup = ServiceLookup()
            lookup.server = ("127.0.0.1", port)
            #expect(
                lookup.addresses(of: "_gt-guidance._tcp.example.org")
                    == ["tcp://127.0.0.1:7400", "tcp://127.0.0.2:7500"])
            #expect(lookup.addresses(of: "_gt-events._tcp.example.org").isEmpty)
        }
    }

    @Test func `what machines of the local network say of themselves is found`() async throws {
        try await asking { names in
            let answer = try names.ask("announce _gt-test._tcp.local 7400 7500")
            #expect(answer == "announced")
            var lookup = ServiceLookup()
            lookup.interfaces = ["127.0.0.1"]
            #expect(
                lookup.addresses(of: "_gt-test._tcp.local") == ["tcp://127.0.0.1:7400", "tcp://127.0.0.1:7500"])
            lookup.patienceMilliseconds = 50
            #expect(lookup.addresses(of: "_gt-nobody._tcp.local").isEmpty)
        }
    }

    @Test(arguments: [
        "srv://_gt-guidance._tcp.example.org", "srv://_a._udp.local",
    ])
    func `a service's name has a service and a protocol`(address: String) {
        #expect(ServiceName.of(address) == String(address.dropFirst(6)))
    }

    @Test(arguments: [
        "srv://", "srv://example.org", "srv://_gt._tcp", "srv://_gt.example.org", "srv://_gt._tcp.a b",
        "srv://_gt._tcp..org",
        "tcp://_gt._tcp.example.org", "srv://_gt._tcp.example.org:7400",
        "srv://_gt._tcp." + String(repeating: "a", count: 64),
    ])
    func `anything else is none`(address: String) { #expect(ServiceName.of(address) == nil) }
}
