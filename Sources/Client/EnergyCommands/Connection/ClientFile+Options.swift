internal import ServiceEndpoints

extension ClientFile {
    static let environmentKey = "GRIDTIDE_CLIENT"

    /// The installation that the options, the environment or the user's own file name; else the one of this machine.
    /// Named endpoints stand in for those of a file.
    ///
    /// - Throws: ``CommandFailure`` `.usage` with what is wrong and what would be right.
    init(_ options: GlobalOptions, _ environment: [String: String]) throws(CommandFailure) {
        let text = options.endpoints ?? environment[Endpoints.environmentKey] ?? ""
        let path = options.client ?? environment[Self.environmentKey] ?? ""
        do throws(ClientFileError) {
            if !path.isEmpty {
                self = try ClientFile(path: path)
            } else if text.isEmpty, let file = try ClientFile.standard(environment) {
                self = file
            } else {
                self.init(endpoints: Endpoints())
            }
        } catch { throw .usage(error.message) }
        if !text.isEmpty { endpoints = try Endpoints(option: text) }
    }
}
