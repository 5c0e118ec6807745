import EnergyTestSupport
import Foundation
import Testing

/// Code that was written for Apple's EnergyKit, checked against this one.
struct SnippetTests {
    @Test(
        .enabled(if: Seeds.documents != nil, "../shared/seeds is absent: no foreign code is checked"),
        .timeLimit(.minutes(10)))
    func `code written for EnergyKit compiles, unless it cannot anywhere`() async throws {
        let folder = try TemporaryFolder()
        let compiler = try #require(SnippetCompiler(folder: folder.url), "there is no swiftc in PATH")
        let snippets = try #require(Seeds.documents).flatMap(\.snippets)
        #expect(snippets.count > 90, "code of the documents was not found")
        let verdicts = try await verdicts(on: snippets, compiler)

        print("COMPILES")
        for case (let snippet, .compiles(let how)) in verdicts { print("  \(snippet.name)\(how)") }
        print("CANNOT BY NATURE")
        for case (let snippet, .impossible(let why)) in verdicts { print("  \(snippet.name): \(why)") }
        print("FAILS")
        for case (let snippet, .fails(let errors)) in verdicts {
            print("  \(snippet.name)")
            for error in errors { print("      \(error)") }
            Issue.record("\(snippet.name) does not compile: \(errors.joined(separator: "; "))")
        }
    }

    @Test(.enabled(if: Seeds.documents != nil, "../shared/seeds is absent: no foreign code is searched"))
    func `no code of the documents is overlooked, and none is changed but for its line ends`() throws {
        for document in try #require(Seeds.documents) {
            func squeezed(_ text: String) -> String { text.filter { !$0.isWhitespace } }
            let whole = squeezed(document.text)
            for snippet in document.snippets { #expect(whole.contains(squeezed(snippet.code)), "\(snippet.name)") }
            let rest =
                document.text.hasPrefix("---")
                ? ProseCode(document.text).rest.components(separatedBy: "\n")
                : LineCode(document.text).rest
            for line in rest {
                #expect(!line.contains(#/\{$| = |try await |\w+\(\w+: /#), "\(document.name): \(line.prefix(200))")
            }
        }
    }

    private enum Verdict {
        case compiles(String)
        case impossible(String)
        case fails([String])
    }

    private func verdicts(
        on snippets: [Snippet], _ compiler: SnippetCompiler
    ) async throws -> [(Snippet, Verdict)] {
        try await withThrowingTaskGroup(of: (Int, Verdict).self) { group in
            var verdicts: [Int: Verdict] = [:]
            for (index, snippet) in snippets.enumerated() {
                if index >= 3, let (done, verdict) = try await group.next() { verdicts[done] = verdict }
                group.addTask { (index, try await self.verdict(on: snippet, compiler)) }
            }
            for try await (done, verdict) in group { verdicts[done] = verdict }
            return snippets.enumerated().compactMap { index, snippet in verdicts[index].map { (snippet, $0) } }
        }
    }

    private func verdict(on snippet: Snippet, _ compiler: SnippetCompiler) async throws -> Verdict {
        let plain = Scaffolding(snippet.code)
        var errors = try await compiler.errors(in: plain, languageMode: 6)
        if errors.isEmpty { return .compiles("") }
        // Apple's samples are of language mode 5, in which what may race is a warning.
        let older = try await compiler.errors(in: plain, languageMode: 5)
        if older.isEmpty { return .compiles(" (language mode 5)") }
        let first = older
        if errors.contains(where: { $0.contains("has no initializers") }) {
            // The class is shown in parts, without its initialiser.
            let complete = Scaffolding(snippet.code, hasInitializer: true)
            errors = try await compiler.errors(in: complete, languageMode: 6)
            if errors.isEmpty { return .compiles(" (with the initialiser that it leaves out)") }
        }
        return NatureReason.allCases.first { $0.explains(first) }.map { .impossible($0.rawValue) } ?? .fails(first)
    }
}

/// Why code can compile with no EnergyKit on Linux. Each knows the errors that it leads to: any other error fails.
private enum NatureReason: String, CaseIterable {
    case swiftUI = "SwiftUI"
    case elided = "the arguments are left out"
    case beta = "written for the first beta, where venue(for:) was optional and did not throw"

    private var messages: [String] {
        switch self {
        case .swiftUI: ["no such module 'SwiftUI'"]
        case .elided: ["missing argument for parameter", "missing arguments for parameters"]
        case .beta:
            [
                "initializer for conditional binding must have Optional type",
                "call can throw, but it is not marked with 'try' and the error is not handled",
            ]
        }
    }

    func explains(_ errors: [String]) -> Bool {
        errors.allSatisfy { error in messages.contains { error.contains($0) } }
    }
}
