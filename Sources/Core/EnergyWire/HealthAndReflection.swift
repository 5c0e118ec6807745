public import EnergyModel
public import EnergyTransport

// What every process answers about itself.

/// Whether a service answers. The semantics are gRPC's.
///
/// - Source: https://github.com/grpc/grpc/blob/master/doc/health-checking.md
public enum ServingStatus: String, Hashable, Sendable, CaseIterable {
    case unknown, serving, notServing
    /// Only from ``Methods/watchHealth``; a check of an unknown service is refused with `notFound`.
    case serviceUnknown
}

public struct HealthCheckRequest: Hashable, Sendable {
    /// For example `energy.v1.Guidance`; empty for the whole process.
    public var service: String
    public init(service: String = "") { self.service = service }
}

public struct HealthCheckReply: Hashable, Sendable {
    public var status: ServingStatus
    /// For people; why it is not serving.
    public var reason: String
    /// The service's clock as it answers; `nil` from one that does not say.
    public var time: Timestamp?
    public init(status: ServingStatus, reason: String = "", time: Timestamp? = nil) {
        self.status = status
        self.reason = reason
        self.time = time
    }
}

public struct ServiceHealth: Hashable, Sendable {
    public var service: String
    public var status: ServingStatus
    public var reason: String
    public init(service: String, status: ServingStatus, reason: String = "") {
        self.service = service
        self.status = status
        self.reason = reason
    }
}

public struct HealthListReply: Hashable, Sendable {
    public var services: [ServiceHealth]
    public init(services: [ServiceHealth]) { self.services = services }
}

/// What a tool needs to know to call this process.
public struct DescribeReply: Hashable, Sendable {
    /// An encoded `google.protobuf.FileDescriptorSet`.
    public var fileDescriptorSet: [UInt8]
    /// Names of the methods that this process answers.
    public var methods: [String]
    /// Of the software.
    public var version: String
    /// Of the caller.
    public var permissions: Set<Permission>

    public init(
        fileDescriptorSet: [UInt8] = Contract.fileDescriptorSet, methods: [String], version: String,
        permissions: Set<Permission>
    ) {
        self.fileDescriptorSet = fileDescriptorSet
        self.methods = methods
        self.version = version
        self.permissions = permissions
    }
}

/// The contract itself.
public enum Contract {
    /// Every file of `proto/energy/v1`, as an encoded `google.protobuf.FileDescriptorSet`.
    public static var fileDescriptorSet: [UInt8] { PackageResources.energy_v1_descriptorset }
}
