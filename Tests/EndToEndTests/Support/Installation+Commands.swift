import Foundation

/// What `energyctl` answered.
struct CommandResult: Sendable {
    let status: ExitStatus
    let output: String
    let error: String

    func object() throws -> [String: Any] {
        guard let object = try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any] else {
            throw HarnessError("no JSON object: \(output)")
        }
        return object
    }
}

extension Installation {
    /// Starts `energyctl`, for what does not end by itself.
    ///
    /// - Parameters:
    ///   - client: a file with keys, in place of the owner's.
    ///   - variables: in place of those that programs are told otherwise.
    func command(
        _ arguments: [String], client: String? = nil, output: ChildProcess.Output = .pipe,
        variables: [String: String] = [:]
    ) async throws -> ChildProcess {
        var environment = Installation.environment(folder).merging(variables) { $1 }
        environment["GRIDTIDE_ENDPOINTS"] = endpoints
        // The owner's does not exist yet when keys are made.
        if let file = client ?? clientFile, FileManager.default.fileExists(atPath: file) {
            environment["GRIDTIDE_CLIENT"] = file
        }
        let child = try await ChildProcess.start(
            .init(
                executable: "\(Machine.executables)/energyctl", arguments: arguments, environment: environment),
            output: output)
        adopt(child)
        return child
    }

    /// Runs `energyctl` to its end.
    func energyctl(_ arguments: String...) async throws -> CommandResult { try await energyctl(arguments) }

    func energyctl(
        _ arguments: [String], client: String? = nil, output: ChildProcess.Output = .pipe,
        variables: [String: String] = [:]
    ) async throws -> CommandResult {
        let child = try await command(arguments, client: client, output: output, variables: variables)
        let status = try await child.end()
        await child.output.end()
        await child.error.end()
        return CommandResult(status: status, output: child.output.text, error: child.error.text)
    }

    /// Runs a shell that finds `energyctl`, and has its environment.
    func shell(_ path: String, _ arguments: [String]) async throws -> CommandResult {
        var environment = Installation.environment(folder)
        environment["PATH"] = "\(Machine.executables):/usr/bin:/bin"
        environment["GRIDTIDE_ENDPOINTS"] = endpoints
        let child = try await ChildProcess.start(
            .init(executable: path, arguments: arguments, environment: environment))
        adopt(child)
        let status = try await child.end()
        await child.output.end()
        await child.error.end()
        return CommandResult(status: status, output: child.output.text, error: child.error.text)
    }

    /// Runs `energyctl` with `--json`, which must succeed.
    func json(_ arguments: String...) async throws -> [String: Any] { try await json(arguments) }

    func json(_ arguments: [String]) async throws -> [String: Any] {
        let result = try await energyctl(arguments + ["--json"])
        guard result.status == .code(0) else {
            throw HarnessError("energyctl \(arguments) ended with \(result.status): \(result.error)")
        }
        return try result.object()
    }
}
