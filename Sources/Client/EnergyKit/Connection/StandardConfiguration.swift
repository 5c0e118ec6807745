internal import Foundation
internal import ServiceEndpoints
internal import Synchronization

extension EnergyKitConfiguration {
    /// What a program without a configuration of its own uses; the first that there is:
    ///
    /// 1. `ENERGYKIT_KEYS`, the path of a file such as the one below, made by `energyctl keys client`
    /// 2. `ENERGYKIT_ENDPOINTS`, as in ``init(endpoints:)``; together with `ENERGYKIT_KEYS` it says where the services
    ///    are, in place of what the file says
    /// 3. `$XDG_CONFIG_HOME/gridtide/client.yaml`, by default `~/.config/gridtide/client.yaml`
    /// 4. the services of this machine, where `make run-all` starts them
    ///
    /// The file names services, each with its addresses for requests and publications, more replicas as more such pairs,
    /// and, where services demand them, keys. With keys, only its owner may be allowed to read it.
    ///
    /// ```yaml
    /// endpoints:
    ///   guidance: tcp://127.0.0.1:7400,tcp://127.0.0.1:7401
    ///   events: [tcp://127.0.0.1:7410, tcp://127.0.0.1:7411]
    /// keys:
    ///   secret: "…"
    ///   services: { guidance: "…", events: "…", insights: "…" }
    /// ```
    ///
    /// - Throws: when what is found is wrong: a misspelt address must not lead to another installation.
    public static func standard(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(EnergyKitConfigurationError) -> EnergyKitConfiguration {
        let text = environment[endpointsKey] ?? ""
        var named: Endpoints?
        if !text.isEmpty {
            do throws(EndpointsError) { named = try Endpoints(parsing: text) } catch {
                throw EnergyKitConfigurationError("\(endpointsKey): \(error.message)")
            }
        }
        do throws(ClientFileError) {
            if let path = environment[keysKey], !path.isEmpty {
                var file = try ClientFile(path: path)
                if let named { file.endpoints = named }
                return EnergyKitConfiguration(file)
            }
            if let named { return EnergyKitConfiguration(named) }
            return EnergyKitConfiguration(try ClientFile.standard(environment) ?? ClientFile(endpoints: Endpoints()))
        } catch { throw EnergyKitConfigurationError(error.message) }
    }

    static let endpointsKey = "ENERGYKIT_ENDPOINTS"
    static let keysKey = "ENERGYKIT_KEYS"
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
