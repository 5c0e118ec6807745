internal import GridSignals

/// A body, and what to ask with whether it is still the same.
struct StoredBody: Sendable {
    let bytes: [UInt8]
    let entityTag: String?
    let modified: String?
}

/// The bodies that were used last, for requests that are repeated; within a limit of bytes.
actor StoredBodies {
    private let bytesMax: Int
    private var bodies: [HTTPRequest: StoredBody] = [:]
    /// The longest unused first.
    private var order: [HTTPRequest] = []
    private var bytes = 0

    init(bytesMax: Int) { self.bytesMax = bytesMax }

    func body(of request: HTTPRequest) -> StoredBody? {
        guard let body = bodies[request] else { return nil }
        order.removeAll { $0 == request }
        order.append(request)
        return body
    }

    /// A body that its server cannot be asked about is not kept.
    func keep(_ body: StoredBody, of request: HTTPRequest) {
        remove(request)
        guard body.entityTag != nil || body.modified != nil, body.bytes.count <= bytesMax else { return }
        bodies[request] = body
        order.append(request)
        bytes += body.bytes.count
        while bytes > bytesMax, let oldest = order.first { remove(oldest) }
    }

    private func remove(_ request: HTTPRequest) {
        guard let body = bodies.removeValue(forKey: request) else { return }
        bytes -= body.bytes.count
        order.removeAll { $0 == request }
    }
}
