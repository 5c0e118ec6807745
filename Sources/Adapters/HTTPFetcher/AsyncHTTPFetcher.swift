internal import AsyncHTTPClient
public import EnergyModel
public import GridSignals
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix

/// HTTP through AsyncHTTPClient.
public final class AsyncHTTPFetcher: HTTPFetching {
    private let clients: Clients
    private let limits: HTTPLimits
    private let clock: any Clock<Duration>
    private let wallClock: any WallClock
    private let stored: StoredBodies

    /// - Parameters:
    ///   - proxies: which requests go through which proxy; see ``HTTPProxies/init(environment:)``.
    ///   - clock: limits are measured on it.
    /// - Throws: ``EnergyError`` `.invalidInput` for a proxy that cannot be used.
    public init(
        limits: HTTPLimits = HTTPLimits(), proxies: HTTPProxies = HTTPProxies(),
        clock: any Clock<Duration> = ContinuousClock(), wallClock: any WallClock
    ) throws(EnergyError) {
        self.limits = limits
        self.clock = clock
        self.wallClock = wallClock
        clients = Clients(limits, proxies)
        stored = StoredBodies(bytesMax: limits.storedBytesMax)
    }

    /// Ends all connections. Nothing may be sent any more.
    public func close() async {
        // Fails only when it was closed before.
        try? await clients.close()
    }

    public func send(_ request: HTTPRequest) async throws(EnergyError) -> HTTPResponse {
        var (request, hops) = (request, 0)
        while true {
            try HTTPRules.check(url: request.url)
            switch try await withinTime(request) {
            case .answer(let response): return response
            case .redirection(let location):
                hops += 1
                guard request.method == .get, hops <= limits.redirectionsMax else {
                    throw EnergyError(
                        .unavailable, "\(HTTPRules.shown(request.url)) redirects, more often than is followed")
                }
                request = try HTTPRules.redirected(request, to: location)
            }
        }
    }

    private enum Outcome: Sendable {
        case answer(HTTPResponse)
        case redirection(String)
    }

    /// The whole exchange, to the last byte of the body, against one clock.
    private func withinTime(_ request: HTTPRequest) async throws(EnergyError) -> Outcome {
        let result: Result<Outcome, EnergyError> = await withTaskGroup { group in
            group.addTask { await Result { () async throws(EnergyError) in try await self.exchange(request) } }
            group.addTask {
                do { try await self.clock.sleep(for: self.limits.totalTimeout) } catch {}
                return .failure(
                    EnergyError(
                        .unavailable,
                        "\(HTTPRules.shown(request.url)) did not answer within \(self.limits.totalTimeout)"))
            }
            defer { group.cancelAll() }
            // There are two tasks: the first to end decides.
            return await group.next() ?? .failure(EnergyError(.unavailable, "was cancelled"))
        }
        return try result.get()
    }

    private func exchange(_ request: HTTPRequest) async throws(EnergyError) -> Outcome {
        let shown = HTTPRules.shown(request.url)
        let present = await stored.body(of: request)
        var message = HTTPClientRequest(url: request.url)
        message.method = HTTPMethod(rawValue: request.method.rawValue)
        message.headers = Self.headers(of: request, present)
        if !request.body.isEmpty { message.body = .bytes(request.body) }
        do {
            let answer = try await clients.client(for: request.url).execute(message, deadline: .distantFuture)
            let date = answer.headers.first(name: "date").flatMap(HTTPRules.date)
            let status = Int(answer.status.code)
            if status == 304, let present { return .answer(HTTPResponse(status: 200, body: present.bytes, date: date)) }
            if [301, 302, 303, 307, 308].contains(status), let location = answer.headers.first(name: "location") {
                return .redirection(location)
            }
            if !request.acceptedStatuses.contains(status),
                let failure = HTTPRules.failure(
                    status: status, url: request.url, retryAfter: answer.headers.first(name: "retry-after"),
                    now: wallClock.now)
            {
                throw failure
            }
            let type = answer.headers.first(name: "content-type")
            guard HTTPRules.isAccepted(contentType: type, by: request.contentTypes) else {
                throw EnergyError(
                    .unavailable,
                    "\(shown) answered \((type ?? "nothing").prefix(60)), not \(request.contentTypes.sorted()[0])")
            }
            let body = Array(try await answer.body.collect(upTo: limits.bodyBytesMax).readableBytesView)
            try Self.checkLength(of: body, answer.headers, shown)
            if status == 200, request.method == .get {
                await stored.keep(
                    StoredBody(
                        bytes: body, entityTag: answer.headers.first(name: "etag"),
                        modified: answer.headers.first(name: "last-modified")), of: request)
            }
            return .answer(HTTPResponse(status: status, body: body, date: date))
        } catch {
            throw failure(error, shown)
        }
    }

    private static func headers(of request: HTTPRequest, _ present: StoredBody?) -> HTTPHeaders {
        var headers = HTTPHeaders([("user-agent", "Gridtide")])
        headers.add(
            name: "accept",
            value: request.contentTypes.isEmpty ? "*/*" : request.contentTypes.sorted().joined(separator: ", "))
        for header in request.headers { headers.replaceOrAdd(name: header.name, value: header.value) }
        if let tag = present?.entityTag { headers.add(name: "if-none-match", value: tag) }
        if let modified = present?.modified { headers.add(name: "if-modified-since", value: modified) }
        return headers
    }

    /// A connection that ends early is an error of the library's; this is for one that it should let pass.
    private static func checkLength(
        of body: [UInt8], _ headers: HTTPHeaders, _ shown: String
    ) throws(EnergyError) {
        guard let length = headers.first(name: "content-length").flatMap({ Int($0) }), length != body.count
        else { return }
        throw EnergyError(.unavailable, "\(shown) sent \(body.count) of \(length) bytes")
    }

    /// What the library says may hold the URL: only what kind of error it is gets out.
    private func failure(_ error: any Error, _ shown: String) -> EnergyError {
        switch error {
        case let error as EnergyError: error
        case is NIOTooManyBytesError:
            EnergyError(.unavailable, "\(shown) sent more than the \(limits.bodyBytesMax) bytes that are taken")
        case let error as HTTPClientError where error == .connectTimeout:
            EnergyError(.unavailable, "\(shown) did not take a connection within \(limits.connectTimeout)")
        case let error as HTTPParserError where error == .invalidEOFState:
            EnergyError(.unavailable, "\(shown) ended the connection in the middle of its answer")
        case is HTTPParserError: EnergyError(.unavailable, "\(shown) does not speak HTTP")
        case let error as HTTPClientError where error == .remoteConnectionClosed:
            EnergyError(.unavailable, "\(shown) ended the connection in the middle of its answer")
        case let error as HTTPClientError: EnergyError(.unavailable, "\(shown): \(error.shortDescription)")
        case is CancellationError: EnergyError(.unavailable, "\(shown): the request was cancelled")
        default:
            ConnectionFailure.error(error, shown)
                ?? EnergyError(.unavailable, "\(shown): the connection failed (\(type(of: error)))")
        }
    }
}

extension Result where Failure == EnergyError {
    fileprivate init(_ body: () async throws(EnergyError) -> Success) async {
        do throws(EnergyError) { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
