internal import EnergyModel
internal import EnergyTransport
internal import Foundation
internal import KeyFiles

/// What a client is to be called and may do.
struct KeyInput: Hashable, Sendable {
    static let nameMax = 64

    var name = ""
    var permissions: Set<Permission> = [.guidance, .insights, .schedules]
    /// `nil` is every place.
    var venue: UUID?
    /// A place was meant: taking it for all of them would give more than was asked for.
    private var isVenueUnknown = false

    init() {}

    init(_ request: PageRequest) {
        name = FormText.line(request, "name")
        permissions = Set(Permission.allCases.filter { request.field("allow-\($0.rawValue)") == "yes" })
        venue = UUID(uuidString: request.field("only"))
        isVenueUnknown = venue == nil && !request.field("only").isEmpty
    }

    /// - Parameter isTaken: a client of this name has a key already, or a file that would be lost.
    func problems(isTaken: Bool, _ language: Language) -> FormProblems {
        var problems: FormProblems = [:]
        if isTaken { problems["name"] = language(.mustBeNewClient) }
        if !AccessList.isNewName(name) { problems["name"] = language(.mustBeKeyName) }
        if permissions.isEmpty { problems["allow"] = language(.mustBePermission) }
        if isVenueUnknown { problems["only"] = language(.mustBeChosen) }
        return problems
    }

    /// What makes the key where the keys are. Nothing in a name needs quotes in a shell.
    ///
    /// - Precondition: nothing is wrong with the input.
    var commands: [(word: Word, command: String)] {
        let allowed = Permission.allCases.filter(permissions.contains).map(\.rawValue).joined(separator: ",")
        let only = venue.map { " --venue \($0.uuidString.lowercased())" } ?? ""
        return [
            (.keyMakeQR, "energyctl keys client \(name) --allow \(allowed)\(only) --qr"),
            (.keyPicture, "energyctl keys qr \(name) --svg \(name).svg"),
            (.keysRevoke, "energyctl keys revoke \(name)"),
        ]
    }

    // MARK: Fields

    @HTMLBuilder func fields(_ venues: [Venue], _ language: Language, _ problems: FormProblems) -> HTML {
        Form.input(
            "name", language(.keyName), value: name, hint: language(.keyNameHint), error: problems["name"],
            extra: [Attribute("maxlength", "\(Self.nameMax)"), Attribute("autocomplete", "off")])
        HTML.element(
            "fieldset",
            [
                Attribute("aria-describedby", problems["allow"] == nil ? nil : "error-allow"),
                Attribute("class", problems["allow"] == nil ? nil : "wrong"),
            ]
        ) {
            HTML.element("legend") { language(.keyMay) }
            for permission in Permission.allCases {
                Form.check(
                    "allow-\(permission.rawValue)", "\(permission.rawValue): \(language(permission.word))",
                    isOn: permissions.contains(permission))
            }
            if let error = problems["allow"] {
                let first = "field-allow-\(Permission.allCases[0].rawValue)"
                Form.problem("allow", FieldProblem(id: first, label: language(.keyMay), text: error))
            }
        }
        Form.select(
            "only", language(.keyOnly),
            [("", language(.keyEverywhere))] + venues.map { ($0.id.uuidString.lowercased(), $0.name) },
            chosen: venue?.uuidString.lowercased() ?? "", error: problems["only"])
    }
}

extension Permission {
    var word: Word {
        switch self {
        case .guidance: .keyMayGuidance
        case .events: .keyMayEvents
        case .insights: .keyMayInsights
        case .schedules: .keyMaySchedules
        case .control: .keyMayControl
        case .admin: .keyMayAdmin
        }
    }
}
