/// What was found, in groups, with what to do below each that is not well.
enum DoctorView {
    static func lines(_ findings: [Finding], _ style: Style) -> [String] {
        var table = Table([.init("level"), .init("check", shrinks: true), .init("found", wraps: true)])
        var subject = ""
        for finding in findings {
            if finding.subject != subject {
                subject = finding.subject
                table.addHeading(subject)
            }
            table.add([
                .init("  \(word(finding.level))", color(finding.level)), .init(finding.check), .init(finding.found),
            ])
            if !finding.remedy.isEmpty { table.add(["", "", .init("\(style.arrow) \(finding.remedy)", .bold)]) }
        }
        return table.lines(style, showsTitles: false)
            + ["", summary(findings, style)].flatMap {
                TerminalText.wrap($0, to: style.width)
            }
    }

    private static func word(_ level: Finding.Level) -> String { level == .skipped ? "-" : level.rawValue }

    private static func color(_ level: Finding.Level) -> Style.Color {
        switch level {
        case .ok: .green
        case .warning: .yellow
        case .failure: .red
        case .skipped: .dim
        }
    }

    private static func summary(_ findings: [Finding], _ style: Style) -> String {
        func count(_ level: Finding.Level, _ word: String) -> String? {
            let count = findings.count { $0.level == level }
            return count == 0 ? nil : "\(count) \(word)\(count == 1 ? "" : "s")"
        }
        let bad = [count(.failure, "failure"), count(.warning, "warning")].compactMap(\.self)
        let looked = findings.count { $0.level != .skipped }
        return bad.isEmpty
            ? "All is well: \(looked) checks." : "\(bad.joined(separator: " and ")) in \(looked) checks."
    }
}

struct DoctorDocument: Encodable {
    struct Entry: Codable {
        let subject: String
        let check: String
        let level: String
        let found: String
        /// Empty where there is nothing to do.
        let remedy: String
    }
    let failures: Int
    let warnings: Int
    let version: String
    let findings: [Entry]

    init(_ findings: [Finding], version: String) {
        failures = findings.count { $0.level == .failure }
        warnings = findings.count { $0.level == .warning }
        self.version = version
        self.findings = findings.map {
            Entry(subject: $0.subject, check: $0.check, level: $0.level.rawValue, found: $0.found, remedy: $0.remedy)
        }
    }
}
