internal import EnergyModel
internal import EnergyStore

extension CommandFailure {
    /// What the work on this machine's files came to.
    ///
    /// - Parameter service: whose files they are; `nil` where the message says it.
    init(onFiles error: EnergyError, of service: StoredService? = nil) {
        // A file or a folder was named wrongly: nothing was refused.
        let exit = error.code == .notFound ? Exit.usage : Exit(error.code)
        let text = TerminalText.safe(error.message)
        self.init(exit, service.map { "\($0.rawValue): \(text.asSentence)" } ?? text)
    }
}
