internal import EnergyModel
internal import EnergyTransport
internal import EnergyWire
internal import ServiceEndpoints
internal import Synchronization
internal import ZeroMQTransport

/// The connections of the program, one set per configuration.
final class ServicePool: Sendable {
    static let shared = ServicePool()

    private let services = Mutex<[EnergyKitConfiguration: EnergyServices]>([:])

    func services(_ configuration: EnergyKitConfiguration) -> EnergyServices {
        services.withLock { services in
            if let known = services[configuration] { return known }
            let new = Self.connected(configuration)
            services[configuration] = new
            return new
        }
    }

    /// What still uses them keeps them; the last to let go closes them.
    func forget(_ configuration: EnergyKitConfiguration) {
        _ = services.withLock { $0.removeValue(forKey: configuration) }
    }

    private static func connected(_ configuration: EnergyKitConfiguration) -> EnergyServices {
        EnergyServices(
            requestTimeout: configuration.requestTimeout, firstGuidanceTimeout: configuration.firstGuidanceTimeout
        ) { (service) throws(EnergyError) in
            let addresses = configuration[service]
            let security = configuration.keys?.security(for: service)
            guard configuration.keys == nil || security != nil else {
                throw EnergyError(.unavailable, "the client's keys have none of the service '\(service.rawValue)'")
            }
            do throws(CallFailure) {
                return try ZeroMQClient(
                    requestAddresses: addresses.requestAddresses, publishAddresses: addresses.publicationAddresses,
                    security: security)
            } catch {
                // An address that is wrong: it is not the request that is.
                throw EnergyError(.unavailable, error.message)
            }
        }
    }
}
