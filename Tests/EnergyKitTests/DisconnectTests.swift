import EnergyTestSupport
import EnergyTransport
import ServiceEndpoints
import Testing

@testable import EnergyKit

struct DisconnectTests {
    private func configuration(_ folder: TemporaryFolder) throws -> EnergyKitConfiguration {
        try EnergyKitConfiguration(
            endpoints: "guidance=ipc://\(folder.path("requests")),ipc://\(folder.path("updates"))")
    }

    @Test func `disconnecting closes connections that nothing uses`() throws {
        let folder = try TemporaryFolder()
        let configuration = try configuration(folder)
        weak let client = try ServicePool.shared.services(configuration).client(.guidance) as AnyObject
        #expect(client != nil, "the pool keeps a connection for the next request")
        configuration.disconnect()
        #expect(client == nil)
    }

    @Test func `a connection in use outlives disconnecting, and the next request makes a new one`() throws {
        let folder = try TemporaryFolder()
        let configuration = try configuration(folder)
        defer { configuration.disconnect() }
        let used = try ServicePool.shared.services(configuration).client(.guidance)
        configuration.disconnect()
        let next = try ServicePool.shared.services(configuration).client(.guidance)
        #expect(used as AnyObject !== next as AnyObject)
        #expect(try ServicePool.shared.services(configuration).client(.guidance) as AnyObject === next as AnyObject)
    }
}
