import EnergyTestSupport
import Foundation
import ServiceEndpoints
import Testing

@testable import EnergyKit

struct ConfigurationTests {
    private func standard(
        _ environment: [String: String] = [:], file: String? = nil
    ) throws -> EnergyKitConfiguration {
        let folder = try TemporaryFolder()
        if let file {
            try FileManager.default.createDirectory(
                atPath: folder.path(".config/gridtide"), withIntermediateDirectories: true)
            try Data(file.utf8).write(to: folder.url.appending(path: ".config/gridtide/client.yaml"))
        }
        return try .standard(environment: environment.merging(["HOME": folder.url.path]) { own, _ in own })
    }

    private let file = """
        endpoints:
          guidance: tcp://a:1,tcp://a:2
          events: [tcp://b:1, tcp://b:2, tcp://c:1, tcp://c:2]
        """

    @Test func `nothing said is this machine`() throws {
        let configuration = try standard()
        #expect(configuration == EnergyKitConfiguration())
        #expect(configuration.guidance.requestAddresses == ["tcp://127.0.0.1:7400"])
        #expect(configuration.events.publicationAddresses == ["tcp://127.0.0.1:7411"])
        #expect(configuration.insights.requestAddresses == ["tcp://127.0.0.1:7420"])
        #expect(try standard(file: "# nothing yet\n") == configuration)
        #expect(try EnergyKitConfiguration.standard(environment: [:]) == configuration)
    }

    @Test func `the file says where services are, and the environment says it instead`() throws {
        let fromFile = try standard(file: file)
        #expect(fromFile.guidance.requestAddresses == ["tcp://a:1"])
        #expect(fromFile.events.requestAddresses == ["tcp://b:1", "tcp://c:1"])
        #expect(fromFile.events.publicationAddresses == ["tcp://b:2", "tcp://c:2"])
        #expect(fromFile.insights == EnergyKitConfiguration().insights)
        let text = "insights=ipc:///run/i,ipc:///run/ip"
        let fromEnvironment = try standard(["ENERGYKIT_ENDPOINTS": text], file: file)
        #expect(fromEnvironment == (try EnergyKitConfiguration(endpoints: text)))
        #expect(fromEnvironment.insights.requestAddresses == ["ipc:///run/i"])
        #expect(fromEnvironment.guidance == EnergyKitConfiguration().guidance)
    }

    @Test func `the folder for configuration can be another`() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path("gridtide"), withIntermediateDirectories: true)
        try Data(file.utf8).write(to: folder.url.appending(path: "gridtide/client.yaml"))
        let configuration = try standard(["XDG_CONFIG_HOME": folder.url.path])
        #expect(configuration.guidance.requestAddresses == ["tcp://a:1"])
        #expect(try standard(["XDG_CONFIG_HOME": "relative"]) == EnergyKitConfiguration())
    }

    @Test(arguments: [
        "endpoints: tcp://a:1", "endpoint:\n  guidance: tcp://a:1,tcp://a:2", "- 1", "endpoints:\n  meter: x",
        "endpoints:\n  guidance: tcp://a:1", "endpoints:\n  guidance: 7", "endpoints:\n  guidance: {a: b}", "a: [",
    ])
    func `a wrong file is refused, and named`(text: String) throws {
        let error = #expect(throws: EnergyKitConfigurationError.self) { try standard(file: text) }
        #expect(error?.message.contains("client.yaml") == true)
    }

    private static func secretFile(in folder: TemporaryFolder, mode: Int = 0o600) throws -> String {
        let path = folder.path("car.yaml")
        let text = """
            endpoints:
              guidance: tcp://a:1,tcp://a:2
            keys:
              secret: "\(String(repeating: "a", count: 40))"
              services: { guidance: "\(String(repeating: "b", count: 40))" }
            name: car
            venues: []
            """
        try Data(text.utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        return path
    }

    @Test func `the environment names a file with keys, and may say where the services are`() throws {
        let folder = try TemporaryFolder()
        let path = try Self.secretFile(in: folder)
        let configuration = try standard(["ENERGYKIT_KEYS": path], file: file)
        #expect(configuration == (try EnergyKitConfiguration(contentsOfFile: path)))
        #expect(configuration.guidance.requestAddresses == ["tcp://a:1"])
        #expect(configuration.keys?.security(for: .guidance) != nil)
        #expect(configuration.keys?.security(for: .events) == nil)
        let moved = try standard([
            "ENERGYKIT_KEYS": path, "ENERGYKIT_ENDPOINTS": "guidance=tcp://c:1,tcp://c:2",
        ])
        #expect(moved.guidance.requestAddresses == ["tcp://c:1"])
        #expect(moved.keys == configuration.keys)
        #expect(!String(reflecting: configuration).contains(String(repeating: "a", count: 40)))
    }

    @Test func `a file with keys that others may read is refused, with what to do`() throws {
        let folder = try TemporaryFolder()
        let path = try Self.secretFile(in: folder, mode: 0o640)
        let error = #expect(throws: EnergyKitConfigurationError.self) { try standard(["ENERGYKIT_KEYS": path]) }
        #expect(error?.message.contains("chmod 600 \(path)") == true)
        let missing = #expect(throws: EnergyKitConfigurationError.self) {
            try standard(["ENERGYKIT_KEYS": folder.path("none.yaml")])
        }
        #expect(missing?.message.contains("none.yaml cannot be read: no such file") == true)
    }

    @Test(arguments: [
        "keys: {}", "keys: { secret: short }", "keys: { public: x }", "keys: { services: { meter: x } }",
        "keys: [1]", "key: {}",
    ])
    func `wrong keys are refused, and their file named`(text: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.path("car.yaml")
        try Data(text.utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        let error = #expect(throws: EnergyKitConfigurationError.self) {
            try EnergyKitConfiguration(contentsOfFile: path)
        }
        #expect(error?.message.hasPrefix(path) == true)
    }

    @Test func `a wrong environment is refused, and named`() {
        let error = #expect(throws: EnergyKitConfigurationError.self) {
            try standard(["ENERGYKIT_ENDPOINTS": "guidance=nowhere"])
        }
        #expect(error?.errorDescription?.hasPrefix("ENERGYKIT_ENDPOINTS: 'nowhere'") == true)
    }

    @Test func `a task uses the configuration that it was given, and its children do too`() async throws {
        let other = try EnergyKitConfiguration(endpoints: "guidance=ipc:///a,ipc:///b")
        try await other.use {
            #expect(try EnergyKitConfiguration.inUse() == other)
            let inherited = try await Task { try EnergyKitConfiguration.inUse() }.value
            #expect(inherited == other)
        }
    }
}
