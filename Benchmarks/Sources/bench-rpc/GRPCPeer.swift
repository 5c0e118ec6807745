import EnergyModel
import EnergyWire
import Foundation
import GRPCCore
import GRPCNIOTransportHTTP2Posix

/// The same message as a unary call of grpc-swift-2. It gets our protobuf codec, so that only the transports differ.
enum GRPCPeer {
    private static let method = MethodDescriptor(fullyQualifiedService: "energy.v1.Events", method: "Submit")

    static func serve() async throws {
        let server = GRPCServer(
            transport: .http2NIOPosix(
                address: .ipv4(host: "127.0.0.1", port: 0), transportSecurity: .plaintext),
            services: [Service()])
        async let running: Void = server.serve()
        guard let port = try await server.listeningAddress?.ipv4?.port else {
            throw Driver.Failure(description: "grpc-swift-2 listens nowhere")
        }
        print(port)
        fflush(nil)
        try await running
    }

    static func call(port: Int, _ load: Load) async throws {
        try await withGRPCClient(
            transport: .http2NIOPosix(
                target: .ipv4(address: "127.0.0.1", port: port), transportSecurity: .plaintext)
        ) { client in
            try await load.measure {
                let result = try await client.unary(
                    request: ClientRequest(message: Sample.batch), descriptor: method, serializer: Codec<EventBatch>(),
                    deserializer: Codec<SubmitResult>(), options: .defaults
                ) { response in try response.message }
                precondition(result.accepted == 1)
            }
        }
    }

    private struct Service: RegistrableRPCService {
        func registerMethods<Transport: ServerTransport>(with router: inout RPCRouter<Transport>) {
            router.registerHandler(
                forMethod: method, deserializer: Codec<EventBatch>(), serializer: Codec<SubmitResult>()
            ) { request, context in
                let request = try await ServerRequest(stream: request)
                return StreamingServerResponse(single: ServerResponse(message: Sample.answer(request.message)))
            }
        }
    }

    private struct Codec<Message: WireMessage>: MessageSerializer, MessageDeserializer {
        func serialize<Bytes: GRPCContiguousBytes>(_ message: Message) throws -> Bytes { Bytes(message.encoded()) }

        func deserialize<Bytes: GRPCContiguousBytes>(_ bytes: Bytes) throws -> Message {
            try bytes.withUnsafeBytes { try Message(decoding: Array($0)) }
        }
    }
}
