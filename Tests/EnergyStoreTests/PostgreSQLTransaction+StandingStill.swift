@testable import PostgreSQLStore

extension PostgreSQLTransaction {
    /// For a test that holds a transaction open until something has happened: the server would give it up after ten seconds,
    /// which where many tests run at once may pass first.
    ///
    /// - Parameter milliseconds: after which the server gives it up nevertheless; `nil` for never.
    func mayStandStill(milliseconds: Int? = nil) throws {
        try execute("SELECT set_config('idle_in_transaction_session_timeout', $1, true)", ["\(milliseconds ?? 0)"])
    }
}
