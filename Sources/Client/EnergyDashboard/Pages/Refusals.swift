internal import EnergyModel

/// What stands in place of a page's parts that could not be had.
struct Refusals: Hashable, Sendable {
    /// Each is told once.
    private(set) var texts: [String] = []

    init(_ texts: [String] = []) { self.texts = texts }

    /// The value, or `nil` with why there is none kept.
    mutating func keep<Value>(_ result: Result<Value, EnergyError>) -> Value? {
        switch result {
        case .success(let value): return value
        case .failure(let error):
            if !texts.contains(error.message) { texts.append(error.message) }
            return nil
        }
    }
}
