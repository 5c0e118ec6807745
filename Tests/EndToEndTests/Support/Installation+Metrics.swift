import Foundation

extension Installation {
    /// What a service answers to `/metrics`, with the head of the answer.
    ///
    /// - Parameter login: `NAME:PASSWORD`, where it asks for one.
    func metrics(_ service: ServiceName, login: String? = nil) async throws -> String {
        guard let port = try address(service).http.split(separator: ":").last else {
            throw HarnessError("\(service.rawValue) has no port")
        }
        let header = login.map { "Authorization: Basic \(Data($0.utf8).base64EncodedString())\\r\\n" } ?? ""
        let client = try await ChildProcess.start(
            .init(
                executable: "/bin/bash",
                arguments: [
                    "-c",
                    "exec 3<>/dev/tcp/127.0.0.1/\(port); "
                        + "printf 'GET /metrics HTTP/1.1\\r\\nHost: x\\r\\n\(header)Connection: close\\r\\n\\r\\n' >&3; cat <&3",
                ], environment: Installation.environment(folder)))
        adopt(client)
        _ = try await client.end()
        await client.output.end()
        return client.output.text
    }
}
