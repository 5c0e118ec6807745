extension String {
    /// With a full stop, unless it has one. What others say are mostly phrases, and sometimes sentences.
    var asSentence: String {
        guard let last, !".!?".contains(last) else { return self }
        return self + "."
    }
}
