import EnergyTransport
import Testing

@Suite struct TCPAddressTests {
    @Test(
        arguments: [
            ("tcp://127.0.0.1:7400", "127.0.0.1", 7400), ("tcp://[::1]:7400", "::1", 7400),
            ("tcp://host.example:1", "host.example", 1), ("tcp://*:65535", "*", 65_535),
            ("tcp://localhost:*", "localhost", nil),
            ("tcp://127.0.0.1:0", "127.0.0.1", nil),
        ] as [(String, String, UInt16?)])
    func `an address has a host, and a port unless the system chooses`(text: String, host: String, port: UInt16?) throws
    {
        let address = try #require(TCPAddress(text))
        #expect(address.host == host && address.port == port)
        #expect(TCPAddress(address.description) == address)
    }

    @Test(arguments: [
        "ipc:///x", "tcp://:1", "tcp://host", "tcp://host:", "tcp://host:65536", "tcp://host:-1", "host:1", "",
    ])
    func `anything else is none`(text: String) {
        #expect(TCPAddress(text) == nil)
    }

    @Test func `says who can reach it`() {
        for text in ["tcp://127.3.2.1:1", "tcp://localhost:1", "tcp://[::1]:1"] {
            #expect(TCPAddress(text)?.isLoopback == true)
        }
        for text in ["tcp://*:1", "tcp://0.0.0.0:1", "tcp://[::]:1"] {
            #expect(TCPAddress(text)?.isEveryAddress == true && TCPAddress(text)?.isLoopback == false)
        }
        #expect(TCPAddress("tcp://host.example:1").map { $0.isLoopback || $0.isEveryAddress } == false)
    }
}
