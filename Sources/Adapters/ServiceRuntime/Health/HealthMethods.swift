internal import EnergyModel
internal import EnergyTransport
internal import EnergyWire

extension MethodTable {
    /// Answers gRPC's health checking from `health`, with the time by `clock`.
    mutating func addHealth(_ health: HealthRegistry, clock: any WallClock) {
        on(Methods.checkHealth) { (request, _) async throws(EnergyError) in
            guard let found = health.check(request.service) else {
                throw EnergyError(.notFound, "this process has no service '\(request.service.prefix(100))'")
            }
            return HealthCheckReply(found, at: clock.now)
        }
        on(Methods.listHealth) { (_, _) async throws(EnergyError) in
            HealthListReply(
                services: health.list().map { service, health in
                    ServiceHealth(service: service, status: health.status, reason: health.reason)
                })
        }
        on(Methods.watchHealth) { (request, _, write) async throws(EnergyError) in
            var isFirst = true
            for await change in health.changes(of: request.service) {
                isFirst = false
                let now = clock.now
                try await write(
                    change.map { HealthCheckReply($0, at: now) } ?? HealthCheckReply(status: .serviceUnknown, time: now)
                )
            }
            if isFirst { throw EnergyError(.rateLimited, "too many watch this process", retryAfterMilliseconds: 5_000) }
        }
    }

    /// Answers reflection with the contract, with what is in this table, and with what the transport answers itself.
    mutating func addReflection() {
        let methods = (entries.keys + [Methods.describe.name, FetchRequest.method, FollowRequest.method]).sorted()
        on(Methods.describe) { (_, context) async throws(EnergyError) in
            DescribeReply(
                methods: methods, version: SoftwareVersion.current, permissions: context.principal.permissions)
        }
    }
}

extension HealthRegistry.Health {
    fileprivate var status: ServingStatus { isServing ? .serving : .notServing }
}

extension HealthCheckReply {
    fileprivate init(_ health: HealthRegistry.Health, at now: Timestamp) {
        self.init(status: health.status, reason: health.reason, time: now)
    }
}
