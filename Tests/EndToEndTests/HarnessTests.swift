import EnergyTestSupport
import Foundation
import Testing

/// The harness itself, with programs that every machine has.
@Suite(.timeLimit(.minutes(2))) struct HarnessTests {
    private func shell(_ script: String) -> ProcessSpawner.Command {
        ProcessSpawner.Command(
            executable: "/bin/sh", arguments: ["-c", script], environment: ["PATH": "/usr/bin:/bin"])
    }

    @Test func `output, errors and exit codes are kept apart`() async throws {
        let child = try await ChildProcess.start(shell("echo out; echo err >&2; printf rest; exit 7"))
        #expect(await child.exit() == .code(7))
        await child.output.end()
        await child.error.end()
        #expect(child.output.all == ["out", "rest"])
        #expect(child.error.all == ["err"])
    }

    @Test func `a process can be killed, and its number is not used again`() async throws {
        let child = try await ChildProcess.start(shell("exec sleep 600"))
        #expect(child.status == nil)
        await child.kill()
        #expect(child.status == .signal(SIGKILL))
        #expect(Foundation.kill(child.id, 0) == -1)
        child.send(SIGTERM)
    }

    @Test func `the default of every signal holds in the child`() async throws {
        let child = try await ChildProcess.start(shell("exec sleep 600"))
        child.send(SIGTERM)
        #expect(await child.exit() == .signal(SIGTERM))
    }

    @Test func `a line is waited for, also one that was there before`() async throws {
        let child = try await ChildProcess.start(shell("echo one; echo two; exec sleep 600"))
        #expect(try await child.output.line(containing: "tw") == "two")
        #expect(try await child.output.line(containing: "on") == "one")
        await child.kill()
        await #expect(throws: HarnessError.self) { try await child.output.line(containing: "three") }
    }

    @Test func `a program that is not there is exit code 127`() async throws {
        let child = try await ChildProcess.start(.init(executable: "/nonexistent"))
        #expect(await child.exit() == .code(127))
    }

    @Test func `being ready is told over a socket`() async throws {
        let folder = try Machine.temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let socket = try ReadySocket(path: "\(folder)/n")
        let script = """
            import os, socket
            s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            s.sendto(b"STATUS=starting", os.environ["NOTIFY_SOCKET"])
            s.sendto(b"READY=1\\nMAINPID=1", os.environ["NOTIFY_SOCKET"])
            """
        let child = try await ChildProcess.start(
            .init(
                executable: "/usr/bin/python3", arguments: ["-c", script], environment: ["NOTIFY_SOCKET": socket.path]),
            onExit: { socket.finish() })
        #expect(await socket.isReady())
        _ = await child.exit()
        let silent = try ReadySocket(path: "\(folder)/m")
        _ = try await ChildProcess.start(shell("exit 1"), onExit: { silent.finish() })
        #expect(await !silent.isReady())
    }

    @Test func `ports are free and not given twice`() {
        let ports = (0..<50).map { _ in Ports.next() }
        #expect(Set(ports).count == 50)
    }
}
