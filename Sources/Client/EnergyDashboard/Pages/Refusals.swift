internal import EnergyModel
internal import ServiceEndpoints

/// What stands in place of a page's parts that could not be had.
struct Refusals: Hashable, Sendable {
    /// Each is told once.
    private(set) var texts: [String] = []

    init(_ texts: [String] = []) { self.texts = texts }

    /// The value, or `nil` with why there is none kept, unless the page says it anyway.
    mutating func keep<Value>(_ result: Result<Value, EnergyError>, in context: PageContext) -> Value? {
        switch result {
        case .success(let value): return value
        case .failure(let error):
            if let text = context.untold(error), !texts.contains(text) { texts.append(text) }
            return nil
        }
    }
}

extension EnergyError {
    /// A service does not answer.
    static func away(_ service: ServiceKind) -> EnergyError {
        EnergyError(.unavailable, "\(service.executable) does not answer")
    }

    /// A service was asked, and has not answered in time: what it was asked for may be done all the same.
    static func silent(_ service: ServiceKind) -> EnergyError {
        EnergyError(.unavailable, "\(service.executable) has not answered in time")
    }
}

extension Language {
    /// What a service said is English; that it says nothing is not.
    func text(_ error: EnergyError) -> String {
        let service = ServiceKind.allCases.first { error == .away($0) || error == .silent($0) }
        return service.map { self(.serviceAway, $0.executable) } ?? error.message
    }

    /// What is told of an error, marked as English where a service said it.
    func paragraph(_ text: String, of error: EnergyError, _ attributes: [Attribute] = []) -> HTML {
        let isForeign = text == error.message && self != .english
        return .element("p", attributes + [Attribute("lang", isForeign ? "en" : nil)]) { text }
    }

    /// Why something was not stored. That no answer came is no refusal.
    func refusal(_ error: EnergyError) -> String {
        switch error.code {
        case .denied: self(.settingDenied, error.message)
        case .unavailable: ServiceKind.allCases.contains { error == .away($0) } ? text(error) : self(.settingUnanswered)
        default: self(.settingRefused, error.message)
        }
    }
}

extension PageContext {
    /// What is to be said of an error; `nil` where a notice of the page says it.
    func untold(_ error: EnergyError) -> String? {
        let text = language.text(error)
        return notices.contains(text) ? nil : text
    }
}
