internal import EnergyModel
internal import ServiceEndpoints

/// Why a command ended without doing its job, for the person at the terminal and for the script around it.
struct CommandFailure: Error, Hashable {
    /// `sysexits.h`, as far as it fits.
    enum Exit: Int32 {
        case failure = 1
        /// The command line is wrong.
        case usage = 64
        /// A service, or who reads the file for it, refused what it was given: the same again fails again.
        case refused = 65
        /// A service does not answer, or says that it cannot now.
        case unavailable = 69
        /// This client may not: its key is not admitted, or lacks a permission or the venue.
        case denied = 77

        /// For what a service, or who does its work, says. The one table.
        init(_ code: EnergyError.Code) {
            self =
                switch code {
                case .invalidInput, .notFound, .outOfRange, .conflict, .dataLoss: .refused
                case .denied: .denied
                case .unavailable, .rateLimited: .unavailable
                default: .failure
                }
        }

        /// As `energyctl --help` says it.
        static let help = """
            0 done, 64 wrong usage, 65 what was given is refused, 69 a service is
              not available, 77 not permitted with this client's key, 1 otherwise; 141, as a
              shell says it, where whoever reads the output has stopped reading
            """
    }

    let exit: Exit
    /// One or more sentences: what was wrong and what to do. Empty when the output has said it already.
    let message: String

    init(_ exit: Exit, _ message: String) {
        self.exit = exit
        self.message = message
    }

    static func usage(_ message: String) -> CommandFailure { CommandFailure(.usage, message) }

    /// What a service's refusal means at the command line.
    init(_ error: EnergyError, from service: ServiceKind) {
        let sentences = error.violations.map { TerminalText.safe(CommandWords.sentence($0)) }
        let details = sentences.count > 1 ? sentences.map { "\n  \($0)" }.joined() : ""
        // What follows, one a line, is not said before all at once.
        let all = error.violations.map(\.description).joined(separator: "; ")
        let said =
            sentences.count > 1 && error.message == all
            ? "\(sentences.count) things are wrong"
            : error.violations.reduce(CommandWords.phrase(error.message)) { message, violation in
                message.replacing(violation.description, with: CommandWords.sentence(violation))
            }
        let wait = error.retryAfterMilliseconds.map {
            // Services say phrases, not sentences.
            "\(".!?".contains(error.message.last ?? " ") ? "" : ".") Try again in \(Quantities.length(milliseconds: max(1000, $0)))."
        }
        self.init(Exit(error.code), "\(service.executable): \(TerminalText.safe(said))\(details)\(wait ?? "")")
    }

    /// A change that nobody has answered: it may be done twice if it is asked for again.
    static func unanswered(_ service: ServiceKind, within timeout: Duration) -> CommandFailure {
        let look = service == .schedule ? ": energyctl schedule shows it" : ""
        return CommandFailure(
            .unavailable,
            "\(service.executable) did not answer within \(Quantities.length(milliseconds: Int64(timeout / .milliseconds(1)))). "
                + "What was asked may have been done, or may be yet\(look). Look before you ask again; --timeout waits longer."
        )
    }

    static func unreachable(_ service: ServiceKind, at endpoint: Endpoint) -> CommandFailure {
        CommandFailure(
            .unavailable,
            "\(service.executable) at \(endpoint.requestAddresses.joined(separator: ", ")) does not answer. "
                + advice)
    }

    /// Of no use would be "start all" alone: where the others run, starting all finds their ports in use.
    static let advice =
        "Is it running? Start all services with make run-all; if that runs already, it says why this one is down, and "
        + "tries it again by itself."
}
