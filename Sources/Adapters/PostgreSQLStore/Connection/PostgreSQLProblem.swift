internal import EnergyModel

/// Why something failed, and what may be done about it.
struct PostgreSQLProblem: Error {
    enum Remedy {
        /// The same fails again.
        case none
        /// The transaction lost against another one: run it again.
        case runAgain
        /// The connection is of no use any more, or leads to a server that cannot do this: run it again on a new one.
        case connectAgain
    }
    let remedy: Remedy
    /// For whoever called: no host, user or database, no value.
    let error: EnergyError
    /// For whoever runs the service: why it could not connect, in libpq's words.
    var reason: String?
    /// Whether the connection broke while a commit was under way: it may have happened, or not.
    var isCommitUnknown = false
    private var isOfString = false

    static func lost(_ reason: String) -> PostgreSQLProblem { unreachable.because(reason) }

    func because(_ reason: String) -> PostgreSQLProblem {
        var problem = self
        problem.reason = reason
        return problem
    }

    static let unreachable = PostgreSQLProblem(remedy: .connectAgain, error: .postgreSQL("cannot be reached"))
    static let refused = PostgreSQLProblem(remedy: .none, error: .postgreSQL("does not take the connection"))
    /// The connection string has a value that cannot be.
    static let unusable: PostgreSQLProblem = {
        var problem = PostgreSQLProblem(remedy: .none, error: refused.error)
        problem.isOfString = true
        return problem
    }()

    /// With the reason, for whoever starts the service.
    var explained: EnergyError {
        guard let reason else { return error }
        if isOfString {
            return EnergyError(.invalidInput, "the connection string of PostgreSQL cannot be used: \(reason)")
        }
        return EnergyError(
            error.code, "\(error.message): \(reason)", retryAfterMilliseconds: error.retryAfterMilliseconds)
    }

    /// Whether it may be otherwise later, though nothing is done about it.
    var mayPass: Bool { remedy != .none || error == Self.timeout.error }

    static let timeout = PostgreSQLProblem(remedy: .none, error: .postgreSQL("did not answer in time"))

    /// What an SQLSTATE means (PostgreSQL's appendix A). Its text stays here: it may hold values, and names of tables.
    init(state: String) {
        switch state {
        case "40001", "40P01", "55P03": (remedy, error) = (.runAgain, .postgreSQL("has too much going on at once"))
        case "57014": self = .timeout
        // Shut down, started, or no primary (any more). A plan of before a change of the schema is remade like that too.
        case "57P01", "57P02", "57P03", "57P05", "25006", "0A000", "53300":
            (remedy, error) = (.connectAgain, .postgreSQL("is not ready: \(state)"))
        // We hung, and the server has undone the transaction, so that others need not wait.
        case "25P03": (remedy, error) = (.connectAgain, .postgreSQL("gave up a transaction that stood still"))
        // It is libpq that says so, not the server.
        case "": self = .lost("the connection broke")
        case "53100": (remedy, error) = (.none, .postgreSQL("has no room left on its disk"))
        case "42501":
            (remedy, error) = (
                .none,
                .postgreSQL(
                    "does not let this user do that (42501): it must own the service's schema and its tables, or be "
                        + "let make them (GRANT CREATE ON DATABASE)")
            )
        case "42P01":
            (remedy, error) = (
                .none,
                .postgreSQL(
                    "lacks a table that this service made (42P01): its schema was removed or replaced, perhaps by energyctl "
                        + "store migrate. Stop this service, and start it when that is finished")
            )
        case "XX001", "XX002":
            (remedy, error) = (.none, EnergyError(.dataLoss, "PostgreSQL says that what it stored is damaged"))
        default:
            switch state.prefix(2) {
            case "08": (remedy, error) = (.connectAgain, .postgreSQL("cannot be reached: \(state)"))
            case "22":
                (remedy, error) = (.none, EnergyError(.invalidInput, "PostgreSQL cannot hold a value (\(state))"))
            case "23": (remedy, error) = (.none, EnergyError(.conflict, "PostgreSQL refused contradicting data"))
            default: (remedy, error) = (.none, .postgreSQL("refused a statement (\(state))"))
            }
        }
    }

    init(remedy: Remedy, error: EnergyError) { (self.remedy, self.error) = (remedy, error) }
}

extension EnergyError {
    static func postgreSQL(_ problem: String) -> EnergyError {
        EnergyError(.unavailable, "PostgreSQL \(problem)", retryAfterMilliseconds: 1_000)
    }
}
