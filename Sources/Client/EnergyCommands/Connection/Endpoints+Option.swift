internal import ServiceEndpoints

extension Endpoints {
    static let environmentKey = "GRIDTIDE_ENDPOINTS"

    /// As `--endpoints` and `GRIDTIDE_ENDPOINTS` say it.
    ///
    /// - Throws: ``CommandFailure`` `.usage` with what is wrong and what would be right.
    init(option text: String) throws(CommandFailure) {
        do throws(EndpointsError) { try self.init(parsing: text) } catch { throw .usage("endpoints: \(error.message)") }
    }
}
