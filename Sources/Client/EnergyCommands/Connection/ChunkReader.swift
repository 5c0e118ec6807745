internal import EnergyModel
internal import EnergyTransport
internal import EnergyWire
internal import ServiceEndpoints

/// Takes a streamed reply chunk by chunk; who stops asking ends the call.
struct ChunkReader<Chunk: WireMessage> {
    private let context: CommandContext
    private let service: ServiceKind
    private var chunks: ReplyStream.AsyncIterator

    fileprivate init(_ context: CommandContext, _ service: ServiceKind, _ stream: ReplyStream) {
        self.context = context
        self.service = service
        self.chunks = stream.makeAsyncIterator()
    }

    /// - Returns: `nil` when the reply is complete.
    mutating func next() async throws(CommandFailure) -> Chunk? {
        switch await nextResult() {
        case .success(let chunk): return chunk
        case .failure(let error): throw await context.failure(error, from: service)
        }
    }

    /// As ``next()``, with what the service said rather than what it means to a person.
    mutating func nextResult() async -> Result<Chunk?, EnergyError> {
        do throws(CallFailure) {
            guard let bytes = try await chunks.next() else { return .success(nil) }
            do throws(EnergyError) { return .success(try Chunk(decoding: bytes)) } catch { return .failure(error) }
        } catch { return .failure(EnergyError(error)) }
    }
}

extension CommandContext {
    /// Longest time that one streamed reply may take: years of hourly insights over a slow line.
    private static var streamTimeout: Duration { .seconds(120) }

    /// Calls a streaming method of a service that answers.
    ///
    /// - Parameter timeout: of the whole stream; `nil` is endless.
    func read<Request, Chunk>(
        _ service: ServiceKind, _ method: StreamMethod<Request, Chunk>, _ request: Request,
        timeout: Duration? = streamTimeout
    ) async throws(CommandFailure) -> ChunkReader<Chunk> {
        let connection = try connection(service)
        // A long reply has a long limit; that nobody is there should not take as long to find out.
        guard await isAnswering(service, within: self.timeout) else {
            throw .unreachable(service, at: endpoints[service])
        }
        let options = CallOptions(timeout: timeout, isIdempotent: method.isIdempotent)
        return ChunkReader(self, service, connection.stream(method.name, request.encoded(), options: options))
    }
}
