/// What one check of `energyctl doctor` found.
struct Finding: Hashable, Sendable {
    enum Level: String, Sendable, CaseIterable {
        case ok
        /// Works, but not as well as it could, or not for long.
        case warning
        /// Something does not work.
        case failure
        /// Could not be looked at, because of a failure that is told elsewhere.
        case skipped
    }

    /// What was examined, for example a service.
    let subject: String
    let check: String
    let level: Level
    let found: String
    /// How to mend it; empty where there is nothing to do.
    let remedy: String

    var withoutRemedy: Finding {
        Finding(subject: subject, check: check, level: level, found: found, remedy: "")
    }

    static func ok(_ subject: String, _ check: String, _ found: String) -> Finding {
        Finding(subject: subject, check: check, level: .ok, found: found, remedy: "")
    }

    static func warning(_ subject: String, _ check: String, _ found: String, _ remedy: String) -> Finding {
        Finding(subject: subject, check: check, level: .warning, found: found, remedy: remedy)
    }

    static func failure(_ subject: String, _ check: String, _ found: String, _ remedy: String) -> Finding {
        Finding(subject: subject, check: check, level: .failure, found: found, remedy: remedy)
    }

    static func skipped(_ subject: String, _ check: String, _ found: String) -> Finding {
        Finding(subject: subject, check: check, level: .skipped, found: found, remedy: "")
    }
}
