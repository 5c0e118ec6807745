import EnergyModel
import EnergyTestSupport
import EnergyTransport
import Foundation
import Testing

@testable import AuditFiles

@Suite struct AuditLogTests {
    private let folder: TemporaryFolder
    private let clock = ManualClock()
    private var wallClock: ManualWallClock { ManualWallClock(clock: clock) }
    private let put = AuditedAction(principal: "kai", method: "energy.v1.Venues/Put", venues: [UUID()])

    init() throws { folder = try TemporaryFolder() }

    private func log(fileBytesMax: Int = 1 << 20, filesMax: Int = 4) -> AuditLog {
        AuditLog(
            state: folder.url.path, service: "scheduler", clock: wallClock, limits: (fileBytesMax, filesMax))
    }

    private func verify(_ remembered: AuditHead? = nil) throws -> (AuditVerifier, [AuditLine]) {
        var verifier = AuditVerifier(state: folder.url.path, remembered: remembered)
        var lines: [AuditLine] = []
        try verifier.run { lines.append($0) }
        return (verifier, lines)
    }

    private func act(_ log: AuditLog, _ count: Int = 1, _ failure: CallFailure? = nil) async throws {
        for _ in 0..<count { await log.end(try await log.begin(put), put, failure) }
    }

    private func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path("audit")).filter { $0 != "head" }.sorted()
    }

    /// Changes the lines of the only file, as somebody with an editor would.
    private func edit(_ change: (inout [String]) -> Void) throws {
        let path = folder.path("audit/\(try #require(try files().first))")
        var lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
        change(&lines)
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: path))
    }

    @Test func `an action is written before and after, with its end, and the chain holds over restarts`() async throws {
        let first = log()
        try await act(first)
        try await act(first, 1, CallFailure(.notFound, "no such venue Secret Cabin"))
        await first.close()
        let second = log()
        await second.note(.serviceStarted)
        try await act(second, 2)
        let (verifier, lines) = try verify()
        #expect(verifier.faults == [])
        #expect(
            lines.map(\.event) == [
                .actionBegins, .actionEnds, .actionBegins, .actionEnds, .serviceStopped, .serviceStarted, .actionBegins,
                .actionEnds, .actionBegins, .actionEnds,
            ])
        #expect(lines.compactMap(\.status) == ["OK", "NOT_FOUND", "OK", "OK"])
        #expect(lines.compactMap(\.began) == [1, 3, 7, 9])
        #expect(lines.prefix(4).allSatisfy { $0.principal == "kai" && $0.venues?.count == 1 })
        let text = try String(contentsOfFile: folder.path("audit/\(try files()[0])"), encoding: .utf8)
        #expect(!text.contains("Secret Cabin"), "no message of an error, for what it may hold")
    }

    @Test func `files and folder are their owner's alone`() async throws {
        try await act(log())
        for name in ["audit", "audit/head", "audit/\(try files()[0])"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.path(name))
            #expect(attributes[.posixPermissions] as? Int == (name == "audit" ? 0o700 : 0o600), "\(name)")
        }
    }

    @Test(arguments: 0..<9)
    func `a line that was altered is named`(index: Int) async throws {
        try await act(log(), 5)
        try edit { $0[index] = $0[index].replacing("kai", with: "eve") }
        let (verifier, _) = try verify()
        #expect(verifier.faultCount == 1)
        #expect(verifier.faults.first?.contains("line \(index + 1) was altered") == true, "\(verifier.faults)")
    }

    @Test func `the last line cannot be altered either, because the head names it`() async throws {
        try await act(log(), 5)
        try edit { $0[9] = $0[9].replacing("kai", with: "eve") }
        #expect(try verify().0.faults == ["line 10 was altered: the head names another"])
    }

    @Test func `lines that were removed, inserted or moved are named`() async throws {
        try await act(log(), 5)
        let path = folder.path("audit/\(try files()[0])")
        let original = try Data(contentsOf: URL(filePath: path))
        try edit { $0.remove(at: 3) }
        #expect(try verify().0.faults.first?.contains("line 4 was removed or moved before line 5") == true)
        try original.write(to: URL(filePath: path))
        try edit { $0.removeSubrange(2...4) }
        #expect(try verify().0.faults.first?.contains("lines 3 to 5 were removed or moved before line 6") == true)
        try original.write(to: URL(filePath: path))
        try edit { $0.insert($0[2], at: 6) }
        #expect(try verify().0.faults.first?.contains("line 3 stands behind line 6: inserted or moved") == true)
        try original.write(to: URL(filePath: path))
        try edit { $0.swapAt(4, 5) }
        #expect(try verify().0.faultCount > 0)
        try original.write(to: URL(filePath: path))
        try edit { $0.insert("{}", at: 1) }
        #expect(try verify().0.faults.first?.contains("line 2: it is no line of an audit log") == true)
        try original.write(to: URL(filePath: path))
        #expect(try verify().0.faults == [])
    }

    @Test func `an end that is missing is found by the head, and for ever by the next start`() async throws {
        try await act(log(), 5)
        try edit { $0.removeLast(3) }
        #expect(try verify().0.faults == ["the end is missing: lines 8 to 10"])
        try await act(log())
        let (verifier, lines) = try verify()
        #expect(lines.contains { $0.event == .faultFound })
        #expect(verifier.faults.first?.contains("the log was not as it had left it") == true)
    }

    @Test func `a head kept elsewhere finds a log that was made anew with its own head`() async throws {
        let first = log()
        try await act(first, 3)
        let head = try #require(await first.head)
        try FileManager.default.removeItem(atPath: folder.path("audit"))
        try FileManager.default.removeItem(atPath: folder.path("last-audit-line"))
        // What did not happen so.
        try await act(log(), 2, CallFailure(.aborted, ""))
        #expect(try verify().0.faults == [])
        #expect(try verify(head).0.faults == ["the end is missing: lines 5 to 6"])
        try await act(log(), 8)
        #expect(try verify(head).0.faults == ["line 6 was altered: the head names another"])
    }

    @Test func `a folder that was removed whole is missed, and for ever by the next start`() async throws {
        let first = log()
        try await act(first, 3)
        await first.close()
        try FileManager.default.removeItem(atPath: folder.path("audit"))
        #expect(try AuditVerifier.states(in: folder.url.path) == [folder.url.path])
        #expect(try verify().0.faults == ["all lines are missing, up to line 7"])
        try await act(log())
        let (verifier, lines) = try verify()
        #expect(lines.map(\.event) == [.faultFound, .actionBegins, .actionEnds])
        #expect(verifier.faultCount == 1)
        #expect(verifier.faults.first?.contains("lines 1 to 7 were missing") == true, "\(verifier.faults)")
    }

    @Test func `lines that were cut off together with the head are missed`() async throws {
        let first = log()
        try await act(first, 3)
        try edit { $0.removeLast(2) }
        try FileManager.default.removeItem(atPath: folder.path("audit/head"))
        #expect(try verify().0.faults.contains("the end is missing: lines 5 to 6"))
    }

    @Test func `a mark that is behind, as after a crash of the machine, is no fault`() async throws {
        let first = log()
        try await act(first)
        let path = folder.path("last-audit-line")
        let mark = try Data(contentsOf: URL(filePath: path))
        try await act(first, 2)
        await first.close()
        try mark.write(to: URL(filePath: path))
        #expect(try verify().0.faults == [])
        let second = log()
        try await act(second)
        #expect(try verify().0.faults == [])
        await second.close()
        try FileManager.default.removeItem(atPath: path)
        #expect(try verify().0.faults == [])
        try await act(log())
        #expect(try verify().0.faults == [])
    }

    @Test func `what is done to a stopped service's state continues its log, and the service continues that`()
        async throws
    {
        let first = log()
        try await act(first)
        await first.close()
        let audit = try StoppedServiceAudit(
            "energyctl log restore", state: folder.url.path, details: ["backup": "b"], at: wallClock.now)
        try audit.end(status: AuditStatus.text(nil), details: ["records": "3"], at: wallClock.now)
        try await act(log())
        let (verifier, lines) = try verify()
        #expect(verifier.faults == [])
        let done = lines[3...4]
        #expect(done.map(\.event) == [.actionBegins, .actionEnds])
        #expect(done.allSatisfy { $0.principal == "user:\(NSUserName())" && $0.method == "energyctl log restore" })
        #expect(done.last?.began == 4 && done.last?.status == "OK" && done.last?.details == ["records": "3"])
    }

    @Test func `whether a stopped service's log could be written is seen without touching it`() async throws {
        try StoppedServiceAudit.check(state: folder.url.path)
        #expect(!FileManager.default.fileExists(atPath: folder.path("audit")))
        try await act(log())
        let path = folder.path("audit/\(try files()[0])")
        // What a crash has cut off is for who writes next to find, and to say.
        let bytes = try Data(contentsOf: URL(filePath: path)) + Data("{\"sequence\":3".utf8)
        try bytes.write(to: URL(filePath: path))
        try StoppedServiceAudit.check(state: folder.url.path)
        #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
        try FileManager.default.removeItem(atPath: folder.path("audit"))
        try Data().write(to: URL(filePath: folder.path("audit")))
        #expect(throws: AuditError.self) { try StoppedServiceAudit.check(state: folder.url.path) }
        #expect(throws: AuditError.self) { try StoppedServiceAudit.check(state: folder.path("nowhere")) }
    }

    @Test func `old files go, the chain holds, and a line says what went`() async throws {
        let small = log(fileBytesMax: 2_000, filesMax: 3)
        try await act(small, 60)
        #expect(try files().count <= 4)
        let (verifier, lines) = try verify()
        #expect(verifier.faults == [])
        #expect(verifier.removed > 0)
        #expect(lines.contains { $0.event == .linesRemoved })
        try FileManager.default.removeItem(atPath: folder.path("audit/\(try files()[0])"))
        #expect(try verify().0.faults.first?.contains("no line says that those before were removed") == true)
    }

    @Test func `a line that a crash has cut off is removed, and that is said`() async throws {
        try await act(log())
        let path = folder.path("audit/\(try files()[0])")
        let file = try #require(FileHandle(forWritingAtPath: path))
        try file.seekToEnd()
        try file.write(contentsOf: Data("{\"sequence\":3,\"ti".utf8))
        try file.close()
        try await act(log())
        let (verifier, lines) = try verify()
        #expect(verifier.faults == [])
        #expect(lines.map(\.event) == [.actionBegins, .actionEnds, .endRepaired, .actionBegins, .actionEnds])
    }

    @Test func `what cannot be written down is not begun, and what had begun is written when it can be`() async throws {
        let problems = Box<[String?]>([])
        let log = AuditLog(state: folder.url.path, service: "scheduler", clock: wallClock) { problem in
            problems.update { $0.append(problem.map { "\($0)" }) }
        }
        // Something else stands where the folder should be.
        try Data().write(to: URL(filePath: folder.path("audit")))
        let failure = await #expect(throws: CallFailure.self) { _ = try await log.begin(put) }
        #expect(failure?.code == .unavailable)
        #expect(failure?.message.contains("what cannot be written down there is not done") == true)
        await log.end(17, put, nil)
        try FileManager.default.removeItem(atPath: folder.path("audit"))
        try await act(log)
        let (verifier, lines) = try verify()
        #expect(verifier.faults == [])
        #expect(lines.map(\.event) == [.actionEnds, .actionBegins, .actionEnds])
        #expect(problems.value.count == 2)
        #expect(problems.value.last == .some(nil))
    }

    @Test func `what repeats is written once, and then counted`() async throws {
        let log = log()
        let read = AuditedAction(principal: "insight-service", method: "energy.v1.Events/ReadLog")
        let denied = CallFailure(.permissionDenied, "no")
        for _ in 0..<1_000 {
            await log.note(put, denied)
            await log.note(read, nil)
        }
        #expect(try verify().1.map(\.event) == [.actionRefused, .read])
        clock.advance(by: .seconds(60))
        await log.tick()
        #expect(try verify().1.dropFirst(2).map(\.repeats) == [999])
        clock.advance(by: .seconds(3_600))
        await log.tick()
        await log.note(read, nil)
        #expect(try verify().1.dropFirst(3).map(\.repeats) == [999, nil])
        for number in 0..<5_000 {
            await log.note(AuditedAction(principal: "\(number)", method: put.method), denied)
        }
        await log.close()
        #expect(try verify().1.count < 1_100)
        #expect(try verify().1.contains { $0.principal == "others" && ($0.repeats ?? 0) > 3_900 })
    }

    @Test func `many at once lose nothing`() async throws {
        let log = log(fileBytesMax: 20_000, filesMax: 100)
        await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 { group.addTask { try await act(log, 10) } }
        }
        let (verifier, lines) = try verify()
        #expect(verifier.faults == [])
        #expect(lines.count == 400)
        #expect(Set(lines.compactMap(\.began)) == Set(lines.filter { $0.event == .actionBegins }.map(\.sequence)))
    }
}
