internal import EnergyModel
internal import EnergyTransport
internal import KeyFiles
internal import ZeroMQ
internal import ZeroMQTransport

/// A process's own key, and those that it knows: the folder that `keys.directory` names.
struct KeyRing: Sendable {
    let access: AccessFile
    private let own: CurveKeyPair
    let folder: KeyFolder

    /// - Parameters:
    ///   - keyPath: the process's own key file.
    ///   - service: the name of its executable.
    /// - Throws: ``StartError`` with the file and what is wrong with it.
    init(folder: String, keyPath: String, service: String, clock: any WallClock) throws(StartError) {
        self.folder = KeyFolder(path: folder)
        do throws(KeyFileError) {
            let file = try KeyFile(path: keyPath)
            // "scheduler.on.cabin" is the scheduler's on another host.
            guard file.name.isEmpty || file.name == service || file.name.hasPrefix("\(service).") else {
                throw KeyFileError("\(keyPath) is the key of \(file.name), not of \(service)")
            }
            own = file.keys
            access = try AccessFile(path: self.folder.accessPath, clock: clock)
        } catch {
            throw StartError("\(error); keys are made with: energyctl keys init --keys \(folder)")
        }
    }

    func server(_ peer: Peer) -> ServerSecurity {
        ServerSecurity(keys: own, admission: access, subscription: peer.subscription)
    }

    /// - Throws: when the peer's public key is not known.
    func client(of peer: Peer) throws(StartError) -> ClientSecurity {
        guard !access.serviceKeys(peer.rawValue).isEmpty else {
            throw StartError("\(folder.accessPath) has no key of \(peer.rawValue) below services")
        }
        return ClientSecurity(keys: own, serverKeys: { [access] in access.serviceKeys(peer.rawValue) })
    }
}

extension Peer {
    /// What the readers of its publications need.
    var subscription: Permission {
        switch self {
        case .guidancePublisher: .guidance
        case .eventIngestor: .events
        case .insightService: .insights
        case .scheduler: .schedules
        case .deviceSimulator, .energyDashboard: .admin
        }
    }
}
