@testable import PostgreSQLStore

extension PostgreSQLTransaction {
    /// For a test that holds a transaction open until something has happened: the server would give it up after ten seconds,
    /// which where many tests run at once may pass first.
    func mayStandStill() throws {
        try execute("SELECT set_config('idle_in_transaction_session_timeout', '0', true)")
    }
}
