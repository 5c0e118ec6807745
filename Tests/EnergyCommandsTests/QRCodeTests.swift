import ArgumentParser
import EnergyTestSupport
import Foundation
import QRCodes
import Testing

@testable import EnergyCommands

/// What is shown as a QR code is read back by another program.
@Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/zbarimg"), "there is no zbarimg: make deps"))
struct QRCodeTests {
    private let home = FakeHome()
    private let place: TemporaryFolder

    init() throws { place = try TemporaryFolder() }

    private func run(_ arguments: String...) async throws {
        let command = try await RootCommand.asyncParseAsRoot(["keys"] + arguments + ["--keys", place.path("keys")])
        try await (try #require(command as? any EnergyCommand)).perform(in: home.context())
    }

    /// Draws rows of modules, eight pixels each, as a picture, and reads it.
    private func read(_ rows: [[Bool]]) throws -> String {
        let (scale, side) = (8, rows.count)
        var picture = Data("P5\n\(side * scale) \(side * scale)\n255\n".utf8)
        for row in rows {
            let line = row.flatMap { Array(repeating: $0 ? UInt8(0) : 255, count: scale) }
            for _ in 0..<scale { picture += line }
        }
        let path = place.path("code.pgm")
        try picture.write(to: URL(filePath: path))
        let (reader, output) = (Process(), Pipe())
        reader.executableURL = URL(filePath: "/usr/bin/zbarimg")
        reader.arguments = ["--quiet", "--raw", "--set", "disable", "--set", "qrcode.enable", path]
        reader.standardOutput = output
        reader.standardError = FileHandle.nullDevice
        try reader.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        reader.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }

    private func rows(_ code: QRCode) -> [[Bool]] {
        let range = -QRCode.quietZone..<code.size + QRCode.quietZone
        return range.map { row in range.map { code.isDark(row: row, column: $0) } }
    }

    /// What a camera sees of a terminal: upper and lower halves of each character, black on white where colours say so, else
    /// white on black.
    private func rows(_ lines: [String]) throws -> [[Bool]] {
        let (begin, end) = ("\u{1B}[38;5;16;48;5;231m", "\u{1B}[0m")
        var rows: [[Bool]] = []
        for line in lines {
            let isColoured = line.hasPrefix(begin) && line.hasSuffix(end)
            let blocks = isColoured ? line.dropFirst(begin.count).dropLast(end.count) : line[...]
            #expect(blocks.allSatisfy("█▀▄ ".contains))
            rows.append(blocks.map { "█▀".contains($0) == isColoured })
            rows.append(blocks.map { "█▄".contains($0) == isColoured })
        }
        return Array(rows.prefix(rows.first?.count ?? 0))
    }

    @Test(arguments: ["x", "name: charger\nkeys: {}\n", String(repeating: "abc \"$%\n", count: 120)])
    func `text comes back as it was`(text: String) throws {
        let code = try #require(QRCode(text))
        #expect(try read(rows(code)) == text + "\n")
        #expect(try read(rows(code.lines(isColoured: true))) == text + "\n")
        let plain = code.lines(isColoured: false)
        #expect(try read(rows(plain)) == text + "\n" && !plain.joined().contains("\u{1B}"))
    }

    @Test func `nothing, and too much, are no codes`() {
        #expect(QRCode("") == nil)
        #expect(QRCode(String(repeating: "x", count: QRCode.bytesMax)) != nil)
        #expect(QRCode(String(repeating: "x", count: QRCode.bytesMax + 1)) == nil)
    }

    @Test func `a client's file comes back whole from the terminal, and its picture is private`() async throws {
        try await run("init")
        let count = home.output.lines.count
        try await run("qr", "owner")
        let text = try String(contentsOfFile: place.path("keys/owner.yaml"), encoding: .utf8)
        let shown = text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { "\($0)\n" }.joined()
        #expect(try read(rows(Array(home.output.lines.dropFirst(count)))) == shown + "\n")
        try await run("qr", "owner", "--svg", place.path("owner.svg"))
        let mode = try FileManager.default.attributesOfItem(atPath: place.path("owner.svg"))[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(try String(contentsOfFile: place.path("owner.svg"), encoding: .utf8).hasPrefix("<svg "))
    }

    @Test func `a terminal that would break its lines gets no code, and is told what to do`() async throws {
        try await run("init")
        let (count, keys) = (home.output.lines.count, place.path("keys"))
        for arguments in [
            ["keys", "qr", "owner", "--keys", keys],
            ["keys", "client", "tablet", "--allow", "guidance", "--qr", "--keys", keys],
        ] {
            let command = try await RootCommand.asyncParseAsRoot(arguments)
            let context = home.context(Style(hasColor: false, hasUnicode: true, width: 80))
            let refused = await #expect(throws: CommandFailure.self) {
                try await (try #require(command as? any EnergyCommand)).perform(in: context)
            }
            #expect(refused?.exit == .failure)
            #expect(refused?.message.contains("this terminal has 80") == true)
            #expect(refused?.message.contains("energyctl keys qr \(arguments[2]) --svg") == true)
        }
        #expect(!home.output.lines[count...].contains { $0.contains("█") })
    }

    @Test func `a new client's file is shown as a code at once, and never as JSON`() async throws {
        try await run("init")
        let refused = await #expect(throws: CommandFailure.self) {
            try await run("client", "tablet", "--allow", "guidance", "--qr", "--json")
        }
        #expect(refused?.exit == .usage && !FileManager.default.fileExists(atPath: place.path("keys/tablet.yaml")))
        let count = home.output.lines.count
        try await run("client", "tablet", "--allow", "guidance", "--qr")
        let text = try String(contentsOfFile: place.path("keys/tablet.yaml"), encoding: .utf8)
        let shown = text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { "\($0)\n" }.joined()
        #expect(try read(rows(Array(home.output.lines.dropFirst(count + 1)))) == shown + "\n")
    }
}
