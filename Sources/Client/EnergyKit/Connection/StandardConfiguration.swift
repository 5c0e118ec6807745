internal import Foundation
internal import ServiceEndpoints
internal import Synchronization
internal import Yams

extension EnergyKitConfiguration {
    /// What a program without a configuration of its own uses; the first that there is:
    ///
    /// 1. `ENERGYKIT_ENDPOINTS`, as in ``init(endpoints:)``
    /// 2. `$XDG_CONFIG_HOME/gridtide/client.yaml`, by default `~/.config/gridtide/client.yaml`
    /// 3. the services of this machine, where `make run-all` starts them
    ///
    /// The file names services, each with its addresses for requests and publications, more replicas as more such pairs:
    ///
    /// ```yaml
    /// endpoints:
    ///   guidance: tcp://127.0.0.1:7400,tcp://127.0.0.1:7401
    ///   events: [tcp://127.0.0.1:7410, tcp://127.0.0.1:7411]
    /// ```
    ///
    /// - Throws: when what is found is wrong: a misspelt address must not lead to another installation.
    public static func standard(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(EnergyKitConfigurationError) -> EnergyKitConfiguration {
        if let text = environment[environmentKey], !text.isEmpty {
            do throws(EndpointsError) { return EnergyKitConfiguration(try Endpoints(parsing: text)) } catch {
                throw EnergyKitConfigurationError("\(environmentKey): \(error.message)")
            }
        }
        if let path = ClientFile.path(environment), let file = try ClientFile(path: path) {
            return EnergyKitConfiguration(file.endpoints)
        }
        return EnergyKitConfiguration()
    }

    static let environmentKey = "ENERGYKIT_ENDPOINTS"
}

/// Read once; a failure is not remembered, so that it can be mended while the program runs.
final class StandardConfiguration: Sendable {
    static let shared = StandardConfiguration()

    private let found = Mutex<EnergyKitConfiguration?>(nil)

    func get() throws(EnergyKitConfigurationError) -> EnergyKitConfiguration {
        try found.withLock { (found) throws(EnergyKitConfigurationError) in
            if let found { return found }
            let configuration = try EnergyKitConfiguration.standard()
            found = configuration
            return configuration
        }
    }
}

/// `client.yaml`.
private struct ClientFile {
    let endpoints: Endpoints

    private static let bytesMax = 64 * 1024

    /// `nil` without a home.
    static func path(_ environment: [String: String]) -> String? {
        // A relative path is to be ignored: https://specifications.freedesktop.org/basedir-spec/latest/
        if let folder = environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") {
            return "\(folder)/gridtide/client.yaml"
        }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return "\(home)/.config/gridtide/client.yaml"
    }

    /// `nil` when there is no file.
    init?(path: String) throws(EnergyKitConfigurationError) {
        func wrong(_ what: String) -> EnergyKitConfigurationError { EnergyKitConfigurationError("\(path): \(what)") }
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        guard let data = FileManager.default.contents(atPath: path), data.count <= Self.bytesMax,
            let text = String(data: data, encoding: .utf8)
        else { throw wrong("must be a readable text file of at most \(Self.bytesMax) bytes") }
        let node: Node?
        do { node = try Yams.compose(yaml: text) } catch { throw wrong("is not YAML") }
        var endpoints = Endpoints()
        if let node, node.null == nil {
            guard let entries = node.mapping else { throw wrong("must have a key `endpoints`") }
            for (key, value) in entries {
                guard key.string == "endpoints", let services = value.mapping else {
                    throw wrong("has '\(key.string ?? "")' where only `endpoints:` with services below it is known")
                }
                for (service, addresses) in services {
                    let list = addresses.sequence?.compactMap(\.string).joined(separator: ",") ?? addresses.string
                    do throws(EndpointsError) { try endpoints.name(service.string ?? "", list ?? "") } catch {
                        throw wrong(error.message)
                    }
                }
            }
        }
        self.endpoints = endpoints
    }
}
