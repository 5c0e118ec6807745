import Foundation
import Testing

/// What the compiler cannot check: read from the sources as text.
@Suite struct TidyTests {
    private struct File {
        /// From the package's root.
        let path: String
        let lines: [Substring]
    }

    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().standardizedFileURL.path

    private func files(under folder: String, of kind: String = ".swift") throws -> [File] {
        let paths = FileManager.default.enumerator(atPath: "\(Self.root)/\(folder)")?.compactMap { $0 as? String } ?? []
        return try paths.filter { $0.hasSuffix(kind) }.sorted().map { path in
            let text = try String(contentsOfFile: "\(Self.root)/\(folder)/\(path)", encoding: .utf8)
            return File(
                path: "\(folder)/\(path)", lines: text.split(separator: "\n", omittingEmptySubsequences: false))
        }
    }

    /// `FILE:LINE: the line` for each line of code, comments left out, that `pattern` matches.
    private func findings(_ files: [File], _ pattern: some RegexComponent) -> [String] {
        files.flatMap { file in
            file.lines.enumerated().compactMap { index, line in
                let code = line.split(separator: "//", maxSplits: 1, omittingEmptySubsequences: false)[0]
                return code.contains(pattern) ? "\(file.path):\(index + 1): \(line)" : nil
            }
        }
    }

    @Test func `nobody waits by sleeping`() throws {
        // A real timer sleeps on a clock that is passed in.
        let own = "Tests/TidyTests/"
        let all = try (files(under: "Sources") + files(under: "Tests")).filter { !$0.path.hasPrefix(own) }
        #expect(findings(all, #/\b(Task(<.*>)?\.sleep|usleep|nanosleep|Thread\.sleep)\b/#) == [])
    }

    @Test func `only the command line prints`() throws {
        let sources = try files(under: "Sources").filter {
            !$0.path.hasPrefix("Sources/Apps/energyctl") && !$0.path.hasPrefix("Sources/Client/EnergyCommands")
        }
        #expect(findings(sources, #/(^|[^.\w])(print|debugPrint|dump)\(/#) == [])
    }

    @Test func `nothing traps on what comes from outside`() throws {
        #expect(findings(try files(under: "Sources"), #/\btry!|\bas!|\bfatalError\(/#) == [])
    }

    @Test func `nothing is left to do in a comment`() throws {
        let all = try files(under: "Sources") + files(under: "Tests").filter { !$0.path.hasPrefix("Tests/TidyTests/") }
        let marked = all.flatMap { file in
            file.lines.enumerated().filter { $1.contains(#/\b(TODO|FIXME|XXX)\b/#) }.map {
                "\(file.path):\($0.offset + 1)"
            }
        }
        #expect(marked == [])
    }

    @Test func `a C module shows Swift nothing of sockets`() throws {
        // Swift may take it for that module's own, and not find it where only Glibc is imported: in some builds only.
        let headers = try files(under: "Sources/C", of: ".h")
        #expect(!headers.isEmpty)
        #expect(findings(headers, #/#include <(sys/socket|sys/un|netinet/.*|arpa/.*|netdb|resolv)\.h>/#) == [])
    }

    @Test func `a file is at most 400 lines long`() throws {
        let long = try (files(under: "Sources") + files(under: "Tests")).filter { $0.lines.count > 400 }
        #expect(long.map { "\($0.path): \($0.lines.count) lines" } == [])
    }

    @Test func `a main is at most 40 lines long`() throws {
        let long = try files(under: "Sources/Apps").filter { $0.path.hasSuffix("/main.swift") && $0.lines.count > 41 }
        #expect(long.map { "\($0.path): \($0.lines.count) lines" } == [])
    }
}
