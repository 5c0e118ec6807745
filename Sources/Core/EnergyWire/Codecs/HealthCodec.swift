internal import EnergyModel
internal import EnergyProto
internal import EnergyTransport

extension ServingStatus {
    // Unlike the contract's other enums this one has gRPC's numbers, and a meaning for 0.
    fileprivate var proto: Energy__V1__ServingStatus {
        switch self {
        case .unknown: ENERGY__V1__SERVING_STATUS__SERVING_STATUS_UNKNOWN
        case .serving: ENERGY__V1__SERVING_STATUS__SERVING_STATUS_SERVING
        case .notServing: ENERGY__V1__SERVING_STATUS__SERVING_STATUS_NOT_SERVING
        case .serviceUnknown: ENERGY__V1__SERVING_STATUS__SERVING_STATUS_SERVICE_UNKNOWN
        }
    }

    fileprivate init(reading proto: Energy__V1__ServingStatus) {
        self = ServingStatus.allCases.first { $0.proto == proto } ?? .unknown
    }
}

extension HealthCheckRequest: ProtoMessage {
    func write(to proto: inout Energy__V1__HealthCheckRequest, _ arena: inout Arena) {
        proto.service = arena.string(service)
    }

    init(reading proto: Energy__V1__HealthCheckRequest) throws(FieldError) {
        self.init(service: try proto.service.string("service"))
    }
}

extension HealthCheckReply: ProtoMessage {
    func write(to proto: inout Energy__V1__HealthCheckReply, _ arena: inout Arena) {
        proto.status = status.proto
        proto.reason = arena.string(reason)
        // A clock that was moved before 1970 has nothing that can be said here.
        proto.time_unix_ms = max(0, time?.unixMilliseconds ?? 0)
    }

    init(reading proto: Energy__V1__HealthCheckReply) throws(FieldError) {
        self.init(
            status: ServingStatus(reading: proto.status), reason: try proto.reason.string("reason"),
            time: proto.time_unix_ms == 0 ? nil : try proto.time_unix_ms.timestamp("time_unix_ms"))
    }
}

extension ServiceHealth: ProtoCoded {
    func write(to proto: inout Energy__V1__ServiceHealth, _ arena: inout Arena) {
        proto.service = arena.string(service)
        proto.status = status.proto
        proto.reason = arena.string(reason)
    }

    init(reading proto: Energy__V1__ServiceHealth) throws(FieldError) {
        self.init(
            service: try proto.service.string("service"),
            status: ServingStatus(reading: proto.status),
            reason: try proto.reason.string("reason"))
    }
}

extension HealthListReply: ProtoMessage {
    func write(to proto: inout Energy__V1__HealthListReply, _ arena: inout Arena) {
        (proto.n_services, proto.services) = arena.messages(services)
    }

    init(reading proto: Energy__V1__HealthListReply) throws(FieldError) {
        self.init(services: try proto.services.messages("services", count: proto.n_services, max: 100))
    }
}

extension DescribeReply: ProtoMessage {
    func write(to proto: inout Energy__V1__DescribeReply, _ arena: inout Arena) {
        proto.file_descriptor_set = arena.bytes(fileDescriptorSet)
        (proto.n_methods, proto.methods) = arena.strings(methods)
        proto.version = arena.string(version)
        (proto.n_permissions, proto.permissions) = arena.strings(permissions.map(\.rawValue).sorted())
    }

    init(reading proto: Energy__V1__DescribeReply) throws(FieldError) {
        self.init(
            fileDescriptorSet: proto.file_descriptor_set.bytes,
            methods: try proto.methods.strings("methods", count: proto.n_methods, max: 1_000),
            version: try proto.version.string("version"),
            // Those of a later version of the contract mean nothing here.
            permissions: Set(
                try proto.permissions.strings("permissions", count: proto.n_permissions, max: 100)
                    .compactMap(Permission.init)))
    }
}
